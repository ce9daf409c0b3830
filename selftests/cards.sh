#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/lab cards: for each card with a profile, the published commands, typed
# again on the simulated card, beside what was published.
#
#	cards.sh [NAME...]	prints the tables as comments, and TAP
#
# How many rows may be off, and why, is in cards/known. Positions never wrap
# around at the end of the card, as those of the old command did: the largest
# sizes have fewer (column "at"), and what has no room at all is off.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

where=$(dirname "$0")/cards
# More repetitions than that take minutes; only one table has more
most_count=250

# card_load CARD SPLIT: a fresh one; with SPLIT, under a device that cuts what
# is written there, as the kernel under test did
card_load()
{
	card_unload
	sim_load "$1" || return
	echo none >"/sys/block/$dev/queue/scheduler"
	if [ "$2" != 0 ]; then
		modprobe dm-mod
		split_sectors=$(cat "/sys/block/$dev/size")
		echo "0 $split_sectors striped 1 $(($2 / 512)) /dev/$dev 0" |
			dmsetup create --noudevsync split || return
		dev=dm-$(dmsetup info -c --noheadings -o minor split |
			tr -d ' ')
	fi
	fb_load
}

card_unload()
{
	fb_unload
	[ ! -e /dev/mapper/control ] || ! dmsetup info split >/dev/null 2>&1 ||
		fb_retry dmsetup remove --noudevsync split
	sim_unload
}

# The table of align for people, which has the classic values
card_align()
{
	awk -v section="$1" '
	function ns(text) {
		return text * (text ~ /ns$/ ? 1 : text ~ /µs$/ ? 1000 :
			text ~ /ms$/ ? 1000000 : 1000000000)
	}
	$2 == "positions:" { split($0, positions, " ") }
	$1 == "align" {
		print section, "align", $2, positions[3 + rows++], ns($4),
			ns($6), ns($8)
	}' "$FB/results/$2"
}

card_open()
{
	awk -F '\t' -v section="$1" '
	/^[#]/ { next }
	$1 == "point" {
		for (i = 1; i <= NF; i++)
			col[$i] = i
		next
	}
	{
		size = $col["block_bytes"]
		print section, "open", $col["open_aus"], size,
			size * 1e9 / $col["mean_ns"]
	}' "$FB/results/open-au.tsv"
}

# card_command TEST KEYS: as it was typed when the table was made. The keys that
# the command adds by itself have no option.
card_command()
{
	case $1 in
	align) option=-a ;;
	align-write) option=-A ;;
	open-au) option=-O ;;
	esac
	options=$(printf '%s\n' "$2" | tr ' ' '\n' | sed -n \
		'/^old-schedule$/d; /^noclose$/d; /^pattern=zero$/d; s/^/--/p')
	# shellcheck disable=SC2086 # words
	flashbench $option $options --yes "/dev/$dev" >/tmp/classic \
		2>/tmp/complaint
}

# card_section CARD SECTION: runs what is in /tmp/plan for it
card_section()
{
	grep "^$2 " /tmp/plan | cut -d ' ' -f 2- >"/tmp/lines.$2"
	# the same runs on the same fresh card give the same again
	for same in /tmp/lines.*; do
		[ "$same" != "/tmp/lines.$2" ] || break
		if cmp -s "$same" "/tmp/lines.$2"; then
			sed -n "s/^${same##*.} /$2 /p" /tmp/measured >/tmp/more
			cat /tmp/more >>/tmp/measured
			return
		fi
	done
	read -r split _ <"/tmp/lines.$2"
	card_load "$1" "$split" || fb_fail "$1: it loads"
	while read -r _ test keys; do
		if ! card_command "$test" "$keys"; then
			echo "# $test $keys: $(cat /tmp/complaint)" >&2
		elif [ "$test" = open-au ]; then
			card_open "$2"
		else
			card_align "$2" "$test"
		fi
	done <"/tmp/lines.$2" >>/tmp/measured
	card_unload
}

card_measure()
{
	rm -f /tmp/lines.* /tmp/measured
	awk -v most=$most_count -f "$where/plan.awk" "$where/published/$1.table" \
		>/tmp/plan
	for section in $(cut -d ' ' -f 1 /tmp/plan | uniq); do
		card_section "$1" "$section"
	done
}

# card_judge CARD: the table, and whether no more is off than is known
card_judge()
{
	awk -f "$where/compare.awk" /tmp/measured \
		"$where/published/$1.table" >/tmp/table
	printf '# \n# == %s\n' "$1"
	sed '/^@/d' /tmp/table
	while read -r _ test off rows; do
		known=$(sed -n "s/^$1 $test //p" "$where/known")
		card_name="$1: $test, $off of $rows rows are off; known:"
		if [ "$off" -le "${known%% *}" ]; then
			fb_ok "$card_name $known"
		else
			fb_fail "$card_name $known"
		fi
	done <<EOF
$(grep '^@off' /tmp/table)
EOF
}

# card_steps CARD: whether they are at the published place
card_steps()
{
	awk -v card="$1" -f "$where/steps.awk" "$where/steps" /tmp/measured \
		"$where/published/$1.table" >/tmp/steps
	while read -r _ outcome text; do
		case $outcome in
		ok) fb_ok "$1: $text" ;;
		bad) fb_fail "$1: $text" ;;
		esac
	done </tmp/steps
}

# shellcheck disable=SC2317 # called by fb_that
card_between()
{
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

# card_claims CARD: what was said of it
card_claims()
{
	grep "^$1 " "$where/claims" >/tmp/claims
	while read -r _ section open size least most; do
		us=$(awk -v key="$section $open $size" '
			$2 == "open" && key == $1 " " $3 " " $4 {
				printf "%d", $4 / $5 * 1000000
			}
			$2 == "align" && key == $1 " on " $3 {
				printf "%d", $6 / 1000
			}' /tmp/measured)
		fb_that "$1: table $section, $open, $size bytes: $least to \
$most us, is ${us:=0}" card_between "$us" "$least" "$most"
	done </tmp/claims
}

# shellcheck disable=SC2046 # names
[ $# -gt 0 ] || set -- $(cd "$where" && echo *.card | sed 's/\.card//g')
cards=$#
for card; do
	number=$((number + 1))
	echo "@@progress $number of $cards cards, $card"
	card_measure "$card"
	card_judge "$card"
	card_steps "$card"
	card_claims "$card"
done
fb_done
