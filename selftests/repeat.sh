#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Prints what two tests measure on a simulated card, number by number, for
# tools/lab check repeat, which wants the same from every boot.
. /selftests/sim.sh

fb=/sys/kernel/debug/flashbench

insmod /lab/flashbench.ko && sim_load sandisk-2g-class2 &&
	echo "$dev" >$fb/target && echo destroy >$fb/write_mode &&
	echo "align blocksize=1K count=8" >$fb/run &&
	echo "open-au open-au-nr=3 erasesize=1M" >$fb/run || exit 1
for result in align.tsv open-au.tsv align.samples open-au.samples; do
	echo "# $result"
	sed '/^#/d' $fb/results/$result
done
