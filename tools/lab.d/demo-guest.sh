#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tools/lab demo runs in the virtual machine: what a user would type.

fb=/sys/kernel/debug/flashbench

status()
{
	sed -n "s/^$1: *//p" $fb/status
}

give_up()
{
	echo "$1: $(status reason)"
	exit 1
}

# Shown by tools/lab. QEMU's card answers at once and the worker that waits for
# it goes first, so here there may be nothing to see before the end.
progress()
{
	did=$(status progress)
	all=${did#*/}
	did=${did%/*}
	[ "${all:-0}" -gt 0 ] || return 0
	echo "@@progress $1: $((did * 100 / all / 20 * 20))%, $did/$all I/Os," \
		"$(($(status elapsed_ns) / 1000000)) ms on the card's clock"
}

# The write to run returns when the run has ended, with its error.
measure()
{
	echo "# echo $1 > run"
	echo "$1" >$fb/run &
	run=$!
	while sleep 0.05 && [ "$(status state)" = running ]; do
		progress "$1"
	done
	wait $run || give_up "$1 failed"
	progress "$1"
	echo "# cat results/$1"
	cat "$fb/results/$1"
	echo
}

insmod /lab/flashbench.ko || exit 1

echo "# cd $fb"
echo "# echo mmcblk0 > target"
echo mmcblk0 >$fb/target || give_up "no target"
echo "# cat info"
cat $fb/info
echo
measure align
echo "# echo destroy > write_mode"
echo destroy >$fb/write_mode || give_up "not armed"
measure open-au
