#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Nothing is written outside of the range, or where it was not planned, and
# large numbers do not wrap.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

# union: offsets and lengths on stdin, merged where they touch
union()
{
	sort -n | awk '
		NR > 1 && $1 <= to { to = $1 + $2 > to ? $1 + $2 : to; next }
		NR > 1 { print from, to - from }
		{ from = $1; to = $1 + $2 }
		END { if (NR) print from, to - from }'
}

# A range that begins and ends nowhere in particular
fb_null size=40 blocksize=512 memory_backed=1 discard=1
fb_widen
low=$((1049088 + 512 * 77))
len=$(((36 << 20) + 512 * 5))
while read -r line; do
	fbdata fill "/dev/$dev" 1
	cp "/dev/$dev" /tmp/image
	fb_target destroy
	fb_write range $low+$len >/tmp/res
	fb_trace
	fb_run "$line"
	fb_traced "$dev" >/tmp/traced
	fb_target
	fbdata diff /tmp/image "/dev/$dev" >/tmp/got
	# discarded sectors read as zeroes here
	awk '$1 != "read" { print $2, $3 }' /tmp/traced | union >/tmp/want
	fb_same "$line: changed is what the device was told to" /tmp/want \
		/tmp/got
	fb_is "$line: inside the range" "" "$(awk -v low=$low -v len=$len '
		$1 < low || $1 + $2 > low + len' /tmp/got)"
	fb_that "$line: and not nothing" test -s /tmp/got
done <<EOF
align-write blocksize=64K
align-write blocksize=64K erasesize=512K
align-write blocksize=1536 erasesize=48K
align-write blocksize=64K erasesize=1M discard
open-au erasesize=1M blocksize=64K random
open-au erasesize=1536K blocksize=48K
open-au erasesize=1M blocksize=256K discard
open-au erasesize=1M blocksize=256K offset=$low open-au-nr=3
find-fat erasesize=1M blocksize=64K random
find-fat erasesize=4M fat-nr=8 blocksize=4M
find-fat erasesize=1M discard blocksize=512K
EOF
rm /tmp/image

# The old command wrapped here, and overwrote sector 0
fb_null size=256 blocksize=512 memory_backed=1 irqmode=0
fb_target destroy
printf 'the first sector' | dd of="/dev/$dev" conv=notrunc 2>/dev/null
fb_target destroy
before=$(fb_io "$dev")
fb_writes <<EOF
ENOSPC | run | open-au open-au-nr=8 | open-au-nr: .*largest that fits is 5\$
ENOSPC | run | open-au open-au-nr=6 | open-au-nr: .*largest that fits is 5\$
EOF
fb_is "nothing was done" "0/0 $before" \
	"$(fb_status progress) $(fb_io "$dev")"
fb_run "open-au open-au-nr=5 blocksize=1M"
fb_is "the largest that fits: places" "16777216 67108864 117440512 167772160 218103808" \
	"$(fb_samples open-au | awk '$4 == 4194304 { print $3 }' | sort -n |
		xargs)"
fb_target
fb_is "sector 0 is as it was" "the first sector" "$(head -c 16 "/dev/$dev")"

# 40 GiB, where 32 bits are not enough for bytes
fb_null size=40960 blocksize=512 irqmode=0 max_sectors=8192
fb_widen
end=$((40 << 30))

# far NAME TEST LINE MAX KEY=VALUE...
far()
{
	name=$1 test=$2 line=$3 max=$4
	shift 4
	fb_trace
	fb_run "$test $line"
	fb_traced "$dev" >/tmp/traced
	case $test in
	align) fb_plan_align end=$end "$@" ;;
	interval) fb_plan_interval end=$end "$@" ;;
	scatter) fb_samples scatter | fb_plan_scatter end=$end "$@" ;;
	*) fb_samples "$test" | fb_plan_au end=$end "$@" ;;
	esac >/tmp/plan
	fb_check_plan "$name" "$test" /tmp/plan "$max"
}

fb_target destroy
far "65 erase blocks of 16 MiB" open-au \
	"erasesize=16M blocksize=16M open-au-nr=65" 4194304 kind=open nr=65 \
	erasesize=16777216 bs=16777216 start=16777216
fb_is "65 erase blocks: places" 65 "$(fb_samples open-au | cut -d ' ' -f 3 |
	sort -u | wc -l)"
fb_is "65 erase blocks: the last" $((16777216 + 64 * 12 * 16777216)) \
	"$(fb_samples open-au | cut -d ' ' -f 3 | sort -n | tail -n 1)"
far "24 MiB" open-au "erasesize=24M blocksize=24M open-au-nr=140" 4194304 \
	kind=open nr=140 erasesize=25165824 bs=25165824 start=25165824
fb_is "24 MiB: all at multiples" 0 "$(fb_samples open-au |
	awk '{ n += $3 % 25165824 != 0 } END { print n }')"
far "an offset of 39 GiB" find-fat "erasesize=24M blocksize=12M offset=39G" \
	4194304 kind=fat nr=6 erasesize=25165824 erase=25165824 bs=12582912 \
	start=$((39 << 30))
fb_write range $((37 << 30))+$((3 << 30)) >/tmp/res
far "a range at 37 GiB" find-fat "erasesize=24M blocksize=24M" \
	4194304 kind=fat nr=6 erasesize=25165824 bs=25165824 \
	start=$((((37 << 30) / 25165824 + 1) * 25165824))
far "a range at 37 GiB, scatter" scatter "scatter-order=4 count=1" 4194304 \
	order=4 span=1 from=$((37 << 30))
far "a range at 37 GiB, interval" interval "count=2" 4194304 order=12 count=2 \
	from=$((37 << 30))
fb_target
far "all of it" align "old-schedule blocksize=1M count=1" 4194304 bs=1048576
fb_is "all of it: the largest row" $((9 << 32)) \
	"$(fb_rows align.tsv | head -n 1 | cut -f 2)"

# Its content, where only the low 32 bits would be wrong
fb_null size=40960 blocksize=512 irqmode=0 memory_backed=1
fbdata fill "/dev/$dev" 1 0 1048576
fbdata fill "/dev/$dev" 2 $((36 << 30)) 1048576
low=$(fbdata sum "/dev/$dev" 0 1048576)
high=$(fbdata sum "/dev/$dev" $((36 << 30)) 1048576)
fb_target destroy
fb_run "find-fat erasesize=64K blocksize=64K fat-nr=16 offset=36G pattern=one"
fb_is "36 GiB: written there" 1048576 \
	"$(fbdata count "/dev/$dev" 255 $((36 << 30)) 1048576)"
fb_is "36 GiB: and not at its low bits" "$low" \
	"$(fbdata sum "/dev/$dev" 0 1048576)"
fb_fails "36 GiB: which is a difference" test "$high" = "$low"

fb_done
