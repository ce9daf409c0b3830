#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The same line and seed: the same operations in the same order, and the same
# data. Another seed: others.
. "$(dirname "$0")/lib.sh"

fb_null size=32 memory_backed=1
fb_write target "$dev" >/tmp/res
fb_write write_mode destroy >/tmp/res

# all of .samples but the times
ops()
{
	grep -v '^#' "$FB/results/$test.samples" | cut -f 1-5,8,9
}

# LINE | another seed changes: order, places, nothing
while IFS='|' read -r line changes; do
	test=${line%% *}
	fb_is "$line" OK "$(fb_write run "$line seed=7")"
	ops >/tmp/ops
	full=$(fb_status test)
	header=$(sed -n 's/^# run: //p' "$FB/results/$test")
	fb_that "$line: there are operations" [ "$(wc -l </tmp/ops)" -gt 3 ]
	fb_is "$line: again" OK "$(fb_write run "$line seed=7")"
	fb_is "$line: the same operations" "$(cat /tmp/ops)" "$(ops)"
	fb_is "$line: the test line of status" OK "$(fb_write run "$full")"
	fb_is "$line: is its own resolution" "$full" "$(fb_status test)"
	fb_is "$line: and does the same" "$(cat /tmp/ops)" "$(ops)"
	fb_is "$line: the header has the same line" "$full" "$header"
	fb_write run "$line seed=8" >/tmp/res
	ops >/tmp/ops2
	if [ "$changes" = nothing ]; then
		fb_that "$line: there is no order to choose" \
			cmp /tmp/ops /tmp/ops2
	else
		fb_fails "$line: another seed" cmp /tmp/ops /tmp/ops2
	fi
	[ "$changes" != order ] ||
		fb_that "$line: the same operations in another order" \
			[ "$(cut -f 2- /tmp/ops | sort | md5sum)" = \
			  "$(cut -f 2- /tmp/ops2 | sort | md5sum)" ]
done <<EOF
scatter scatter-order=8|order
scatter scatter-order=6 count=3 blocksize=4K offset=1M|order
open-au erasesize=256K open-au-nr=5|order
open-au erasesize=256K open-au-nr=4 random|order
find-fat erasesize=512K fat-nr=4 random|order
find-fat erasesize=512K fat-nr=4|nothing
align count=2|places
align-write blocksize=64K|places
align old-schedule count=2|nothing
align-write old-schedule blocksize=64K|nothing
interval interval-order=7|nothing
EOF

# the data that is written, at the start of the device
line="find-fat erasesize=1M blocksize=64K random"
for pattern in random zero one; do
	for seed in 1 1 2; do
		fbdata fill "/dev/$dev" 99
		fb_write run "$line seed=$seed pattern=$pattern" >/tmp/res
		fbdata sum "/dev/$dev"
	done >/tmp/sums
	fb_is "$pattern: the same seed, the same data" 1 \
		"$(head -n 2 /tmp/sums | sort -u | wc -l)"
	want=1
	[ $pattern != random ] || want=2
	fb_is "$pattern: different data for two seeds" $want \
		"$(sort -u /tmp/sums | wc -l)"
done

fb_done
