#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# geometry on cards whose truth is known, through the real MMC stack: what it
# says is true or unknown, and it did what it says it did.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/geo.sh"

# ---- every profile ----

for profile in readme-4m lexar-cf-16g sandisk-2g-class2 sandisk-sd04g-4g \
	sandisk-sl16g-ultra motorola-emmc-writealign samsung-0x1b-sdinfo \
	sandisk-8g-class2 intel-600p-nvme; do
	card $profile off
	fb_run geometry
	judge "$profile, unarmed"
	fb_is "$profile, unarmed: nothing was written" "0 0" \
		"$(sim_total writes) $(sim_total discards)"
	card $profile destroy
	fb_run geometry
	judge $profile
	same_ledger $profile
	cp /tmp/verdicts "/tmp/verdicts.$profile"
done

# the same card from the start, the same seed: the same answers
for profile in readme-4m sandisk-sd04g-4g; do
	card $profile destroy
	fb_run geometry
	fb_is "$profile: again the same verdicts" \
		"$(cut -f 1-3 "/tmp/verdicts.$profile")" \
		"$(verdicts | cut -f 1-3)"
done

# ---- what must be found ----

plain="size=1G erase=4M page=8K planes=2 open=5 open_random=3 read_ns=300us \
read_bps=20M cross_page_ns=15us cross_super_ns=40us cross_erase_ns=120us \
write_ns=300us write_bps=10M gc=20ms copy_bps=20M"
card "$plain" destroy
fb_run geometry
judge plain
while read -r key value; do
	fb_is "plain: $key" "$value" "$(said "$key")"
done <<END
erase_block 4194304
super_page 16384
open_linear 5
open_random 3
fat_area none
mapping block
write_cache none
END
fb_that "plain: the erase block is sure, by two methods" \
	grep -q "^erase_block	4194304	sure	9[0-9]*	read+check	" /tmp/verdicts
same_ledger plain
collections=$(sed -n 's/^# collections: //p' "$FB/results/geometry")
fb_that "plain: $collections collections, and $(sim_total evictions) erase blocks closed" \
	[ "$collections" -gt 20 -a "$collections" -le "$(sim_total evictions)" ]

# not one erase block can be written out of order
card "size=8G erase=4M page=8K planes=4 open=3 open_random=0 read_ns=400us \
read_bps=20M cross_page_ns=8us cross_super_ns=25us cross_erase_ns=100us \
write_ns=500us write_bps=15M gc=40ms copy_bps=40M" destroy
fb_run "geometry"
judge "open_random=0"
fb_is "open_random=0: is found" "4194304 3 0" \
	"$(said erase_block) $(said open_linear) $(said open_random)"

# a host that cuts commands: what the cut costs is no program unit
card "size=1G erase=4M page=8K planes=2 program=512 open=5 write_ns=4ms \
write_bps=40M max_req_size=64K max_seg_size=64K cross_erase_ns=300us" destroy
fb_run "geometry only=program_unit,subunit_penalty"
fb_like "short commands: no program unit of their length" "^(-|512)$" \
	"$(verdicts | sed -n 's/^program_unit	\([^	]*\).*/\1/p')"
fb_is "auto on the smallest erase block" OK "$(fb_write run \
	"open-au open-au-nr=auto erasesize=512 blocksize=512")"

# ---- only what is wanted ----

fb_run "geometry only=super_page,page"
fb_is "only: two lines" "super_page
page" "$(verdicts | cut -f 1)"
sim_reset
fb_run "geometry only=unwritten"
fb_is "only: reads do for that" 0 "$(sim_total writes)"
fb_writes <<END
EINVAL | run | geometry only=nonsense | only: .*list
EINVAL | run | geometry only= | only
EINVAL | run | geometry only=page,page | only
EINVAL | run | geometry blocksize=4K | blocksize: .*no such key
END
fb_is "a dry run" OK "$(fb_write run "geometry dryrun")"
fb_like "says what it costs on average" \
	"^dry run: .*on average .* written 1[0-9]{7} bytes$" "$(fb_status reason)"
fb_is "a dry run of reads" OK "$(fb_write run "geometry only=page dryrun")"
fb_like "costs no writes" "^dry run: .*on average .* written 0 bytes$" \
	"$(fb_status reason)"
cost=$(fb_write run "geometry dryrun"; fb_status reason)
fb_write write_mode preserve >/tmp/res
fb_is "a dry run to preserve" OK "$(fb_write run "geometry dryrun")"
fb_that "reads what it writes, too" [ "$(sed -n 's/.* read \([0-9]*\) .*/\1/p' \
	"$FB/status")" -gt "$(echo "$cost" | sed -n 's/.* read \([0-9]*\) .*/\1/p')" ]
fb_write write_mode off >/tmp/res
fb_is "an unarmed dry run" OK "$(fb_write run "geometry dryrun")"
fb_like "writes nothing" "written 0 bytes, nothing while write_mode is off$" \
	"$(fb_status reason)"
fb_run "geometry only=open_linear,fat_area"
fb_like "unarmed: what arming would add" \
	"armed it would add about [0-9]{3} writes, [0-9]+ MB" "$(verdicts)"

# ---- the seed decides where it begins ----

for seed in 5 5 6; do
	fb_run "geometry only=super_page seed=$seed"
	places="${places:-} $(fb_samples geometry | sed 40q | md5sum | cut -c 1-32)"
done
# shellcheck disable=SC2086 # three words
set -- $places
fb_is "seed: the same places again" "$1" "$2"
fb_that "seed: others with another one" [ "$1" != "$3" ]

