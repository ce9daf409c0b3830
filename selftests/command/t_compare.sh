#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashbench compare and ab: command lines, exit statuses, what they say for
# people and for programs. Their methods have units, test_comparison.c,
# test_paired.c and test_ab.c.
. "$(dirname "$0")/pictures.sh"

tables=$saved/../../cards/published

# json NAME FILTER: what is in $tmp/out is true of that; skipped without jq
json()
{
	if command -v jq >/dev/null; then
		jq -e "$2" <"$tmp/out" >"$tmp/jq" 2>&1
		result $? "$1"
	else
		count=$((count + 1))
		echo "ok $count $1 # SKIP no jq"
	fi
}

# classic CARD RUN FILE: what the old command printed in that run
classic()
{
	awk -v run="run=$2" '
	function time(ns)
	{
		if (ns >= 1e6)
			return sprintf("%.3gms", ns / 1e6)
		return sprintf("%.3gµs", ns / 1e3)
	}
	function key(name,  i, part)
	{
		for (i = 2; i <= NF; i++) {
			split($i, part, "=")
			if (part[1] == name)
				return part[2]
		}
		return ""
	}
	/^\[/ { kind = index($0, run) ? $1 : "" }
	/^\[align\]/ && kind {
		printf "# flashbench -%s --blocksize=%d --count=8 /dev/mmcblk0\n",
			key("mode") == "write" ? "A" : "a", key("blocksize")
	}
	/^\[openau\]/ && kind {
		erasesize = key("erasesize")
		blocksize = key("blocksize")
		open = 0
	}
	!/^[0-9]/ { next }
	kind == "[align]" {
		printf "align %d\tpre %s\ton %s\tpost %s\tdiff %s\n", $1,
			time($2), time($3), time($4), time($3 - ($2 + $4) / 2)
	}
	kind == "[openau]" && $1 != open {
		open = $1
		printf "# flashbench -O --open-au-nr=%d --erasesize=%d --blocksize=%d /dev/mmcblk0\n",
			open, erasesize, blocksize
	}
	kind == "[openau]" {
		size = $2 / 1024 "KiB"
		if ($2 >= 1048576)
			size = $2 / 1048576 "MiB"
		printf "%s  %.3gM/s\n", size, $3 / 1e6
	}' "$tables/$1.table" >"$3"
}

# run FILE SEED ROW PERCENT: ten rows of about 1 ms, one of them, or from -ROW
# on each by some more, is slower
run()
{
	awk -v seed="$2" -v row="$3" -v percent="$4" 'BEGIN {
		print "# format: 1\n# flashbench 1.0 scatter"
		print "# run: scatter seed=1"
		print "point\toffset_bytes\top\tn\tmin_ns\tmedian_ns\tmean_ns\tp99_ns\tmax_ns\tspread_ns"
		for (i = 0; i < 10; i++) {
			# any noise does, so that it is the same everywhere
			ns = 1000000 + (seed * 7919 + i * 104729) % 2003
			if (i == row)
				ns += int(ns / 100 * percent)
			if (row < 0 && i >= -row)
				ns += int(ns / 100 * percent * (i + row + 1))
			printf "%d\t%d\tread\t8\t%d\t%d\t%d\t%d\t%d\t5\n", i,
				i * 65536, ns, ns, ns, ns, ns
		}
	}' >"$1"
}

compare()
{
	compare_name=$1
	shift
	ok "$compare_name" "$program" compare "$@"
}

# ---- a quirk: two kinds of writes 16 times faster, the others 5 % slower ----

classic motorola-emmc-writealign no_split "$tmp/before"
classic motorola-emmc-writealign split_at_8192 "$tmp/after"
compare "tables of the old command" "$tmp/before" "$tmp/after"
says "writes across 16 KiB are faster" "align-write 16KiB on" "$tmp/out"
says "so many times" "faster, 15.5 times" "$tmp/out"
says "and across 8 KiB" "align-write 8KiB on" "$tmp/out"
says "across others 5.1 % slower" \
	"align-write on: 5.1 % slower as a group" "$tmp/out"
