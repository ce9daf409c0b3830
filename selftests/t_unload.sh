#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Unloading: refused while a file is open, ends a run that nobody waits for,
# and leaves nothing behind.
# shellcheck disable=SC2009,SC2034,SC2046,SC2116 # words are split on purpose
. "$(dirname "$0")/lib.sh"

load()
{
	insmod /lab/flashbench.ko
}

# ---- refused ----

for file in target range write_mode status tests results/align; do
	exec 3<$FB/$file
	fb_fails "rmmod while $file is open" rmmod flashbench
	exec 3<&-
done
for file in run cancel target; do
	exec 3>$FB/$file
	fb_fails "rmmod while $file is open for writing" rmmod flashbench
	exec 3>&-
done

fb_slow 100
slow=$dev
fb_write target "$slow" >/tmp/res
fbt write $FB/run "interval interval-order=10 count=9" >/tmp/writer &
writer=$!
fb_wait running
sleep 1
fb_fails "rmmod while a writer waits for its run" rmmod flashbench
fb_is "does not disturb it" running "$(fb_status state)"
kill -INT $writer
wait $writer
fb_is "that ends as always" ECANCELED "$(cat /tmp/writer)"

# ---- in the middle of a run that nobody waits for ----

for mode in off preserve destroy; do
	fb_write target "$slow" >/tmp/res
	fb_write write_mode $mode >/tmp/res
	fb_start "align count=100" >/tmp/res
	sleep 1.03
	fb_is "$mode: it runs" running "$(fb_status state)"
	ios=$(fb_io "$slow" | cut -d ' ' -f 1)
	begin=$(awk '{print $1 * 1000}' /proc/uptime)
	fb_that "$mode: rmmod while it runs" rmmod flashbench
	took=$(awk -v begin="$begin" '{printf "%d", $1 * 1000 - begin}' \
		/proc/uptime)
	fb_that "$mode: within one bio, $took ms" [ "$took" -le 150 ]
	fb_is "$mode: it waited for the one outstanding" $((ios + 1)) \
		"$(fb_io "$slow" | cut -d ' ' -f 1)"
	fb_hold "$slow" excl
	fb_is "$mode: the device is free" OK "$(cat /tmp/held)"
	fb_drop
	load
	fb_is "$mode: all is new" "none 0+0 [off] preserve destroy idle" \
		"$(echo $(cat $FB/target $FB/range $FB/write_mode) \
		$(fb_status state))"
done

# ---- nothing is left ----

fb_null size=64 memory_backed=1
quick=$dev

# a life with all there is: a result of each kind, refusals, a reader
life()
{
	load
	echo "$quick" >$FB/target
	echo preserve >$FB/write_mode
	echo "open-au erasesize=128K" >$FB/run
	echo off >$FB/write_mode
	echo "scatter scatter-order=9 blocksize=512 count=2" >$FB/run
	echo "scatter scatter-order=8 blocksize=512 count=2 diag" >$FB/run
	echo "interval count=0" >$FB/run 2>/dev/null
	cat $FB/info $FB/tests $FB/status $FB/results/scatter.samples >/dev/null
	rmmod flashbench
}

# kB of kernel memory that may grow
memory()
{
	sleep 1
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^(SUnreclaim|VmallocUsed|PageTables|KernelStack):/ {n += $2}
		END {print n}' /proc/meminfo
}

fb_write target "" >/tmp/res
rmmod flashbench
for i in 1 2 3; do
	life
done
before=$(memory)
for i in $(seq 20); do
	life
done
grown=$(($(memory) - before))
fb_that "20 lives leave nothing, $grown kB" [ $grown -lt 60 ]
fb_is "no vmalloc area is left" 0 "$(grep -c flashbench /proc/vmallocinfo)"
fb_is "no thread is left" "" "$(ps | grep '[f]lashbench')"
fb_hold "$quick" excl
fb_is "no device is held" OK "$(cat /tmp/held)"
fb_drop
load

fb_done
