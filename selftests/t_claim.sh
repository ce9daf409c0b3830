#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Armed, the device is ours alone; what others have cannot be armed, only read.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

for module in vfat nls_cp437 nls_ascii nls_iso8859-1 nls_utf8; do
	modprobe $module
done

# A disk with two partitions: 4 to 20 MiB and 20 to 36 MiB
fb_null size=64 memory_backed=1
disk=$dev
printf 'o\nn\np\n1\n8192\n40959\nn\np\n2\n40960\n73727\nw\n' |
	fdisk -u "/dev/$disk" >/tmp/fdisk 2>&1
blockdev --rereadpt "/dev/$disk"
p1=${disk}p1 p2=${disk}p2
fb_is "the partitions are there" "8192 32768 40960 32768" \
	"$(cat /sys/block/$disk/$p1/start /sys/block/$disk/$p1/size \
	       /sys/block/$disk/$p2/start /sys/block/$disk/$p2/size | xargs)"
mkdosfs "/dev/$p1" >/tmp/res 2>&1
line="interval interval-order=3 count=2"
mkdir -p /tmp/mnt

# ---- armed: nobody else can have it ----

# claimed TARGET MODE DEVICE...: armed, nobody can have any of the devices
claimed()
{
	fb_write target "$1" >/tmp/res
	fb_is "$1: $2" OK "$(fb_write write_mode "$2")"
	name="$1, $2"
	shift 2
	for each; do
		fb_hold "$each" excl
		fb_is "$name: O_EXCL of $each" EBUSY "$(cat /tmp/held)"
		fb_drop 2>/dev/null
	done
	fb_fails "$name: mount" mount -t vfat "/dev/$p1" /tmp/mnt
	fb_is "$name: is ours for a run" OK "$(fb_write run "$line")"
	fb_is "$name: off" OK "$(fb_write write_mode off)"
	for each; do
		fb_hold "$each" excl
		fb_is "$name: off, O_EXCL of $each" OK "$(cat /tmp/held)"
		fb_drop
	done
	fb_that "$name: off, mount" mount -t vfat "/dev/$p1" /tmp/mnt
	umount /tmp/mnt
}

claimed "$disk" preserve "$disk" "$p1" "$p2"
claimed "$disk" destroy "$disk" "$p1" "$p2"
claimed "$p1" destroy "$p1" "$disk"
fb_write target "$p1" >/tmp/res
fb_is "the other partition is not claimed" OK "$(fb_write write_mode destroy)"
fb_hold "$p2" excl
fb_is "with the first one" OK "$(cat /tmp/held)"
fb_drop
fb_write write_mode off >/tmp/res

# ---- others have it: it can be read, and not be armed ----

# busy NAME TARGET...
busy()
{
	name=$1
	shift
	for each; do
		fb_is "$name: $each is a target" OK "$(fb_write target "$each")"
		for mode in preserve destroy; do
			fb_is "$name: $each, $mode" EBUSY \
				"$(fb_write write_mode $mode)"
			fb_like "$name: $each, $mode: the reason" \
				"^write_mode: .*(mounted|open)" \
				"$(fb_status reason)"
		done
		fb_is "$name: $each is not armed" "[off] preserve destroy" \
			"$(cat $FB/write_mode)"
		fb_is "$name: $each can be measured" OK \
			"$(fb_write run "$line")"
		fb_is "$name: $each is not written" EPERM \
			"$(fb_write run open-au)"
	done
}

# armable TARGET...: all can be armed, one after the other
armable()
{
	for each; do
		fb_write target "$each" >/tmp/res
		fb_is "then $each can be armed" OK \
			"$(fb_write write_mode destroy)"
		fb_write write_mode off >/tmp/res
	done
}

fb_that "mount" mount -t vfat "/dev/$p1" /tmp/mnt
busy "partition mounted" "$p1" "$disk"
armable "$p2"
umount /tmp/mnt
armable "$p1" "$disk"

for each in "$disk" "$p1"; do
	for how in excl rw; do
		fb_hold "$each" $how
		busy "$each open, $how" "$each" "$disk"
		fb_drop
		armable "$each" "$disk"
	done
done

# who already is armed and changes the mode still has it
fb_write target "$disk" >/tmp/res
fb_write write_mode preserve >/tmp/res
fb_is "from preserve to destroy" OK "$(fb_write write_mode destroy)"
fb_hold "$p2" excl
fb_is "the claim is still there" EBUSY "$(cat /tmp/held)"
fb_drop 2>/dev/null
fb_write write_mode off >/tmp/res

# who just passes, as udev does after each close, is waited for
fb_hold "$disk" rw
(sleep 0.2; kill "$held") &
fb_is "open for another 0.2 s" OK "$(fb_write write_mode destroy)"
fb_write target "" >/tmp/res

mkswap "/dev/$p2" >/tmp/res 2>&1
fb_that "swap" swapon "/dev/$p2"
busy "swap" "$p2" "$disk"
swapoff "/dev/$p2"
armable "$p2" "$disk"

if modprobe dm-mod && command -v dmsetup >/dev/null; then
	dmsetup create fbheld --table "0 32768 linear /dev/$p2 0"
	busy "held by dm" "$p2" "$disk"
	dmsetup remove fbheld
	armable "$p2" "$disk"
else
	fb_skip "held by dm" "there is no dmsetup"
fi

# the card, with a file system on all of it
truncate -s 1M /tmp/fs
mkdosfs /tmp/fs >/tmp/res 2>&1
dd if=/tmp/fs of=/dev/mmcblk0 bs=1M conv=notrunc,fsync 2>/dev/null
fb_that "mount the card" mount -t vfat /dev/mmcblk0 /tmp/mnt
echo content >/tmp/mnt/file
busy "card mounted" mmcblk0
fb_is "and what is on it can be read" content "$(cat /tmp/mnt/file)"
umount /tmp/mnt
armable mmcblk0

fb_done