says "the summary has all of it" "summary: 2 rows faster, 0 slower" "$tmp/out"
says "one run each is an indication" "indicative only" "$tmp/out"
compare "the same for programs" --json "$tmp/before" "$tmp/after"
json "two rows faster" '.summary.faster == 2 and .summary.slower == 0'
json "which" '[.rows[] | select(.verdict == "faster") | .size] | sort
	== [8192, 16384]'
json "by how much" '.rows[] | select(.name == "align-write 8KiB on") |
	.change_percent < -94 and .high_percent < -90'
json "a group slower" '.groups[] | select(.name == "align-write on") |
	.verdict == "slower" and .change_percent > 4 and .change_percent < 6'
json "a steady change" '.steady["align-write"] and .indicative'
compare "the other way round" "$tmp/after" "$tmp/before"
says "two rows are slower" "summary: 0 rows faster, 2 slower" "$tmp/out"

# ---- CMD23: the first write is slower, a matter of the card's state ----

classic sandisk-2g-class2 before "$tmp/before"
classic sandisk-2g-class2 after "$tmp/after"
compare "reads and writes in one file" "$tmp/before" "$tmp/after"
says "no steady change of writes" "no steady change: 2 differ, each of them alone, 2 of these measured first" \
	"$tmp/out"
compare "for programs" --json "$tmp/before" "$tmp/after"
json "neither" '.steady["open-au"] == false'
json "two rows, which were first" '[.rows[] | select(.test == "open-au" and
	.verdict != "same")] | length == 2 and all(.alone and .first)'

# ---- half of the rows slower, each by another amount ----

run "$tmp/before" 1 9 0
run "$tmp/after" 2 -5 20
compare "half of the rows" "$tmp/before" "$tmp/after"
says "one run each cannot tell" "scatter: cannot tell" "$tmp/out"
compare "for programs" --json "$tmp/before" "$tmp/after"
json "null" '.steady.scatter == null'

# ---- several runs a side ----

for i in 1 2 3 4 5; do
	run "$tmp/a$i" $i 9 0
	run "$tmp/b$i" $((i + 5)) 4 20
	run "$tmp/c$i" $((i + 10)) 9 0
done
compare "five runs a side" "$tmp"/a? -- "$tmp"/b?
says "one row is slower" "summary: 0 rows faster, 1 slower, 9 no difference" \
	"$tmp/out"
says "the runs as a whole are not" "the runs as a whole: no difference seen" \
	"$tmp/out"
silent "that is no indication" "indicative" "$tmp/out"
silent "other rows are left out" "scatter at 0" "$tmp/out"
compare "all rows" --all "$tmp"/a? -- "$tmp"/b?
says "are there" "scatter at 0" "$tmp/out"
compare "for programs" --json "$tmp"/a? -- "$tmp"/b?
json "which" '[.rows[] | select(.verdict == "slower")] |
	length == 1 and .[0].size == 262144 and .[0].low_percent > 19 and
	.[0].high_percent < 21'
json "judged" '.indicative == false and .runs_before == 5 and
	.whole.verdict == "same"'
compare "five runs of the same" --json "$tmp"/a? -- "$tmp"/c?
json "no row differs" '.summary.same == 10 and .whole.verdict == "same"'

# ---- warnings ----

compare "another card" "$saved/align.tsv" "$saved/align-odd.tsv"
says "is warned of" "warning: not the same card: 1967128576 bytes" "$tmp/out"
says "and of a range" "warning: range: 0+1967128576 before" "$tmp/out"
says "rows of one only are named" "not compared: align 2GiB pre: only after" \
	"$tmp/out"
sed 's/seed=1$/seed=2/' "$tmp/a1" >"$tmp/seed"
compare "another schedule" --json "$tmp/a1" "$tmp/seed"
json "is warned of" '.warnings ==
	["not the same schedule: seed=1 before, seed=2 after"]'

