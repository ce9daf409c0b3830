#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# flashbench run and geometry, against a directory that has the module's files:
# what they write there, what they print, whom they ask, their status.
#
# usage: t_run.sh PROGRAM

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
tab=$(printf '\t')

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

# The module's files; geometry has found what $verdicts says
verdicts="erase_block${tab}4194304${tab}sure${tab}990${tab}read+check${tab}x
page${tab}-${tab}unknown${tab}0${tab}read${tab}no step
open_linear${tab}no_limit${tab}likely${tab}900${tab}write${tab}y"
fresh()
{
	rm -rf "$fb"
	mkdir -p "$fb/results"
	for file in target range write_mode run; do
		: >"$fb/$file"
	done
	printf 'state: done\nprogress: 0/0\nreason: -\n' >"$fb/status"
	printf 'device: x\ndisk_size_bytes: 8589934592\n' >"$fb/info"
	for view in '' .tsv .samples; do
		echo "the table$view" >"$fb/results/align$view"
		echo "the table$view" >"$fb/results/open-au$view"
	done
	{
		printf '# flashbench\n# warning: look\n'
		printf 'key\tvalue\tclass\tconfidence\tbasis\tevidence\n'
		echo "$verdicts"
	} >"$fb/results/geometry"
}

# ours ARGUMENT...: its status is $got; that of what hangs is 124
ours()
{
	timeout 20 "$program" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
	got=$?
}

# line NAME WANTED: what the module was told to run
line()
{
	ok "$1" "$(cat "$fb/run")" = "$2"
}

# wrong NAME REGEX ARGUMENT...: a usage error, before anything is touched
wrong()
{
	name=$1 regex=$2
	shift 2
	fresh
	ours "$@"
	ok "$name: refused" "$got" = 2
	like "$name: says why" "$tmp/err" "$regex"
	ok "$name: nothing is touched" ! -s "$fb/target"
}

# unasked ARGUMENT...: refused, and nothing has been armed or run
unasked()
{
	fresh
	ours "$@"
	ok "$*, without --yes: refused" "$got" = 1
	like "$*, without --yes: says of what" "$tmp/err" \
		"overwrites.*$dev;.*--yes"
	ok "$*, without --yes: is not armed" ! -s "$fb/write_mode"
	ok "$*, without --yes: does not run" ! -s "$fb/run"
}

# ---- run ----

fresh
ours run "$dev" align blocksize=1K count=2
ok "run: an answer" "$got" = 0
line "run: its line" "align blocksize=1K count=2"
ok "run: its table" "$(cat "$tmp/out")" = "the table"
ok "run: nothing may be written" ! -s "$fb/write_mode"
ours run --tsv "$dev" align
ok "run: for programs" "$(cat "$tmp/out")" = "the table.tsv"
ours run --samples "$dev" align
ok "run: single operations" "$(cat "$tmp/out")" = "the table.samples"
ours run --tsv -o "$tmp/file" "$dev" align
ok "run: into a file" "$(cat "$tmp/file")" = "the table.tsv"
ours run --output="$tmp/file2" "$dev" align
ok "run: or so" "$(cat "$tmp/file2")" = "the table"
ok "run: and nothing to stdout" ! -s "$tmp/out"
ours run -o /dev/full "$dev" align
ok "run: a full disk" "$got" = 1
fresh
ours run --range=1M+4M "$dev" align
ok "run: a range" "$(cat "$fb/range")" = 1M+4M
fresh
ours run --preserve "$dev" open-au
ok "run --preserve: nobody is asked" "$got" = 0
ok "run --preserve: preserves" "$(cat "$fb/write_mode")" = preserve
unasked run --destroy "$dev" open-au
fresh
ours run --destroy --yes "$dev" open-au
ok "run --destroy --yes: destroys" "$(cat "$fb/write_mode")" = destroy
fresh
printf 'state: done\nreason: dry run: 7 I/Os\n' >"$fb/status"
ours run --destroy "$dev" open-au dryrun
ok "run, dry: nobody is asked" "$got" = 0
ok "run, dry: says what it costs" "$(cat "$tmp/out")" = "dry run: 7 I/Os"
ok "run, dry: is not armed" ! -s "$fb/write_mode"
line "run, dry: is one" "open-au dryrun"
wrong "run without a device" 'which device' run
wrong "run without a test" 'which test' run "$dev"
wrong "run of what is no test" 'nothing' run "$dev" nothing
wrong "run with a wrong key" 'blocksise' run "$dev" align blocksise=1K
wrong "run with a wrong option" 'usage: flashbench run' run --json "$dev" align
ours run --help
ok "run --help" "$got" = 0
like "run --help: has the keys" "$tmp/out" '^geometry:'

# ---- geometry ----

fresh
ours geometry "$dev"
ok "geometry: an answer" "$got" = 0
line "geometry: its line" geometry
ok "geometry: the verdicts as they are, then advice" \
	"$(sed '/^$/q' "$tmp/out")" = "$verdicts"
