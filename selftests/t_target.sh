#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Choosing and releasing a target.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/lib.sh"

fb_is "no target at first" none "$(cat "$FB/target")"

fb_writes <<EOF
OK | target | mmcblk0 |
OK | target | /dev/vda |
OK | target | |
ENODEV | target | nosuchdisk |
EOF

fb_null memory_backed=1 size=64 blocksize=4096
fb_is "null_blk as target" OK "$(fb_write target "$dev")"
fb_is "and by numbers" OK \
	"$(fb_write target "$(cat "/sys/block/$dev/dev")")"
fb_is "is read back by name" "$dev" "$(cat "$FB/target")"

fb_done
