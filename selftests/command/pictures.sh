# SPDX-License-Identifier: GPL-2.0-only
# What the tests of pictures and reports share; sourced, with the program as $1.
#
#	ok NAME COMMAND...		the command succeeds
#	says NAME TEXT FILE		the file has this text
#	silent NAME TEXT FILE		the file does not have it
#	status NAME WANT COMMAND...	the exit status; stderr is in $tmp/err
#	finish				prints the plan
#
# $saved has results of a simulated card with erase blocks of 1 MiB, two open
# (and align-odd.tsv, of one with 1.5 MiB).

program=$1
saved=$(dirname "$0")/results
count=0
failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Absolute, as tests change the directory
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
saved=$(cd "$saved" && pwd)

result()
{
	count=$((count + 1))
	[ "$1" = 0 ] || failed=1
	[ "$1" = 0 ] || printf 'not '
	printf 'ok %s %s\n' "$count" "$2"
}

ok()
{
	ok_name=$1
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	ok_status=$?
	result $ok_status "$ok_name"
	[ $ok_status = 0 ] || sed 's/^/# /' "$tmp/err"
}

status()
{
	status_name=$1
	status_want=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	status_got=$?
	[ $status_got = "$status_want" ]
	result $? "$status_name"
	[ $status_got = "$status_want" ] ||
		echo "# wanted $status_want, got $status_got"
}

# These two leave $tmp/err alone, which may be what they look at
says()
{
	grep -qF -e "$2" "$3"
	result $? "$1"
}

silent()
{
	! grep -qF -e "$2" "$3"
	result $? "$1"
}

finish()
{
	echo "1..$count"
	exit $failed
}

# well_formed FILE: as XML
well_formed()
{
	xmllint --noout "$1"
}
