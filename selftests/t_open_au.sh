#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# open-au: where it writes, in which order, what it closes, and what it says.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# open_au NAME LINE KEY=VALUE...: runs it and compares with the plan
max=
open_au()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "open-au $line"
	fb_traced >/tmp/traced
	fb_samples open-au | fb_plan_au kind=open "$@" >/tmp/plan
	if [ "$mode" = preserve ]; then
		fb_preserved </tmp/plan >/tmp/plan2
		mv /tmp/plan2 /tmp/plan
	fi
	fb_check_plan "$name" open-au /tmp/plan "$max"
	fb_check_table "$name" open-au
}

fb_null size=64 blocksize=512 irqmode=2 completion_nsec=$MS max_sectors=8192
fb_widen
fb_target destroy
end=$((64 << 20))

open_au "linear" "erasesize=1M open-au-nr=3 blocksize=64K" \
	erasesize=1048576 erase=1048576 nr=3 bs=65536 start=$((16 << 20)) \
	end=$end
fb_is "linear: rows" "1MiB 512KiB 256KiB 128KiB 64KiB" \
	"$(sed '/^#/d; s/ .*//' $FB/results/open-au | xargs)"
fb_run "open-au erasesize=1M open-au-nr=3 blocksize=64K"
fb_check_times "linear" open-au $MS 12000

# 16 MiB are no multiple of 1.5 MiB: 16.5 MiB are
open_au "odd size" "erasesize=1536K open-au-nr=2 blocksize=96K random count=2" \
	erasesize=1572864 erase=1572864 nr=2 bs=98304 start=17301504 \
	random=1 count=2 end=$end
fb_is "odd size: rows" "1.5MiB 768KiB 384KiB 192KiB 96KiB" \
	"$(sed '/^#/d; s/ .*//' $FB/results/open-au | xargs)"
open_au "a row stops where sectors end" "erasesize=1536 blocksize=512 open-au-nr=2" \
	erasesize=1536 erase=1536 nr=2 bs=512 start=16777728 end=$end
open_au "one" "erasesize=4M open-au-nr=1 blocksize=1M" erasesize=4194304 \
	erase=4194304 nr=1 bs=1048576 start=$((16 << 20)) end=$end
open_au "offset" "erasesize=1M blocksize=256K offset=3584 random=1" \
	erasesize=1048576 erase=1048576 nr=2 bs=262144 start=3584 random=1 \
	end=$end
open_au "noclose" "erasesize=1M blocksize=256K noclose" \
	erasesize=1048576 erase=0 nr=2 bs=262144 start=$((16 << 20)) end=$end

# The order is random where it is to be: of 16 erase blocks, and of 64 blocks
open_au "shuffled" "erasesize=256K open-au-nr=16 blocksize=4K random" \
	erasesize=262144 erase=262144 nr=16 bs=4096 start=$((16 << 20)) \
	random=1 end=$end
# row of 4 KiB: in the first round each erase block once, then the same order
fb_samples open-au | awk -v start=$((16 << 20)) '$4 == 4096 {
	x = $3 - start
	print int(x / 3145728), x % 3145728 / 4096
}' >/tmp/order
fb_is "shuffled: erase blocks are not in order" no \
	"$(head -n 16 /tmp/order | cut -d ' ' -f 1 | sort -n -c 2>/dev/null &&
		echo yes || echo no)"
fb_is "shuffled: blocks are not in order" no \
	"$(awk 'NR % 16 == 1 { print $2 }' /tmp/order |
		sort -n -c 2>/dev/null && echo yes || echo no)"
fb_is "shuffled: not the same in every row" 7 \
	"$(fb_samples open-au | awk -v start=$((16 << 20)) '
		$1 != row { row = $1; n++; k = 0 }
		k++ < 16 { order[n] = order[n] " " int(($3 - start) / 3145728) }
		END { for (i in order) if (!seen[order[i]]++) rows++
			print rows }')"

fb_write range 2M+40M >/tmp/res
open_au "in a range" "erasesize=1M blocksize=512K" erasesize=1048576 \
	erase=1048576 nr=2 bs=524288 start=$((16 << 20)) end=$((42 << 20))
fb_writes <<EOF
ENOSPC | run | open-au erasesize=1M open-au-nr=4 | fits is 3
ENOSPC | run | open-au erasesize=1M offset=1M | range
EINVAL | run | open-au erasesize=1M blocksize=2M | blocksize
EINVAL | run | open-au erasesize=1000 | erasesize
EOF
fb_write range 20M+40000000 >/tmp/res
open_au "a range beyond 16 MiB" "erasesize=1792K blocksize=448K" \
	erasesize=1835008 erase=1835008 nr=2 bs=458752 start=$((21 << 20)) \
	end=$(((20 << 20) + 40000000))
fb_write write_mode preserve >/tmp/res
mode=preserve
open_au "preserve" "erasesize=1M blocksize=256K" erasesize=1048576 \
	erase=1048576 nr=2 bs=262144 start=$((20 << 20)) \
	end=$(((20 << 20) + 40000000))

# Erase blocks begin at multiples on the disk, whatever a partition does
fb_null size=64 blocksize=512 memory_backed=1 irqmode=2 completion_nsec=$MS \
	cache_size=2 discard=1 max_sectors=8192
fb_widen
disk=$dev
fb_partition 2049 120001
fb_target destroy
end=$((120001 * 512))
fb_trace
fb_run "open-au erasesize=1M blocksize=256K"
fb_traced "$disk" | awk '{ print $1, $2 - 2049 * 512, $3 }' >/tmp/traced
fb_samples open-au | fb_plan_au kind=open erasesize=1048576 erase=1048576 \
	nr=2 bs=262144 start=$(((18 << 20) - 2049 * 512)) end=$end >/tmp/plan
fb_check_plan "partition" open-au /tmp/plan

dev=$disk
fb_target destroy
end=$((64 << 20))
open_au "discard" "erasesize=1M blocksize=256K discard" erasesize=1048576 \
	erase=1048576 nr=2 bs=262144 start=$((16 << 20)) end=$end discard=1
open_au "flush" "erasesize=1M blocksize=256K flush random" erasesize=1048576 \
	erase=1048576 nr=2 bs=262144 start=$((16 << 20)) end=$end flush=1 \
	random=1

# Erase blocks of two kinds: the mean over places, not the least of them
fb_two_speeds 128
fb_target destroy
fb_run "open-au erasesize=4M blocksize=1M open-au-nr=2 offset=16M"
fb_check_table "two speeds" open-au
slow=$(fb_rows open-au.samples | awk '$4 >= 67108864 && $7 > 3000000 { n++ }
	$4 >= 67108864 { m++ } END { print n - m, m }')
fb_is "two speeds: the second erase block is the slow one" "0 7" "$slow"

dev=mmcblk0
max=$((512 << 10))
fb_target destroy || fb_done
open_au "SD card" "erasesize=4M blocksize=512K" erasesize=4194304 \
	erase=4194304 nr=2 bs=524288 start=$((16 << 20)) end=$((1 << 30))

fb_done
