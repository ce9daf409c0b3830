#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# diag: the driver's own share of each latency.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000
columns="seq point op offset length submit_ns latency_ns parts status"

# shares NAME TEST MIN MAX: driver_ns is from MIN to MAX, the rest is ours. A
# driver needs some time to set its timer, and the timer to interrupt; one sample,
# or one in fifty, may meet another interrupt.
shares()
{
	fb_is "$1: the samples are in line" "" \
		"$(fb_rows "$2.samples" | awk -v min="$3" -v max="$4" '
			$10 < min || $7 <= $10 { print "impossible: " $0 }
			$10 > max || $7 > $10 + 30000 { late++; last = $0 }
			END {
				if (late > 1 && late * 50 > NR)
					print late " of " NR " late: " last
			}' | head -n 3)"
}

fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target destroy
fb_run "scatter scatter-order=6"
fb_is "without: columns" "$columns" \
	"$(sed '/^#/d; q' $FB/results/scatter.samples >/tmp/res
	sed '/^#/d' $FB/results/scatter.samples | head -n 1 | xargs)"
fb_is "without: fields" 9 "$(fb_rows scatter.samples | awk '{ print NF }' |
	uniq)"
fb_run "scatter scatter-order=6 diag=1"
fb_is "with: columns" "$columns driver_ns" \
	"$(sed '/^#/d' $FB/results/scatter.samples | head -n 1 | xargs)"
shares "with" scatter $MS $((MS + 3000))
fb_run "scatter scatter-order=6 diag=0"
fb_is "diag=0: fields" 9 "$(fb_rows scatter.samples | awk '{ print NF }' |
	uniq)"
fb_run "open-au erasesize=64K diag"
shares "writes" open-au $MS $((MS + 3000))
fb_write write_mode preserve >/tmp/res
fb_run "open-au erasesize=64K diag"
shares "preserving writes" open-au $MS $((MS + 3000))

# a flush is no request with a bio of ours
fb_null size=32 blocksize=512 irqmode=2 completion_nsec=$MS memory_backed=1 \
	cache_size=8
fb_target destroy
fb_run "find-fat erasesize=64K blocksize=32K fat-nr=1 flush diag"
fb_is "flush: not known" 0 \
	"$(fb_rows find-fat.samples | awk '$3 == "flush" { print $10 }' | uniq)"
# FUA and plain writes are
fb_is "flush: writes are" "" "$(fb_rows find-fat.samples |
	awk -v ms=$MS '$3 == "write" && ($10 < ms || $10 > 1.2 * ms)')"

# Several parts, one at a time: from the first of them to the last
fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS hw_queue_depth=1 \
	submit_queues=1
fb_target
echo 4 >"/sys/block/$dev/queue/max_sectors_kb"
fb_run "scatter scatter-order=4 blocksize=16K diag count=1"
shares "parts" scatter $((4 * MS)) $((4 * MS + 60000))

# Two devices below: their requests are not ours, so nothing is known
fb_two_speeds 64
fb_target
fb_run "scatter scatter-order=2 blocksize=16M diag count=1"
fb_is "stacked: not known" 0 \
	"$(fb_rows scatter.samples | cut -f 10 | uniq)"

dev=mmcblk0
fb_target || fb_done
fb_run "scatter scatter-order=6 diag"
shares "SD card" scatter 1000 100000000

fb_done
