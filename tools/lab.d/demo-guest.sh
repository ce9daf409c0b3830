#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What tools/lab demo runs in the virtual machine: what a user would type.
. /selftests/sim.sh

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
# it goes first, so there may be nothing to see before the end.
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
	while sleep "$pause" && [ "$(status state)" = running ]; do
		progress "$1"
	done
	wait $run || give_up "$1 failed"
	progress "$1"
	echo "# cat results/${1%% *}"
	cat "$fb/results/${1%% *}"
	echo
}

# show DEVICE ALIGN OPEN-AU: the run lines
show()
{
	echo "# echo $1 > target"
	echo "$1" >$fb/target || give_up "no target"
	echo "# cat info"
	cat $fb/info
	echo
	measure "$2"
	echo "# echo destroy > write_mode"
	echo destroy >$fb/write_mode || give_up "not armed"
	measure "$3"
}

# simulated CARD: as its owners would measure it
simulated()
{
	sim_load "$1" || exit 1
	pause=5
	show "$dev" "align blocksize=1K" "open-au open-au-nr=5 \
erasesize=$(sed -n 's/^erase=//p' "$sim/config")"
	cat <<EOF
# What is this card, then? After tools/lab shell --card '$1', type:
flashbench geometry --preserve /dev/$dev
flashbench -a --blocksize=1024 /dev/$dev
EOF
}

insmod /lab/flashbench.ko || exit 1
echo "# cd $fb"

if [ -e /lab/card ]; then
	simulated "$(cat /lab/card)"
else
	pause=0.05
	echo
	echo "# QEMU's SD card. It has no flash behind it and answers at once:"
	echo "# these numbers are those of the path to it."
	show mmcblk0 align open-au
	echo "# A simulated SanDisk SD04G, see Documentation/flashsim.rst. Its"
	echo "# erase blocks of 1.5 MiB are the step in the column diff at 1572864."
	simulated sandisk-sd04g-4g
fi
