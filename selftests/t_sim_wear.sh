#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What a test says it has done to a card is what the card saw, to the byte, and
# all of that was where it was allowed to be.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# one MODE RANGE FIRST LAST LINE: sectors of the disk that may be touched
one()
{
	fb_target "$1" || return
	[ "$2" = all ] || fb_write range "$2" >/tmp/res
	sum=$(fbdata sum "/dev/$disk")
	sim_reset
	fb_run "$5" || return
	name="$1, $dev $2, ${5%% *}"
	fb_is "$name: bytes, the card and status" \
		"$(sim_total read_bytes) $(sim_total written_bytes) $(
			sim_total discarded_bytes)" \
		"$(fb_status read_bytes) $(fb_status written_bytes) $(
			fb_status discarded_bytes)"
	low=$(sim_total lowest_sector) high=$(sim_total highest_sector)
	fb_that "$name: from sector $low to $high" \
		test "$low" -ge "$3" -a "$high" -le "$4"
	# a block that is open is erased as soon as it is closed
	erased=$(($(sim_total erases) + $(sim_total open_blocks)))
	claim=$(sed -n 's/^# erase_cycles: at least \([0-9]*\),.*/\1/p' \
		"$FB/results/${5%% *}")
	fb_that "$name: $claim erase cycles claimed, $erased seen" \
		test "$claim" -gt 0 -a "$claim" -le "$erased"
	fb_write target "" >/tmp/res
	[ "$1" = preserve ] || return
	fb_is "$name: content" "$sum" "$(fbdata sum "/dev/$disk")"
}

# all MODE RANGE FIRST LAST
all()
{
	for line in "find-fat erasesize=1M blocksize=128K fat-nr=4" \
		"open-au erasesize=1M blocksize=128K open-au-nr=2 offset=$5" \
		"align-write erasesize=1M blocksize=64K"; do
		one "$1" "$2" "$3" "$4" "$line"
	done
}

sim_load "$(sim_card open=3 gc=1ms)"
disk=$dev
fbdata fill "/dev/$disk" 7 0 $((32 << 20))
for mode in destroy preserve; do
	all "$mode" all 0 131071 16M
	all "$mode" 8M+16M 16384 49151 8M
done

# a partition from sector 6144 on, 40 MiB
fb_partition 6144 81920
all destroy all 6144 88063 1M
all preserve 4M+20M 14336 55295 5M

fb_done
