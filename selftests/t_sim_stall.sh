#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A command that takes ten seconds: its sample says so, no other one does, and
# what ends a run ends it with that command.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

sim_load "$(sim_card write_ns=1ms)"
S=1000000000
MS=1000000

# seen NAME TEST SEQ: that sample is the late one, by 10 s and at most 1 ms
seen()
{
	fb_is "$1: it was in force" "" "$(cat "$sim/fail")"
	fb_rows "$2.samples" | cut -f 7 | sort -n >/tmp/sorted
	usual=$(sed -n "$(($(wc -l </tmp/sorted) / 2))p" /tmp/sorted)
	# late: more than 1 ms above what is usual
	fb_is "$1: the late samples" "$3" \
		"$(fb_rows "$2.samples" | awk -F '\t' -v us="$usual" '
		$7 > us + 1000000 { print $1 }' | xargs)"
	late=$(tail -n 1 /tmp/sorted)
	fb_that "$1: it took $late ns" test "$late" -ge $((10 * S + usual - MS)) \
		-a "$late" -le $((10 * S + usual + MS))
	fb_is "$1: max_ns" "$late" "$(fb_rows "$2.tsv" | awk -F '\t' '
		$(NF - 1) > max { max = $(NF - 1) } END { print max }')"
}

# number 1 wakes the card
fb_target
echo "stall:read#20=10s" >"$sim/fail"
fb_run "scatter scatter-order=6 count=1"
seen reading scatter 18
fb_target destroy
echo "stall:write#5=10s" >"$sim/fail"
fb_run "open-au erasesize=64K blocksize=64K open-au-nr=4 offset=0 count=4"
seen writing open-au 4

# the access that wakes the card is no sample
echo "stall:read#1=10s" >"$sim/fail"
fb_run "scatter scatter-order=6 count=1"
fb_is "waking up: no sample is late" 0 "$(fb_rows scatter.samples |
	awk -F '\t' '$7 > 1000000000' | wc -l)"
fb_that "waking up: but the run is" [ "$(fb_status elapsed_ns)" -gt $((10 * S)) ]

# ---- what ends a run ----

# ends NAME STATE RULE LINE DONE COMMAND: that, in the third of ten seconds
ends()
{
	echo "$3" >"$sim/fail"
	fb_start "$4" >/tmp/res
	fb_wait running
	sleep 3
	$6
	fb_wait
	fb_is "$1: state" "$2" "$(fb_status state)"
	fb_is "$1: with the command under way" "$5" "$(fb_status progress)"
	elapsed=$(fb_status elapsed_ns)
	fb_that "$1: after $elapsed ns" test "$elapsed" -ge $((10 * S)) -a \
		"$elapsed" -le $((10 * S + 500 * MS))
	fb_is "$1: nothing is in flight" "0 0" \
		"$(xargs <"/sys/block/$dev/inflight")"
}

# shellcheck disable=SC2317 # called by name
cancel()
{
	fb_write cancel 1 >/tmp/res
}

read="scatter scatter-order=6 count=1"
ends "cancel" cancelled "stall:read#20=10s" "$read" 20/65 cancel
ends "max-time" "done" "stall:read#20=10s" "$read max-time=5" 20/65 true
fb_like "max-time: reason" "^budget max-time" "$(fb_status reason)"
write="find-fat erasesize=1M blocksize=512K fat-nr=4"
ends "cancel, writing" cancelled "stall:write#2=10s" "$write" 2/24 cancel
# an operation is two commands here, and they are a read and a write of it
fb_target preserve
ends "cancel, preserving" cancelled "stall:read#2=10s" "$write" 3/40 cancel

fb_done
