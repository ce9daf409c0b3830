# SPDX-License-Identifier: GPL-2.0-only
# repeat.awk FIRST SECOND: compares two outputs of selftests/repeat.sh column
# by column and prints TAP. The least and the middle times may differ by LIMIT;
# others are shown, for one sample in some hundreds meets an interrupt that does
# not come at the same instant. What is no time must be the same.

function report(name, ok)
{
	print (ok ? "ok " : "not ok ") ++count " " name
}

function limit(name)
{
	if (name ~ /^(min|median)_ns$/)
		return LIMIT
	return name ~ /_ns$/ ? 1e18 : 0
}

function compare(table, name, mine, yours,   d)
{
	d = mine - yours
	d = d < 0 ? -d : d
	key = table " " name
	if (!(key in worst))
		keys[++nkeys] = key
	if (d > worst[key] + 0)
		worst[key] = d
	if (d > limit(name) || (!d && mine != yours))
		off[key]++
}

BEGIN { FS = "\t" }
NR == FNR { first[FNR] = $0; lines = FNR; next }
/^# / { table = substr($0, 3) }
/^(point|seq)\t/ { split($0, names) }
/^[0-9]/ {
	rows[table]++
	split(first[FNR], a)
	for (i = 1; i <= NF; i++)
		if (names[i] != "submit_ns")
			compare(table, names[i], a[i], $i)
	next
}
{ other += $0 != first[FNR] }
END {
	report("two boots print the same lines", lines > 1000 &&
	       lines == FNR && !other)
	for (k = 1; k <= nkeys; k++) {
		key = keys[k]
		report(key ": at most " (worst[key] + 0) " apart", !off[key])
	}
	print "1.." count
}
