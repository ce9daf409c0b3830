#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim by itself, in the virtual machine: what the MMC stack sees of a
# simulated card, content, faults, removal, and the truth in debugfs.
# Needs mmc_block loaded and flashsim.ko beside or in /lab; prints TAP.

SIM=/sys/kernel/debug/flashsim
module=
for dir in "$(dirname "$0")" /lab /m; do
	[ ! -f "$dir/flashsim.ko" ] || module=$dir/flashsim.ko
done
count=0
failed=0

# is NAME WANT GOT
is()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count $1"
	else
		echo "not ok $count $1"
		echo "# wanted: $2"
		echo "# got:    $3"
		failed=1
	fi
}

# passes NAME COMMAND..., fails NAME COMMAND...
passes()
{
	what=$1
	shift
	if out=$("$@" 2>&1); then
		is "$what" 0 0
	else
		is "$what" "success of: $*" "$out"
	fi
}

fails()
{
	what=$1
	shift
	if out=$("$@" 2>&1); then
		is "$what" "failure of: $*" "$out"
	else
		is "$what" 0 0
	fi
}

# Waits up to ten seconds, which are virtual
until_true()
{
	tries=100
	until "$@" 2>/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# Which block device hangs below that host?
disk_of()
{
	for sys in /sys/class/mmc_host/"$1"/"$1":*/block/*; do
		[ -d "$sys" ] && basename "$sys" && return 0
	done
	return 1
}

# sim "CARD": loads flashsim with it; $host, $dev and $dir are the first card
sim()
{
	insmod "$module" card="\"$1\"" || return 1
	# shellcheck disable=SC2012 # names are mmcN
	host=$(ls $SIM | head -n 1)
	dir=$SIM/$host
	until_true disk_of "$host" >/dev/null
	dev=$(disk_of "$host")
	until_true [ -b "/dev/$dev" ]
}

unload()
{
	until_true rmmod flashsim
}

total()
{
	sed -n "s/^$1: //p" "$dir/totals"
}

# A direct read or write: rd OFFSET LENGTH, multiples of 4096 for busybox'
# buffers are no better aligned
rd()
{
	dd if="/dev/$dev" of=/dev/null bs="$2" skip=$(($1 / $2)) count=1 \
		iflag=direct 2>/dev/null
}

wr()
{
	dd if=/dev/zero of="/dev/$dev" bs="$2" seek=$(($1 / $2)) count=1 \
		oflag=direct conv=notrunc,fsync 2>/dev/null
}

# elapsed COMMAND...: runs it and prints how many hundredths of a second it took
elapsed()
{
	start=$(sed 's/ .*//; s/\.//' /proc/uptime)
	"$@"
	echo $(($(sed 's/ .*//; s/\.//' /proc/uptime) - start))
}

sys()
{
	cat "/sys/block/$dev/device/$1"
}

quiet()
{
	echo "size=64M erase=1M page=4K planes=1 read_ns=100us $*"
}

# ---- what is not a card ----

wrong()
{
	dmesg -c >/dev/null
	fails "'$1' is no card" insmod "$module" card="\"$1\""
	passes "and the log says why" sh -c "dmesg | grep -q 'card: $2'"
}

wrong "bogus=1" "bogus: unknown key"
wrong "size=1G size=2G" "size: given twice"
wrong "erase=5000" "erase: must be"
wrong "read_ns=fast" "read_ns: a time"
wrong "type=sdhc size=1000K" "size: must be a multiple"
wrong "size=1G csd=400e00325b5900001d8a7f800a404000" "size: 1073741824, but"

# ---- registers ----

cid=0353445344303447800218eb1900a900
csd=400e00325b5900001d8a7f800a404000
scr=0235800000000000
sim "size=3965190144 erase=1536K page=4K planes=6 cid=$cid csd=$csd scr=$scr"
is "the card has the size it was given" 7744512 "$(cat "/sys/block/$dev/size")"
is "and the CID" $cid "$(sys cid)"
is "and the CSD" $csd "$(sys csd)"
is "and the SCR" $scr "$(sys scr)"
is "it is an SD card" SD "$(sys type)"
is "no key is lost in config" "cid=$cid" "$(grep ^cid= "$dir/config")"
unload

sim "size=64M erase=4M type=sdsc"
is "a small card is addressed by bytes" 131072 "$(cat "/sys/block/$dev/size")"
is "the SD status claims 4 MiB" 0000000000000000020090 \
	"$(sys ssr | cut -c 1-22)"
wr $((1 << 20)) 4096
is "and a write goes where it should" 2048 "$(total lowest_sector)"
unload

# ---- cost ----

sim "$(quiet cross_page_ns=50us cross_erase_ns=300us read_bps=0 write_bps=0 \
	write_ns=1ms open=2 gc=5ms copy_bps=1M)"
rd 8192 4096
is "a page costs what it should" 100000 "$(total last_ns)"
rd 8192 8192
is "two pages cost a crossing more" 150000 "$(total last_ns)"
rd $(((1 << 20) - 4096)) 4096
echo 0 >"$dir/totals"
is "totals start again when told to" 0 "$(total reads)"
is "and nothing was written then" none "$(total lowest_sector)"
wr 0 4096
wr $((2 << 20)) 4096
is "two blocks fit" 1000000 "$(total last_ns)"
wr $((4 << 20)) 4096
# 255 pages of 4 KiB at 1 MB/s, a fixed 5 ms, and the write itself
is "the third evicts one" $((255 * 4096 * 1000 + 5000000 + 1000000)) \
	"$(total last_ns)"
is "that was one eviction" 1 "$(total evictions)"
is "which copied the rest" $((255 * 4096)) "$(total copied_bytes)"
is "one block was erased" "0	1	256" "$(sed -n 2p "$dir/blocks")"
is "two are open" 2 "$(grep -c linear "$dir/open")"
is "first sector written" 0 "$(total lowest_sector)"
is "last sector written" $((4 * 2048 + 7)) "$(total highest_sector)"
passes "a discard" blkdiscard -o $((1 << 20)) -l $((1 << 20)) "/dev/$dev"
is "is seen as such" $((1 << 20)) "$(total discarded_bytes)"
is "and empties the block" "1	1	0" "$(sed -n 3p "$dir/blocks")"
unload

# ---- content ----

sim "$(quiet)"
head -c 300000 /dev/urandom >/tmp/data
passes "data are written" dd if=/tmp/data of="/dev/$dev" bs=1k seek=777
sync
echo 3 >/proc/sys/vm/drop_caches
dd if="/dev/$dev" of=/tmp/back bs=1k skip=777 count=293 2>/dev/null
is "and read back" "$(md5sum </tmp/data)" "$(head -c 300000 /tmp/back | md5sum)"
echo 0 >"$dir/present"
passes "a pulled card goes away" until_true [ ! -e "/dev/$dev" ]
echo 1 >"$dir/present"
until_true disk_of "$host" >/dev/null
dev=$(disk_of "$host")
until_true [ -b "/dev/$dev" ]
dd if="/dev/$dev" of=/tmp/back bs=1k skip=777 count=293 2>/dev/null
is "and keeps its content" "$(md5sum </tmp/data)" \
	"$(head -c 300000 /tmp/back | md5sum)"
passes "discard" blkdiscard -o 796160 -l 4096 "/dev/$dev"
dd if="/dev/$dev" of=/tmp/back bs=512 skip=1555 count=8 iflag=direct 2>/dev/null
is "reads as zeros" "$(head -c 4096 /dev/zero | md5sum)" "$(md5sum </tmp/back)"
unload

# ---- faults ----

sim "$(quiet fail=fail:read@1000-1001)"
is "the rule is in force" "fail:read@1000-1001" "$(cat "$dir/fail")"
fails "reading the bad sectors" rd 512000 4096
passes "reading before them" rd 507904 4096
passes "reading after them" rd 516096 4096
passes "writing them" wr 512000 4096
fails "no rule is no rule" sh -c "echo fail:red@5 >$dir/fail"
echo clear >"$dir/fail"
passes "no rule any more" rd 512000 4096

echo "fail:write@1990" >"$dir/fail"
fails "writing across a bad sector" wr 1015808 8192
passes "writing elsewhere" wr 0 8192
echo clear >"$dir/fail"
# the kernel tries several times before it gives up
echo "fail:read#2*20" >"$dir/fail"
passes "the first read is good" rd 0 4096
fails "the second is not" rd 8192 4096
echo clear >"$dir/fail"

echo 0 >"$dir/totals"
echo "stall:read#1=300ms" >"$dir/fail"
took=$(elapsed rd 0 4096)
is "a stall takes its time" 1 $((took >= 30 && took < 60))
is "and is over" "" "$(cat "$dir/fail")"

echo "remove:read#1" >"$dir/fail"
fails "a read while the card is pulled" rd 0 4096
passes "then it is gone" until_true [ ! -e "/dev/$dev" ]
is "and not present" 0 "$(cat "$dir/present")"
echo 1 >"$dir/present"
until_true disk_of "$host" >/dev/null
dev=$(disk_of "$host")
until_true [ -b "/dev/$dev" ]
passes "it comes back" rd 0 4096

echo "die:write#1" >"$dir/fail"
fails "a write that kills" wr 0 4096
fails "the card does not answer any more" rd 0 4096
echo clear >"$dir/fail"
unload

# pulled from outside, with a command of ten seconds under way
sim "$(quiet fail=stall:read#20=10s)"
i=0
while [ $i -lt 30 ]; do
	rd 0 4096 || break
	i=$((i + 1))
done &
reader=$!
sleep 1
echo 0 >"$dir/present"
before=$(cut -d. -f1 /proc/uptime)
wait $reader
after=$(cut -d. -f1 /proc/uptime)
is "a pulled card fails its command at once" 1 $((after - before < 2))
unload

# ---- write protection ----

sim "$(quiet ro=1)"
is "a locked card is read-only" 1 "$(cat "/sys/block/$dev/ro")"
unload
sim "$(quiet)"
echo 1 >"$dir/readonly"
fails "a card locked later refuses" wr 0 4096
is "and has written nothing" 0 "$(total written_bytes)"
unload

# ---- hosts ----

sim "$(quiet max_req_size=64K max_segs=4 max_blk_count=100 bus_width=1 \
	clock=25000000 host_cmd23=0)"
is "host limits reach the queue" 50 "$(cat "/sys/block/$dev/queue/max_hw_sectors_kb")"
is "segments" 4 "$(cat "/sys/block/$dev/queue/max_segments")"
is "clock" "25000000 Hz" "$(sed -n 's/^clock:[[:space:]]*//p' \
	"/sys/kernel/debug/$host/ios" | head -n 1)"
dd if="/dev/$dev" of=/dev/null bs=1M count=1 iflag=direct 2>/dev/null
passes "a long read is cut" [ "$(total reads)" -ge 16 ]
unload

sim "$(quiet wait_busy=0 write_ns=300ms write_bps=0)"
took=$(elapsed wr 0 4096)
is "a busy card is polled until it is done" 1 $((took >= 30 && took < 70))
unload

sim "$(quiet cmd23_broken=1)"
fails "a card with a broken CMD23 cannot be read" rd 0 8192
unload
sim "$(quiet cmd23_broken=1 host_cmd23=0)"
passes "but by a host that does not use it" rd 0 8192
unload
sim "$(quiet cmd23_ns=300ms)"
is "CMD23 makes such a card slow" 1 $(($(elapsed wr 0 8192) >= 30))
unload

# ---- eMMC ----

sim "type=mmc size=4G erase=4M page=16K boot=1M cache=512K write_ns=2ms \
	write_bps=10M cache_bps=100M bus_width=8"
is "an eMMC" MMC "$(sys type)"
is "of the size given" 8388608 "$(cat "/sys/block/$dev/size")"
is "with its erase group" 4194304 "$(sys erase_size)"
passes "with boot partitions" [ -b "/dev/${dev}boot0" ]
is "of the size given" 2048 "$(cat "/sys/block/${dev}boot0/size")"
is "with a write cache" "write back" "$(cat "/sys/block/$dev/queue/write_cache")"
dd if=/dev/zero of="/dev/$dev" bs=64k count=1 oflag=direct 2>/dev/null
is "into the cache" $((2000000 + 655360)) "$(total last_ns)"
sync "/dev/$dev"
dd if=/dev/zero of="/dev/$dev" bs=4k count=1 conv=fsync 2>/dev/null
passes "a flush reaches the card" [ "$(total flushes)" -ge 1 ]
passes "a discard" blkdiscard -o 0 -l 8388608 "/dev/$dev"
is "is seen as such" 8388608 "$(total discarded_bytes)"
echo 0 >"/sys/block/${dev}boot0/force_ro"
dd if=/tmp/data of="/dev/${dev}boot0" bs=4k count=10 conv=fsync 2>/dev/null
echo 3 >/proc/sys/vm/drop_caches
is "a boot partition keeps its content" "$(head -c 40960 /tmp/data | md5sum)" \
	"$(head -c 40960 "/dev/${dev}boot0" | md5sum)"
is "which is not that of the card" "$(head -c 40960 /dev/zero | md5sum)" \
	"$(head -c 40960 "/dev/$dev" | md5sum)"
unload

# ---- several cards, file systems ----

sim "size=64M,type=mmc size=128M,size=256M seed=7"
# shellcheck disable=SC2012 # names are mmcN
is "three cards" 3 "$(ls $SIM | wc -l)"
sizes=
for slot in "$SIM"/*; do
	until_true disk_of "$(basename "$slot")" >/dev/null
	sizes="$sizes $(cat "/sys/block/$(disk_of "$(basename "$slot")")/size")"
done
is "of three sizes" " 131072 262144 524288" "$sizes"
unload

# filesystem TYPE MKFS FSCK: made, filled, unmounted, clean
filesystem()
{
	if ! command -v "$2" >/dev/null; then
		count=$((count + 1))
		echo "ok $count $1 # SKIP there is no $2"
		return
	fi
	modprobe "$1" 2>/dev/null
	sim "size=64M erase=1M page=4K open=5"
	passes "$1 is made" "$2" "/dev/$dev"
	passes "mounted" mount -t "$1" "/dev/$dev" /mnt
	cp /tmp/data /mnt/one
	cp /tmp/data /mnt/two
	rm /mnt/one
	umount /mnt
	! command -v "$3" >/dev/null || passes "clean" "$3" -n "/dev/$dev"
	mount -t "$1" "/dev/$dev" /mnt
	is "and whole" "$(md5sum </tmp/data)" "$(md5sum </mnt/two)"
	passes "unloading under a mounted $1" rmmod flashsim
	umount /mnt
	passes "and again after it" [ ! -d /sys/module/flashsim ]
}

filesystem ext4 mkfs.ext4 fsck.ext4
filesystem vfat mkfs.vfat fsck.vfat

# busy with a command, the slot goes
sim "$(quiet fail=stall:read#30=5s)"
i=0
while [ $i -lt 60 ]; do
	rd 0 4096 || break
	i=$((i + 1))
done &
reader=$!
sleep 1
passes "unloading with a command under way" rmmod flashsim
wait $reader

echo "1..$count"
exit $failed
