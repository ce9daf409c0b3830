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

# Times into a file, of places that both have to agree on. Of fewer places the
# old one has none, but an "internal error"
same_places()
{
	sim_load readme-4m
	flashbench-2011 -s --scatter-order=8 --scatter-span=2 -o /tmp/theirs \
		"/dev/$dev"
	fb_is "scatter: ours says nothing else" "0 " "$(ours -s \
		--scatter-order=8 --scatter-span=2 -o /tmp/file "/dev/$dev")"
	fb_is "scatter: nor to stdout" "" "$(cat /tmp/ours)"
	fb_is "scatter: the same places" "$(cut -f 1 /tmp/theirs)" \
		"$(cut -f 1 /tmp/file)"
	fb_is "scatter: which are 256, and a time for each" 256 \
		"$(awk -F '\t' 'NF == 2 && $2 > 0' /tmp/file | wc -l)"
	sim_unload
}

if ! command -v flashbench-2011 >/dev/null; then
	fb_skip "beside the old command" "the old flashbench is not installed"
else
	same align -a --blocksize=1024 --count=2
	same open-au -O --open-au-nr=3 --erasesize=4194304 --blocksize=262144
	same "open-au, random" -O --open-au-nr=2 --random --blocksize=1048576
	same find-fat --findfat --fat-nr=4 --blocksize=1048576
	same "find-fat, its other name" -f -F 2 --blocksize=1048576
	same interval -i --interval-order=8 --count=2
	same_places
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

fb_null size=64 blocksize=512
fb_is "a disk without structure: nothing can be told" "3 " \
	"$(ours geometry "/dev/$dev" only=erase_block)"
fb_like "and it says so" 'erase_block	-	unknown' "$(cat /tmp/ours)"
sim_use 0

# ---- what is stored is kept ----

# big enough for what is written to here
fbdata fill "/dev/$dev" 7 0 134217728
stored=$(fbdata sum "/dev/$dev" 0 134217728)
sim_reset
fb_is "preserve: nobody is asked" "0 " "$(ours -O --open-au-nr=2 \
	--blocksize=1048576 --offset=8388608 --preserve "/dev/$dev")"
fb_that "preserve: there was writing" \
	[ "$(sim_total written_bytes)" -ge 8388608 ]
fb_that "preserve: where something was stored" \
	[ "$(sim_total highest_sector)" -lt 262144 ]
fb_is "preserve: and is" "$stored" "$(fbdata sum "/dev/$dev" 0 134217728)"
sim_reset
flashbench -O --blocksize=16384 --offset=8388608 --preserve "/dev/$dev" \
	>/tmp/ours 2>/tmp/complaint &
pid=$!
sim_until grep -q 'written_bytes: [0-9]\{7\}' "$sim/totals"
kill -INT $pid
wait $pid
fb_is "preserve, interrupted" "1 flashbench: cancelled" \
	"$? $(cat /tmp/complaint)"
fb_fails "preserve, interrupted: before its end" \
	[ "$(fb_status state)" = "done" ]
fb_is "preserve, interrupted: it is stored" "$stored" \
	"$(fbdata sum "/dev/$dev" 0 134217728)"

# ---- interrupted ----

flashbench geometry "/dev/$dev" >/tmp/ours 2>/tmp/complaint &
pid=$!
sim_until grep -q 'state: running' $FB/status
kill -INT $pid
wait $pid
fb_is "an interrupt ends it" "1 flashbench: cancelled" \
	"$? $(cat /tmp/complaint)"
fb_is "and the device is let go" none "$(cat $FB/target)"
flashbench geometry "/dev/$dev" >/tmp/ours 2>/tmp/complaint &
pid=$!
sim_until grep -q 'state: running' $FB/status
kill -KILL $pid
wait $pid 2>/dev/null
sim_until grep -q 'state: cancelled' $FB/status
fb_is "killed: its run has ended" cancelled "$(fb_status state)"
fb_is "killed: the next one runs" "0 " \
	"$(ours -s --scatter-order=3 "/dev/$dev")"

# ---- nobody reads what it prints ----

