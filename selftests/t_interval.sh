#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# interval: where it reads, and the line through the times.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# interval NAME LINE KEY=VALUE...: runs it and compares with the plan
max=
interval()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "interval $line"
	fb_traced >/tmp/traced
	fb_plan_interval "$@" >/tmp/plan
	fb_check_plan "$name" interval /tmp/plan "$max"
	check_lines "$name"
}

# The table: the sizes follow from .tsv to the letter; the line is the one of
# least squares, which is to say that what it misses adds up to nothing, also
# when weighted with the sizes.
check_lines()
{
	fb_rows interval.tsv >/tmp/tsv
	sed '/^#/d' $FB/results/interval >/tmp/table
	# shellcheck disable=SC2016
	awk -F '\t' "$fb_awk_text"'{
		mbs = int($2 * 1e9 / $7 / 1000)
		printf "%d bytes: min %s avg %s max %s: %d.%03d MB/s\n", $2,
			time_text($7), time_text($9), time_text($11),
			int(mbs / 1000), mbs % 1000
	}' /tmp/tsv >/tmp/want
	sed -n '/ bytes:/p' /tmp/table >/tmp/got
	fb_same "$1: a line for each size" /tmp/want /tmp/got
	awk '$1 == "bytes" { print $2 + 0, $4 }' /tmp/table >/tmp/got
	awk -F '\t' '{ print $2, $7 }' /tmp/tsv >/tmp/want
	fb_same "$1: overheads are of the least times" /tmp/want /tmp/got
	fb_is "$1: the line fits" "0 0" "$(awk '
		$1 == "bytes" && n++ >= 3 {
			m++
			sum += $6
			moment += $6 * $2
			weight += $2
		}
		END {
			# a byte per second is 64 ns in the longest
			sum /= m
			moment /= weight
			if (sum < 100 && sum > -100)
				sum = 0
			if (moment < 100 && moment > -100)
				moment = 0
			print sum, moment
		}' /tmp/table)"
}

# A request a page, one at a time, each a millisecond: 4.096 MB/s
fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS hw_queue_depth=1 \
	submit_queues=1
echo 4 >"/sys/block/$dev/queue/max_sectors_kb"
fb_target
max=4096
interval "as it comes" "count=2" order=12 count=2 end=$((64 << 20))
fb_run "interval count=2"
check_lines "as it comes"
awk '/access time/ { sub(/,/, ""); print $1 * 1000 }' /tmp/table >/tmp/rate
fb_that "as it comes: 4.096 MB/s, less a per cent or two" \
	test "$(cat /tmp/rate)" -ge 4020 -a "$(cat /tmp/rate)" -le 4096
fb_like "as it comes: no fixed cost but the first page" \
	' -?[0-9.]+(µs|ns) access time' "$(grep access /tmp/table)"
fb_is "as it comes: parts" "1 1 1 1 2 4 8 16 32 64 128 256" \
	"$(fb_rows interval.samples | cut -f 8 | uniq | xargs -n 1 |
		awk 'NR == 1 { print 1; print 1; print 1 } { print }' | xargs)"
fb_is "as it comes: a page a millisecond" "" \
	"$(fb_rows interval.samples | awk '{
		ms = $8
		if ($7 < ms * 1000000 || $7 > ms * 1015000 + 20000)
			print
	}' | head -n 3)"

interval "in a range" "count=4 interval-order=6 offset=12345856" order=6 \
	count=4 from=12345856 end=$((64 << 20))
fb_writes <<EOF
ENOSPC | run | interval interval-order=18 count=2 | fits is 14
EINVAL | run | interval interval-order=19 | interval-order
EOF
# 512 bytes to 64 MiB are 18 sizes; here they fit once
fb_run "interval count=1 interval-order=18"
fb_is "up to 64 MiB" 67108864 "$(fb_rows interval.tsv | tail -n 1 | cut -f 2)"

# Too few points, or none but equal times, and no line: but no nonsense
for order in 1 2 3 4; do
	fb_run "interval interval-order=$order count=1"
	fb_is "$order sizes: no line" "- MB/s, - access time" \
		"$(sed '/^#/d; / bytes:/d' $FB/results/interval)"
done

# 4 KiB blocks begin at 4 KiB
fb_null size=16 blocksize=4096 irqmode=2 completion_nsec=$MS max_sectors=8192
fb_widen
fb_target
max=
interval "blocks of 4 KiB" "count=1 interval-order=10" order=10 lbs=4096 \
	end=$((16 << 20))

dev=mmcblk0
max=$((512 << 10))
fb_target || fb_done
interval "SD card" "count=4" order=12 count=4 end=$((1 << 30))

fb_done
