#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# align: where it reads, in which order, and what it says of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# align NAME LINE KEY=VALUE...: runs it and compares with the plan, which is
# that of the old schedule
align()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "align old-schedule $line"
	fb_traced >/tmp/traced
	fb_plan_align "$@" >/tmp/plan
	fb_check_plan "$name" align /tmp/plan
	fb_check_table "$name" align
}

# A millisecond a read, whatever and wherever it is
fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target
end=$((64 << 20))

align "as it comes" "count=2" bs=16384 count=2 end=$end
fb_is "as it comes: rows" "50331648 37748736 33554432 25165824 18874368" \
	"$(sed '/^#/d' $FB/results/align | sed 's/align \([0-9]*\).*/\1/' | head -n 5 | xargs)"

fb_run "align count=2"
fb_check_times "as it comes" align $MS 6000

# the place of the access across: a whole sector, whatever the block size
for bs in 1024 1536 2560 3072 4608; do
	align "blocksize $bs" "blocksize=$bs count=1 offset=62M" \
		bs=$bs from=$((62 << 20)) end=$end
	# shellcheck disable=SC2017 # rounded down to whole sectors
	fb_is "blocksize $bs: across is split at" \
		"$((bs / 1024 * 512)) $((bs - bs / 1024 * 512))" \
		"$(fb_rows align.samples | awk -v bs=$bs '
			$2 == 0 { at = $4 + bs }
			$2 == 1 { print at - $4, $4 + $5 - at; exit }')"
done
fb_writes <<EOF
EINVAL | run | align blocksize=512 | blocksize: .*at least 1024
EINVAL | run | align blocksize=1000 | blocksize
ENOSPC | run | align blocksize=64M | nothing fits|would fit
EOF

# a range, neither end of it on any large boundary
fb_write range 4661760+33333760 >/tmp/res
align "in a range" "blocksize=8K count=3" bs=8192 count=3 from=4661760 \
	end=$((4661760 + 33333760))
align "in a range, with an offset" "blocksize=8K count=1 offset=10000384" \
	bs=8192 from=10000384 end=$((4661760 + 33333760))
fb_writes <<EOF
ENOSPC | run | align offset=0 | range
ENOSPC | run | align offset=60M | range
EOF

# 4 KiB blocks: sizes that are no multiple are left out
fb_null size=16 blocksize=4096 irqmode=2 completion_nsec=$MS
fb_target
align "blocks of 4 KiB" "blocksize=8K count=1" bs=8192 lbs=4096 end=$((16 << 20))
fb_writes <<EOF
EINVAL | run | align blocksize=4K | blocksize: .*at least 8192
EINVAL | run | align blocksize=6K | blocksize: .*4096
EOF

# The random schedule: SIZE FROM END: what is wrong with the samples of a row.
# Boundaries are multiples of its size, in the middle of the accesses across,
# and none of 2, 3, 5 and 7 divides their number.
row_of()
{
	point=$(fb_rows align.tsv | awk -v size="$1" '
		$2 == size { print $1; exit }')
	fb_samples align | awk -v p="$point" -v size="$1" '
	$1 >= p && $1 < p + 3 {
		place = $1 - p
		at = $3 + (place == 0 ? $4 : place == 1 ? $4 / 2 : 0)
		k = at / size
		n[place]++
		seen[k, place]++
		ks[k] = 1
		if (at % size || !(k % 2) || !(k % 3) || !(k % 5) || !(k % 7))
			print "place", place, "at", $3
		# twelve places further on it is the same boundary
		if (turn >= 12 && k != turns[turn % 12])
			print "turn", turn, "at", k
		turns[turn++ % 12] = k
	}
	END {
		for (k in ks)
			m++
		for (i in seen)
			if (seen[i] != 3)
				print i, "is seen", seen[i], "times"
		print m + 0, n[0] + 0, n[1] + 0, n[2] + 0
	}'
}

fb_null size=4096 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target
fb_run "align blocksize=4K count=3"
for size in 8192 24576 1572864 1048576 589824; do
	fb_is "$size: twelve places, each before, across and after" 		"12 36 36 36" "$(row_of $size)"
done
fb_is "positions of the largest rows" "1 1 1 2 3 3 5 7" "$(
	sed -n 's/^# positions: //p' $FB/results/align | cut -d ' ' -f 1-8)"

# a real controller and card
dev=mmcblk0
fb_target || fb_done
align "SD card" "blocksize=32K count=1" bs=32768 end=$((1 << 30))

fb_done
