#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A device with bad sectors: the row is finished, the run fails, and no number
# rests on what failed.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# bad FIRST LAST [MEMORY]: sectors of a new disk of 32 MiB, which takes all
# that a test does in one request
bad()
{
	fb_null size=32 blocksize=512 irqmode=2 completion_nsec=100000 \
		max_sectors=8192 memory_backed="${3:-0}"
	fb_widen
	echo "+$1-$2" >"$fb_dir/badblocks"
}

# fails NAME LINE OP SECTOR ERRORS DONE: how the run ends
fails()
{
	test=${2%% *}
	fb_read "results/$test" >/tmp/before
	fb_read "results/$test.samples" >>/tmp/before
	fb_is "$1: the error" EIO "$(fb_write run "$2")"
	fb_is "$1: state" failed "$(fb_status state)"
	fb_is "$1: reason" "$3 failed at sector $4 with error -5" \
		"$(fb_status reason)"
	fb_is "$1: io_errors" "$5" "$(fb_status io_errors)"
	fb_is "$1: the row is finished" "$6" "$(fb_status progress)"
	fb_read "results/$test" >/tmp/after
	fb_read "results/$test.samples" >>/tmp/after
	fb_same "$1: the result of before is still there" /tmp/before /tmp/after
}

# A row of align is 1 + 3 positions * count; the first row is 12 MiB
MB=$((1 << 20))
fb_plan_align bs=65536 count=2 end=$((32 * MB)) >/tmp/plan
total=$(wc -l </tmp/plan)
# where 3 MiB are bad, from the first row that reads there
rows=$(awk -v at=$((3 * MB)) '
	{ n[NR] = $1; if ($3 < at + 512 && $3 + $4 > at && !hit) hit = NR }
	END {
		# on to the next wake-up
		for (i = hit + 1; i <= NR && n[i] != "-"; i++)
			;
		print hit, i - 1
	}' /tmp/plan)
first=${rows% *}
last=${rows#* }
errors=$(sed -n "1,${last}p" /tmp/plan | awk -v at=$((3 * MB)) '
	$3 < at + 512 && $3 + $4 > at { n++ } END { print n }')
sector=$(sed -n "${first}p" /tmp/plan | awk '{ print $3 / 512 }')
bad $((3 * 2048)) $((3 * 2048))
fb_target
fails "no result yet" "align old-schedule blocksize=64K count=2" read "$sector" "$errors" \
	"$last/$total"
fb_is "no result yet: none" "ENODATA ENODATA ENODATA" "$(fb_read results/align
	) $(fb_read results/align.tsv) $(fb_read results/align.samples)"
fb_is "the good part of it" OK \
	"$(fb_write run "align blocksize=64K count=2 offset=4M")"
fails "a result there" "align old-schedule blocksize=64K count=2" read "$sector" "$errors" \
	"$last/$total"
# what it did is not lost: bytes count, whatever became of them
fb_is "a result there: bytes" "$(sed -n "1,${last}p" /tmp/plan | fb_cost)" \
	"$last $(fb_status read_bytes) 0 0"

# A table of one row: all of it is done, and each place that is bad counts
bad 300 300
fb_target
fails "scatter" "scatter scatter-order=4 blocksize=32K count=3" read 256 3 \
	49/49
# rows of three; the sixth reads 32 sectors from 288 on
bad 300 340
fb_target
fails "interval" \
	"interval interval-order=8 count=2" read 288 1 18/24
fb_target
fb_is "none where none is" OK "$(fb_write run "interval interval-order=3")"

# The access that wakes the device reads the last block
bad 65535 65535
fb_target
fails "warm-up" "scatter scatter-order=2 count=2" read 65535 1 9/9
fb_write range 0+8M >/tmp/res
fb_is "warm-up of a range" OK "$(fb_write run "scatter scatter-order=2")"

# Of several bios the first that fails is named
bad 700 900
echo 64 >"/sys/block/$dev/queue/max_sectors_kb"
fb_target
fails "parts" "scatter scatter-order=0 blocksize=1M count=1" read 640 1 2/2

# Writes: a row of 1 MiB, then one of 512 KiB, each closed
bad $((2048 + 1100)) $((2048 + 1100))
fb_target destroy
fails "first row" "find-fat erasesize=1M blocksize=512K fat-nr=2" write 2048 1 \
	4/12
fails "first row, twice" \
	"find-fat erasesize=1M blocksize=256K fat-nr=2 count=2" write 2048 2 \
	6/38
fb_is "none where none is" OK \
	"$(fb_write run "find-fat erasesize=1M offset=2M fat-nr=2")"
fails "a result there" "find-fat erasesize=1M blocksize=512K fat-nr=2" write \
	2048 1 4/12

# Only what closes the erase block gets there: blocks are from 15.25 MiB on
bad $((15 * 2048 + 200)) $((15 * 2048 + 200))
fb_target destroy
fb_write range 15M+2M >/tmp/res
fb_is "without closing it" OK "$(fb_write run "align-write old-schedule blocksize=512K")"
fails "closing" "align-write old-schedule blocksize=512K erasesize=1M" write $((15 * 2048)) \
	1 5/"$(fb_plan_align op=write bs=524288 erase=1048576 from=$((15 * MB)) \
		low=$((15 * MB)) end=$((17 * MB)) | wc -l)"

# What cannot be read cannot be preserved, and is not written
bad $((2048 + 1100)) $((2048 + 1100)) 1
fb_target preserve
fails "preserve" "find-fat erasesize=1M blocksize=512K fat-nr=2" read 2048 1 \
	5/20
fb_is "preserve: written" 1048576 "$(fb_status written_bytes)"

# A budget of time ends also a run that has failed and finishes its row
fb_null size=32 blocksize=512 irqmode=2 completion_nsec=50000000
echo "+0-511" >"$fb_dir/badblocks"
fb_target
fb_is "all bad, max-time" EIO \
	"$(fb_write run "scatter scatter-order=8 blocksize=1K count=4 max-time=2")"
fb_like "all bad, max-time: the reason is the error" "^read failed" \
	"$(fb_status reason)"
fb_that "all bad, max-time: it ends" \
	[ "$(fb_status elapsed_ns)" -lt 2200000000 ]

# The device is released and can be measured again
bad 0 8
fb_target
fb_write range 8M+8M >/tmp/res
fb_is "afterwards" OK "$(fb_write run "align blocksize=64K")"

fb_done
