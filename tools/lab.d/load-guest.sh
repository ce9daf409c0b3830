#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# load-guest.sh VERSION: the module in /lab loads, is of this version, measures,
# and can be removed.
set -e

fb=/sys/kernel/debug/flashbench
insmod /lab/flashbench.ko
[ "$(cat /sys/module/flashbench/version)" = "$1" ]
echo mmcblk0 >$fb/target
echo align blocksize=1K count=1 >$fb/run
grep '^align ' $fb/results/align
rmmod flashbench
