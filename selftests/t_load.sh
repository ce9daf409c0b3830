#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The module loads and unloads, again and again, and shows its files.
# shellcheck source=selftests/lib.sh
. "$(dirname "$0")/lib.sh"

for i in 1 2 3; do
	fb_that "unload, $i" rmmod flashbench
	fb_fails "no directory without the module, $i" test -e "$FB"
	fb_that "load, $i" insmod /lab/flashbench.ko
done

# mode and name of each file
while read -r mode file; do
	fb_is "mode of $file" "$mode" "$(stat -c %a "$FB/$file")"
done <<EOF
700 .
600 target
600 range
600 write_mode
200 run
200 cancel
400 status
400 info
400 tests
EOF

fb_done
