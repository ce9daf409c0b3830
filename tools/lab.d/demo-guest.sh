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

# A line such as "align 25% . 120/480 I/Os, 3 s to go", in the card's time
progress()
{
	done=$(status progress)
	total=${done#*/}
	done=${done%/*}
	eta=$(status eta_ns)
	[ "${total:-0}" -gt 0 ] || return 0
	echo "@@progress $1 $((done * 100 / total / 25 * 25))%. $done/$total I/Os," \
		"$((${eta:-0} / 1000000000)) s to go on the card's clock"
}

# The write to run returns when the run has ended, with its error.
measure()
{
	echo "# echo $1 > run"
	echo "$1" >$fb/run &
	run=$!
	while sleep 0.3 && [ "$(status state)" = running ]; do
		progress "$1"
	done
	wait $run || give_up "$1 failed"
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
