#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The command: as the one of 2011 on the same card, and what it says of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# ours ARGUMENT...: its exit status and the first line it complained with
ours()
{
	flashbench "$@" >/tmp/ours 2>/tmp/complaint </dev/null
	echo "$? $(head -n 1 /tmp/complaint)"
}

# old ARGUMENT...: without a file it wants to write to its standard input
old()
{
	flashbench-2011 -o /tmp/theirs "$@" "/dev/$dev" >/tmp/old.out 2>&1
	[ -s /tmp/theirs ] || cp /tmp/old.out /tmp/theirs
}

# shape FILE: labels and units, the numbers left out
shape()
{
	sed 's/^align \([0-9]*\)/align @\1/
		s/^\([0-9.]*[KMG]*i*B\)/@\1/' "$1" | awk '{
		for (i = 1; i <= NF; i++)
			printf "%s%s", $i ~ /^[-0-9.]/ ? "N" : $i,
				i < NF ? " " : "\n"
	}'
}

# same NAME ARGUMENT...: on a card that is new each time
same()
{
	name=$1
	shift
	sim_load readme-4m
	rm -f /tmp/theirs
	old "$@"
	sim_unload
	sim_load readme-4m
	fb_is "$name: ours says nothing else" "0 " "$(ours "$@" --yes "/dev/$dev")"
	fb_that "$name: there is a table" [ -s /tmp/ours ]
	# the old one wraps where eight of a size do not fit on the card
	shape /tmp/theirs | awk -v most=$((512 * 1048576 / 8)) \
		'$1 != "align" || substr($2, 2) + 0 <= most' >/tmp/shape.theirs
	shape /tmp/ours | awk -v most=$((512 * 1048576 / 8)) \
		'$1 != "align" || substr($2, 2) + 0 <= most' >/tmp/shape.ours
	fb_is "$name: the same rows and columns" "$(cat /tmp/shape.theirs)" \
		"$(cat /tmp/shape.ours)"
	sim_unload
}

if ! command -v flashbench-2011 >/dev/null; then
	fb_skip "beside the old command" "the old flashbench is not installed"
else
	same align -a --blocksize=1024 --count=2
	same open-au -O --open-au-nr=3 --erasesize=4194304 --blocksize=262144
	same "open-au, random" -O --open-au-nr=2 --random --blocksize=1048576
	same find-fat --findfat --fat-nr=4 --blocksize=1048576
fi

# ---- what it needs ----

sim_load readme-4m
fb_like "without a device" '^2 .*which device' "$(ours -a)"
fb_like "no such device" '^1 .*/dev/nothing' "$(ours -a /dev/nothing)"
fb_like "no block device" '^1 .*not a block device' "$(ours -a /dev/null)"
fb_like "writing needs --yes" '^1 .*--yes' "$(ours -O "/dev/$dev")"
fb_is "and lets the device go" none "$(cat $FB/target)"
fb_is "and has written nothing" 0 "$(sim_total written_bytes)"
fb_like "the module's reason" '^1 .*open-au.*do not fit|^1 .*fit' \
	"$(ours -O --open-au-nr=1000 --yes "/dev/$dev")"
rmmod flashbench
fb_like "no module" '^1 .*type: modprobe flashbench' "$(ours -a "/dev/$dev")"
insmod /lab/flashbench.ko
umount /sys/kernel/debug
fb_like "no debugfs" '^1 .*type: mount -t debugfs' "$(ours -a "/dev/$dev")"
mount -t debugfs none /sys/kernel/debug

fb_is "scatter into a file" "0 " \
	"$(ours -s --scatter-order=5 -o /tmp/file "/dev/$dev")"
fb_is "has a line for each place" 32 "$(grep -c . /tmp/file)"
fb_is "by another name" "0 " "$(ln -sf "/dev/$dev" /tmp/card
	ours run /tmp/card scatter scatter-order=5)"

# ---- verdicts ----

fb_is "geometry" "0 " "$(ours geometry --preserve "/dev/$dev")"
fb_like "the erase block" 'erase_block	4194304	sure	' "$(cat /tmp/ours)"
fb_like "and advice" 'stripe-width=1024' "$(cat /tmp/ours)"
fb_is "geometry, read only, JSON" "0 " \
	"$(ours geometry --json "/dev/$dev" only=erase_block)"
fb_like "has the number" '"value": 4194304' "$(cat /tmp/ours)"
fb_like "an unknown key" '^2 .*onyl' "$(ours geometry "/dev/$dev" onyl=page)"
ours run --tsv -o /tmp/align.tsv "/dev/$dev" align blocksize=1K count=2 \
	>/dev/null
fb_is "a saved result" "0 " "$(ours analyze /tmp/align.tsv)"
fb_like "says the same" 'erase_block	4194304	likely	' "$(cat /tmp/ours)"
fb_is "a dry run" "0 " "$(ours run "/dev/$dev" open-au dryrun)"
fb_like "says what it costs" 'I/Os' "$(cat /tmp/ours)"

# ---- interrupted ----

flashbench geometry "/dev/$dev" >/tmp/ours 2>/tmp/complaint &
pid=$!
sim_until grep -q 'state: running' $FB/status
kill -INT $pid
wait $pid
fb_is "an interrupt ends it" "1 flashbench: cancelled" \
	"$? $(cat /tmp/complaint)"
fb_is "and the device is let go" none "$(cat $FB/target)"

# ---- two settings ----

queue=/sys/block/$dev/queue/max_sectors_kb
a="echo 64 >$queue"
b="echo 16 >$queue"
line="scatter blocksize=64K scatter-order=3 count=2"
# shellcheck disable=SC2086 # words
fb_is "requests of 16 instead of 64 KiB" "0 " \
	"$(ours ab --a="$a" --b="$b" --check "/dev/$dev" $line)"
fb_like "are slower" 'slower' "$(cat /tmp/ours)"
# shellcheck disable=SC2086
fb_is "the same setting twice" "0 " \
	"$(ours ab --a="$a" --b="$a" --pairs=6 --json "/dev/$dev" $line)"
fb_is "no row differs" "" "$(grep -E '"(slower|faster)"' /tmp/ours |
	grep -v ': 0')"
# shellcheck disable=SC2086
fb_like "a setting that fails" '^1 .*exit status 3' \
	"$(ours ab --a="exit 3" --b="$b" "/dev/$dev" $line)"
sim_unload

fb_done