for kernel in 'M\344rz' April; do
	head -n 2 "$tmp/a1"
	# shellcheck disable=SC2059 # with a byte in octal
	printf "# kernel: $kernel\n"
	tail -n +3 "$tmp/a1"
done >"$tmp/kernels"
head -n 15 "$tmp/kernels" >"$tmp/latin1"
tail -n 15 "$tmp/kernels" >"$tmp/april"
compare "a header that is not UTF-8" --json "$tmp/latin1" "$tmp/april"
json "has a ? there" '.notes == ["kernel: M?rz before, April after"]'

# ---- exit statuses ----

status "nothing in common" 3 "$program" compare "$saved/align.tsv" \
	"$saved/scatter.tsv"
says "is said" "no row in common" "$tmp/err"
status "for programs, too" 3 "$program" compare --json "$saved/align.tsv" \
	"$saved/scatter.tsv"
json "who can read it" '.rows == []'
status "a file that is not there" 1 "$program" compare "$tmp/a1" "$tmp/none"
says "is named" "$tmp/none: No such file" "$tmp/err"
status "no file" 2 "$program" compare
status "one file" 2 "$program" compare "$tmp/a1"
status "three without --" 2 "$program" compare "$tmp/a1" "$tmp/a2" "$tmp/a3"
status "none behind --" 2 "$program" compare "$tmp/a1" "$tmp/a2" --
status "17 of one" 2 "$program" compare "$tmp/a1" -- "$tmp"/[abc]? \
	"$tmp/a1" "$tmp/a2"
status "an option that is none" 2 "$program" compare --some "$tmp/a1" "$tmp/a2"
status "help" 0 "$program" compare --help
says "has the usage" "usage: flashbench compare" "$tmp/out"

# ---- ab: what needs no module ----

# ab NAME TEXT ARGUMENT...: a command line that is wrong, and why
ab()
{
	ab_name=$1
	ab_text=$2
	shift 2
	status "ab: $ab_name" 2 "$program" ab "$@"
	says "ab: that is said" "$ab_text" "$tmp/err"
}

ab "one setting" "two settings" --a=true null scatter
ab "no device" "which device, which test" --a=true --b=true
ab "no test" "which test" --a=true --b=true null
ab "an odd number of pairs" "an even number" --a=true --b=true --pairs=5 null \
	scatter
ab "two pairs" "4 to 16" --a=true --b=true --pairs=2 null scatter
ab "too many" "4 to 16" --a=true --b=true --pairs=18 null scatter
ab "no number" "--seed=x" --a=true --b=true --seed=x null scatter
ab "no such test" "sccatter" --a=true --b=true null sccatter
ab "no such key" "keey" --a=true --b=true -- null scatter keey=1
ab "verdicts" "geometry has no times" --a=true --b=true null geometry
ab "a dry run" "a dry run has no times" --a=true --b=true null scatter dryrun
ab "an option that is none" "usage: flashbench ab" --c=true null scatter
awk -F '\t' -v OFS='\t' '/^0\t/ { $13 = "9223372036854775807" } { print }' \
	"$saved/align.tsv" >"$tmp/ages.tsv"
status "a scatter of centuries" 0 "$program" compare "$saved/align.tsv" \
	"$tmp/ages.tsv"
says "is no measurement" "only before" "$tmp/out"
status "ab: help" 0 "$program" ab --help
says "ab: has the usage" "usage: flashbench ab" "$tmp/out"

if [ -e /sys/kernel/debug/flashbench/run ]; then
	count=$((count + 1))
	echo "ok $count ab without the module # SKIP it is loaded"
else
	status "ab without the module" 1 "$program" ab --a="touch '$tmp/set'" \
		--b="touch '$tmp/set'" null scatter
	[ ! -e "$tmp/set" ]
	result $? "ab: no setting was made before that is said"
fi

finish
