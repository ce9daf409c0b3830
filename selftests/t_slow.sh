#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A device that takes two seconds for anything: whatever ends a run ends it
# with the bio that is under way.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# hundredths of a second
now()
{
	sed 's/ .*//; s/\.//' /proc/uptime
}

fb_null size=64 blocksize=512 memory_backed=1 irqmode=2 \
	completion_nsec=2000000000
fb_target
fb_run "interval interval-order=1 count=2"
fb_check_times "two seconds" interval 2000000000 30000

# sane NAME: what status says of a run of bios of 2 s fits together
sane()
{
	awk -F '[:/ ]+' '
		{ v[$1] = $2 }
		$1 == "progress" { all = $3 }
		END {
			did = v["progress"]
			took = v["elapsed_ns"]
			left = (all - did) * 2e9
			if (v["state"] != "running")
				left = 0
			# the one under way counts as time, not as done
			if (did < 1 || did > all || took < did * 2e9 ||
			    took > (did + 1) * 2e9 + 1e8 ||
			    v["eta_ns"] < left * 0.8 ||
			    v["eta_ns"] > left * (did + 1.1) / did)
				print did " of " all " in " took ", " \
					v["eta_ns"] " to go"
		}' "$FB/status" >/tmp/insane
	fb_is "$1: progress, elapsed_ns and eta_ns" "" "$(cat /tmp/insane)"
}

# ends NAME COMMAND...: the command ends the run, with one bio at most
ends()
{
	name=$1
	shift
	fbt write $FB/run "scatter scatter-order=4" >/tmp/writer &
	writer=$!
	fb_wait running
	sleep 5
	sane "$name, before"
	before=$(fb_status progress)
	elapsed=$(fb_status elapsed_ns)
	began=$(now)
	"$@" >/tmp/res
	fb_wait
	took=$(($(now) - began))
	wait $writer 2>/dev/null
	after=$(fb_status progress)
	elapsed=$(($(fb_status elapsed_ns) - elapsed))
	fb_that "$name: after $took/100 s" test $took -le 210
	fb_that "$name: $elapsed ns" test $elapsed -le 2010000000
	fb_that "$name: from $before to $after" \
		test $((${after%/*} - ${before%/*})) -le 1
	fb_is "$name: state" cancelled "$(fb_status state)"
	fb_is "$name: reason" cancelled "$(fb_status reason)"
	fb_is "$name: no result" ENODATA "$(fb_read results/scatter)"
	sane "$name, at the end"
	# nothing is left under way
	fb_is "$name: in flight" "0 0" \
		"$(xargs <"/sys/block/$dev/inflight")"
}

# shellcheck disable=SC2317 # called by ends
tell()
{
	kill "-$1" "$writer"
}

ends "cancel" fb_write cancel 1
fb_is "cancel: the writer's error" ECANCELED "$(cat /tmp/writer)"
ends "cancel, not waiting" fbt write -b $FB/cancel 1
for signal in TERM INT KILL; do
	ends "SIG$signal to the writer" tell $signal
done

# A preserving write is two bios; the second of them may be the first's half
fb_target preserve
fb_start "find-fat erasesize=64K blocksize=64K" >/tmp/res
fb_wait running
sleep 5
began=$(now)
fb_write cancel 1 >/tmp/res
took=$(($(now) - began))
fb_that "preserve: after $took/100 s" test $took -le 410
fb_is "preserve: state" cancelled "$(fb_status state)"

# max-time ends it, too, and what was measured until then is shown
fb_target
fb_run "scatter scatter-order=2 count=1 max-time=5"
fb_like "max-time: reason" "^budget max-time" "$(fb_status reason)"
fb_is "max-time: progress" 3/5 "$(fb_status progress)"

fb_done
