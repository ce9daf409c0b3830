#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The second guard: a device that becomes read-only in the middle of a run is
# not written any more, although the block layer would let it pass.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

fb_null size=64 blocksize=512 irqmode=2 completion_nsec=20000000
disk=$dev
for armed in destroy preserve; do
	for line in "open-au erasesize=1M blocksize=64K" \
		"find-fat erasesize=1M blocksize=64K" \
		"align-write blocksize=64K erasesize=1M"; do
		name="$armed, ${line%% *}"
		blockdev --setrw "/dev/$disk"
		fb_target $armed
		fb_start "$line" >/tmp/res
		fb_wait running
		sleep 0.5
		blockdev --setro "/dev/$disk"
		# what is under way may end
		sleep 0.05
		fb_stat_delta "$disk" >/tmp/res
		fb_wait
		sleep 0.2
		fb_is "$name: state" failed "$(fb_status state)"
		fb_like "$name: reason" "(write|read) at sector [0-9]+ refused: .*read-only" \
			"$(fb_status reason)"
		fb_is "$name: no write after that" "0 0" \
			"$(fb_stat_delta "$disk" | cut -d ' ' -f 3,4)"
		fb_is "$name: not once more" EROFS "$(fb_write run "$line")"
		fb_is "$name: reads are allowed" OK \
			"$(fb_write run "interval interval-order=1 count=1")"
	done
done

# What had been written at that moment is all that is ever changed
fb_null size=32 blocksize=512 irqmode=2 completion_nsec=20000000 \
	memory_backed=1
fbdata fill "/dev/$dev" 1
cp "/dev/$dev" /tmp/image
fb_target destroy
fb_trace
fb_start "find-fat erasesize=1M blocksize=64K" >/tmp/res
fb_wait running
sleep 0.5
blockdev --setro "/dev/$dev"
sleep 0.05
fb_traced "$dev" >/tmp/traced
fb_wait
fb_is "content: state" failed "$(fb_status state)"
fbdata diff /tmp/image "/dev/$dev" >/tmp/changed
# from 0 on, one after the other
fb_is "content: what changed" \
	"0 $(awk '$1 == "write" && $2 + $3 > to { to = $2 + $3 }
		END { print to }' /tmp/traced)" "$(cat /tmp/changed)"
rm /tmp/image
fb_target
dev=$disk

# The writer's error, and the result of before
blockdev --setrw "/dev/$disk"
fb_target destroy
fb_run "find-fat erasesize=64K blocksize=64K fat-nr=2"
fb_read results/find-fat.samples >/tmp/before
fbt write $FB/run "find-fat erasesize=1M blocksize=64K" >/tmp/writer &
writer=$!
fb_wait running
sleep 0.5
blockdev --setro "/dev/$disk"
wait $writer
fb_is "the writer's error" EROFS "$(cat /tmp/writer)"
fb_read results/find-fat.samples >/tmp/after
fb_same "the result of before" /tmp/before /tmp/after
blockdev --setrw "/dev/$disk"
fb_is "writable again, it works again" OK \
	"$(fb_write run "find-fat erasesize=64K blocksize=64K fat-nr=2")"

fb_done
