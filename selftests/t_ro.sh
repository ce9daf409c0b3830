#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Write-protected devices: -EROFS when armed, again at run, and in the middle
# of one. The kernel itself would let such writes pass.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

fb_null size=64 memory_backed=1 irqmode=2 completion_nsec=10000000
null=$dev
fb_scsi dev_size_mb=64 && scsi=$dev

protect()
{
	case $1 in
	mmcblk*) echo 1 >/sys/block/$1/force_ro ;;
	*) blockdev --setro "/dev/$1" ;;
	esac
}

unprotect()
{
	case $1 in
	mmcblk*) echo 0 >/sys/block/$1/force_ro ;;
	*) blockdev --setrw "/dev/$1" ;;
	esac
}

written()
{
	fb_io "$1" | cut -d ' ' -f 3,4
}

line="find-fat erasesize=512K blocksize=64K"
for dev in "$null" mmcblk0 $scsi; do
	fb_atexit "unprotect $dev"
	before=$(written "$dev")

	protect "$dev"
	fb_is "$dev: protected, it can be a target" OK "$(fb_write target "$dev")"
	for mode in preserve destroy; do
		fb_is "$dev: $mode" EROFS "$(fb_write write_mode $mode)"
		fb_is "$dev: $mode: reason" \
			"write_mode: the target is write-protected" \
			"$(fb_status reason)"
	done
	fb_is "$dev: still off" "[off] preserve destroy" "$(cat $FB/write_mode)"
	fb_is "$dev: can be read" OK \
		"$(fb_write run 'interval interval-order=3')"

	unprotect "$dev"
	fb_is "$dev: not protected, armed" OK "$(fb_write write_mode destroy)"
	protect "$dev"
	for test in "$line" align-write open-au; do
		fb_is "$dev: $test" EROFS "$(fb_write run "$test")"
		fb_like "$dev: $test: reason" "write-protected" \
			"$(fb_status reason)"
	done
	fb_is "$dev: other mode" EROFS "$(fb_write write_mode preserve)"
	fb_is "$dev: nothing was written" "$before" "$(written "$dev")"
	fb_is "$dev: dry" OK "$(fb_write run "$line dryrun")"
	fb_is "$dev: off is always possible" OK "$(fb_write write_mode off)"
	unprotect "$dev"
done

# ---- in the middle of a run ----

for mode in preserve destroy; do
	fb_write target "$null" >/tmp/res
	fb_write write_mode $mode >/tmp/res
	fbt write $FB/run "find-fat erasesize=4M blocksize=64K" >/tmp/writer &
	writer=$!
	fb_wait running
	sleep 1
	protect "$null"
	wait $writer
	before=$(written "$null")
	fb_is "$mode: protected while it runs" EROFS "$(cat /tmp/writer)"
	fb_is "$mode: the run has failed" failed "$(fb_status state)"
	fb_like "$mode: the reason" "^(read|write) at sector [0-9]+ refused: .*read-only" \
		"$(fb_status reason)"
	fb_that "$mode: it was in the middle" [ "$(fb_status written_bytes)" -gt 0 ]
	fb_is "$mode: no result" ENODATA "$(fb_read results/find-fat)"
	sleep 1
	fb_is "$mode: nothing is written any more" "$before" \
		"$(written "$null")"
	unprotect "$null"
	fb_write write_mode off >/tmp/res
done


fb_is "nothing is left of it" OK "$(fb_write write_mode destroy)"
fb_is "the run" OK "$(fb_write run "$line")"

fb_done
