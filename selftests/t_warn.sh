#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a result says against itself: an erasesize that the numbers contradict,
# and something else that went on.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# Erase blocks of 1 MiB, two of them open
sim_load "size=256M erase=1M page=8K planes=2 open=2 open_random=2 \
read_ns=300us write_ns=300us write_bps=10M gc=5ms copy_bps=20M"
fb_target destroy

# A line for each run: what the warning matches, - for none, and the run line
while read -r want line; do
	fb_run "$line"
	got=$(sed -n 's/^# warning: //p' "$FB/results/${line%% *}")
	case $want in
	-) fb_is "$line: no warning" "" "$got" ;;
	*) fb_like "$line: the warning" "^erasesize $want" "$got" ;;
	esac
done <<END
-	open-au erasesize=1M open-au-nr=2
-	open-au erasesize=1M open-au-nr=3
-	open-au erasesize=1M open-au-nr=3 random
-	open-au erasesize=1M open-au-nr=3 count=3
2097152.contradicts.*1048576	open-au erasesize=2M open-au-nr=3
4194304.contradicts.*1048576	open-au erasesize=4M open-au-nr=3
-	open-au erasesize=4M open-au-nr=2
-	open-au erasesize=1M open-au-nr=auto count=4
2097152.contradicts.*1048576	open-au erasesize=2M open-au-nr=auto
524288.contradicts.*with.3.open	open-au erasesize=512K open-au-nr=auto count=4
-	find-fat erasesize=1M fat-nr=3
-	find-fat erasesize=1M fat-nr=3 count=4 random
524288.may.be.wrong	find-fat erasesize=512K fat-nr=3 count=4 random
-	align-write erasesize=1M count=2
-	align-write count=2
END

# ---- something else went on ----

fb_target
fb_run "align count=2"
fb_is "nothing else: no warning" "" \
	"$(sed -n 's/^# warning: //p' "$FB/results/align")"
echo "stall:read#100=1ms*7" >"$sim/fail"
fb_run "align count=2"
fb_is "seven late reads in a row: no warning" "" \
	"$(sed -n 's/^# warning: //p' "$FB/results/align")"
echo "stall:read#100=1ms*12" >"$sim/fail"
fb_run "align count=2"
fb_like "twelve: a burst is seen" "^burst seen, 1[0-2] reads" \
	"$(sed -n 's/^# warning: //p' "$FB/results/align")"

fb_done
