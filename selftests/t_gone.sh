#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A device that is removed is gone for good; one that comes back is another.
# shellcheck disable=SC2086,SC2317 # words without blanks, called by name
. "$(dirname "$0")/lib.sh"

# removed NAME: no way to do anything with it
removed()
{
	for mode in preserve destroy; do
		fb_is "$1: $mode" ENODEV "$(fb_write write_mode $mode)"
		fb_like "$1: $mode: reason" "^write_mode: .*gone" \
			"$(fb_status reason)"
	done
	fb_is "$1: range" ENODEV "$(fb_write range 0+1M)"
	fb_is "$1: info" ENODEV "$(fb_read info)"
	for test in interval open-au bogus; do
		fb_is "$1: $test" ENODEV "$(fb_write run $test)"
		fb_like "$1: $test: reason" "^run: .*gone" \
			"$(fb_status reason)"
	done
	fb_is "$1: cancel" OK "$(fb_write cancel 1)"
	fb_is "$1: off" OK "$(fb_write write_mode off)"
}

host=$(readlink -f /sys/block/mmcblk0/device/../../..)
host=${host##*/}
driver=/sys/bus/pci/drivers/sdhci-pci

pull()
{
	echo "$host" >$driver/unbind
}

insert()
{
	echo "$host" >$driver/bind
	fb_tries=100
	until [ -b /dev/mmcblk0 ] || [ $fb_tries = 0 ]; do
		sleep 0.1
		fb_tries=$((fb_tries - 1))
	done
}

# ---- while nothing runs ----

fb_is "the card" OK "$(fb_write target mmcblk0)"
fb_is "is armed" OK "$(fb_write write_mode destroy)"
pull
removed "pulled"
insert
fb_is "it is back" "" "$([ -b /dev/mmcblk0 ] || echo no)"
removed "back"
fb_is "written again, it is a new target" OK "$(fb_write target mmcblk0)"
fb_is "that can be measured" OK "$(fb_write run 'interval interval-order=3')"
pull
fb_is "without it" ENODEV "$(fb_write target mmcblk0)"
fb_is "the old one can be released" OK "$(fb_write target '')"
insert

# ---- in the middle of a run ----

# middle NAME COMMAND LINE: of the run, the command removes the device
middle()
{
	fbt write $FB/run "$3" >/tmp/writer &
	writer=$!
	fb_wait running
	sleep 0.2
	fb_is "$1: it runs" running "$(fb_status state)"
	$2
	wait $writer
	fb_is "$1: the writer's error" ENODEV "$(cat /tmp/writer)"
	fb_is "$1: state" failed "$(fb_status state)"
	fb_like "$1: reason" "gone: (read|write) at sector [0-9]+" \
		"$(fb_status reason)"
	fb_that "$1: within one bio" [ "$(fb_status io_errors)" -le 1 ]
	fb_is "$1: no result" ENODATA "$(fb_read results/${3%% *})"
	removed "$1"
	fb_is "$1: releasing it" OK "$(fb_write target '')"
}

off()
{
	echo 0 >"$fb_dir/power"
}

# not the card: QEMU's controller does not survive being let go in the middle
if fb_scsi dev_size_mb=64 ndelay=20000000; then
	disk=$dev
	device=$(readlink -f "/sys/block/$disk/device")
	host=$(echo "$device" | sed 's,.*/\(host[0-9]*\)/.*,\1,')

	unplug()
	{
		echo 1 >"$device/delete"
	}

	plug()
	{
		echo "- - -" >"/sys/class/scsi_host/$host/scan"
		fb_tries=50
		until disk=$(fb_scsi_disk) && [ -b "/dev/$disk" ]; do
			[ $fb_tries -gt 0 ] || return
			fb_tries=$((fb_tries - 1))
			sleep 0.1
		done
	}

	for mode in off preserve destroy; do
		fb_write target "$disk" >/tmp/res
		fb_is "disk, $mode: a target" OK "$(fb_write write_mode $mode)"
		test="align count=100"
		[ $mode = off ] || test="find-fat erasesize=1M"
		middle "disk, $mode" unplug "$test"
		plug
	done
	fb_is "plugged in again" OK "$(fb_write target "$disk")"
	fb_is "and measured" OK "$(fb_write run 'interval interval-order=3')"
	fb_write target "" >/tmp/res
else
	fb_skip "a SCSI disk is unplugged" "there is no scsi_debug"
fi

for mode in off destroy; do
	fb_slow 50
	fb_write target "$dev" >/tmp/res
	fb_write write_mode $mode >/tmp/res
	test="align count=100"
	[ $mode = off ] || test="open-au erasesize=1M"
	middle "slow disk, $mode" off "$test"
done

# ---- another medium in the same drive ----

if [ -e "/sys/block/mmcblk0/diskseq" ] &&
   fb_retry rmmod scsi_debug && fb_scsi dev_size_mb=64 removable=1; then
	fb_is "medium: target" OK "$(fb_write target "$dev")"
	fb_is "medium: armed" OK "$(fb_write write_mode destroy)"
	# the disk grows, which it says as if its medium had been changed
	echo 1 >/sys/bus/pseudo/drivers/scsi_debug/virtual_gb
	dd "if=/dev/$dev" of=/dev/null bs=4096 count=1 2>/tmp/res
	removed "medium"
	fb_write target "" >/tmp/res
else
	fb_skip "another medium" "no scsi_debug, or a kernel without diskseq"
fi

fb_done