# ---- a range: no byte outside ----

card "$plain" destroy
fb_write range 300M+500M >/tmp/res
fb_run geometry
judge "in a range"
fb_that "in a range: first sector written" \
	[ "$(sim_total lowest_sector)" -ge $((300 << 11)) ]
fb_that "in a range: last sector written" \
	[ "$(sim_total highest_sector)" -lt $((800 << 11)) ]
fb_is "in a range: no sample outside" "" "$(fb_rows geometry.samples | awk '
	$3 != "flush" && ($4 < 300 * 1048576 || $4 + $5 > 800 * 1048576)')"

# ---- budgets ----

card "$plain" destroy
fb_run "geometry max-write=1M"
fb_that "max-write: not a byte more" \
	[ "$(sim_total written_bytes)" -le 1048576 ]
fb_like "max-write: that is said" "^budget max-write" "$(fb_status reason)"
judge "max-write"
fb_like "max-write: by a verdict, too" "budget" "$(cat /tmp/verdicts)"
fb_is "max-write: what reads can tell is told" 16384 "$(said super_page)"
card "$plain" destroy
fb_run "geometry max-collections=3"
fb_like "max-collections: that is said" "^budget max-collections" \
	"$(fb_status reason)"
fb_like "max-collections: and not exceeded by much" "^[0-9]$" \
	"$(sed -n 's/^# collections: //p' $FB/results/geometry)"
fb_run "geometry max-time=1"
fb_like "max-time: that is said" "^budget max-time" "$(fb_status reason)"
fb_is "max-time: twelve lines" 12 "$(verdicts | wc -l)"

# ---- preserve ----

small="size=256M erase=1M page=8K planes=2 open=5 read_ns=300us \
read_bps=20M cross_page_ns=15us cross_super_ns=40us cross_erase_ns=120us \
write_ns=300us write_bps=10M gc=20ms copy_bps=20M"
card "$small" off
fbdata fill "/dev/$dev" 7
before=$(fbdata sum "/dev/$dev")
fb_target preserve
fb_run geometry
judge preserve
fb_is "preserve: the content is as it was" "$before" "$(fbdata sum "/dev/$dev")"
fb_that "preserve: although it was written" \
	[ "$(fb_status written_bytes)" -gt 0 ]

# ---- what goes wrong ----

card "$plain" off
fb_run "geometry only=unwritten"
fb_read results/geometry >/tmp/before
echo "fail:read@0-4000000" >"$sim/fail"
fb_is "a card that cannot be read" EIO "$(fb_write run geometry)"
fb_like "is named" "^read failed at sector " "$(fb_status reason)"
fb_read results/geometry >/tmp/after
fb_same "and the result of before is still there" /tmp/before /tmp/after
echo clear >"$sim/fail"

fb_run geometry
ios=$(fb_status progress | sed 's,/.*,,')
echo "stall:read#$((ios - 10))=10s" >"$sim/fail"
fb_start geometry >/tmp/res
sleep 3
fb_is "it waits for the card" running "$(fb_status state)"
fb_write cancel 1 >/tmp/res
fb_is "cancelled" cancelled "$(fb_status state)"
fb_like "and what was found so far is the reason" \
	"^cancelled, found so far: erase_block 4194304" "$(fb_status reason)"

# ---- small pages, a small range, a size that has to be guessed ----

card "size=31M erase=512K page=2K planes=1 open=6 open_random=6 read_ns=300us \
read_bps=20M cross_page_ns=15us write_ns=300us write_bps=10M gc=20ms \
copy_bps=20M" destroy
fb_write range 8032256+14787584 >/tmp/res
for seed in 3 5 7; do
	fb_is "small, seed $seed: it ends well" "OK -" \
		"$(fb_write run "geometry seed=$seed") $(fb_status reason)"
done

# ---- open-au-nr=auto ----

card "$plain" destroy
fb_run "open-au open-au-nr=auto erasesize=4M blocksize=64K"
fb_is "auto: the limit, and one more" "5 6" \
	"$(sed -n 's/^# open-au-nr: //p' $FB/results/open-au | xargs)"
fb_like "auto: what it rests on" "open_linear	5	" \
	"$(sed -n 's/^# found: //p' $FB/results/open-au)"
fb_is "auto: points" "7 5
7 6" "$(fb_rows open-au.tsv | cut -f 3 | sort | uniq -c | awk '{ print $1, $2 }')"
fb_is "auto: the cliff" "5 is fast, 6 is slow" "$(fb_rows open-au.tsv | awk '
	$2 == 65536 { t[$3] = $9 }
	END {
		print "5 is " (t[5] < 10e6 ? "fast" : "slow") ", 6 is " \
			(t[6] > 100e6 ? "slow" : "fast")
	}')"
fb_is "auto: at random" OK \
	"$(fb_write run "open-au open-au-nr=auto erasesize=4M blocksize=64K random")"
fb_like "auto: at random, what it rests on" "open_random	3	(sure|likely)	" \
	"$(sed -n 's/^# found: //p' $FB/results/open-au)"
fb_is "auto: at random, the limit, and one more" "3 4" \
	"$(sed -n 's/^# open-au-nr: //p' $FB/results/open-au | xargs)"
fb_run "open-au open-au-nr=auto erasesize=4M blocksize=64K"
fb_is "auto: the line can be run again" \
	"OK" "$(fb_write run "$(fb_status test)")"

fb_done
