#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The command of 2011 and the module on the same simulated cards: the same rows,
# and apart only by what the old one adds, which is a system call, the block
# layer's direct I/O and the way back to a process.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

if ! command -v flashbench-2011 >/dev/null; then
	fb_skip "beside the old command" "the old flashbench is not installed"
	fb_done
fi

# what the old command adds to a read or write, ns: at least, and at most
LEAST=10000
MOST=30000

# Without a file it wants to write to its standard input
old()
{
	flashbench-2011 -o /tmp/old.out "$@" "/dev/$dev" 2>&1
}

# close NAME: in /tmp/pairs the same. What the old command adds to a large write
# grows with its length, since it is cut into pages; and with too many erase
# blocks open its order of them, which is not ours, decides what is copied.
close()
{
	awk '$1 < $2 - $3 || $1 > $2 * 1.04 + $3 { print "line " NR ": " $0 }' \
		/tmp/pairs >/tmp/far
	fb_is "$1: the values agree to 4 %" "" "$(head -n 5 /tmp/far)"
}

# near NAME: in /tmp/pairs lines of TIME OF THE OLD, OURS, RESOLUTION OF THE OLD
near()
{
	awk -v least=$LEAST -v most=$MOST '
	{
		more = $1 - $2
		if (more < least - $3 || more > most + $3)
			print "line " NR ": " $0
	}
	NR == 1 || more < min { min = more }
	NR == 1 || more > max { max = more }
	END { print "# it adds " min " to " max " ns" >"/tmp/added" }' \
		/tmp/pairs >/tmp/far
	cat /tmp/added
	fb_is "$1: the values agree" "" "$(head -n 5 /tmp/far)"
}

# classic TEST: LABEL VALUE of each point, ns, from the samples
classic()
{
	fb_rows "$1.tsv" >/tmp/tsv
	fb_rows "$1.samples" | sort -n -k 2,2 -k 4,4 -k 7,7 | awk -F '\t' '
	FILENAME == "/tmp/tsv" {
		label[$1] = $2 ($3 ~ /^[a-z]/ ? " " $3 : "")
		next
	}
	$2 != point || $4 != place {
		sum[$2] += $7
		n[$2]++
		point = $2
		place = $4
	}
	END { for (p in n) print label[p], int(sum[p] / n[p]) }' /tmp/tsv -
}

# Times and rates as numbers: "1.02ms" is 1020000 5000, the half of its third
# digit; a rate is the time a block takes
# shellcheck disable=SC2016 # awk has variables, too
awk_numbers='
function number(text, unit) {
	last = text
	sub(/[a-zµ\/A-Z]*$/, "", last)
	half = unit / 2
	for (v = 100; v > last + 0; v /= 10)
		half /= 10
	return last * unit
}
function ns(text) {
	return number(text, text ~ /ms$/ ? 1e6 : text ~ /µs$/ ? 1e3 :
		      text ~ /ns$/ ? 1 : 1e9)
}
function bps(text) {
	return number(text, text ~ /G/ ? 1e9 : text ~ /M/ ? 1e6 : 1e3)
}
'

# align CARD BLOCKSIZE
align()
{
	old -a -b "$2" -c 2 >/tmp/old
	fb_target
	fb_run "align old-schedule blocksize=$2 count=2" || return
	classic align | sort >/tmp/ours
	# from where eight of a size do not fit on the card any more it wraps
	awk -v size="$(($(cat "/sys/block/$dev/size") * 512))" "$awk_numbers"'
	$1 == "align" && $2 * 8 <= size {
		for (i = 3; i < 9; i += 2) {
			t = ns($(i + 1))
			printf "%s %s %.0f %.0f\n", $2, $i, t, half
		}
	}' /tmp/old | sort >/tmp/theirs
	awk '
	NR == FNR { ours[$1, $2] = $3; next }
	($1, $2) in ours { print $3, ours[$1, $2], $4 }' /tmp/ours \
		/tmp/theirs >/tmp/pairs
	fb_is "$1, align: we have all of its rows" "$(wc -l </tmp/theirs)" \
		"$(wc -l </tmp/pairs)"
	fb_that "$1, align: which are $(wc -l </tmp/pairs) values" \
		[ "$(wc -l </tmp/pairs)" -ge 45 ]
	near "$1, align"
}

# scatter CARD: here the old command prints nanoseconds
scatter()
{
	old -s --scatter-order=9 --scatter-span=1 -b 16384 -c 2 >/dev/null
	fb_run "scatter scatter-order=9 count=2 blocksize=16K"
	fb_rows scatter.tsv | awk -F '\t' '{ print $7 }' |
		paste - /tmp/old.out | awk '{
			printf "%.0f %s 0\n", $3 * 1000000, $1 }' >/tmp/pairs
	fb_is "$1, scatter: the same places" 512 "$(wc -l </tmp/pairs)"
	near "$1, scatter"
}

# open_au CARD ERASESIZE BLOCKSIZE NR: each on a card that is new
open_au()
{
	sim_load "$1"
	old -O -e "$2" -b "$3" --open-au-nr="$4" >/tmp/old
	sim_unload
	sim_load "$1"
	fb_target destroy
	fb_run "open-au erasesize=$2 blocksize=$3 open-au-nr=$4 noclose"
	classic open-au | sort -rn >/tmp/ours
	fb_is "$1, open-au of $4: the same rows" \
		"$(sed '/^#/d; s/ .*//' $FB/results/open-au | xargs)" \
		"$(sed 's/ .*//' /tmp/old | xargs)"
	awk "$awk_numbers"'
	NR == FNR { t[FNR] = $2; size[FNR] = $1; next }
	{
		r = bps($2)
		printf "%.0f %s %.0f\n", size[FNR] * 1e9 / r, t[FNR],
			size[FNR] * 1e9 / r * half / r
	}' /tmp/ours /tmp/old >/tmp/pairs
	close "$1, open-au of $4"
	fb_write target "" >/tmp/res
	sim_unload
}

for card in readme-4m sandisk-2g-class2; do
	sim_load $card
	align $card 1024
	scatter $card
	fb_write target "" >/tmp/res
	sim_unload
done
open_au readme-4m 4194304 65536 2
open_au readme-4m 4194304 65536 3
open_au lexar-cf-16g 16777216 1048576 2

fb_done
