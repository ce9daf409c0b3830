#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# align-write: where it writes, in which order, what it closes, and what it
# says of it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MS=1000000

# align_write NAME LINE KEY=VALUE...: runs it and compares with the plan
max=
align_write()
{
	name=$1
	line=$2
	shift 2
	fb_trace
	fb_run "align-write old-schedule $line"
	fb_traced | sed 's/+F//' >/tmp/traced
	fb_plan_align op=write "$@" >/tmp/plan
	if [ "$mode" = preserve ]; then
		fb_preserved </tmp/plan >/tmp/plan2
		mv /tmp/plan2 /tmp/plan
	fi
	fb_check_plan "$name" align-write /tmp/plan "$max"
	fb_check_table "$name" align-write
}

end=$((32 << 20))
fb_null size=32 blocksize=512 irqmode=2 completion_nsec=$MS max_sectors=8192
fb_widen
fb_target destroy
align_write "nothing is closed" "blocksize=64K" bs=65536 end=$end
fb_run "align-write blocksize=64K count=2"
fb_check_times "nothing is closed" align-write $MS 8000
align_write "twice" "blocksize=128K count=2" bs=131072 count=2 end=$end
align_write "three sectors" "blocksize=1536 offset=31M" bs=1536 \
	from=$((31 << 20)) end=$end

for erase in 1048576 1572864; do
	align_write "closed, $erase" "blocksize=128K erasesize=$erase" \
		bs=131072 erase=$erase end=$end
done
align_write "noclose" "blocksize=128K erasesize=1M noclose" bs=131072 end=$end

# erase blocks that lie only partly in the range are closed that far
fb_write range 1573888+20974592 >/tmp/res
align_write "closed in a range" "blocksize=128K erasesize=1M" bs=131072 \
	erase=1048576 from=1573888 low=1573888 end=$((1573888 + 20974592))
align_write "closed in a range, from an offset" \
	"blocksize=128K erasesize=1M offset=5M" bs=131072 erase=1048576 \
	from=$((5 << 20)) low=1573888 end=$((1573888 + 20974592))

fb_write write_mode preserve >/tmp/res
mode=preserve
align_write "preserve" "blocksize=128K erasesize=1M" bs=131072 \
	erase=1048576 from=1573888 low=1573888 end=$((1573888 + 20974592))
fb_writes <<EOF
EINVAL | run | align-write erasesize=1M discard | discard: write_mode preserve
EINVAL | run | align-write flush | flush: the device has no
EINVAL | run | align-write fua | fua: the device has no
EOF

# Each write is followed by a flush, both are timed, apart
fb_null size=16 blocksize=512 memory_backed=1 discard=1 cache_size=1 \
	irqmode=2 completion_nsec=$MS max_sectors=8192
fb_widen
fb_target destroy
end=$((16 << 20))
align_write "flush" "blocksize=256K erasesize=1M flush count=2" bs=262144 \
	erase=1048576 flush=1 count=2 end=$end
fb_run "align-write blocksize=256K flush"
fb_is "flush: rows of .tsv" "write 3 flush 3" "$(fb_rows align-write.tsv |
	awk 'NR <= 6 { print $4 }' | uniq -c | awk '{ print $2, $1 }' | xargs)"
align_write "discard" "blocksize=256K erasesize=1M discard" bs=262144 \
	erase=1048576 discard=1 end=$end
fb_writes <<EOF
EINVAL | run | align-write discard | discard: needs erasesize
EINVAL | run | align-write discard erasesize=1M noclose | discard: noclose
EOF

# FUA goes with what is timed and with nothing else
fb_trace
fb_run "align-write old-schedule blocksize=256K erasesize=1M fua"
fb_traced >/tmp/traced
fb_plan_align op=write bs=262144 erase=1048576 end=$end |
	sed '/^[0-9]/s/write/write+F/' | fb_untagged >/tmp/untagged
fb_same "fua: what has the flag" /tmp/untagged /tmp/traced

dev=mmcblk0
max=$((512 << 10))
fb_target destroy || fb_done
fb_write range 8M+64M >/tmp/res
align_write "SD card" "blocksize=128K erasesize=4M" bs=131072 \
	erase=4194304 from=$((8 << 20)) low=$((8 << 20)) end=$((72 << 20))
# Some cards have no write cache the block layer knows of
fb_is "SD card: no flush without a cache" EINVAL \
	"$(fb_write run "align-write flush")"

fb_done
