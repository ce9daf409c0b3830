# SPDX-License-Identifier: GPL-2.0-only
# Where the step of a card is, in what was published and in what was measured.
# The first file is the list, of lines
#
#	CARD SECTION CHAIN SIZE FACTOR
#
# which say: in the rows of this section whose size is CHAIN times a power of
# two, the least diff from SIZE up is at least FACTOR times the largest diff of
# the two rows below SIZE. Rows of three places or less do not count. The second
# file is what was measured, the third one the table, see compare.awk; variable
# card says which. For each line, prints
#
#	@step ok|bad WHAT

function add(which, section, size, pre, on, post,   odd, diff)
{
	diff = on - (pre + post) / 2
	for (odd = size; odd % 2 == 0; odd /= 2)
		;
	for (i = 0; i < lines; i++) {
		if (want[i, "section"] != section || want[i, "chain"] != odd)
			continue
		if (size >= want[i, "size"]) {
			if (!((which, i) in above) || diff < above[which, i])
				above[which, i] = diff
		} else if (size * 4 >= want[i, "size"]) {
			# a structure that is not there has a diff of noise
			diff = diff < 1 ? 1 : diff
			if (diff > below[which, i])
				below[which, i] = diff
		}
	}
}

function ratio(which, i)
{
	return below[which, i] ? above[which, i] / below[which, i] : 0
}

BEGIN { lines = 0 }

FNR == 1 { file++ }

file == 1 && $1 == card {
	want[lines, "section"] = $2
	want[lines, "chain"] = $3
	want[lines, "size"] = $4
	want[lines++, "factor"] = $5
}

file == 2 && $2 == "align" && $4 > 3 { add("here", $1, $3, $5, $6, $7) }

file == 3 && /^\[/ { section++ }

file == 3 && /^[0-9]/ { add("published", section, $1, $2, $3, $4) }

END {
	for (i = 0; i < lines; i++) {
		here = ratio("here", i)
		published = ratio("published", i)
		ok = here >= want[i, "factor"] && published >= want[i, "factor"]
		printf "@step %s table %d, %d * 2^k: the step is at %d; " \
			"by %.3g published, %.3g here\n", ok ? "ok" : "bad",
			want[i, "section"], want[i, "chain"], want[i, "size"],
			published, here
	}
}
