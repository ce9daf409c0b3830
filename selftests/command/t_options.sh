#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# t_options.sh PROGRAM: the options in the tables of the code are those in the
# manual page, and those that bash completes, for each subcommand. Prints TAP.
set -eu

program=$1
here=$(cd "$(dirname "$0")" && pwd -P)
command=$here/../../tools/flashbench
manual=$here/../../Documentation/flashbench.1
subcommands="geometry run analyze compare ab plot report old"

# Options are compared as lines "--output" and "-o".

# in_code SUBCOMMAND: the tables of getopt_long() or argp, and the short ones,
# in the file that has its function
in_code()
{
	file=$(grep -l "^enum outcome command_$1(" "$command"/*.c |
		grep -v /stubs.c) || return 0
	awk '
	/struct option .*= \{|struct argp_option .*= \{/ { table = 1 }
	/^\t*};/ { table = 0 }
	table && /^\t*\{ "/ {
		split($0, part, "\"")
		print "--" part[2]
	}
	table && match($0, /\047[A-Za-z]\047, ("|0|NULL)/) && /argp/ {
		print "-" substr($0, RSTART + 1, 1)
	}
	/getopt_long(_only)?\(/ { call = 1 }
	call && /"[-+:A-Za-z]*"/ {
		split($0, part, "\"")
		n = split(part[2], letter, "")
		for (i = 1; i <= n; i++)
			if (letter[i] ~ /[A-Za-z]/)
				print "-" letter[i]
		call = 0
	}' "$file" | sort -u
}

# in_manual SUBCOMMAND: those in the tags of its lists
in_manual()
{
	awk -v name="$1" '
	/^\.Ss / { ours = $2 == name || $3 == name || $2 == "Old" && name == "old" }
	/^\.Sh / { ours = 0 }
	ours && /^\.It / {
		for (i = 2; i < NF; i++)
			if ($i == "Fl")
				print "-" $(i + 1)
	}' "$manual" | sort -u
}

# in_completion SUBCOMMAND: as a user gets them who types a -
in_completion()
{
	word=$1
	[ "$word" != old ] || word=-a
	bash -c '
	. "$1/completion.bash"
	COMP_WORDS=(flashbench "$3" -)
	COMP_CWORD=2
	_flashbench "$2"
	printf "%s\n" "${COMPREPLY[@]%=}"' bash "$command" "$program" "$word" |
		sort -u
}

tests=0
failed=0
# same NAME WANTED GOT
same()
{
	tests=$((tests + 1))
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $tests $1"
		return
	fi
	failed=1
	echo "not ok $tests $1"
	printf '%s\n' "in the code:" "$2" "there:" "$3" | tr '\n' ' ' |
		sed 's/^/# /'
	echo
}

for name in $subcommands; do
	options=$(in_code "$name")
	same "$name: the manual page has the options of the code" \
		"$options" "$(in_manual "$name")"
	same "$name: completion has them" \
		"$options" "$(in_completion "$name")"
done
echo "1..$tests"
exit $failed
