#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Results: when there are any, which one a reader sees, and how it is read.
# shellcheck disable=SC1010,SC2086,SC2317 # done is a word here, words without blanks, called by name
. "$(dirname "$0")/lib.sh"

R=$FB/results

none()
{
	for fb_each in "$1" "$1.tsv" "$1.samples"; do
		fb_is "$2: $fb_each" ENODATA "$(fb_read "results/$fb_each")"
	done
}

for test in align align-write open-au find-fat scatter interval \
	geometry; do
	none $test "nothing yet"
done

fb_null size=64 irqmode=2 completion_nsec=1000000
null=$dev
fb_write target "$null" >/tmp/res
fb_is "what does not run" EINVAL "$(fb_write run 'interval count=0')"
none interval "nothing after a refusal"
fb_is "what only would run" OK "$(fb_write run 'interval dryrun')"
none interval "nothing after a dry run"

fb_is "a run" OK "$(fb_write run 'interval interval-order=6 count=50')"
for file in interval interval.tsv interval.samples; do
	fb_is "a result: $file" "# flashbench" \
		"$(grep -v format $R/$file | head -n 1 | cut -c 1-12)"
done
none align "nothing for the others"

# ---- reading it in pieces ----

for file in interval interval.tsv interval.samples; do
	cat $R/$file >/tmp/all
	size=$(stat -c %s /tmp/all)
	for chunk in 1 7 100 4096; do
		fb_is "$file, $chunk bytes at a time" "$(cat /tmp/all)" \
			"$(fb_read results/$file $chunk)"
	done
	for at in 1 80 $((size / 2)) $((size - 1)); do
		fb_is "$file from byte $at on" \
			"$(tail -c +$((at + 1)) /tmp/all | head -c 1000)" \
			"$(fbt pread $R/$file $at 1000)"
	done
	fb_is "$file behind its end" "" "$(fbt pread $R/$file "$size" 100)"
	# read the middle, go back, read the start, go on
	dd if=$R/$file bs=1 skip=300 count=50 2>/dev/null >/tmp/piece
	fb_is "$file, seeking" "$(tail -c +301 /tmp/all | head -c 50)" \
		"$(cat /tmp/piece)"
done
fb_like "that was a long one" "^[0-9]{5}$" "$size"

# ---- a reader keeps what it opened ----

old_table=$(cat $R/interval)
cat $R/interval.samples >/tmp/old
exec 3<$R/interval 4<$R/interval.samples 5<$R/interval.tsv
dd bs=1 count=10000 <&4 2>/dev/null >/tmp/kept
fb_is "another run" OK "$(fb_write run 'interval interval-order=3 count=2')"
new_table=$(cat $R/interval)
fb_that "has another result" [ "$old_table" != "$new_table" ]
fb_is "who opened the old table reads that" "$old_table" "$(cat <&3)"
dd bs=7 <&4 2>/dev/null >>/tmp/kept
fb_that "who was in the middle of the samples goes on" cmp /tmp/old /tmp/kept
fb_write target mmcblk0 >/tmp/res
fb_write run "interval interval-order=4 count=3" >/tmp/res
fb_is "also over two runs and another target" 6 "$(grep -c '^[0-9]' <&5)"
exec 3<&- 4<&- 5<&-
fb_is "who opens it now reads the new one" 12 \
	"$(grep -c '^[0-9]' $R/interval.samples)"
none scatter "opened before there is one"
exec 3<$R/scatter.tsv
fb_write run "scatter scatter-order=2" >/tmp/res
fb_is "a file opened when there was nothing stays so" "" \
	"$(cat <&3 2>/dev/null)"
exec 3<&-

# ---- what a result survives ----

fb_write target "$null" >/tmp/res
fb_write run "interval interval-order=3 count=2" >/tmp/res
for file in interval interval.tsv interval.samples; do
	cat $R/$file
done >/tmp/all

same()
{
	for fb_each in interval interval.tsv interval.samples; do
		cat $R/$fb_each
	done | cmp -s /tmp/all -
}

fb_write run "interval count=junk" >/tmp/res
fb_that "a refused run" same
fb_write run "interval count=9 interval-order=12" >/tmp/res
fb_that "one that does not fit" same
fb_write run "interval dryrun" >/tmp/res
fb_that "a dry run" same
fb_start "interval interval-order=6 count=100" >/tmp/res
sleep 0.3
fb_that "one in progress" same
fb_write cancel 1 >/tmp/res
fb_is "which is cancelled" cancelled "$(fb_status state)"
fb_that "a cancelled run" same
echo "+0-0" >"$fb_dir/badblocks"
fb_is "one that fails" EIO "$(fb_write run interval)"
fb_that "a failed run" same
fb_write run "align blocksize=1M offset=1M" >/tmp/res
fb_is "another test, which has a result" done "$(fb_status state)"
fb_that "another test" same
fb_write target "" >/tmp/res
fb_that "no target" same
fb_that "and the device's end" sh -c "echo 0 >$fb_dir/power"
fb_that "that, too" same

fb_done
