#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# find-fat: where it writes, in which order, what it closes, and what it says.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# find_fat NAME LINE KEY=VALUE...: runs it and compares with the plan
max=
find_fat()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "find-fat $line"
	fb_traced >/tmp/traced
	fb_samples find-fat | fb_plan_au kind=fat "$@" >/tmp/plan
	if [ "$mode" = preserve ]; then
		fb_preserved </tmp/plan >/tmp/plan2
		mv /tmp/plan2 /tmp/plan
	fi
	fb_check_plan "$name" find-fat /tmp/plan "$max"
	fb_check_table "$name" find-fat
}

fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS max_sectors=8192
fb_widen
fb_target destroy
end=$((64 << 20))

find_fat "linear" "erasesize=1M blocksize=64K" erasesize=1048576 \
	erase=1048576 nr=6 bs=65536 start=0 end=$end
fb_is "linear: columns in each of the rows" "6 6 6 6 6" \
	"$(sed '/^#/d' $FB/results/find-fat | awk '{ print NF - 1 }' | xargs)"
fb_run "find-fat erasesize=1M blocksize=64K"
fb_check_times "linear" find-fat $MS 12000
find_fat "random" "erasesize=768K fat-nr=3 blocksize=48K random count=2" \
	erasesize=786432 erase=786432 nr=3 bs=49152 random=1 count=2 start=0 \
	end=$end
fb_is "random: blocks are not in order" no \
	"$(fb_samples find-fat | awk '$4 == 49152 && $3 < 786432 { print $3 }' |
		head -n 16 | sort -n -c 2>/dev/null && echo yes || echo no)"
find_fat "noclose" "erasesize=1M blocksize=256K noclose fat-nr=2" \
	erasesize=1048576 erase=0 nr=2 bs=262144 start=0 end=$end
find_fat "offset" "erasesize=1M blocksize=256K offset=2560K fat-nr=2" \
	erasesize=1048576 erase=1048576 nr=2 bs=262144 start=2621440 end=$end

# 61.5 MiB of room from the first whole erase block on
fb_write range 2560K+62976K >/tmp/res
find_fat "in a range" "erasesize=1M blocksize=512K fat-nr=61" \
	erasesize=1048576 erase=1048576 nr=61 bs=524288 start=$((3 << 20)) \
	end=$end
fb_writes <<EOF
ENOSPC | run | find-fat erasesize=1M fat-nr=62 | fits is 61
ENOSPC | run | find-fat erasesize=1M offset=0 | range
EINVAL | run | find-fat erasesize=0 | erasesize
EOF
fb_write write_mode preserve >/tmp/res
mode=preserve
find_fat "preserve" "erasesize=1M blocksize=256K" erasesize=1048576 \
	erase=1048576 nr=6 bs=262144 start=$((3 << 20)) end=$end

fb_null size=16 blocksize=512 irqmode=2 completion_nsec=$MS memory_backed=1 \
	cache_size=2 discard=1 max_sectors=8192
fb_widen
fb_target destroy
end=$((16 << 20))
find_fat "discard" "erasesize=1M blocksize=256K discard" erasesize=1048576 \
	erase=1048576 nr=6 bs=262144 start=0 end=$end discard=1
find_fat "flush" "erasesize=1M blocksize=256K flush random fat-nr=2" \
	erasesize=1048576 erase=1048576 nr=2 bs=262144 start=0 end=$end \
	flush=1 random=1

# Two erase blocks at 1 ms, two at 3 ms
fb_two_speeds 16
fb_target destroy
fb_run "find-fat erasesize=4M blocksize=1M fat-nr=4"
fb_check_table "two speeds" find-fat
fb_like "two speeds: columns" \
	'^1MiB    1\.04G/s +1\.04G/s +34[89]M/s +34[89]M/s$' \
	"$(grep ^1MiB $FB/results/find-fat)"

dev=mmcblk0
max=$((512 << 10))
fb_target destroy || fb_done
find_fat "SD card" "erasesize=4M blocksize=512K fat-nr=3" erasesize=4194304 \
	erase=4194304 nr=3 bs=524288 start=0 end=$((1 << 30))

fb_done
