#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Bad sectors behind the real MMC stack, which repeats what fails, in the end
# sector by sector. The kernel blames the one bad sector, and so does the reason.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

MB=$((1 << 20))
errors=$FB_TRACE/events/block/block_rq_error/enable

# blamed: operation and sector of the first error the block layer saw
blamed()
{
	sed -n 's/.*block_rq_error: [0-9,]* \([A-Z]*\) ([^)]*) \([0-9]*\) .*/\1 \2/p' \
		$FB_TRACE/trace | head -n 1 |
		sed 's/^R[A-Z]*/read/; s/^W[A-Z]*/write/'
}

# results TEST: all three
results()
{
	for fb_view in "" .tsv .samples; do
		fb_read "results/$1$fb_view"
	done
}

# fails NAME LINE OP BAD ERRORS DONE: reading or writing sector BAD fails; so
# does the run
fails()
{
	test=${2%% *}
	results "$test" >/tmp/before
	echo "fail:$3@$4" >"$sim/fail"
	: >$FB_TRACE/trace
	fb_is "$1: the error" EIO "$(fb_write run "$2")"
	echo clear >"$sim/fail"
	fb_is "$1: state" failed "$(fb_status state)"
	fb_is "$1: the kernel blames the bad sector" "$3 $4" "$(blamed)"
	fb_is "$1: reason" "$3 failed at sector $4 with error -5" \
		"$(fb_status reason)"
	fb_is "$1: io_errors" "$5" "$(fb_status io_errors)"
	fb_is "$1: the row is finished" "$6" "$(fb_status progress)"
	results "$test" >/tmp/after
	fb_same "$1: the result of before is still there" /tmp/before /tmp/after
}

sim_load "$(sim_card write_ns=1ms)"
fb_atexit "echo 0 >$errors"
echo 1 >$errors
echo 1 >$FB_TRACE/tracing_on

# ---- reading ----

fb_target
line="scatter scatter-order=4 blocksize=16K count=3"
# nothing published yet
fails "scatter, first" "$line" read 100 3 49/49
fb_is "scatter, first: no result" "ENODATA ENODATA ENODATA" \
	"$(results scatter | xargs)"
fb_run "$line"
fails "scatter, in the middle of a bio" "$line" read 100 3 49/49
fails "scatter, the first of a bio" "$line" read 96 3 49/49
fails "scatter, the last of a bio" "$line" read 127 3 49/49
fails "scatter, second bio of an operation" \
	"scatter scatter-order=0 blocksize=1M count=2" read 1999 2 3/3
fails "warm-up" "scatter scatter-order=2 count=2" read 131071 1 9/9

# the row of align that comes to 3 MiB first
fb_plan_align bs=65536 count=2 end=$((64 * MB)) >/tmp/plan
# shellcheck disable=SC2046 # two numbers
set -- $(awk -v at=$((3 * MB + 512)) '
	$1 == "-" { if (n) exit }
	{ done = NR }
	$3 <= at && $3 + $4 > at { n++ }
	END { print n, done }' /tmp/plan)
fails "align" "align old-schedule blocksize=64K count=2" read $((6 * 1024 + 1)) "$1" \
	"$2/$(wc -l </tmp/plan)"

# ---- writing ----

# closed rows of 1 MiB and of 512 KiB
fb_target destroy
line="find-fat erasesize=1M blocksize=512K fat-nr=2"
fails "find-fat" "$line" write 3000 1 4/12
fails "find-fat, second bio of an operation" "$line" write 3500 1 4/12
fb_run "$line"
fails "find-fat, a result there" "$line" write 2048 1 4/12
# erase blocks at 16 MiB and 28 MiB
line="open-au erasesize=1M blocksize=512K"
fails "open-au" "$line" write 57844 1 3/10
fails "open-au, the other one" "$line" write 33000 1 3/10
# only what closes the erase block at 15 MiB gets there
fb_write range 15M+2M >/tmp/res
fails "closing" "align-write old-schedule blocksize=512K erasesize=1M" write 30920 1 \
	5/"$(fb_plan_align op=write bs=524288 erase=$MB from=$((15 * MB)) \
		low=$((15 * MB)) end=$((17 * MB)) | wc -l)"

# what cannot be read is not written; sector 2048 begins the second block
line="find-fat erasesize=1M blocksize=512K fat-nr=2"
fb_target preserve
sim_reset
fails "preserve, reading" "$line" read 3000 1 5/20
fb_is "preserve, reading: written, the card says" "$MB 0 2047" \
	"$(sim_total written_bytes) $(sim_total lowest_sector) $(
	sim_total highest_sector)"
fb_is "preserve, reading: written, status says" $MB \
	"$(fb_status written_bytes)"
fails "preserve, writing" "$line" write 3000 1 6/20

# ---- what the kernel heals ----

# healed LINE RULE SEQ NS: on a new card; that sample, and no other, is late by so
# much, and nothing failed. After errors the block layer may have a request wait
# for a tick of the clock, so these come on a card that had none.
healed()
{
	test=${1%% *}
	fb_write target "" >/tmp/res
	sim_unload
	sim_load "$(sim_card write_ns=1ms)"
	fb_target destroy
	echo "$2" >"$sim/fail"
	fb_is "$2: heals" OK "$(fb_write run "$1")"
	fb_is "$2: has happened" "" "$(cat "$sim/fail")"
	fb_is "$2: io_errors" 0 "$(fb_status io_errors)"
	fb_rows "$test.samples" | sort -n -k 7,7 | awk -F '\t' -v late="$4" '
	{ at[NR] = $1; ns[NR] = $7 }
	END {
		usual = ns[int((NR + 1) / 2)]
		for (i = 1; i <= NR; i++)
			if (ns[i] >= usual + late)
				print at[i]
	}' >/tmp/late
	fb_is "$2: the sample is what it was" "$3" "$(xargs </tmp/late)"
}

# number 1 wakes the card
healed "scatter scatter-order=4 count=2" "fail:read#2" 0 100000
healed "scatter scatter-order=4 count=2" "fail:read#17" 15 100000
# block by block, 255 of them
healed "open-au erasesize=128K blocksize=128K offset=0 open-au-nr=4" \
	"fail:write#2" 1 255000000

fb_done
