#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The module loads and unloads, again and again, and leaves nothing.
. "$(dirname "$0")/lib.sh"

for i in 1 2 3; do
	fb_that "unload, $i" rmmod flashbench
	fb_fails "no directory without the module, $i" test -e "$FB"
	fb_that "load, $i" insmod /lab/flashbench.ko
	fb_is "a new module has no target, $i" none "$(cat $FB/target)"
done

fb_is "the licence, without which nothing of this works" GPL \
	"$(modinfo /lab/flashbench.ko | sed -n 's/^license: *//p')"

fb_done
