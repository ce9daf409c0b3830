#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim: content, removal, several cards, file systems.
. "$(dirname "$0")/lib.sh"

# ---- content ----

sim_load "$(sim_card)"
head -c 300000 /dev/urandom >/tmp/data
fb_that "data are written" dd if=/tmp/data of="/dev/$dev" bs=1k seek=777
sync
echo 3 >/proc/sys/vm/drop_caches
dd if="/dev/$dev" of=/tmp/back bs=1k skip=777 count=293 2>/dev/null
fb_is "and read back" "$(md5sum </tmp/data)" "$(head -c 300000 /tmp/back | md5sum)"
fb_that "a pulled card goes away" sim_pull
sim_insert
dd if="/dev/$dev" of=/tmp/back bs=1k skip=777 count=293 2>/dev/null
fb_is "and keeps its content" "$(md5sum </tmp/data)" \
	"$(head -c 300000 /tmp/back | md5sum)"
fb_that "discard" blkdiscard -o 796160 -l 4096 "/dev/$dev"
dd if="/dev/$dev" of=/tmp/back bs=512 skip=1555 count=8 iflag=direct 2>/dev/null
fb_is "reads as zeros" "$(head -c 4096 /dev/zero | md5sum)" "$(md5sum </tmp/back)"
sim_unload

# ---- several cards, file systems ----

sim_load "size=64M,type=mmc size=128M,size=256M seed=7"
sizes=
for slot in 0 1 2; do
	sim_use $slot
	sizes="$sizes $(cat "/sys/block/$dev/size")"
done
fb_is "three cards of three sizes" " 131072 262144 524288" "$sizes"
sim_unload

# filesystem TYPE MKFS FSCK: made, filled, unmounted, clean
filesystem()
{
	if ! command -v "$2" >/dev/null; then
		fb_skip "$1" "there is no $2"
		return
	fi
	modprobe "$1" 2>/dev/null
	sim_load "size=64M erase=1M page=4K open=5"
	fb_that "$1 is made" "$2" "/dev/$dev"
	fb_that "mounted" mount -t "$1" "/dev/$dev" /mnt
	cp /tmp/data /mnt/one
	cp /tmp/data /mnt/two
	rm /mnt/one
	umount /mnt
	fb_that "clean" "$3" -n "/dev/$dev"
	mount -t "$1" "/dev/$dev" /mnt
	fb_is "and whole" "$(md5sum </tmp/data)" "$(md5sum </mnt/two)"
	fb_that "unloading under a mounted $1" rmmod flashsim
	umount /mnt
	fb_that "and again after it" [ ! -d /sys/module/flashsim ]
}

filesystem ext4 mkfs.ext4 fsck.ext4
filesystem vfat mkfs.vfat fsck.vfat

# busy with a command, the slot goes
sim_load "$(sim_card fail=stall:read#30=5s)"
i=0
while [ $i -lt 60 ]; do
	sim_read 0 4096 || break
	i=$((i + 1))
done &
reader=$!
sleep 1
fb_that "unloading with a command under way" rmmod flashsim
wait $reader

fb_done
