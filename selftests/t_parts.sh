#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What becomes of an operation on its way: as few bios as the queue allows,
# none of them split or merged, on any kind of device.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# pieces NAME LENGTH MAX: the latest scatter, of one place read once, was
# LENGTH bytes at START in requests of MAX bytes, in order
pieces()
{
	{
		echo "read $wake $sector"
		echo "read ${start:-0} $2" | fb_cut "$3"
	} >/tmp/want
	fb_same "$1: requests" /tmp/want /tmp/traced
	fb_is "$1: parts" $((($2 + $3 - 1) / $3)) \
		"$(fb_rows scatter.samples | cut -f 8)"
	fb_is "$1: no warning" "" \
		"$(grep -i "^# warning" $FB/results/scatter.tsv)"
}

read_once()
{
	fb_trace
	fb_run "scatter scatter-order=0 count=1 blocksize=$1 offset=${start:-0}"
	fb_traced "$disk" >/tmp/traced
}

sector=512
fb_null size=256 blocksize=512 irqmode=2 completion_nsec=10000
disk=$dev
wake=$((268435456 - 512))
fb_target
# the longest request of it is 255 sectors, no multiple of a page
for len in 512 130560 131072 524288 67108864; do
	read_once $len
	pieces "255 sectors, $len bytes" $len 130560
done
start=$((3 << 20))
echo 64 >"/sys/block/$dev/queue/max_sectors_kb"
for len in 65536 66048 1048576 67108864; do
	read_once $len
	pieces "64 KiB, $len bytes" $len 65536
done
echo 4 >"/sys/block/$dev/queue/max_sectors_kb"
read_once 4M
pieces "4 KiB" 4194304 4096

fb_null size=256 blocksize=512 irqmode=2 completion_nsec=10000 \
	max_sectors=131072
disk=$dev
fb_widen
fb_target
read_once 64M
# 128 segments of 64 KiB each, all that its memory can be described with
pieces "128 segments" 67108864 8388608

fb_null size=64 blocksize=4096 irqmode=2 completion_nsec=10000
disk=$dev
sector=4096
wake=$((67108864 - 4096))
fb_target
read_once 1M
# 255 sectors are 31 blocks and a bit
pieces "blocks of 4 KiB" 1048576 126976
start=

# writes, and what was read before them
fb_null size=64 blocksize=512 irqmode=2 completion_nsec=10000
disk=$dev
for mode in destroy preserve; do
	fb_target $mode
	fb_trace
	fb_run "find-fat fat-nr=2 erasesize=1M blocksize=512K"
	fb_traced "$disk" >/tmp/traced
	fb_samples find-fat | fb_plan_au kind=fat nr=2 erasesize=1048576 \
		erase=1048576 bs=524288 start=0 end=67108864 >/tmp/plan
	if [ "$mode" = preserve ]; then
		fb_preserved </tmp/plan >/tmp/plan2
		mv /tmp/plan2 /tmp/plan
	fi
	fb_check_plan "$mode" find-fat /tmp/plan 130560
	fb_is "$mode: parts" "9 9 5 5 5 5" \
		"$(fb_rows find-fat.samples | cut -f 8 | xargs)"
done

# any KIND [DISK]: whatever it is: nothing is split, nothing is merged
any()
{
	disk=${2:-$dev}
	fb_target "$mode" || return
	for line in "align blocksize=64K count=1" \
		"scatter scatter-order=3 blocksize=3M scatter-span=2 count=1" \
		"interval interval-order=14 count=1"; do
		fb_stat_delta "$disk" >/tmp/res
		fb_run "$line"
		got=$(fb_stat_delta "$disk")
		test=${line%% *}
		# each group is woken once
		want=$(fb_rows "$test.samples" | awk -v test="$test" '
			{ parts += $8; point[$2] = 1 }
			END {
				for (i in point)
					n++
				print parts + (test == "align" ? n / 3 :
					test == "scatter" ? 1 : n), 0, 0, 0
			}')
		fb_is "$1: $test: requests, merged ones" "$want" "$got"
		fb_is "$1: $test: no warning" "" \
			"$(grep -i "^# warning" "$FB/results/$test.tsv")"
	done
}

mode=off
dev=vda
any "virtio"
fb_loop 48
any "loop"
fb_null size=64 blocksize=512 memory_backed=1
disk=$dev
fb_partition 63 110001
any "partition" "$disk"
dev=$disk
fb_dm one <<EOF
0 110000 linear /dev/$disk 8
EOF
any "device mapper" "$disk"
if fb_scsi dev_size_mb=64; then
	any "SCSI"
else
	fb_skip "SCSI" "there is no scsi_debug"
fi

# Whatever is below a stacked device may split what was sent in one piece. A
# boundary there is in the middle of what goes across it, and is no surprise
# to us: it is said.
fb_two_speeds 64
fb_target
fb_run "align blocksize=64K offset=30M count=2"
crossing=$(fb_samples align | awk '
	$3 < 33554432 && $3 + $4 > 33554432 { n++ } END { print n }')
fb_that "two devices: some reads go across" test "$crossing" -gt 1
fb_is "two devices: that is said" \
	"# warning: the block layer split $crossing operations that were sent in one piece" \
	"$(grep "^# warning" $FB/results/align)"
fb_is "two devices: and costs what the slower part takes" "3" \
	"$(fb_rows align.samples | awk '
		$4 < 33554432 && $4 + $5 > 33554432 { n[int($7 / 1000000)] = 1 }
		END { for (i in n) print i }')"
fb_run "align blocksize=64K offset=34M count=2"
fb_is "two devices: nothing is said of others" "" \
	"$(grep "^# warning" $FB/results/align)"

dev=mmcblk0
any "SD card"

fb_done
