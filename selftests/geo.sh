# SPDX-License-Identifier: GPL-2.0-only
# What the tests of geometry share; sourced after lib.sh and measure.sh.
#
#	card CARD MODE			it is the target, and counts from nothing
#	judge NAME [LINES]		no verdict is wrong, and there are 12
#					or so many; keeps them in /tmp/verdicts
#	said KEY			the value, - if it is unknown
#	verdicts			all lines
#	same_ledger NAME		status and header say what the card saw

# What is right, by the card's own configuration: KEY VALUE, several values if
# several are
truth()
{
	awk -F = '
	{ c[$1] = $2 }
	END {
		log_structured = c["log"] > 0
		gsub(":", ",", c["fat"])
		print "erase_block", c["erase"]
		print "super_page", c["page"] * c["planes"]
		print "page", c["page"]
		print "open_linear", log_structured ? "no_limit" : c["open"]
		print "open_random", log_structured ? "no_limit" : c["open_random"]
		print "fat_area", c["fat"] == "" ? "none" : c["fat"]
		print "program_unit", c["program"]
		# from 2 to 48 streams, as the model of flashsim has it
		half = c["log_half"]
		slower = (1 + c["log"] / 1000 * 47 / (47 + half)) / \
			(1 + c["log"] / 1000 / (1 + half))
		print "mapping", !log_structured ? "block" :
			slower > 1.43 ? "log" : slower < 1.17 ? "flat" :
			"log flat"
		print "write_cache", c["cache"] ? "present" : "none"
	}' "$sim/config"
}

verdicts()
{
	sed '/^#/d' "$FB/results/geometry"
}

# judge NAME [LINES]: no verdict is wrong, none of 12 or so many is missing
judge()
{
	verdicts >/tmp/verdicts
	sed 's/^/# /' /tmp/verdicts
	fb_is "$1: ${2:-12} lines" "${2:-12}" "$(wc -l </tmp/verdicts)"
	truth >/tmp/truth
	fb_is "$1: what is said is true" "" "$(awk '
		NR == FNR { right[$1] = $0; next }
		$2 == "-" { next }
		$1 in right {
			n = split(right[$1], value, " ")
			for (i = 2; i <= n; i++)
				if ($2 == value[i])
					next
			print "said: " $0, "; true: " right[$1]
		}' /tmp/truth /tmp/verdicts)"
	fb_is "$1: classes are those of the confidence" "" "$(awk -F '\t' '
		{
			want = $4 >= 950 ? "sure" :
				$4 >= 800 ? "likely" : "unknown"
			if ($3 != want || ($2 == "-") != (want == "unknown") ||
			    (want == "sure" && $5 == "read") || $6 == "")
				print
		}' /tmp/verdicts)"
}

# said KEY: the value
said()
{
	sed -n "s/^$1	\([^	]*\).*/\1/p" /tmp/verdicts
}

# same_ledger NAME: the card saw what status says, and no byte of it was outside
# the range
same_ledger()
{
	fb_is "$1: bytes read, written" \
		"$(sim_total read_bytes) $(sim_total written_bytes)" \
		"$(fb_status read_bytes) $(fb_status written_bytes)"
	fb_is "$1: the same in the header" \
		"$(fb_status read_bytes) $(fb_status written_bytes)" \
		"$(sed -n 's/^# cost: .* read \([0-9]*\) bytes, written \([0-9]*\) .*/\1 \2/p' \
		"$FB/results/geometry")"
	fb_is "$1: progress is complete" \
		"$(fb_status progress | sed 's,/.*,,')" \
		"$(fb_status progress | sed 's,.*/,,')"
}

# card CARD MODE: it is the target
card()
{
	sim_unload
	sim_load "$1"
	fb_target "$2"
	sim_reset
}
