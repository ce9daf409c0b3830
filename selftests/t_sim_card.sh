#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim: what is no card, registers, costs, and the truth in debugfs.
. "$(dirname "$0")/lib.sh"

# ---- what is not a card ----

wrong()
{
	dmesg -c >/dev/null
	fb_fails "'$1' is no card" insmod /lab/flashsim.ko card="\"$1\""
	fb_that "and the log says why" sh -c "dmesg | grep -q 'card: $2'"
}

wrong "bogus=1" "bogus: unknown key"
wrong "size=1G size=2G" "size: given twice"
wrong "erase=5000" "erase: must be"
wrong "size=1G page=64M erase=64M planes=64" "planes: must be fewer"
wrong "size=2048G page=8K erase=8K" "erase: must be larger"
wrong "read_ns=fast" "read_ns: a time"
wrong "type=sdhc size=1000K" "size: must be a multiple"
wrong "size=1G csd=400e00325b5900001d8a7f800a404000" "size: 1073741824, but"

# ---- registers ----

cid=0353445344303447800218eb1900a900
csd=400e00325b5900001d8a7f800a404000
scr=0235800000000000
sim_load "size=3965190144 erase=1536K page=4K planes=6 cid=$cid csd=$csd scr=$scr"
fb_is "the card has the size it was given" 7744512 "$(cat "/sys/block/$dev/size")"
fb_is "and the CID" $cid "$(sim_attr cid)"
fb_is "and the CSD" $csd "$(sim_attr csd)"
fb_is "and the SCR" $scr "$(sim_attr scr)"
fb_is "it is an SD card" SD "$(sim_attr type)"
fb_is "no key is lost in config" "cid=$cid" "$(grep ^cid= "$sim/config")"
sim_unload

sim_load "size=64M erase=4M type=sdsc"
fb_is "a small card is addressed by bytes" 131072 "$(cat "/sys/block/$dev/size")"
fb_is "the SD status claims 4 MiB" 0000000000000000020090 \
	"$(sim_attr ssr | cut -c 1-22)"
sim_write $((1 << 20)) 4096
fb_is "and a write goes where it should" 2048 "$(sim_total lowest_sector)"
sim_unload

# ---- cost ----

sim_load "$(sim_card cross_page_ns=50us cross_erase_ns=300us read_bps=0 write_bps=0 \
	write_ns=1ms open=2 gc=5ms copy_bps=1M)"
sim_read 8192 4096
fb_is "a page costs what it should" 100000 "$(sim_total last_ns)"
sim_read 8192 8192
fb_is "two pages cost a crossing more" 150000 "$(sim_total last_ns)"
sim_read $(((1 << 20) - 4096)) 4096
sim_reset
fb_is "totals start again when told to" 0 "$(sim_total reads)"
fb_is "and nothing was written then" none "$(sim_total lowest_sector)"
sim_write 0 4096
sim_write $((2 << 20)) 4096
fb_is "two blocks fit" 1000000 "$(sim_total last_ns)"
sim_write $((4 << 20)) 4096
# 255 pages of 4 KiB at 1 MB/s, a fixed 5 ms, and the write itself
fb_is "the third evicts one" $((255 * 4096 * 1000 + 5000000 + 1000000)) \
	"$(sim_total last_ns)"
fb_is "that was one eviction" 1 "$(sim_total evictions)"
fb_is "which copied the rest" $((255 * 4096)) "$(sim_total copied_bytes)"
fb_is "one block was erased" "0	1	256" "$(sed -n 2p "$sim/blocks")"
fb_is "two are open" 2 "$(grep -c linear "$sim/open")"
fb_is "first sector written" 0 "$(sim_total lowest_sector)"
fb_is "last sector written" $((4 * 2048 + 7)) "$(sim_total highest_sector)"
fb_that "a discard" blkdiscard -o $((1 << 20)) -l $((1 << 20)) "/dev/$dev"
fb_is "is seen as such" $((1 << 20)) "$(sim_total discarded_bytes)"
fb_is "and empties the block" "1	1	0" "$(sed -n 3p "$sim/blocks")"
sim_unload

fb_done
