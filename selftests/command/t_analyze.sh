#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# flashbench analyze as a program: where it reads, what it prints, its status.
#
# usage: t_analyze.sh PROGRAM

program=${1-build/flashbench}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
n=0 status=0

# expect NAME STATUS REGEX ARGUMENT...: stdin is $tmp/in; both outputs match
expect()
{
	name=$1 want=$2 regex=$3
	shift 3
	n=$((n + 1))
	"$program" analyze "$@" <"$tmp/in" >"$tmp/out" 2>&1
	got=$?
	if [ "$got" = "$want" ] && grep -q -e "$regex" "$tmp/out"; then
		echo "ok $n $name"
	else
		status=1
		sed 's/^/# /' "$tmp/out"
		echo "not ok $n $name: status $got, not $want, or no '$regex'"
	fi
}

cat >"$tmp/in" <<'EOF'
> # ./flashbench -O --open-au-nr=2 --erasesize=$[4*1024*1024] /dev/sdb
> 4MiB  8M/s
> 2MiB  8M/s
> 1MiB  7.9M/s
> # ./flashbench -O --open-au-nr=3 --erasesize=$[4*1024*1024] /dev/sdb
> 4MiB  8M/s
> 2MiB  2M/s
> 1MiB  1M/s
EOF
tab=$(printf '\t')
limit="^open_linear${tab}2${tab}likely${tab}850${tab}write${tab}2 fit, 3 thrash"
head -n 4 "$tmp/in" >"$tmp/two"
tail -n 4 "$tmp/in" >"$tmp/three"
echo 'Hello, I have a card.' >"$tmp/mail"
tr '\n' '\000' <"$tmp/in" >"$tmp/zeros"
truncate -s 65M "$tmp/large"

expect 'standard input' 0 "$limit" -
expect 'two files of one card' 0 "$limit" "$tmp/two" "$tmp/three"
expect 'for programs' 0 '"open_linear"' --json -
expect 'advice, too' 0 "$limit" --advice -
expect 'half of it does not tell' 3 "^open_linear${tab}-${tab}unknown" "$tmp/two"
expect 'no result' 1 'mail: no results' "$tmp/mail"
expect 'no result in one of two' 1 'mail: no results' "$tmp/two" "$tmp/mail"
expect 'zeros for newlines' 1 'no results' "$tmp/zeros"
expect 'no such file' 1 'nothing: No such file' "$tmp/nothing"
expect 'a directory' 1 'directory' "$tmp"
expect 'too large' 1 'large' "$tmp/large"
expect 'no file' 2 'which file'
expect 'no such option' 2 'usage' --nothing "$tmp/two"
expect 'help' 0 'usage: flashbench analyze' --help

# Whoever sent the mail has no terminal here
awk '!/^#/ { $0 = $0 " \033]0;x\007\033[2J" } { print }' \
	"$(dirname "$0")/results/geometry.tsv" >"$tmp/hostile"
n=$((n + 1))
if "$program" analyze "$tmp/hostile" >"$tmp/out" 2>&1 &&
	! grep -q "$(printf '[\033\007]')" "$tmp/out"; then
	echo "ok $n no control characters"
else
	status=1
	echo "not ok $n no control characters"
fi

# An answer that could not be written is none
for full in "analyze -" --help "analyze --json -"; do
	n=$((n + 1))
	# shellcheck disable=SC2086 # words
	"$program" $full <"$tmp/in" >/dev/full 2>"$tmp/out"
	got=$?
	if [ $got = 1 ] && grep -q 'stdout: No space' "$tmp/out"; then
		echo "ok $n $full: a full disk"
	else
		status=1
		echo "not ok $n $full: a full disk: status $got"
	fi
done

echo "1..$n"
exit $status
