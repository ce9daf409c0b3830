# SPDX-License-Identifier: GPL-2.0-only
# A published table beside what was measured. The first file has lines
#
#	SECTION align SIZE POSITIONS PRE ON POST	times in ns
#	SECTION open NR SIZE RATE			bytes a second
#
# the second one is the table. Prints it row by row, and after it
#
#	@off align|open-au OFF ROWS

function percent(got, want)
{
	return want ? 100 * (got / want - 1) : 0
}

function us(ns)
{
	return sprintf("%.1f", ns / 1000)
}

function align_row(   key, i, p, off, text)
{
	key = section SUBSEP $1
	all["align"]++
	text = sprintf("# %12.0f %2s %9s%9s%9s ", $1, at[key], us($2), us($3),
		       us($4))
	if (!(key in at)) {
		bad["align"]++
		print text "  no room for it !"
		return
	}
	for (i = 0; i < 3; i++)
		text = text sprintf("%9s", us(got[key, i]))
	text = text " "
	for (i = 0; i < 3; i++) {
		p = percent(got[key, i], $(i + 2))
		text = text sprintf("%+7.1f", p)
		off += p > 10 || p < -10
	}
	bad["align"] += off > 0
	print text (off ? " !" : "")
}

function open_row(   key, i, low, high, rate, off, text)
{
	key = section SUBSEP $1 SUBSEP $2
	all["open-au"]++
	low = high = $3
	for (i = 4; i <= NF; i++) {
		low = $i + 0 < low + 0 ? $i : low
		high = $i + 0 > high + 0 ? $i : high
	}
	text = sprintf("# %4d %9d %9.1f %9.1f ", $1, $2, low / 1000,
		       high / 1000)
	if (!(key in got)) {
		bad["open-au"]++
		print text "  no room for it !"
		return
	}
	rate = got[key]
	off = rate < low * 0.85 || rate > high * 1.15
	bad["open-au"] += off
	print text sprintf(" %9.1f  %+7.1f", rate / 1000,
			   percent(rate, (low + high) / 2)) (off ? " !" : "")
}

FNR == 1 { file++ }

file == 1 && $2 == "align" {
	at[$1, $3] = $4
	for (i = 0; i < 3; i++)
		got[$1, $3, i] = $(5 + i)
}

file == 1 && $2 == "open" { got[$1, $3, $4] = $5 }

file == 1 { next }

/^\[/ {
	section++
	kind = /note=wrong/ ? "" : /^\[align\]/ ? "align" :
		/^\[openau\]/ ? "open" : ""
	sub(/ note=.*/, "")
	if (kind)
		print "#\n# " $0
	if (kind == "align")
		printf "# %12s %2s %27s %27s  %20s\n", "size", "at",
			"published pre on post, µs", "here, µs", "%"
	if (kind == "open")
		printf "# %4s %9s %19s %10s  %7s\n", "open", "block",
			"published, kB/s", "here", "%"
}

kind == "align" && /^[0-9]/ { align_row() }

kind == "open" && /^[0-9]/ { open_row() }

END {
	for (kind in all)
		print "@off", kind, bad[kind] + 0, all[kind]
}
