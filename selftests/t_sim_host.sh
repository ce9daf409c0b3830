#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim: limits of the host, busy polling, CMD23, eMMC.
. "$(dirname "$0")/lib.sh"

# ---- hosts ----

sim_load "$(sim_card max_req_size=64K max_segs=4 max_blk_count=100 bus_width=1 \
	clock=25000000 host_cmd23=0)"
fb_is "host limits reach the queue" 50 "$(cat "/sys/block/$dev/queue/max_hw_sectors_kb")"
fb_is "segments" 4 "$(cat "/sys/block/$dev/queue/max_segments")"
fb_is "clock" "25000000 Hz" "$(sed -n 's/^clock:[[:space:]]*//p' \
	"/sys/kernel/debug/$host/ios" | head -n 1)"
dd if="/dev/$dev" of=/dev/null bs=1M count=1 iflag=direct 2>/dev/null
fb_that "a long read is cut" [ "$(sim_total reads)" -ge 16 ]
sim_unload

sim_load "$(sim_card wait_busy=0 write_ns=300ms write_bps=0)"
took=$(sim_elapsed sim_write 0 4096)
fb_is "a busy card is polled until it is done" 1 $((took >= 30 && took < 70))
sim_unload

sim_load "$(sim_card cmd23_broken=1)"
fb_fails "a card with a broken CMD23 cannot be read" sim_read 0 8192
sim_unload
sim_load "$(sim_card cmd23_broken=1 host_cmd23=0)"
fb_that "but by a host that does not use it" sim_read 0 8192
sim_unload
sim_load "$(sim_card cmd23_ns=300ms)"
fb_is "CMD23 makes such a card slow" 1 $(($(sim_elapsed sim_write 0 8192) >= 30))
sim_unload

# ---- eMMC ----

sim_load "type=mmc size=4G erase=4M page=16K boot=1M cache=512K write_ns=2ms \
	write_bps=10M cache_bps=100M bus_width=8"
fb_is "an eMMC" MMC "$(sim_attr type)"
fb_is "of the size given" 8388608 "$(cat "/sys/block/$dev/size")"
fb_is "with its erase group" 4194304 "$(sim_attr erase_size)"
fb_that "with boot partitions" [ -b "/dev/${dev}boot0" ]
fb_is "of the size given" 2048 "$(cat "/sys/block/${dev}boot0/size")"
fb_is "with a write cache" "write back" "$(cat "/sys/block/$dev/queue/write_cache")"
dd if=/dev/zero of="/dev/$dev" bs=64k count=1 oflag=direct 2>/dev/null
fb_is "into the cache" $((2000000 + 655360)) "$(sim_total last_ns)"
sync "/dev/$dev"
dd if=/dev/zero of="/dev/$dev" bs=4k count=1 conv=fsync 2>/dev/null
fb_that "a flush reaches the card" [ "$(sim_total flushes)" -ge 1 ]
fb_that "a discard" blkdiscard -o 0 -l 8388608 "/dev/$dev"
fb_is "is seen as such" 8388608 "$(sim_total discarded_bytes)"
echo 0 >"/sys/block/${dev}boot0/force_ro"
head -c 40960 /dev/urandom >/tmp/data
dd if=/tmp/data of="/dev/${dev}boot0" bs=4k count=10 conv=fsync 2>/dev/null
echo 3 >/proc/sys/vm/drop_caches
fb_is "a boot partition keeps its content" "$(head -c 40960 /tmp/data | md5sum)" \
	"$(head -c 40960 "/dev/${dev}boot0" | md5sum)"
fb_is "which is not that of the card" "$(head -c 40960 /dev/zero | md5sum)" \
	"$(head -c 40960 "/dev/$dev" | md5sum)"
sim_unload

fb_done
