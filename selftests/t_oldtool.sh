#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Beside the command of 2011: the same words and the same places where it was
# right, and what is right where it was not. What the old one does wrong is
# shown in comments, not tested.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# Without a file it wants to write to its standard input
old()
{
	flashbench-2011 -o /tmp/old.out "$@" "/dev/$dev" 2>&1
}

if ! command -v flashbench-2011 >/dev/null; then
	fb_skip "beside the old command" "the old flashbench is not installed"
	fb_done
fi

# shape: text with its times and rates taken out
shape()
{
	sed 's/-\{0,1\}[0-9.]*\(ns\|µs\|ms\)/TIME/g; s,[0-9.]*[KMG]/s\{0\,1\},RATE,g
		s,[-0-9.e+]* MB/s,RATE,g; s/  *$//'
}

MS=1000000
fb_null size=256 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target destroy

# ---- the same words ----

old -a -b 65536 -c 1 | shape >/tmp/old
fb_run "align blocksize=64K count=1"
sed '/^#/d' $FB/results/align | shape >/tmp/new
# its topmost rows are where it leaves the device
fb_is "align: its rows are among ours, but the first" "" \
	"$(sed 1,2d /tmp/old | grep -vxFf /tmp/new)"
fb_that "align: which are some" test "$(wc -l </tmp/old)" -ge 9
fb_is "open-au: the same table" \
	"$(old -O -e 4194304 -b 262144 | shape)" \
	"$(fb_run "open-au blocksize=256K"
	sed '/^#/d' $FB/results/open-au | shape)"
fb_is "find-fat: the same table" \
	"$(old -f -e 4194304 -b 262144 --fat-nr=4 | shape | tr -s ' \t' ' ')" \
	"$(fb_run "find-fat blocksize=256K fat-nr=4"
	sed '/^#/d' $FB/results/find-fat | shape | tr -s ' \t' ' ')"
old -s --scatter-order=8 -b 16384 -c 1 >/tmp/res
fb_run "scatter scatter-order=8 count=1"
sed '/^#/d' $FB/results/scatter | cut -f 1 >/tmp/new
cut -f 1 /tmp/old.out >/tmp/old
fb_same "scatter: the same places" /tmp/old /tmp/new
fb_run "scatter scatter-order=8 count=1"
# one read in fifty may meet another interrupt, here or there
fb_that "scatter: ours is nearer to the truth" \
	[ "$(sed '/^#/d' $FB/results/scatter | paste - /tmp/old.out | awk '
		$2 < $4 && $2 >= 1 { n++ } END { print n + 0 }')" -ge 251 ]
old -i --interval-order=9 -c 2 | shape | sed 's/overhead .*/overhead/' \
	>/tmp/old
fb_run "interval interval-order=9 count=2"
# the line is none here: every size takes the same time, and ours says so
sed -n '/ bytes: /p' /tmp/old >/tmp/want
sed '/^#/d' $FB/results/interval | shape | sed -n '/ bytes: /p' >/tmp/new
fb_same "interval: the same lines" /tmp/want /tmp/new

# ---- fault 1: an access across that is no whole sector ----

for bs in 1536 2560; do
	echo "# the old one: $(old -a -b $bs -c 1 | head -n 2 | tr '\n\t' '| ')"
	fb_run "align blocksize=$bs count=1"
	fb_is "blocksize $bs: all of it was read" \
		"$(fb_rows align.tsv | wc -l) 0" \
		"$(fb_rows align.tsv | awk '
			$6 > 0 && $8 > 1000000 { n++ }
			{ errors += $7 }
			END { print n, errors }')"
	fb_fails "blocksize $bs: no row is empty" \
		grep -E '(pre|on|post) (0ns|-)' $FB/results/align
done

# ---- fault 2: what fails is no sample, and no success ----

echo "+8192-8200" >"$fb_dir/badblocks"
old -a -b 65536 -c 1 >/tmp/old
echo "# the old one says success: $?, and of the place: $(
	grep 'align 4194304' /tmp/old | tr '\t' ' ')"
fb_is "a bad sector fails" EIO "$(fb_write run "align blocksize=64K count=1")"
fb_like "and is named" "read failed at sector 8[0-9]+" "$(fb_status reason)"
fb_is "so does writing it" EIO \
	"$(fb_write run "find-fat erasesize=1M fat-nr=5 blocksize=1M")"
echo "-8192-8200" >"$fb_dir/badblocks"

# ---- fault 3: over the end and back to the start ----

fb_null size=256 blocksize=512 memory_backed=1
fbdata fill "/dev/$dev" 1 0 4096
first=$(fbdata sum "/dev/$dev" 0 4096)
fb_target destroy
fb_is "eight erase blocks do not fit" ENOSPC \
	"$(fb_write run "open-au open-au-nr=8 blocksize=4M")"
