#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# geometry and what has misled tools and people: for each trap a simulated card
# that is one. What is said is true, or that it cannot be told.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/geo.sh"

common="page=8K planes=2 read_ns=300us read_bps=20M cross_page_ns=15us \
cross_super_ns=40us cross_erase_ns=120us write_ns=300us write_bps=10M gc=20ms \
copy_bps=20M open=4 open_random=2"

# trap_card MODE KEY=VALUE...: the common card, but for these keys
trap_card()
{
	mode=$1
	shift
	for key in $common; do
		case " $* " in
		*" ${key%%=*}="*) ;;
		*) set -- "$@" "$key" ;;
		esac
	done
	card "$*" "$mode"
}

# trap_run NAME LINE WANTED...: KEY=VALUE is a verdict, all others are true or
# unknown
trap_run()
{
	name=$1
	lines=$(printf '%s\n' "$2" | sed -n 's/.*only=\([^ ]*\).*/\1/p' |
		tr , '\n' | wc -l)
	fb_run "geometry $2"
	judge "$name" "$((lines ? lines : 12))"
	shift 2
	for pair; do
		fb_is "$name: ${pair%%=*}" "${pair#*=}" "$(said "${pair%%=*}")"
	done
}

# ---- one line each: NAME | MODE | RUN LINE | CARD | WANTED ----

e=only=erase_block
p=only=erase_block,super_page,page
while IFS='|' read -r name mode line keys want; do
	name=$(fb_trim "$name")
	[ -n "$name" ] || continue
	# shellcheck disable=SC2046,SC2086 # words
	trap_card $mode $keys
	# shellcheck disable=SC2086 # words
	trap_run "$name" "$(fb_trim "$line")" $want
done <<END
4.5 MiB | off | $e | size=2G erase=4608K page=12K | erase_block=4718592
6 MiB | off | $e | size=2G erase=6M page=12K | erase_block=6291456
9 MiB | off | $e | size=4G erase=9M page=12K | erase_block=9437184
12 MiB | off | $e | size=4G erase=12M page=12K | erase_block=12582912
24 MiB | off | $e | size=8G erase=24M page=12K | erase_block=25165824
4128 KiB | off | $e | size=2G erase=4128K | erase_block=-
4128 KiB, scan | off | $e scan | size=2G erase=4128K | erase_block=4227072
dear pages | off | $p | size=2G erase=4M cross_super_ns=150us cross_erase_ns=50us | erase_block=4194304 super_page=16384
zones | off | $e | size=4G erase=4M zone=32M cross_zone_ns=300us |
zones, checked | destroy | $e | size=4G erase=4M zone=32M cross_zone_ns=300us | erase_block=4194304
partly unwritten | off | $e,unwritten | size=2G erase=4M written=0+512M:1G+256M unwritten_ns=250us | erase_block=4194304
unwritten | off | $p,unwritten | size=2G erase=4M written=none unwritten_ns=250us | erase_block=- super_page=- page=- unwritten=-
outliers | off | $p | size=2G erase=4M outlier_ppm=20000 outlier_pm=100000 | erase_block=4194304 super_page=16384
one in eight | off | $p | size=2G erase=4M outlier_ppm=125000 outlier_pm=100000 | erase_block=4194304 super_page=16384
one in eight, writing | destroy | only=open_linear,open_random | size=2G erase=4M outlier_ppm=125000 outlier_pm=100000 |
noise | off | $p | size=2G erase=4M noise=uniform:400 cross_page_ns=1us cross_super_ns=3us cross_erase_ns=6us | erase_block=- super_page=- page=-
noise, writing | destroy | | size=1G erase=4M noise=lognormal:500 cross_page_ns=1us cross_super_ns=3us cross_erase_ns=6us | super_page=- page=-
END

# ---- the first access after a pause ----

trap_card off size=2G erase=4M idle_ns=1ms wake_ns=20ms
sleep 1
trap_run "idle" "$p,unwritten" erase_block=4194304 super_page=16384 page=8192 \
	unwritten=0/64
fb_is "idle: no sample has paid for it" 0 "$(fb_rows geometry.samples |
	awk -F '\t' '$7 > 10000000' | wc -l)"
fb_that "idle: but the run has" [ "$(fb_status elapsed_ns)" -gt $(($(
	fb_rows geometry.samples | awk -F '\t' '{ sum += $7 } END { print sum }'
	) + 20000000)) ]

# ---- whole blocks never collect: they say nothing of a limit ----

trap_card destroy size=1G erase=4M
for nr in 2 4 5 8; do
	sim_reset
	fb_run "open-au erasesize=4M blocksize=4M open-au-nr=$nr"
	fb_is "whole blocks, $nr open: no collection" 0 "$(sim_total evictions)"
	fb_rows open-au.tsv | cut -f 9 >>/tmp/rates
done
fb_is "whole blocks: 8 are as fast as 2" "" "$(awk '
	NR == 1 { first = $1 }
	$1 > first * 1.01 || $1 < first * .99' /tmp/rates)"

# ---- a partition that begins anywhere: verdicts are the disk's ----

first=12345 sectors=3000001
trap_card off size=2G erase=4M fat=0:1
fb_partition $first $sectors
sim_reset
fb_target destroy
trap_run "partition" only=erase_block,super_page,open_linear,fat_area \
	erase_block=4194304 super_page=16384 open_linear=4
same_ledger "partition"
fb_is "partition: no sample outside" "" "$(fb_rows geometry.samples |
	awk -F '\t' -v end=$((sectors * 512)) '
	$3 != "flush" && ($4 < 0 || $4 + $5 > end)' | head -n 5)"
fb_that "partition: nothing was written before it" \
	[ "$(sim_total lowest_sector)" -ge $first ]
fb_that "partition: nor behind it" \
	[ "$(sim_total highest_sector)" -lt $((first + sectors)) ]
# three reads of 1 KiB round multiples of 192 KiB at least
fb_is "partition: reads are round boundaries of the disk" "" \
	"$(fb_rows geometry.samples | awk -F '\t' -v start=$((first * 512)) '
	$2 == 0 && $3 == "read" {
		off = ($4 + start + 1024) % 65536
		if (off != 0 && off != 512 && off != 1024)
			print
	}' | head -n 5)"

# ---- hardly any card ----

trap_card destroy size=1M erase=64K page=4K planes=1
trap_run "1 MiB" "scan" erase_block=- open_linear=- fat_area=- program_unit=-
trap_card destroy size=256M erase=1M
while read -r range; do
	fb_is "range $range" OK "$(fb_write range "$range")"
	trap_run "range $range" "scan" open_linear=-
	fb_is "range $range: no text names more than there is" "" \
		"$(awk -F '\t' '/would do/ {
			sub(/MiB would do.*/, "")
			sub(/.*; /, "")
			if ($0 > 256)
				print
		}' /tmp/verdicts)"
done <<END
0+512
1M+1K
128M+64K
3M+1M
255M+1M
7M+5M
END

fb_done
