#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Choosing and releasing a target, by all its names.
. "$(dirname "$0")/lib.sh"

fb_is "no target at first" none "$(cat $FB/target)"
fb_fails "no info without a target" cat $FB/info
fb_is "info without a target" ENODEV "$(fb_read info)"

fb_null size=64 memory_backed=1 blocksize=4096
null=$dev
devt=$(cat "/sys/block/$null/dev")

# WRITTEN | READ BACK
while IFS='|' read -r text name; do
	fb_is "'$text' is a name" OK "$(fb_write target "$text")"
	fb_is "'$text' is read back as" "$name" "$(cat $FB/target)"
done <<EOF
mmcblk0|mmcblk0
|none
/dev/mmcblk0|mmcblk0
|none
179:0|mmcblk0
$null|$null
/dev/$null|$null
vda|vda
$devt|$null
EOF

# a symbolic link, as those in /dev/disk, and one newline or none at all
ln -s /dev/vda /tmp/link
fb_is "a link to a device" OK "$(fb_write target /tmp/link)"
fb_is "is the device" vda "$(cat $FB/target)"
fb_is "no newline" OK "$(fbt write -n $FB/target mmcblk0)"
fb_is "is as good as one" mmcblk0 "$(cat $FB/target)"
fb_is "nothing but a newline" OK "$(fbt write -n $FB/target '
')"
fb_is "releases the target" none "$(cat $FB/target)"
fb_write target "$null" >/tmp/res
fb_like "two newlines" "^(EINVAL|ENODEV)$" "$(fb_write target 'mmcblk0
')"
fb_is "change nothing" "$null" "$(cat $FB/target)"

fb_writes <<EOF
OK     | target     | $null
OK     | range      | 1M+2M
OK     | write_mode | destroy
ENODEV | target     | nosuchdisk          | ^target: .*nosuchdisk
ENODEV | target     | /dev/nosuchdisk     | ^target:
ENODEV | target     | /nosuchdir/mmcblk0  | ^target:
ENODEV | target     | /dev                | ^target:
ENODEV | target     | /dev/ttyS0          | ^target:
ENODEV | target     | /proc/version       | ^target:
ENODEV | target     | none                | ^target:
ENODEV | target     | 250:77              | ^target:
EINVAL | target     | 179:                | ^target: .*179:
EINVAL | target     | 179:0x              | ^target:
EINVAL | target     | 179:-1              | ^target:
EINVAL | target     | 179:0:0             | ^target:
EINVAL | target     | 179                 | ^target:
EINVAL | target     | 99999999999:0       | ^target:
EINVAL | target     | 4294967475:0        | ^target:
EINVAL | target     | 179:4294967296      | ^target:
EINVAL | target     | 4096:0              | ^target:
EOF
fb_is "a refused target leaves the old one" "$null" "$(cat $FB/target)"
fb_is "and its range" 1048576+2097152 "$(cat $FB/range)"
fb_is "and its write mode" "off preserve [destroy]" "$(cat $FB/write_mode)"
fb_is "and is no failed run" idle "$(fb_status state)"

# text that is longer than what is looked at may not become another name
long=/dev/
while [ ${#long} -lt $((511 - ${#null})) ]; do
	long=$long/
done
fb_is "a name of 511 characters" OK "$(fb_write target "$long$null")"
for more in 1 12 12345; do
	fb_like "is not one of ${#more} more" "^(EINVAL|ENODEV)$" \
		"$(fb_write target "$long$null$more")"
done
fb_like "and not one of 5000" "^(EINVAL|ENODEV)$" \
	"$(fb_write target "$(printf %5000s x | tr ' ' /)")"
fb_like "a NUL does not end a name" "^(EINVAL|ENODEV)$" \
	"$(printf '%s\0x' "$null" | fbt pipe $FB/target)"

# an empty device is no device
fb_loop 1
losetup -d "/dev/$dev"
fb_is "a device without a medium" ENODEV "$(fb_write target "$dev")"

# what is written comes back in the reason, and must not break its line
fb_is "a name of two lines" ENODEV "$(fb_write target "null
state: done")"
fb_is "is in a reason of one" 10 "$(wc -l <$FB/status)"
fb_is "a number and an empty line" EINVAL "$(fb_write target "$devt
")"

fb_write target "$null" >/tmp/res
fb_is "info names the target" "device: $null" "$(grep ^device: $FB/info)"
fb_is "and its numbers" "dev: $devt" "$(grep ^dev: $FB/info)"
fb_is "and its size" "size_bytes: 67108864" "$(grep ^size_bytes: $FB/info)"
fb_is "the target is held open" "openers: 1" "$(grep ^openers: $FB/info)"
fb_hold "$null" excl
fb_is "but not for itself: others may even claim it" OK "$(cat /tmp/held)"

fb_done