like "geometry: for this disk" "$tmp/out" 'start=8192,size=16769024 '
like "geometry: why" "$tmp/out" 'stripe-width=1024 PARTITION, because'
like "geometry: what is not known" "$tmp/out" '^not known: pages'
ok "geometry: what the module warns of is told" "$(cat "$tmp/err")" = \
	"flashbench: warning: look"
ok "geometry: nothing may be written" ! -s "$fb/write_mode"
fresh
ours geometry --only=erase_block,page --max-collections=9 --max-time=60 \
	--max-write=1M --range=1M+4M "$dev" seed=7 scan
line "geometry: options and words are keys" \
	"geometry only=erase_block,page max-collections=9 max-time=60 max-write=1M seed=7 scan"
ok "geometry: a range" "$(cat "$fb/range")" = 1M+4M
fresh
ours geometry --preserve "$dev"
ok "geometry --preserve: preserves" "$(cat "$fb/write_mode")" = preserve
unasked geometry --destroy "$dev"
fresh
ours geometry --destroy --yes "$dev"
ok "geometry --destroy --yes: destroys" "$(cat "$fb/write_mode")" = destroy
for dry in --dry-run dryrun; do
	fresh
	printf 'state: done\nreason: dry run: 7 I/Os\n' >"$fb/status"
	rm "$fb/results/geometry"
	ours geometry --destroy "$dev" $dry
	ok "geometry $dry: nobody is asked" "$got" = 0
	ok "geometry $dry: the cost" "$(cat "$tmp/out")" = "dry run: 7 I/Os"
	ok "geometry $dry: is not armed" ! -s "$fb/write_mode"
	line "geometry $dry: is one" "geometry dryrun"
done

# json PATH...: a value in what was printed
json()
{
	python3 -c '
import json, sys
at = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    at = at[int(key) if isinstance(at, list) else key]
print(at)' "$tmp/out" "$@"
}

if command -v python3 >/dev/null; then
	fresh
	ours geometry --json "$dev"
	ok "JSON: an answer" "$got" = 0
	ok "JSON: the key" "$(json verdicts 0 key)" = erase_block
	ok "JSON: the value" "$(json verdicts 0 value)" = 4194304
	ok "JSON: bytes" "$(json verdicts 0 bytes)" = 4194304
	ok "JSON: confidence" "$(json verdicts 0 confidence_permille)" = 990
	ok "JSON: evidence" "$(json verdicts 1 evidence)" = "no step"
	ok "JSON: what is unknown" "$(json verdicts 1 value)" = None
	ok "JSON: a word" "$(json verdicts 2 value)" = no_limit
	ok "JSON: no bytes of what is no size" \
		"$(json verdicts 2 | grep -c bytes)" = 0
	ok "JSON: advice" "$(json advice 1 | cut -d ' ' -f 1-2)" = \
		"ext4: mkfs.ext4"
fi

# ---- what cannot be told ----

# told NAME STATUS LINES
told()
{
	verdicts=$(printf '%s\n' "$3" | tr ' ' '\t')
	fresh
	ours geometry "$dev"
	ok "$1" "$got" = "$2"
}

unknown="erase_block - unknown 0 read x"
told "no erase block, though a page" 3 "$unknown
page 8192 likely 900 read x"
like "no erase block: no advice" "$tmp/out" '^no advice'
ok "no erase block: nothing to type" "$(grep -c mkfs "$tmp/out")" = 0
told "an erase block that is likely" 0 "erase_block 4194304 likely 949 read x"
told "only a page" 0 "page 8192 likely 900 read x"
told "only a page, unknown" 3 "page - unknown 0 read x"
told "nothing" 3 "$unknown"

# ---- refusals ----

wrong "geometry without a device" 'which device' geometry
wrong "geometry with a wrong key" 'onyl' geometry "$dev" onyl=page
wrong "geometry with a wrong verdict" 'pagee' geometry --only=pagee "$dev"
wrong "a key twice" 'only' geometry --only=page "$dev" only=page
wrong "a wrong option" 'usage: flashbench geometry' geometry --tsv "$dev"
wrong "a dry run for programs" 'dry run' geometry --json --dry-run "$dev"
wrong "too many words" 'too many' geometry \
	"--only=$(printf '%0600d' 0)" "$dev"
fresh
ln -sf /dev/full "$fb/run"
printf 'state: failed\nreason: it does not want to\n' >"$fb/status"
ours geometry "$dev"
ok "refused by the module" "$got" = 1
like "refused by the module: in its words" "$tmp/err" 'does not want to'
ok "refused by the module: no verdicts" ! -s "$tmp/out"
fresh
rm "$fb/results/geometry"
ours geometry "$dev"
ok "no result: a failure" "$got" = 1

echo "1..$n"
exit $status
