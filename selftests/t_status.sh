#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What status says before, while and after something is run.
# shellcheck disable=SC1010,SC2046,SC2119,SC2317 # done is a word here, words are split on purpose, arguments are optional, called by name
. "$(dirname "$0")/lib.sh"

keys="state test progress elapsed_ns eta_ns read_bytes written_bytes"
keys="$keys discarded_bytes io_errors reason"

fb_is "keys and their order, idle" "$keys" \
	"$(sed 's/: .*//' $FB/status | xargs)"
fb_is "values at first" "idle - 0/0 0 0 0 0 0 0 -" \
	"$(sed 's/^[a-z_]*: //' $FB/status | xargs)"

# ---- a complete run: exact numbers, the same as the device's own ----

# an operation is one bio, up to 1 MiB
fb_null size=64 memory_backed=1 max_sectors=2048
null=$dev
fb_write target "$null" >/tmp/res
fb_is "a run" OK "$(fb_write run 'interval interval-order=4 count=3')"
# rows of 512 to 4096 bytes, three of each and one block to wake the device
fb_is "all of status" "state: done
test: interval blocksize=16384 count=3 offset=0 interval-order=4 seed=1 max-time=0 max-write=0 diag=0 dryrun=0
progress: 16/16
elapsed_ns: N
eta_ns: 0
read_bytes: $((3 * (512 + 1024 + 2048 + 4096) + 4 * 512))
written_bytes: 0
discarded_bytes: 0
io_errors: 0
reason: -" "$(sed 's/^\(elapsed_ns: \)[1-9][0-9]*$/\1N/' $FB/status)"
elapsed=$(fb_status elapsed_ns)
sleep 1
fb_is "elapsed_ns stands still" "$elapsed" "$(fb_status elapsed_ns)"
fb_is "by 1-byte reads" "$(cat $FB/status)" "$(fb_read status 1)"

# LINE: what status says was done, the device did
audit()
{
	set -- "$1" $(fb_io "$null")
	fb_is "$1" OK "$(fb_write run "$1")"
	set -- $(fb_io "$null") "$@"
	# now $1-$5 after, $6 the line, $7-$11 before
	fb_is "$6: I/Os" "$(($1 - $7 + $3 - $9))/$(($1 - $7 + $3 - $9))" \
		"$(fb_status progress)"
	fb_is "$6: read" $((($2 - $8) * 512)) "$(fb_status read_bytes)"
	fb_is "$6: written" $((($4 - ${10}) * 512)) \
		"$(fb_status written_bytes)"
}

audit "align blocksize=16K count=1"
audit "scatter scatter-order=5"
for mode in preserve destroy; do
	fb_write write_mode $mode >/tmp/res
	audit "open-au erasesize=512K blocksize=64K open-au-nr=3"
	audit "find-fat erasesize=512K blocksize=64K random"
	audit "align-write blocksize=64K erasesize=512K"
done

# a new target, and a control file that is written, leave the last run there
done_before=$(cat $FB/status)
fb_write target mmcblk0 >/tmp/res
fb_write range 0+1M >/tmp/res
fb_is "status survives another target" "$done_before" "$(cat $FB/status)"
fb_write range x >/tmp/res
fb_is "a refused control write has a reason, nothing else" \
	"$(echo "$done_before" | sed '/^reason/d')" \
	"$(sed '/^reason/d' $FB/status)"
fb_like "and it names the file" "^range:" "$(fb_status reason)"

# ---- while it runs: 100 I/Os of 100 ms ----

fb_slow 100
fb_write target "$dev" >/tmp/res
fb_start "interval interval-order=10 count=9" >/tmp/res
fb_is "O_NONBLOCK returns at once" OK "$(cat /tmp/res)"
sleep 5
fb_is "keys and their order, running" "$keys" \
	"$(sed 's/: .*//' $FB/status | xargs)"
fb_is "running" running "$(fb_status state)"
fb_is "the line with all keys" "interval blocksize=16384 count=9 offset=0 \
interval-order=10 seed=1 max-time=0 max-write=0 diag=0 dryrun=0" \
	"$(fb_status test)"
fb_like "half of it is done" "^(49|50)/100$" "$(fb_status progress)"
fb_like "elapsed_ns" "^5[0-9]{9}$" "$(fb_status elapsed_ns)"
fb_like "eta_ns: as much again" "^(4[89]|5[01])[0-9]{8}$" "$(fb_status eta_ns)"
fb_that "read_bytes grows" [ "$(fb_status read_bytes)" -gt 512 ]
fb_is "no errors" 0 "$(fb_status io_errors)"
fb_is "no reason" - "$(fb_status reason)"
fb_wait
fb_is "it ends by itself" "done 100/100 0" \
	"$(fb_status state) $(fb_status progress) $(fb_status eta_ns)"
fb_like "elapsed_ns at the end" "^10[01][0-9]{8}$" "$(fb_status elapsed_ns)"

# ---- poll ----

# news COMMAND...: what a reader who waits in poll() is told of it
news()
{
	fbt poll $FB/status 5000 >/tmp/poll &
	poll=$!
	sleep 0.5
	"$@" >/tmp/res
	wait $poll
	cat /tmp/poll
}

refuse()
{
	fb_write run bogus
}

# busybox's read polls before each read
lines=0
# shellcheck disable=SC2034 # the words do not matter
while read -r key value; do
	lines=$((lines + 1))
done <$FB/status
fb_is "a loop of the shell ends" 10 $lines

fb_is "nothing new" TIMEOUT "$(fbt poll $FB/status 1000)"
fb_is "start" "IN PRI " "$(news fb_start 'interval interval-order=10')"
fb_is "cancel" "IN PRI " "$(news fb_write cancel 1)"
fb_is "refused" "IN PRI " "$(news refuse)"
fb_is "reading target is no news" TIMEOUT "$(news cat $FB/target)"
fb_is "nor is a change of range" TIMEOUT "$(news fb_write range 0+1M)"
fb_start "interval interval-order=3 count=9" >/tmp/res
fb_is "the end" "IN PRI " "$(news true)"
fb_is "is the end" done "$(fb_status state)"
fb_start "interval interval-order=3 count=9" >/tmp/res
fbt poll $FB/status 600000 >/tmp/poll
fb_is "who has woken finds the run at its end" done "$(fb_status state)"

fb_done
