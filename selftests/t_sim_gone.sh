#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A card that is pulled in the middle of a run, by itself or from outside.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# ended NAME SECTOR: how the run in the background has ended
ended()
{
	fb_is "$1: state" failed "$(fb_status state)"
	fb_is "$1: reason" "the device has gone: $2" "$(fb_status reason)"
	fb_is "$1: no result" ENODATA "$(fb_read "results/$test")"
	fb_that "$1: the card goes away" sim_until sim_gone
	for file in info "range 0+1M" "write_mode destroy" "run scatter"; do
		case $file in
		info) got=$(fb_read info) ;;
		*) got=$(fb_write "${file% *}" "${file#* }") ;;
		esac
		fb_is "$1: $file" ENODEV "$got"
	done
}

# renewed NAME: the card that comes back is another target
renewed()
{
	fb_that "$1: it comes back" sim_insert
	fb_is "$1: the old target does not" ENODEV "$(fb_write run scatter)"
	fb_is "$1: written again" OK "$(fb_write target "$dev")"
	fb_is "$1: is not armed" "[off] preserve destroy" \
		"$(cat $FB/write_mode)"
	fb_is "$1: is whole" 0+67108864 "$(cat $FB/range)"
	fb_is "$1: can be measured" OK \
		"$(fb_write run "interval interval-order=3")"
}

# sector SEQ: where that operation of the last run of $test was
sector()
{
	fb_rows "$test.samples" | awk -F '\t' -v seq="$1" '
		$1 == seq { print $3 " at sector " $4 / 512 }'
}

sim_load "$(sim_card write_ns=1ms)"

# ---- the card pulls itself, at a command ----

# MODE | LINE | RULE | the sample that does not come back
while IFS='|' read -r mode line rule seq; do
	test=${line%% *}
	fb_target "$mode" || continue
	fb_run "$line"
	where=$(sector "$seq")
	# an empty list of results
	fb_unload
	fb_load
	fb_target "$mode" || continue
	echo "$rule" >"$sim/fail"
	fb_is "$mode, $rule: the error" ENODEV "$(fb_write run "$line")"
	ended "$mode, $rule" "$where"
	echo clear >"$sim/fail"
	renewed "$mode, $rule"
done <<END
off|scatter scatter-order=6 count=1|remove:read#20|18
off|align blocksize=64K count=1|remove:read#2|0
preserve|find-fat erasesize=1M blocksize=512K|remove:write#5|2
destroy|find-fat erasesize=1M blocksize=512K|remove:write#1|0
destroy|open-au erasesize=256K blocksize=64K|remove:write#7|6
END

# ---- somebody pulls it, while a command takes its time ----

test=scatter
fb_run "scatter scatter-order=6 count=1"
where=$(sector 18)
for ready in 1 2; do
	fb_unload
	fb_load
	fb_target
	echo "stall:read#20=10s" >"$sim/fail"
	fbt write $FB/run "scatter scatter-order=6 count=1" >/tmp/writer &
	writer=$!
	sleep 3
	fb_is "pulled: it runs" "running 19/65" \
		"$(fb_status state) $(fb_status progress)"
	began=$(sed 's/ .*//; s/\.//' /proc/uptime)
	echo 0 >"$sim/present"
	wait $writer
	took=$(($(sed 's/ .*//; s/\.//' /proc/uptime) - began))
	fb_is "pulled: the error" ENODEV "$(cat /tmp/writer)"
	fb_that "pulled: after $took/100 s" [ "$took" -lt 100 ]
	ended pulled "$where"
	if [ $ready = 1 ]; then
		renewed pulled
	else
		fb_that "unloading without the card" fb_unload
		fb_that "unloading the card's slot" sim_unload
		fb_that "loading again" fb_load
	fi
done

# the slot goes while its card is the target
sim_load "$(sim_card)"
fb_target destroy
fb_that "the slot can go" sim_unload
fb_is "the target has gone" ENODEV "$(fb_write run scatter)"
fb_is "and can be released" OK "$(fb_write target "")"

fb_done
