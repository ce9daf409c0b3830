# SPDX-License-Identifier: GPL-2.0-only
# Reads TAP or KTAP (subtests indented), shows each failing test with its
# diagnostic lines and each skipped one, and ends with "@ PASSED FAILED SKIPPED".
#
# Only the innermost results count; one that sums up a subtest counts if it
# failed although none in it did. A wrong or missing plan is a failure, so
# that output cut short never looks like success.

# Ends the subtests indented deeper than indent
function close_deeper(indent) {
	while (depth > 0 && at[depth] > indent)
		close_level()
}

function close_level() {
	if (plan[depth] == "")
		problem("a plan is missing after " seen[depth] " results")
	else if (plan[depth] != seen[depth])
		problem("planned " plan[depth] " results, got " seen[depth])
	below_failed = bad[depth]
	below_seen = 1
	depth--
	bad[depth] += below_failed
}

function open_level(indent) {
	close_deeper(indent)
	if (depth > 0 && at[depth] == indent)
		return
	documents++
	depth++
	at[depth] = indent
	plan[depth] = ""
	plan_last[depth] = 0
	seen[depth] = bad[depth] = 0
}

function problem(text) {
	failed++
	bad[depth]++
	print "not ok - " text
	show_before()
}

function result(ok, indent, text) {
	below_seen = below_failed = 0
	open_level(indent)
	# after a plan that came last, another document begins
	if (plan_last[depth]) {
		close_level()
		open_level(indent)
		below_seen = 0
	}
	seen[depth]++
	if (below_seen) {
		if (!ok && !below_failed)
			failing(text)
	} else if (text ~ /# *[Ss][Kk][Ii][Pp]/) {
		skipped++
		print text
	} else if (ok) {
		passed++
	} else {
		failing(text)
	}
	nbefore = 0
}

function failing(text) {
	failed++
	bad[depth]++
	print text
	show_before()
	after = 1
}

# The last lines before this point
function show_before(  i) {
	for (i = nbefore > 20 ? nbefore - 20 : 0; i < nbefore; i++)
		print "    " before[i % 20]
	nbefore = 0
}

BEGIN {
	passed = failed = skipped = depth = 0
}

{ sub(/\r$/, "") }

/^ *(K?TAP version|# Subtest)/ {
	match($0, /^ */)
	# a new document at the same depth: the one before is complete
	if (/version/ && depth > 0 && at[depth] == RLENGTH && seen[depth])
		close_level()
	open_level(RLENGTH)
	after = 0
	next
}

/^ *(not )?ok( |$)/ {
	after = 0
	match($0, /^ */)
	indent = RLENGTH
	text = substr($0, indent + 1)
	result(text !~ /^not/, indent, text)
	next
}

/^ *1\.\.[0-9]+/ {
	match($0, /^ */)
	indent = RLENGTH
	text = substr($0, indent + 4)
	open_level(indent)
	if (plan[depth] != "") {
		close_level()
		open_level(indent)
	}
	plan[depth] = text + 0
	plan_last[depth] = seen[depth] > 0
	if (text + 0 == 0) {
		skipped++
		print $0
	}
	after = 0
	next
}

/^ *Bail out!/ { problem($0); next }

# Diagnostics: shown with the failure they follow, or else kept for the result
# that comes next, as KTAP has them
{
	sub(/^ +/, "")
	if (after) {
		if (after++ <= 20)
			print "    " $0
	} else {
		before[nbefore++ % 20] = $0
	}
}

END {
	if (!documents)
		problem("there are no results")
	while (depth > 0)
		close_level()
	print "@", passed, failed, skipped
}
