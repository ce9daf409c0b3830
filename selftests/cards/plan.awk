# SPDX-License-Identifier: GPL-2.0-only
# From a published table, what to run so as to measure it. A line for each run:
#
#	SECTION SPLIT TEST KEY=VALUE...
#
# SPLIT is where the kernel cut writes, or 0. An open-au section is a run for
# each number of erase blocks, in the order of the table, down to the smallest
# block it has; as in the old command, nothing is closed in between. Variable
# most: no more repetitions than that.

function value(key, otherwise,   i)
{
	for (i = 2; i <= NF; i++)
		if (index($i, key "=") == 1)
			return substr($i, length(key) + 2)
	return otherwise
}

function finish(   i)
{
	for (i = 0; i < runs; i++)
		print section, 0, "open-au erasesize=" erase " blocksize=" \
			least[nr[i]] " open-au-nr=" nr[i] random \
			" noclose pattern=zero"
	runs = 0
	split("", least)
	kind = ""
}

/^\[/ {
	finish()
	section++
	random = value("mode") == "random" ? " random" : ""
	erase = value("erasesize")
}

# The owner had assumed an erase block that is none
/note=wrong/ { next }

/^\[openau\]/ { kind = "open" }

/^\[align\]/ {
	count = value("count", 1) + 0
	if (count > most + 0)
		count = most
	run = value("run")
	print section, run ~ /^split_at_/ ? substr(run, 10) : 0, \
		value("mode") == "write" ? "align-write old-schedule pattern=zero" : \
		"align old-schedule", \
		"blocksize=" value("blocksize"), "count=" count
}

kind == "open" && /^[0-9]/ {
	if (!($1 in least)) {
		nr[runs++] = $1
		least[$1] = $2
	}
	if ($2 + 0 < least[$1] + 0)
		least[$1] = $2
}

END { finish() }
