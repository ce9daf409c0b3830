#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim: what can be made to fail.
. "$(dirname "$0")/lib.sh"

# ---- faults ----

sim_load "$(sim_card fail=fail:read@1000-1001)"
fb_is "the rule is in force" "fail:read@1000-1001" "$(cat "$sim/fail")"
fb_fails "reading the bad sectors" sim_read 512000 4096
fb_that "reading before them" sim_read 507904 4096
fb_that "reading after them" sim_read 516096 4096
fb_that "writing them" sim_write 512000 4096
fb_fails "no rule is no rule" sh -c "echo fail:red@5 >$sim/fail"
echo clear >"$sim/fail"
fb_that "no rule any more" sim_read 512000 4096

echo "fail:write@1990" >"$sim/fail"
fb_fails "writing across a bad sector" sim_write 1015808 8192
fb_that "writing elsewhere" sim_write 0 8192
echo clear >"$sim/fail"
# the kernel tries several times before it gives up
echo "fail:read#2*20" >"$sim/fail"
fb_that "the first read is good" sim_read 0 4096
fb_fails "the second is not" sim_read 8192 4096
echo clear >"$sim/fail"

sim_reset
echo "stall:read#1=300ms" >"$sim/fail"
took=$(sim_elapsed sim_read 0 4096)
fb_is "a stall takes its time" 1 $((took >= 30 && took < 60))
fb_is "and is over" "" "$(cat "$sim/fail")"

echo "remove:read#1" >"$sim/fail"
fb_fails "a read while the card is pulled" sim_read 0 4096
fb_that "then it is gone" sim_until [ ! -e "/dev/$dev" ]
fb_is "and not present" 0 "$(cat "$sim/present")"
sim_insert
fb_that "it comes back" sim_read 0 4096

echo "die:write#1" >"$sim/fail"
fb_fails "a write that kills" sim_write 0 4096
fb_fails "the card does not answer any more" sim_read 0 4096
echo clear >"$sim/fail"
sim_unload

# pulled from outside, with a command of ten seconds under way
sim_load "$(sim_card fail=stall:read#20=10s)"
i=0
while [ $i -lt 30 ]; do
	sim_read 0 4096 || break
	i=$((i + 1))
done &
reader=$!
sleep 1
echo 0 >"$sim/present"
before=$(cut -d. -f1 /proc/uptime)
wait $reader
after=$(cut -d. -f1 /proc/uptime)
fb_is "a pulled card fails its command at once" 1 $((after - before < 2))
sim_unload

# ---- write protection ----

sim_load "$(sim_card ro=1)"
fb_is "a locked card is read-only" 1 "$(cat "/sys/block/$dev/ro")"
sim_unload
sim_load "$(sim_card)"
echo 1 >"$sim/readonly"
fb_fails "a card locked later refuses" sim_write 0 4096
fb_is "and has written nothing" 0 "$(sim_total written_bytes)"
sim_unload

fb_done