fb_like "five do" "largest that fits is 5" "$(fb_status reason)"
fb_run "open-au open-au-nr=5 blocksize=4M"
fb_target
fb_is "sector 0 is still there" "$first" "$(fbdata sum "/dev/$dev" 0 4096)"
old -O -e 4194304 -b 4194304 --open-au-nr=8 >/tmp/old
[ "$(fbdata sum "/dev/$dev" 0 4096)" = "$first" ] ||
	echo "# the old one has overwritten it"

# ---- fault 4: 32 bits ----

fb_null size=40960 blocksize=512
fb_trace
old -O -e 16777216 -b 16777216 --open-au-nr=65 >/tmp/old
echo "# the old one has been to $(fb_traced |
	awk '$1 == "write" && $2 % 16777216 == 0 { print $2 }' | sort -u |
	wc -l) of 65 erase blocks"
fb_target destroy
fb_run "open-au erasesize=16M blocksize=16M open-au-nr=65"
fb_is "ours to all of them" 65 \
	"$(fb_samples open-au | cut -d ' ' -f 3 | sort -u | wc -l)"

# ---- fault 6: offset 0, odd factors, long random orders ----

fb_null size=64 blocksize=512
fb_target destroy
fb_run "open-au offset=0 erasesize=1M blocksize=1M"
fb_is "offset 0" 0 "$(fb_samples open-au | cut -d ' ' -f 3 | sort -n | head -n 1)"
echo "# the old one: $(old -O -e 1572864 -b 16384 | head -n 2 | tr '\n' '|')"
fb_run "open-au erasesize=1572864 blocksize=16384"
fb_is "1.5 MiB: rows" "1.5MiB 768KiB 384KiB 192KiB 96KiB 48KiB 24KiB" \
	"$(sed '/^#/d; s/ .*//' $FB/results/open-au | xargs)"
echo "# the old one: $(old -O -r -e 33554432 -b 512 --open-au-nr=1 | tail -n 1)"
fb_run "open-au erasesize=32M blocksize=512 random open-au-nr=1 noclose"
fb_is "65536 blocks in random order: each of them once" 65536 \
	"$(tail -n 65536 $FB/results/open-au.samples | awk '
		$5 == 512 && !($4 in seen) { seen[$4] = 1; n++ }
		END { print n }')"

# ---- fault 7: times and rates as text ----

fb_null size=64 blocksize=512 irqmode=2 completion_nsec=995000
fb_target
fb_run "scatter scatter-order=3 count=1"
fb_run "interval interval-order=3 count=1"
echo "# the old one: $(old -i --interval-order=1 -c 1 | head -n 1)"
fb_fails "no power of ten" grep -E '[0-9]e[-+]' $FB/results/interval
fb_like "999.6 µs are a millisecond" "min 1ms avg 1ms max 1ms" \
	"$(grep '^512 bytes' $FB/results/interval)"

# ---- fault 8: a flush with each write, and data that is one byte ----

fb_null size=64 blocksize=512 memory_backed=1 cache_size=1
fb_trace
old -O -e 1048576 -b 65536 >/tmp/old
fb_traced >/tmp/traced
echo "# the old one: $(grep -c write /tmp/traced) writes," \
	"$(grep -c 'flush\|+F' /tmp/traced) flushes, $(
	dd if="/dev/$dev" bs=64K skip=256 count=16 2>/dev/null | gzip |
	wc -c) bytes when compressed"
fb_target destroy
fb_trace
fb_run "open-au erasesize=1M blocksize=64K"
fb_traced >/tmp/traced
fb_is "no flush, no FUA" "read write" \
	"$(cut -d ' ' -f 1 /tmp/traced | sort -u | xargs)"
fb_that "incompressible" test "$(dd if="/dev/$dev" bs=64K skip=256 count=16 \
	2>/dev/null | gzip | wc -c)" -ge 1048576

# ---- fault 9: too few points, small orders, places beyond 2 GiB ----

fb_null size=8192 blocksize=512 irqmode=2 completion_nsec=$MS
fb_target
for order in 1 2; do
	echo "# the old one: $(old -i --interval-order=$order -c 1 |
		grep access)"
	fb_run "interval interval-order=$order count=1"
	fb_fails "$order points: no NaN" grep -iE 'nan|inf' \
		$FB/results/interval
done
echo "# the old one: $(old -s --scatter-order=3 -c 1)"
fb_run "scatter scatter-order=3 count=1"
fb_is "8 places" 8 "$(sed '/^#/d' $FB/results/scatter | wc -l)"
fb_run "scatter scatter-order=8 blocksize=16M count=1"
fb_is "places up to 4 GiB" 4080.000000 \
	"$(sed '/^#/d' $FB/results/scatter | tail -n 1 | cut -f 1)"

fb_done