fb_write write_mode off >/tmp/res
fb_write target "" >/tmp/res
flashbench run --destroy --yes "/dev/$dev" open-au erasesize=1M open-au-nr=2 \
	blocksize=256K offset=8M 2>/dev/null | true
fb_is "a closed pipe: the device is let go" none "$(cat $FB/target)"
flashbench -O --yes --offset=8388608 --erasesize=1048576 --blocksize=262144 \
	"/dev/$dev" 2>/dev/null | true
fb_is "a closed pipe, the old words: the same" none "$(cat $FB/target)"
for signal in QUIT PIPE USR1 ALRM; do
	flashbench run --destroy --yes "/dev/$dev" find-fat erasesize=1M \
		>/tmp/ours 2>/tmp/complaint &
	pid=$!
	sim_until grep -q 'state: running' $FB/status
	kill -$signal $pid
	wait $pid
	fb_is "SIG$signal: the device is let go, and the run over" \
		"none cancelled" "$(cat $FB/target) $(fb_status state)"
done

# ---- two settings ----

# differs NAME: the rows of the JSON printed are that much slower, ns, to 1 %
differs()
{
	fb_is "$1" "" "$(tr -d ' ,"' </tmp/ours | awk -F : -v want="$2" '
	$1 == "before_ns" { before = $2 }
	$1 == "after_ns" {
		rows++
		more = $2 - before
		if (more < want * 0.99 || more > want * 1.01)
			print "row " rows ": " more
	}
	END { if (rows < 2) print rows + 0 " rows" }')"
}

queue=/sys/block/$dev/queue/max_sectors_kb
a="echo 64 >$queue"
b="echo 16 >$queue"
line="scatter blocksize=64K scatter-order=3 count=2"
# shellcheck disable=SC2086 # words
fb_is "requests of 16 instead of 64 KiB" "0 " \
	"$(ours ab --a="$a" --b="$b" --check "/dev/$dev" $line)"
fb_like "are slower" 'as a whole: .* % slower ' "$(cat /tmp/ours)"
# shellcheck disable=SC2086
fb_is "the same setting twice" "0 " \
	"$(ours ab --a="$a" --b="$a" --pairs=6 --json "/dev/$dev" $line)"
fb_is "no row differs" "" "$(grep -E '"(slower|faster)"' /tmp/ours |
	grep -v ': 0')"
# shellcheck disable=SC2086
fb_like "a setting that fails" '^1 .*exit status 3' \
	"$(ours ab --a="exit 3" --b="$b" "/dev/$dev" $line)"
# the emulated card, which nobody said may be written to
ln -sfn "/dev/$dev" /tmp/card
before=$(fb_io mmcblk0 | cut -d ' ' -f 3,4)
fb_like "a setting that makes the name another device's" '^1 .*another device' \
	"$(ours ab --a="ln -sfn /dev/mmcblk0 /tmp/card" \
		--b="ln -sfn /dev/mmcblk0 /tmp/card" --destroy --yes /tmp/card \
		align-write blocksize=64K count=1)"
fb_is "which is not written to" "$before" "$(fb_io mmcblk0 | cut -d ' ' -f 3,4)"
fb_is "nor held" none "$(cat $FB/target)"
sim_unload

# 64 KiB of 4 bits at a time: 131072 clocks
sim_load "$(sim_card bus_timing=1 highspeed=1 read_bps=0)"
clock=/sys/kernel/debug/$host/clock
fb_is "the host's clock" "0 " "$(ours ab --a="echo 50000000 >$clock" \
	--b="echo 25000000 >$clock" --all --json "/dev/$dev" \
	scatter blocksize=64K scatter-order=3 count=2)"
differs "halved: each row by the clocks that takes" 2621440
fb_is "the same clock twice" "0 " "$(ours ab --a="echo 25000000 >$clock" \
	--b="echo 25000000 >$clock" --all --json "/dev/$dev" \
	scatter blocksize=64K scatter-order=3 count=2)"
fb_is "nothing is slower or faster" 0 \
	"$(grep -c '"verdict": "[sf][^a]' /tmp/ours)"
sim_unload

fb_done
