#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The write protect switch of a card: seen by the kernel when the card is put
# in, and by nobody but the card when it is moved later.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# untouched NAME: the card has written nothing since sim_reset
untouched()
{
	fb_is "$1: nothing was written" "0 0 none" \
		"$(sim_total written_bytes) $(sim_total discarded_bytes) $(
		sim_total lowest_sector)"
}

locked()
{
	fb_is "$1: it can be a target" OK "$(fb_write target "$dev")"
	for mode in preserve destroy; do
		fb_is "$1: $mode" EROFS "$(fb_write write_mode $mode)"
		fb_is "$1: $mode: reason" \
			"write_mode: the target is write-protected" \
			"$(fb_status reason)"
	done
	fb_is "$1: open-au" EPERM "$(fb_write run "open-au erasesize=1M")"
	fb_is "$1: it can be read" OK \
		"$(fb_write run "scatter scatter-order=4")"
	untouched "$1"
}

sim_load "$(sim_card ro=1)" "$(sim_card write_ns=1ms)"
locked "locked card"

# ---- locked when it is armed already: only the card knows ----

sim_use 1
line="find-fat erasesize=1M blocksize=256K fat-nr=4"
for mode in preserve destroy; do
	fb_target $mode
	sim_reset
	echo 1 >"$sim/readonly"
	fb_is "$mode, locked later: the error" EIO "$(fb_write run "$line")"
	fb_is "$mode, locked later: reason" \
		"write failed at sector 0 with error -5" "$(fb_status reason)"
	fb_is "$mode, locked later: no result" ENODATA \
		"$(fb_read results/find-fat)"
	untouched "$mode, locked later"
	echo 0 >"$sim/readonly"
	fb_is "$mode, locked later: off" OK "$(fb_write write_mode off)"
done

# in the middle of a run: from the first operation that meets it
fb_target destroy
sim_reset
fbt write $FB/run "$line count=8" >/tmp/writer &
writer=$!
sleep 1
echo 1 >"$sim/readonly"
written=$(sim_total written_bytes)
wait $writer
fb_that "in the middle, after $written bytes" [ "$written" -gt 0 ]
fb_is "in the middle: the error" EIO "$(cat /tmp/writer)"
fb_like "in the middle: reason" "^write failed at sector [0-9]+ with error -5" \
	"$(fb_status reason)"
fb_is "in the middle: no more was written" "$written" \
	"$(sim_total written_bytes)"

# ---- taken out and put in, the kernel knows, too ----

sim_pull
sim_insert
sim_reset
locked "put in again"
echo 0 >"$sim/readonly"
sim_pull
sim_insert
fb_target destroy
fb_is "unlocked, it can be written" OK "$(fb_write run "$line")"

fb_done
