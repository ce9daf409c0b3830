#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# write_mode preserve: every byte stays as it was, however a run ends.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# Plain ones on a disk
fb_null size=32 blocksize=512 memory_backed=1 max_sectors=256
fbdata fill "/dev/$dev" 1
sum=$(fbdata sum "/dev/$dev")
fb_target preserve
while read -r line; do
	fb_io "$dev" >/tmp/before
	fb_run "$line"
	fb_io "$dev" >/tmp/after
	fb_is "$line: as it was" "$sum" "$(fbdata sum "/dev/$dev")"
	read=$(fb_status read_bytes)
	written=$(fb_status written_bytes)
	fb_is "$line: the ledger is what the device did" \
		"$read $written $(fb_status discarded_bytes)" \
		"$(cat /tmp/before /tmp/after | xargs | awk '{
			print ($7 - $2) * 512, ($9 - $4) * 512, $10 - $5
		}')"
	# every write has been read before, and each group begins with a read
	fb_that "$line: $read bytes read, $written written" \
		test "$written" -gt 1000000 -a "$read" -gt "$written" \
		-a $((read - written)) -lt 100000
done <<EOF
align-write blocksize=64K erasesize=256K count=2
open-au erasesize=1M blocksize=32K random
open-au erasesize=768K blocksize=1536 open-au-nr=1
find-fat erasesize=512K blocksize=8K fat-nr=4 pattern=zero
EOF

# Without it they do change it, or the test above would prove nothing
cp "/dev/$dev" /tmp/image
fb_target destroy
fb_run "find-fat erasesize=512K blocksize=512K fat-nr=1"
fb_is "destroy" "0 524288" "$(fbdata diff /tmp/image "/dev/$dev")"
rm /tmp/image

# What others wrote is in the page cache until somebody asks for it
truncate -s 8M /tmp/new
fbdata fill /tmp/new 9
dd if=/tmp/new of="/dev/$dev" bs=1M conv=notrunc 2>/dev/null
fb_target preserve
fb_run "find-fat erasesize=1M blocksize=128K fat-nr=6"
fb_is "written a moment ago" "$(fbdata sum /tmp/new)" \
	"$(fbdata sum "/dev/$dev" 0 8388608)"
rm /tmp/new
sum=$(fbdata sum "/dev/$dev")

# Larger blocks than a request, and blocks of 4 KiB
fb_target preserve
fb_run "open-au erasesize=8M blocksize=4M open-au-nr=1"
fb_is "large blocks" "$sum" "$(fbdata sum "/dev/$dev")"
fb_null size=32 blocksize=4096 memory_backed=1
fbdata fill "/dev/$dev" 2
sum=$(fbdata sum "/dev/$dev")
fb_target preserve
fb_run "align-write blocksize=12K erasesize=1M"
fb_is "blocks of 4 KiB" "$sum" "$(fbdata sum "/dev/$dev")"

# A discard could not be taken back
fb_null size=32 blocksize=512 memory_backed=1 discard=1
fb_target preserve
before=$(fb_io "$dev")
fb_writes <<EOF
EINVAL | run | open-au erasesize=1M discard | discard: .*preserve
EINVAL | run | find-fat erasesize=1M discard | discard: .*preserve
EINVAL | run | align-write erasesize=1M blocksize=64K discard | discard: .*preserve
EOF
fb_is "nothing was done for that" "$before" "$(fb_io "$dev")"

# Cancelled, early and late
fb_null size=32 blocksize=512 memory_backed=1 irqmode=2 completion_nsec=1000000
fbdata fill "/dev/$dev" 3
sum=$(fbdata sum "/dev/$dev")
fb_target preserve
for pause in 0.05 0.5 0.93; do
	fb_start "open-au erasesize=1M blocksize=8K random" >/tmp/res
	fb_wait running
	sleep $pause
	fb_write cancel 1 >/tmp/res
	fb_wait
	did=$(fb_status progress)
	fb_is "cancelled at $did" "cancelled $sum" \
		"$(fb_status state) $(fbdata sum "/dev/$dev")"
done

# Killed: the writer gets a signal
fbt write $FB/run "find-fat erasesize=1M blocksize=8K" >/tmp/writer &
writer=$!
fb_wait running
sleep 0.3
kill $writer
wait $writer
fb_is "a signal at $(fb_status progress)" "cancelled $sum" \
	"$(fb_status state) $(fbdata sum "/dev/$dev")"

# The device cannot read a part of itself any more: nothing is known of what
# is there, so nothing is written there
fb_null size=32 blocksize=512 memory_backed=1 irqmode=2 completion_nsec=100000 \
	max_sectors=8192
fb_widen
disk=$dev
fbdata fill "/dev/$disk" 4
sum=$(fbdata sum "/dev/$disk")
bad=$(((17 << 20) + 300 * 1024))
fb_dm unreadable <<EOF
0 $((bad / 512)) linear /dev/$disk 0
$((bad / 512)) 16 error
$((bad / 512 + 16)) $(((32 << 20) / 512 - bad / 512 - 16)) linear /dev/$disk $((bad / 512 + 16))
EOF
fb_target preserve
fb_trace
fb_is "unreadable" EIO \
	"$(fb_write run "find-fat erasesize=1M blocksize=512K fat-nr=20")"
fb_traced "$disk" >/tmp/traced
fb_like "unreadable: reason" "read failed at sector $((17 << 11)) " \
	"$(fb_status reason)"
fb_is "unreadable: content" "$sum" "$(fbdata sum "/dev/$disk")"
fb_is "unreadable: nothing was written there" "" \
	"$(awk -v bad="$bad" '$1 == "write" && $2 < bad + 8192 &&
		$2 + $3 > bad' /tmp/traced)"
fb_is "unreadable: what was written elsewhere" $((19 << 20)) \
	"$(fb_status written_bytes)"
fb_write target "" >/tmp/res

# It cannot write any more from now on, but reads
if modprobe dm-flakey; then
	echo "0 65536 linear /dev/$disk 0" >/tmp/table
	fb_dm flaky </tmp/table
	fb_target preserve
	fb_start "find-fat erasesize=1M blocksize=16K fat-nr=16" >/tmp/res
	fb_wait running
	sleep 0.2
	dmsetup suspend --noudevsync flaky
	echo "0 65536 flakey /dev/$disk 0 0 1000 1 error_writes" |
		dmsetup load flaky
	dmsetup resume --noudevsync flaky
	fb_wait
	fb_is "unwritable: state" failed "$(fb_status state)"
	fb_like "unwritable: reason" "write failed at sector" \
		"$(fb_status reason)"
	fb_is "unwritable: content" "$sum" "$(fbdata sum "/dev/$disk")"
	fb_that "unwritable: some of it was written before" \
		test "$(fb_status written_bytes)" -gt 1000000
else
	fb_skip "unwritable" "there is no dm-flakey"
fi

# A real controller: the content is in the first 40 MiB
dev=mmcblk0
fb_target preserve || fb_done
fbdata fill /dev/mmcblk0 5 0 $((40 << 20))
sum=$(fbdata sum /dev/mmcblk0 0 $((40 << 20)))
fb_target preserve
fb_write range 0+40M >/tmp/res
fb_run "open-au erasesize=1M blocksize=16K random"
fb_run "find-fat erasesize=2M blocksize=64K"
fb_is "SD card" "$sum" "$(fbdata sum /dev/mmcblk0 0 $((40 << 20)))"

fb_done
