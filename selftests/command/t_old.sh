#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The command with the words of 2011, against a directory that has the module's
# files: what it writes there, what it prints, whom it asks, how it ends.
#
# usage: t_old.sh PROGRAM

program=$1
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
fb=$tmp/flashbench
export FLASHBENCH_DEBUGFS="$fb"
n=0 status=0

# A block device that nobody opens: only its name and numbers count
dev=
for node in /dev/loop0 /dev/sda /dev/vda /dev/nvme0n1 /dev/mmcblk0; do
	[ -n "$dev" ] || [ ! -b "$node" ] || dev=$node
done
if [ -z "$dev" ] && mknod "$tmp/disk" b 7 0 2>/dev/null; then
	dev=$tmp/disk
fi
if [ -z "$dev" ]; then
	echo "1..0 # SKIP there is no block device, and none can be made"
	exit 0
fi
name=${dev##*/}
numbers=$(stat -c '%t %T' "$dev")
numbers=$((0x${numbers% *})):$((0x${numbers#* }))

# ok NAME TEST...: as test(1)
ok()
{
	n=$((n + 1))
	what=$1
	shift
	if test "$@"; then
		echo "ok $n $what"
		return
	fi
	status=1
	echo "not ok $n $what: $*" | tr '\n' ' '
	echo
	sed 's/^/# stdout: /' "$tmp/out"
	sed 's/^/# stderr: /' "$tmp/err"
}

# like NAME FILE REGEX
like()
{
	ok "$1" "$(grep -c -e "$3" "$2")" -ge 1
}

# The module's files, as if what follows were its state
fresh()
{
	rm -rf "$fb"
	mkdir -p "$fb/results"
	for file in target range write_mode run; do
		: >"$fb/$file"
	done
	printf 'state: done\nprogress: 0/0\nreason: -\n' >"$fb/status"
	printf '%s\n' '# flashbench' '# warning: look' \
		'align 4096	pre 1ms	on 2ms	post 1ms	diff 1ms' \
		'align 3072	pre 1ms	on 2ms	post 1ms	diff 1ms' \
		'align 2048	pre 1ms	on 2ms	post 1ms	diff 1ms' \
		>"$fb/results/align"
	printf '# flashbench\n4MiB  8M/s\n2MiB  4M/s\n' >"$fb/results/open-au"
	printf '# flashbench\n0.000000\t1.5\n4.000000\t1.25\n' \
		>"$fb/results/scatter"
}

# ours ARGUMENT...: its status is $got; that of what hangs is 124
ours()
{
	timeout 20 "$program" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
	got=$?
}

# Of the target's number the newline that lets it go has replaced a digit
released()
{
	[ "$(head -n 1 "$fb/target")" = "" ] && [ -s "$fb/target" ]
	echo $?
}

# ---- runs ----

fresh
ours -a "$dev" --blocksize=1024 --count=100
ok "align: an answer" "$got" = 0
ok "align: its line" "$(cat "$fb/run")" = \
	"align old-schedule blocksize=1024 count=100"
ok "align: the rows of 2011, no header" "$(cut -f 1 "$tmp/out" | xargs)" = \
	"align 4096 align 2048"
ok "align: what the module warns of is told" "$(cat "$tmp/err")" = \
	"flashbench: warning: look"
ok "align: nothing may be written" ! -s "$fb/write_mode"
ok "align: the device is let go" "$(released)" = 0
# what was behind the first byte is still there
ok "align: which was this one" "$(sed 1d "$fb/target")" = "${numbers#?}"
ours -a -v "$dev" --blocksize=1024
like "verbose: the header, too" "$tmp/out" '^# flashbench'

fresh
ours -s --scatter-order=1 -o "$tmp/plot" "$dev"
ok "scatter: into a file" "$(tr '\t' ' ' <"$tmp/plot" | xargs)" = \
	"0.000000 1.5 4.000000 1.25"
ok "scatter: nothing to stdout" ! -s "$tmp/out"
echo kept >"$tmp/plot"
ours -s -o "$tmp/plot" /dev/null
ok "no block device: refused" "$got" = 1
ok "no block device: the file is kept" "$(cat "$tmp/plot")" = kept
ours -s -o "$tmp/none/plot" "$dev"
ok "no such directory: refused" "$got" = 1
like "no such directory: says so" "$tmp/err" 'none/plot: No such file'
ours -s -o /dev/full "$dev"
ok "a full disk: refused" "$got" = 1
like "a full disk: says so" "$tmp/err" 'full: No space'
fresh
ours -a -s "$dev" --blocksize=1024
ok "two tests: both tables" "$(wc -l <"$tmp/out")" = 4

fresh
ln -s "$dev" "$tmp/card"
ours -a "$tmp/card"
ok "a link: an answer" "$got" = 0
ok "a link: to what it leads to" "$(sed 1d "$fb/target")" = "${numbers#?}"
if [ "$dev" = "/dev/$name" ]; then
	fresh
	ours -a "$name"
	ok "a bare name" "$(sed 1d "$fb/target")" = "${numbers#?}"
fi

# ---- writing ----

# unasked ARGUMENT...: refused, and nothing has been armed or run
unasked()
{
	fresh
	ours "$@" "$dev"
	ok "$1 without --yes: refused" "$got" = 1
	like "$1 without --yes: says of what" "$tmp/err" "overwrites.*$dev;.*--yes"
	ok "$1 without --yes: is not armed" ! -s "$fb/write_mode"
	ok "$1 without --yes: does not run" ! -s "$fb/run"
}

unasked -O --open-au-nr=5
unasked -A
unasked --findfat
unasked -a -O
unasked -O --preserve --destroy
fresh
ours -O "$tmp/card"
like "a link: says where it leads" "$tmp/err" "overwrites all of $dev;"
fresh
ours -O --yes "$dev"
ok "--yes: an answer" "$got" = 0
ok "--yes: destroys" "$(cat "$fb/write_mode")" = destroy
ok "--yes: the table" "$(xargs <"$tmp/out")" = "4MiB 8M/s 2MiB 4M/s"
fresh
ours -O --preserve "$dev"
ok "--preserve: nobody is asked" "$got" = 0
ok "--preserve: preserves" "$(cat "$fb/write_mode")" = preserve
fresh
ours report --destroy -o "$tmp/report" "$dev"
ok "report --destroy asks as well" "$got" = 1
like "report --destroy: says of what" "$tmp/err" "overwrites.*$dev;.*--yes"
ok "report --destroy: does not run" ! -s "$fb/run"

# typed ANSWER: on a terminal
typed()
{
	fresh
	{
		sleep 1
		echo "$1"
		sleep 1
	} | script -qec "exec '$program' -O '$dev'" /dev/null >"$tmp/out" 2>"$tmp/err"
	got=$?
}

if command -v script >/dev/null; then
	typed "$name"
	like "typed: it is asked for" "$tmp/out" "OVERWRITES.*$dev"
	ok "typed: it runs" -s "$fb/run"
	ok "typed: an answer" "$got" = 0
	typed yes
	ok "typed something else: it does not run" ! -s "$fb/run"
	ok "typed something else: refused" "$got" = 1
	typed ""
	ok "typed nothing: it does not run" ! -s "$fb/run"
	like "typed nothing: says so" "$tmp/out" 'nothing was written'
fi

# ---- refusals ----

fresh
ln -sf /dev/full "$fb/run"
printf 'state: failed\nreason: open-au-nr: does not fit\n' >"$fb/status"
ours -a "$dev"
ok "refused by the module" "$got" = 1
like "refused by the module: in its words" "$tmp/err" 'open-au-nr: does not fit'
ok "refused by the module: let go" "$(released)" = 0
ok "refused by the module: no table" ! -s "$tmp/out"
rm "$fb/run"
mkdir "$fb/run"
ours -a "$dev"
ok "never got to the module" "$got" = 1
ok "never got to the module: not its older words" \
	"$(grep -c 'does not fit' "$tmp/err")" = 0
rmdir "$fb/run"
ours -a "$dev"
ok "no module" "$got" = 1
ok "no module: the line to type" "$(cat "$tmp/err")" = \
	"flashbench: the module is not loaded; type: modprobe flashbench"
fresh
rm "$fb/results/align"
ours -a "$dev"
ok "no table: a failure" "$got" = 1

# ---- signals, and two at once ----

# ended: with the status of the program that was begun; one that hangs is killed
ended()
{
	(sleep 30; kill -KILL $pid) >/dev/null 2>&1 &
	watchdog=$!
	wait $pid 2>/dev/null
	ended=$?
	kill $watchdog 2>/dev/null
	return $ended
}

# While this is in a run: nobody reads the other end
begin()
{
	fresh
	rm "$fb/run"
	mkfifo "$fb/run"
	# under nohup(1) a hangup is ignored, by the command as well
	env --default-signal=HUP "$program" "$@" </dev/null >"$tmp/out" \
		2>"$tmp/err" &
	pid=$!
	i=0
	while [ ! -s "$fb/target" ] && [ $i -lt 50 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	sleep 0.3
}

for signal in INT TERM HUP; do
	begin -a "$dev"
	kill -$signal $pid
	ended
	ok "SIG$signal: a failure" $? = 1
	ok "SIG$signal: says so" "$(cat "$tmp/err")" = "flashbench: cancelled"
	ok "SIG$signal: let go" "$(released)" = 0
done
begin -a "$dev"
ours -s "$dev"
ok "two at once: the second is refused" "$got" = 1
like "two at once: says why" "$tmp/err" 'another flashbench'
ok "two at once: the first one's device is kept" "$(cat "$fb/target")" = \
	"$numbers"
kill -KILL $pid
wait $pid 2>/dev/null
rm "$fb/run"
: >"$fb/run"
ours -s "$dev"
ok "the first was killed: the next one runs" "$got" = 0

# On a terminal, and Ctrl-C typed there
if command -v script >/dev/null; then
	fresh
	rm "$fb/run"
	mkfifo "$fb/run"
	printf '%s\n' 'state: running' 'progress: 5/10' 'elapsed_ns: 1' \
		'eta_ns: 65000000000' 'reason: -' >"$fb/status"
	{
		sleep 2.5
		printf '\003'
		sleep 1
	} | timeout 20 script -qec "exec '$program' -a '$dev'" /dev/null \
		>"$tmp/out" 2>"$tmp/err"
	ok "on a terminal: a failure when cancelled" $? = 1
	like "on a terminal: progress" "$tmp/out" '\[=* *\]  *50 %'
	like "on a terminal: what is left" "$tmp/out" '1:05 left'
	like "on a terminal: cancelled" "$tmp/out" 'flashbench: cancelled'
	ok "on a terminal: let go" "$(released)" = 0
fi

# Between runs: the result is a pipe without another end
fresh
rm "$fb/results/open-au"
mkfifo "$fb/results/open-au"
"$program" -O --yes "$dev" </dev/null >"$tmp/out" 2>"$tmp/err" &
pid=$!
i=0
while [ ! -s "$fb/run" ] && [ $i -lt 50 ]; do
	sleep 0.1
	i=$((i + 1))
done
sleep 0.3
kill -TERM $pid
ended
ok "SIGTERM between runs: ends it" $? = 143
ok "SIGTERM between runs: let go" "$(released)" = 0

echo "1..$n"
exit $status
