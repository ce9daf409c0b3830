#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A partition as target: boundaries are the disk's, offsets the partition's,
# and nothing outside of it is touched.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

# 24 MiB from sector 4104, which is a multiple of 4 KiB, and of little else;
# behind it one of 28 MiB
fb_null size=64 memory_backed=1
disk=$dev
printf 'o\nn\np\n1\n4104\n53255\nn\np\n2\n53256\n110599\nw\n' |
	fdisk -u "/dev/$disk" >/tmp/fdisk 2>&1
blockdev --rereadpt "/dev/$disk"
p1=${disk}p1 p2=${disk}p2
start=$((4104 * 512))
size=$((24 * 1048576))

fb_is "a partition" OK "$(fb_write target "$p1")"
fb_is "is the target" "$p1" "$(cat $FB/target)"
fb_is "its range is its own" "0+$size" "$(cat $FB/range)"
fb_is "by numbers" OK "$(fb_write target "$(cat /sys/class/block/$p1/dev)")"
fb_is "is the same" "$p1" "$(cat $FB/target)"
fb_is "info" "device: $p1
disk: $disk
partition_start_bytes: $start
size_bytes: $size
disk_size_bytes: 67108864" \
	"$(grep -E '^(device|disk|partition_start_bytes|size_bytes|disk_size_bytes):' \
	$FB/info)"
fb_writes <<EOF
OK     | range | 0+24M        |
EINVAL | range | 0+25165888   | ^range: .*25165824
EINVAL | range | 24M+512      | ^range:
EOF

# ---- align: where the three accesses are ----

# misplaced BLOCKSIZE START END: samples that are not round a boundary of the
# disk, which begins START before the target, or not before END
misplaced()
{
	awk -F '\t' -v b="$1" -v start="$2" -v end="$3" '
	/^#/ || !/^[0-9]/ { next }
	FILENAME ~ /tsv/ { align[$1] = $2; place[$1] = $3; next }
	{
		at = $4 + start
		if (place[$2] == "pre")
			at += b
		if (place[$2] == "on")
			at += int(b / 1024) * 512
		if (at % align[$2] || $4 < 0 || $4 + $5 > end || $5 != b)
			print
		n++
	}
	END { if (!n) print "no samples" }' \
		$FB/results/align.tsv $FB/results/align.samples
}

for b in 1024 1536 2560 16384 49152; do
	fb_is "align in $p1, blocksize $b" OK \
		"$(fb_write run "align blocksize=$b count=1")"
	fb_is "accesses round the boundaries of the disk, blocksize $b" "" \
		"$(misplaced $b $start $size)"
done
fb_write range 1M+22M >/tmp/res
fb_write run "align blocksize=16K count=1 offset=3M" >/tmp/res
fb_is "also with a range and an offset" "" "$(misplaced 16384 $start $((23 * 1048576)))"
fb_is "that is relative to the partition" "" "$(awk -F '\t' \
	'/^[0-9]/ && $4 < 3145728' $FB/results/align.samples)"
fb_write target "$disk" >/tmp/res
fb_write run "align blocksize=16K count=1" >/tmp/res
fb_is "and on the whole disk" "" "$(misplaced 16384 0 67108864)"
rows=$(grep -c '^align' $FB/results/align)
fb_that "it has more rows there, $rows" [ "$rows" -gt 25 ]

# ---- open-au, find-fat: whole erase blocks of the disk ----

# first TEST: offset of the first erase block, and of the second
first()
{
	awk -F '\t' '/^[0-9]/ && $5 == 524288 {print $4}' \
		"$FB/results/$1.samples" | sort -n | head -n 2 | xargs
}

# what is round the partition, and must not change
outside()
{
	fbdata sum "/dev/$disk" 0 $start
	fbdata sum "/dev/$disk" $((start + size)) $((67108864 - start - size))
}

fbdata fill "/dev/$disk" 3 1048576 66060288
fb_write target "$p1" >/tmp/res
fb_write write_mode destroy >/tmp/res
before=$(outside)
inside=$(fbdata sum "/dev/$p1")

# 16 MiB into the partition, rounded up to erase blocks of the disk
at=$(((start + 16777216 + 524287) / 524288 * 524288 - start))
fb_is "open-au" OK "$(fb_write run 'open-au erasesize=512K blocksize=64K')"
fb_is "open-au begins at" "$at $((at + 12 * 524288))" "$(first open-au)"
fb_like "and says so" " offset=$at " "$(fb_status test)"
at=$(((start + 524287) / 524288 * 524288 - start))
fb_is "find-fat" OK \
	"$(fb_write run 'find-fat erasesize=512K blocksize=64K fat-nr=47')"
fb_is "find-fat begins at" "$at $((at + 524288))" "$(first find-fat)"
fb_is "one more is outside" ENOSPC \
	"$(fb_write run 'find-fat erasesize=512K blocksize=64K fat-nr=48')"
fb_is "an offset is taken as it is" OK \
	"$(fb_write run 'find-fat erasesize=512K blocksize=64K fat-nr=48 offset=0')"
fb_is "from the start of the partition" "0 524288" "$(first find-fat)"
fb_is "align-write" OK \
	"$(fb_write run 'align-write blocksize=64K erasesize=1M')"
fb_that "the partition has been written" \
	[ "$inside" != "$(fbdata sum "/dev/$p1")" ]
fb_write write_mode off >/tmp/res
fb_is "what is round it has not" "$before" "$(outside)"

# sectors in a reason are the target's, too
echo "+$((4104 + 2048))-$((4104 + 2048))" >"$fb_dir/badblocks"
fb_is "a bad sector" EIO \
	"$(fb_write run 'scatter scatter-order=0 count=1 offset=1M')"
fb_like "is counted from the start of the partition" \
	"^read failed at sector 2048\>" "$(fb_status reason)"
fb_write target "$p2" >/tmp/res
fb_is "and is not in the other one" OK \
	"$(fb_write run 'scatter scatter-order=0 count=1 offset=1M')"

fb_done
