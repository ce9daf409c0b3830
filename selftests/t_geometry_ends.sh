#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# geometry: what it books is what the card saw, and however it ends, it ends
# with that, without a wrong word, and without a byte that is not allowed.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/geo.sh"

small="size=256M erase=1M page=8K planes=2 open=4 open_random=2 read_ns=300us \
read_bps=20M cross_page_ns=15us cross_super_ns=40us cross_erase_ns=120us \
write_ns=300us write_bps=10M gc=20ms copy_bps=20M"
writes="only=erase_block,open_linear,open_random"

# ---- the ledger: what the card counted ----

while IFS='|' read -r mode range line; do
	card "$small" "$mode"
	fb_write range "$range" >/tmp/res
	fb_run "geometry $line"
	judge "$mode, $range" "$(verdicts | wc -l)"
	same_ledger "$mode, $range, $line"
	fb_is "$mode: the card was given as many commands" \
		"$(($(sim_total reads) + $(sim_total writes)))" \
		"$(fb_status progress | sed 's,/.*,,')"
	fb_is "$mode: one sample for each of them, but for what wakes the card" "" \
		"$(fb_rows geometry.samples | awk -F '\t' \
		-v writes="$(sim_total writes)" '
		$3 == "write" { n++ }
		END { if (n + 0 != writes) print n }')"
done <<END
off|0+256M|scan
off|100M+50M|
destroy|0+256M|
destroy|17M+199M|$writes
preserve|0+256M|
END

# ---- max-write: to the byte ----

# What an unlimited run writes, one after the other
card "$small" destroy
fb_run "geometry $writes"
fb_rows geometry.samples | awk -F '\t' '$3 == "write" { print $5 }' >/tmp/lengths
for mode in destroy preserve; do
	for budget in 512 16384 100000 1049087 2000000; do
		card "$small" "$mode"
		fb_run "geometry $writes max-write=$budget"
		fb_is "$mode, max-write=$budget: just that is written" \
			"$(awk -v max=$budget '
			sum + $1 > max { exit }
			{ sum += $1 }
			END { print sum + 0 }' /tmp/lengths)" \
			"$(sim_total written_bytes)"
		fb_like "$mode, max-write=$budget: the reason" \
			"^budget max-write" "$(fb_status reason)"
		judge "$mode, max-write=$budget" 3
		same_ledger "$mode, max-write=$budget"
	done
done

# ---- preserve, with data: every byte, however it ends ----

card "$small" off
fbdata fill "/dev/$dev" 5
sum=$(fbdata sum "/dev/$dev")

kept()
{
	fb_is "$1: it was written" yes \
		"$([ "$(sim_total written_bytes)" -gt 0 ] && echo yes)"
	fb_write write_mode off >/tmp/res
	fb_is "$1: every byte is as it was" "$sum" "$(fbdata sum "/dev/$dev")"
	sim_reset
	fb_write write_mode preserve >/tmp/res
}

fb_target preserve
sim_reset
fb_run "geometry max-write=777K"
kept "preserve, max-write"
fb_run "geometry max-collections=40"
kept "preserve, max-collections"
echo "fail:write#50*1000000" >"$sim/fail"
fb_is "preserve, writes that fail" EIO "$(fb_write run geometry)"
echo clear >"$sim/fail"
kept "preserve, writes that fail"
echo "stall:write#100=10s" >"$sim/fail"
fb_start geometry >/tmp/res
sleep 30
fb_write cancel 1 >/tmp/res
kept "preserve, cancelled"

# ---- cancelled: it says what it knows by then ----

# cancelled NAME MODE FAULT REGEX: by cancel, while that command stalls
cancelled()
{
	card "$small" "$2"
	fb_run "geometry only=unwritten"
	fb_read results/geometry >/tmp/before
	sim_reset
	echo "stall:$3=60s" >"$sim/fail"
	fb_start geometry >/tmp/res
	fb_wait running
	until [ -z "$(cat "$sim/fail")" ]; do
		sleep 0.1
	done
	fb_write cancel 1 >/tmp/res
	fb_is "$1: state" cancelled "$(fb_status state)"
	fb_like "$1: the reason" "^cancelled$4" "$(fb_status reason)"
	fb_is "$1: the card's bytes" \
		"$(sim_total read_bytes) $(sim_total written_bytes)" \
		"$(fb_status read_bytes) $(fb_status written_bytes)"
	fb_read results/geometry >/tmp/after
	fb_same "$1: the result of before is kept" /tmp/before /tmp/after
	fb_run "geometry only=unwritten"
}

cancelled "at once" destroy "read#20" '$'
cancelled "pages are known" destroy "write#1" \
	", found so far: erase_block 1048576, super_page 16384, page 8192, unwritten 0/64"
cancelled "open blocks are known" destroy "write#400" \
	", found so far: .*open_linear 4"

# ---- pulled: no verdict, no warning, and the old result ----

echo "selftest: pulled" >/dev/kmsg
while IFS='|' read -r mode fault; do
	card "$small" "$mode"
	fb_run "geometry only=unwritten"
	fb_read results/geometry >/tmp/before
	echo "remove:$fault" >"$sim/fail"
	fb_like "$mode, $fault: the error" "^(ENODEV|EIO)$" \
		"$(fb_write run geometry)"
	fb_is "$mode, $fault: state" failed "$(fb_status state)"
	fb_like "$mode, $fault: the reason says it, and no verdict" \
		"^(the device has gone: |[a-z]* failed )[a-z ]*at sector [0-9]*$" \
		"$(fb_status reason)"
	fb_read results/geometry >/tmp/after
	fb_same "$mode, $fault: the result of before is kept" \
		/tmp/before /tmp/after
	fb_is "$mode, $fault: the target is of no use" ENODEV \
		"$(fb_write run geometry)"
done <<END
off|read#1
off|read#300
destroy|write#1
destroy|write#150
preserve|write#150
END
fb_is "pulled: no warning in the kernel log" "" \
	"$(dmesg | sed '1,/selftest: pulled/d' |
	grep -E 'WARNING|BUG|Oops|Call Trace|flashbench:')"

fb_done
