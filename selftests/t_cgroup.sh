#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A run is in the root cgroup: limits of its writer's cgroup do not slow it.
. "$(dirname "$0")/lib.sh"

fb_null size=64 memory_backed=1
fb_write target "$dev" >/tmp/res
fb_write write_mode destroy >/tmp/res

mkdir -p /tmp/cgroup
if ! mount -t cgroup2 none /tmp/cgroup ||
   ! echo +io >/tmp/cgroup/cgroup.subtree_control ||
   ! mkdir /tmp/cgroup/slow; then
	fb_skip "limits of a cgroup" "there is no io controller"
	fb_done
fi
fb_atexit "echo $$ >/tmp/cgroup/cgroup.procs; rmdir /tmp/cgroup/slow;
	umount /tmp/cgroup"
echo "$(cat "/sys/block/$dev/dev") riops=10 wiops=10" \
	>/tmp/cgroup/slow/io.max || fb_skip "io.max" "there is no throttling"
echo $$ >/tmp/cgroup/slow/cgroup.procs

ms()
{
	awk '{printf "%d\n", $1 * 1000}' /proc/uptime
}

begin=$(ms)
dd if="/dev/$dev" of=/dev/null bs=4k count=30 iflag=direct 2>/dev/null
took=$(($(ms) - begin))
fb_that "30 reads of ours take 2 s and more, $took ms" [ $took -ge 2000 ]

fb_is "300 of a run" OK "$(fb_write run 'interval interval-order=10 count=29')"
fb_is "are 300" 300/300 "$(fb_status progress)"
fb_that "and take no second" [ "$(fb_status elapsed_ns)" -lt 1000000000 ]
fb_is "writes" OK "$(fb_write run 'open-au erasesize=1M')"
fb_that "do not, either" [ "$(fb_status elapsed_ns)" -lt 1000000000 ]

fb_done
