#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# scatter: where it reads, in which order, and what it says of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# scatter NAME LINE KEY=VALUE...: runs it and compares with the plan
max=
scatter()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "scatter $line"
	fb_traced >/tmp/traced
	fb_samples scatter | fb_plan_scatter "$@" >/tmp/plan
	fb_check_plan "$name" scatter /tmp/plan "$max"
	fb_check_table "$name" scatter
}

fb_null size=16 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target
end=$((16 << 20))

scatter "as it comes" "count=2" order=9 count=2 span=1 end=$end
fb_run "scatter count=2"
fb_check_times "as it comes" scatter $MS 6000
# both rounds, and neither in order
fb_samples scatter | awk '{ print $3 }' >/tmp/order
head -n 512 /tmp/order >/tmp/first
tail -n 512 /tmp/order >/tmp/second
fb_fails "as it comes: the first round is not in order" sort -n -c /tmp/first
fb_fails "as it comes: the second round is not in order" sort -n -c /tmp/second
fb_fails "as it comes: the two are different" cmp -s /tmp/first /tmp/second
fb_run "scatter count=2 seed=2"
fb_samples scatter | awk '{ print $3 }' >/tmp/other
fb_fails "another seed, another order" cmp -s /tmp/order /tmp/other

# The old command could do neither of these orders
for order in 0 1 7; do
	scatter "order $order" "scatter-order=$order count=3 blocksize=1536" \
		bs=1536 order=$order count=3 span=1 end=$end
done
scatter "spans overlap" "scatter-order=4 scatter-span=3 blocksize=4K count=1" \
	bs=4096 order=4 span=3 end=$end
fb_write range 1M+3M >/tmp/res
max=130560
scatter "in a range, up to its end" \
	"scatter-order=5 scatter-span=33 blocksize=32K count=1 offset=2M" \
	bs=32768 order=5 span=33 from=$((2 << 20)) end=$((4 << 20))
fb_writes <<EOF
ENOSPC | run | scatter scatter-order=6 scatter-span=2 blocksize=32K offset=2M | fits is 5
ENOSPC | run | scatter offset=0 | scatter-order
EINVAL | run | scatter scatter-span=131072 blocksize=1M | scatter-span
EOF

# Which places are slow
fb_two_speeds 16
fb_target
fb_run "scatter scatter-order=6 blocksize=256K count=2"
fb_check_table "two speeds" scatter
fb_is "two speeds: the second half is slow" "32 32" \
	"$(sed '/^#/d' $FB/results/scatter | awk '
		$1 < 8 && $2 < 1.1 { fast++ }
		$1 >= 8 && $2 > 3 && $2 < 3.1 { slow++ }
		END { print fast, slow }')"

dev=mmcblk0
max=
fb_target || fb_done
scatter "SD card" "count=1 blocksize=64K" bs=65536 order=9 span=1 \
	end=$((1 << 30))

fb_done
