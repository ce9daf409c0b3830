#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Budgets of time and of bytes written, and what a run would cost.
# shellcheck disable=SC1010,SC2046 # done is a word here, words are split on purpose
. "$(dirname "$0")/lib.sh"

R=$FB/results

# ---- max-time: bios of 100 ms ----

fb_slow 100
fb_write target "$dev" >/tmp/res
line="interval interval-order=10 count=9"	# 100 I/Os, 10 s
fb_is "a run of 10 s in 3 s" OK "$(fb_write run "$line max-time=3")"
fb_is "is no failure" done "$(fb_status state)"
fb_like "the reason" "^budget max-time: 3 s" "$(fb_status reason)"
# the one under way when the time is over is finished, none is begun
fb_is "what was done" 30/100 "$(fb_status progress)"
fb_like "in 3 s and not a bio more" "^30[0-9]{8}$" "$(fb_status elapsed_ns)"
fb_is "eta" 0 "$(fb_status eta_ns)"
fb_is "the header of each file is marked" 3 \
	"$(cat $R/interval $R/interval.tsv $R/interval.samples |
		grep -c '^# warning: truncated, budget max-time: 3 s')"
fb_is "the samples there are" 27 "$(grep -c '^[0-9]' $R/interval.samples)"
fb_is "complete points" 3 "$(grep -c '^[0-9]' $R/interval.tsv)"
fb_is "complete rows, and the others" "3 7" \
	"$(grep -c 'bytes: min [0-9]' $R/interval) \
$(grep -c 'bytes: min - avg - max -: - MB/s' $R/interval)"
fb_is "a line through three points of ten is none" 1 \
	"$(grep -c '^- MB/s, - access time' $R/interval)"

fb_is "in the middle of a row" OK \
	"$(fb_write run 'interval interval-order=5 count=11 max-time=2')"
fb_is "what was done then" 20/60 "$(fb_status progress)"
fb_is "all samples are there" 18 "$(grep -c '^[0-9]' $R/interval.samples)"
fb_is "of points only what is complete" 1 "$(grep -c '^[0-9]' $R/interval.tsv)"
fb_is "a run that needs less" OK \
	"$(fb_write run 'interval interval-order=2 count=4 max-time=2')"
fb_is "has no reason" "10/10 -" "$(fb_status progress) $(fb_status reason)"
fb_is "nor a warning" 0 "$(grep -c '^# warning' $R/interval)"
fb_is "no budget at all" OK \
	"$(fb_write run 'interval interval-order=2 count=19 max-time=0')"
fb_is "is no budget of 0 s" 40/40 "$(fb_status progress)"

# ---- max-write: to the byte ----

fb_null size=64 memory_backed=1
fb_write target "$dev" >/tmp/res
# rows of 1M, 512K and 256K, each of two erase blocks, then closing: 10 MiB
line="open-au erasesize=1M blocksize=256K"

# budget NAME MODE MAX WRITTEN
budget()
{
	fb_write write_mode "$2" >/tmp/res
	set -- "$1" "$2" "$3" "$4" $(fb_io "$dev")
	fb_is "$1, $2" OK "$(fb_write run "$line max-write=$3")"
	fb_is "$1, $2: written" "$4" "$(fb_status written_bytes)"
	fb_is "$1, $2: by the device" "$4" \
		"$(fb_io "$dev" | awk -v before="$8" '{print ($4 - before) * 512}')"
	if [ "$4" = 10485760 ]; then
		fb_is "$1, $2: reason" - "$(fb_status reason)"
	else
		fb_like "$1, $2: reason" "^budget max-write: $3 bytes" \
			"$(fb_status reason)"
	fi
	fb_is "$1, $2: state" done "$(fb_status state)"
}

while IFS='|' read -r name max written; do
	budget "$name" destroy "$max" "$written"
	budget "$name" preserve "$max" "$written"
done <<EOF
nothing|1|0
one byte less than one write|1048575|0
exactly one write|1048576|1048576
one write and a half|1572863|1048576
two rows before closing|4194304|4194304
closing counts|6291455|5242880
all but one byte|10485759|9437184
exactly all|10485760|10485760
more than all|10485761|10485760
no budget|0|10485760
EOF

fb_is "cells that were not measured" OK \
	"$(fb_write run "$line max-write=4194304")"
fb_like "the first two rows are there" \
	"^1MiB +[0-9.]+[KMG]/s 512KiB +[0-9.]+[KMG]/s 256KiB +- $" \
	"$(grep -v '^#' $R/open-au | tr '\n' ' ')"
fb_is "two points in .tsv" 2 "$(grep -c '^[0-9]' $R/open-au.tsv)"
fb_is "six samples" 6 "$(grep -c '^[0-9]' $R/open-au.samples)"
fb_is "reading is not bounded by it" OK \
	"$(fb_write run 'interval max-write=1')"
fb_is "at all" - "$(fb_status reason)"

# ---- dry runs: no arming, no I/O, the exact cost ----

cost()
{
	echo "$(fb_status progress | cut -d / -f 2) $(fb_status read_bytes)" \
		"$(fb_status written_bytes) $(fb_status discarded_bytes)"
}

dry_cost()
{
	fb_status reason | sed -n 's/^dry run: \([0-9]*\) I\/Os, read \([0-9]*\) bytes, written \([0-9]*\) bytes, discarded \([0-9]*\) bytes.*/\1 \2 \3 \4/p'
}

for mode in off preserve destroy; do
	fb_write write_mode $mode >/tmp/res
	for line in "align count=1" "scatter scatter-order=6" "interval" \
		"open-au erasesize=512K random" "find-fat erasesize=512K" \
		"align-write erasesize=1M blocksize=64K" \
		"align-write blocksize=64K" "open-au erasesize=1M noclose"; do
		before=$(fb_io "$dev")
		fb_is "$mode: $line, dry" OK "$(fb_write run "$line dryrun")"
		fb_is "$mode: $line, dry: state" done "$(fb_status state)"
		dry=$(dry_cost)
		fb_like "$mode: $line, dry: cost" "^[1-9]" "$dry"
		fb_is "$mode: $line, dry: nothing was done" \
			"$before 0 0" "$(fb_io "$dev") \
$(fb_status read_bytes) $(fb_status written_bytes)"
		case $mode-$line in
		off-open* | off-find* | off-*write*) continue ;;
		esac
		fb_write run "$line" >/tmp/res
		fb_is "$mode: $line costs what was said" "$dry" "$(cost)"
	done
done

fb_write write_mode off >/tmp/res
blockdev --setro "/dev/$dev"
fb_is "dry on a read-only device" OK \
	"$(fb_write run 'open-au erasesize=512K dryrun')"
fb_is "of what does not fit" ENOSPC \
	"$(fb_write run 'open-au open-au-nr=1000 dryrun')"
blockdev --setrw "/dev/$dev"

fb_done
