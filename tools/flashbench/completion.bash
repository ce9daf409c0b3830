# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of the command flashbench in bash. There is no list here: options
# are those that --help shows, tests and keys those of the module, or, where
# its files cannot be read, those that "flashbench run --help" shows.

_flashbench_sys=/sys

# The first word of each line "  NAME   what it does"
_flashbench_subcommands()
{
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p'
}

# _flashbench_options PROGRAM SUBCOMMAND: a line each, "-o=FILE" if it has an
# argument. In the help they are "-o, --output=FILE  what it does".
_flashbench_options()
{
	"$1" "$2" --help 2>/dev/null | awk '
	/^ *-/ {
		sub(/^ */, "")
		sub(/  .*/, "")
		argument = ""
		if (match($0, /[ =[]+[A-Z].*/)) {
			argument = substr($0, RSTART, RLENGTH)
			$0 = substr($0, 1, RSTART - 1)
			gsub(/[] =]|\[/, "", argument)
			argument = "=" argument
		}
		n = split($0, option, /, */)
		for (i = 1; i <= n; i++)
			print option[i] argument
	}'
}

# SD cards and eMMC first; nothing without a size
_flashbench_devices()
{
	local dir dirs=("$_flashbench_sys"/class/block/mmcblk*)

	dirs+=("$_flashbench_sys"/class/block/*)
	for dir in "${dirs[@]}"; do
		[[ $(cat "$dir/size" 2>/dev/null) -gt 0 ]] &&
			echo "/dev/${dir##*/}"
	done | awk '!seen[$0]++'
}

# The tests, each with its keys below it
_flashbench_tests()
{
	cat "$_flashbench_sys/kernel/debug/flashbench/tests" 2>/dev/null ||
		"$1" run --help 2>/dev/null
}

# _flashbench_words PROGRAM WORD...: what can follow the words of a run: a
# device and a test, then the keys of that test
_flashbench_words()
{
	local program=$1 tests test word
	shift

	tests=$(_flashbench_tests "$program" |
		sed -n 's/^\([a-z-]\{1,\}\): .*:.*/\1/p')
	for word; do
		[[ $'\n'$tests$'\n' == *$'\n'"$word"$'\n'* ]] && test=$word
	done
	if [[ -n $test ]]; then
		_flashbench_tests "$program" | awk -v test="$test:" '
			/^[a-z]/ { ours = $1 == test }
			ours && /^\t/ { sub(/=.*/, "=", $1); print $1 }'
	else
		_flashbench_devices
		echo "$tests"
	fi
}

_flashbench_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1" | sort)
}

# _flashbench_argument OPTIONS PREVIOUS CURRENT: is this the argument of an
# option? Files can be completed.
_flashbench_argument()
{
	local option

	for option in $1; do
		case $option in
		"$2"=FILE* | "$2"=NAME*)
			_flashbench_files "$3"
			return
			;;
		"$2"=*)
			return
			;;
		esac
	done
	return 1
}

# _flashbench_operands PROGRAM SUBCOMMAND WORD...: what follows the words; fails
# if that is a file
_flashbench_operands()
{
	local program=$1 command=$2
	shift 2

	case "$command $* " in
	"analyze "* | "compare "* | "plot "* | "report "*"--from "*)
		return 1
		;;
	"run "* | "ab "*)
		_flashbench_words "$program" "$@"
		;;
	*)
		_flashbench_devices
		;;
	esac
}

_flashbench()
{
	local program=$1 cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))
	local prev command=${COMP_WORDS[1]} options words

	# bash takes --output=FILE for three words
	[[ $cur != = ]] || cur=
	[[ ${COMP_WORDS[at]} != = ]] || at=$((at - 1))
	prev=${COMP_WORDS[at]}

	COMPREPLY=()
	# of the old options any will do
	[[ $command != [-/]* ]] || command=-a
	options=$(_flashbench_options "$program" "$command")
	_flashbench_argument "$options" "$prev" "$cur" && return

	if [[ $COMP_CWORD = 1 && $cur != [-/]* ]]; then
		words=$(_flashbench_subcommands "$program")
	elif [[ $cur = -* ]]; then
		# shellcheck disable=SC2001 # of each line
		words=$(sed 's/^\(-.\)=.*/\1/; s/=.*/=/' <<<"$options")
	elif ! words=$(_flashbench_operands "$program" "$command" \
		"${COMP_WORDS[@]:2:COMP_CWORD - 2}"); then
		_flashbench_files "$cur"
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -o nosort -F _flashbench flashbench
