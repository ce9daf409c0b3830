#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Arming and disarming.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

mode()
{
	cat $FB/write_mode
}

fb_is "off at first" "[off] preserve destroy" "$(mode)"
fb_writes <<EOF
ENODEV | write_mode | preserve | ^write_mode: no target
ENODEV | write_mode | destroy  | ^write_mode: no target
OK     | write_mode | off      |
EOF
fb_is "still off" "[off] preserve destroy" "$(mode)"

fb_null size=64 memory_backed=1
null=$dev
fb_write target "$null" >/tmp/res

# each to each
while read -r text want; do
	fb_is "$text can be written" OK "$(fb_write write_mode $text)"
	fb_is "$text is shown" "$want" "$(mode)"
done <<EOF
off [off] preserve destroy
preserve off [preserve] destroy
preserve off [preserve] destroy
destroy off preserve [destroy]
destroy off preserve [destroy]
preserve off [preserve] destroy
off [off] preserve destroy
destroy off preserve [destroy]
off [off] preserve destroy
EOF

fb_is "without a newline" OK "$(fbt write -n $FB/write_mode preserve)"
fb_writes <<EOF
EINVAL | write_mode |                | ^write_mode: .*off, preserve or destroy
EINVAL | write_mode | on             | ^write_mode: "on"
EINVAL | write_mode | 1              | ^write_mode:
EINVAL | write_mode | Destroy        | ^write_mode:
EINVAL | write_mode | destroyer      | ^write_mode:
EINVAL | write_mode | destro         | ^write_mode:
EINVAL | write_mode | destroy off    | ^write_mode:
EINVAL | write_mode | [destroy]      | ^write_mode:
EINVAL | write_mode | destroy,off    | ^write_mode:
EOF
fb_is "a refused word changes nothing" "off [preserve] destroy" "$(mode)"
fb_is "and is no failed run" idle "$(fb_status state)"
fb_write write_mode preserve >/tmp/res
fb_is "one that is taken clears the reason" - "$(fb_status reason)"

# back to off whenever the target changes, be it to what it was
while IFS='|' read -r name target; do
	fb_write target "$null" >/tmp/res
	fb_is "armed before $name" OK "$(fb_write write_mode destroy)"
	fb_is "$name" OK "$(fb_write target "$target")"
	fb_is "$name: off" "[off] preserve destroy" "$(mode)"
	fb_hold "$null" excl
	fb_is "$name: others may have it" OK "$(cat /tmp/held)"
	fb_drop
done <<EOF
another target|mmcblk0
the same target|$null
no target|
EOF

# what is off does not write
fb_write target "$null" >/tmp/res
for test in open-au find-fat align-write; do
	fb_is "$test when off" \
		"EPERM write_mode: $test writes and write_mode is off" \
		"$(fb_refused "$test" | sed 's/;.*//')"
done
fb_is "nothing was written" "0 0" "$(fb_io "$null" | cut -d ' ' -f 3,4)"
fb_write write_mode destroy >/tmp/res
fb_write write_mode off >/tmp/res
fb_is "nor after it was armed" EPERM "$(fb_write run find-fat)"

# what each mode does to the content
fbdata fill "/dev/$null" 1
before=$(fbdata sum "/dev/$null")
line="find-fat fat-nr=2 erasesize=1M blocksize=512K"
fb_write write_mode preserve >/tmp/res
fb_is "a run in preserve" OK "$(fb_write run "$line")"
written=$(fb_status written_bytes)
fb_like "has written" "^[1-9]" "$written"
fb_is "and read all of it before, and a block at a time to wake" \
	$((written + 4 * 512)) "$(fb_status read_bytes)"
fb_is "every byte is as it was" "$before" "$(fbdata sum "/dev/$null")"
fb_is "the header says so" 1 \
	"$(grep -c '^# write_mode: preserve' $FB/results/find-fat)"
fb_write write_mode destroy >/tmp/res
fb_is "a run in destroy" OK "$(fb_write run "$line")"
fb_is "writes as much" "$written" "$(fb_status written_bytes)"
fb_is "and reads only to wake" $((4 * 512)) "$(fb_status read_bytes)"
fb_that "the content is another" [ "$before" != "$(fbdata sum "/dev/$null")" ]

fb_done
