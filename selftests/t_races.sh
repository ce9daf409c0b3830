#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Everything at once, for some seconds: nothing breaks, and in the end all is
# as it should be.
# shellcheck disable=SC2016,SC2086 # commands for eval, words without blanks
. "$(dirname "$0")/lib.sh"

errors="OK|EBUSY|ENODEV|EINVAL|EPERM|EROFS|ENOSPC|ECANCELED|EINTR"
errors="$errors|ENXIO|ENOENT"	# while it is unloaded, and until it is loaded

fb_null size=64 memory_backed=1 irqmode=2 completion_nsec=3000000
one=$dev
fb_null size=32 memory_backed=1 irqmode=2 completion_nsec=2000000
two=$dev
fbdata fill "/dev/$one" 1
fbdata fill "/dev/$two" 2
before="$(fbdata sum "/dev/$one") $(fbdata sum "/dev/$two")"

# loop NAME COMMAND: in the background until the file /tmp/stop is there
loop()
{
	while [ ! -e /tmp/stop ]; do
		eval "$2"
	done >/tmp/loop.$1 2>&1 &
	loops="$loops $!"
}

loops=
# nothing here destroys: what is on the devices must be there in the end
loop target 'fb_write target $one; sleep 0.03; fb_write target $two'
loop target2 'fb_write target ""; sleep 0.2; fb_write target $one; sleep 0.3'
loop range 'fb_write range 1M+8M; fb_write range 0+32M; sleep 0.01'
loop mode 'fb_write write_mode preserve; sleep 0.05; fb_write write_mode off'
loop run1 'fb_write run "interval interval-order=5 count=2"; sleep 0.01'
loop run2 'fb_start "find-fat erasesize=256K fat-nr=3"; sleep 0.02'
loop run3 'fb_write run "open-au erasesize=256K offset=0"; sleep 0.01'
loop run4 'fb_write run "scatter bogus"; fb_write run "scatter dryrun"; sleep 0.02'
loop cancel 'fb_write cancel 1; sleep 0.11'
loop cancel2 'fbt write -b $FB/cancel 1; sleep 0.13'
loop signal 'fbt write $FB/run "scatter scatter-order=6" & sleep 0.04; kill -INT $! 2>/dev/null; wait $!'
loop poll 'fbt poll $FB/status 100'
loop status 'fb_read status 3 | grep -c : ; sleep 0.01'
loop results 'for f in $FB/results/*; do fb_read results/${f##*/} 100 | tail -n 1; done; sleep 0.1'
loop info 'cat $FB/info $FB/tests $FB/target $FB/range $FB/write_mode >/dev/null; sleep 0.05'
loop rmmod 'rmmod flashbench && insmod /lab/flashbench.ko; sleep 0.3'
loop openers 'fbt pread /dev/$one 0 512 >/dev/null; sleep 0.07'

lucky="run1 run2 target range mode"

# Has each of them had its turn?
had_luck()
{
	for each in $lucky; do
		grep -qx OK /tmp/loop.$each || return 1
	done
	grep -qx ECANCELED /tmp/loop.signal
}

sleep 3
tries=0
until had_luck || [ $tries -ge 60 ]; do
	sleep 1
	tries=$((tries + 1))
done
touch /tmp/stop
wait $loops

for each in target target2 range mode run1 run2 run3 cancel cancel2 signal; do
	fb_like "$each was done a number of times" "^([5-9]|[0-9]{2,})$" \
		"$(wc -l </tmp/loop.$each)"
	fb_is "$each: errors that may be" "" \
		"$(grep -vxE "$errors" /tmp/loop.$each | sort | uniq -c | head)"
done
for each in $lucky; do
	fb_that "$each succeeded at times" grep -qx OK /tmp/loop.$each
done
fb_that "runs were cancelled" grep -qx ECANCELED /tmp/loop.signal
# none while the module was not there
fb_is "status always had all its lines" 10 \
	"$(sort -u /tmp/loop.status | grep -vx 0)"

# ---- and in the end ----

fb_load
fb_is "cancel" OK "$(fb_write cancel 1)"
fb_that "nothing runs" [ "$(fb_status state)" != running ]
fb_is "a target" OK "$(fb_write target "$one")"
fb_is "has all its range" 0+67108864 "$(cat $FB/range)"
fb_is "is not armed" "[off] preserve destroy" "$(cat $FB/write_mode)"
fb_hold "$two" excl
fb_is "the other one is free" OK "$(cat /tmp/held)"
fb_drop
fb_is "it can be armed" OK "$(fb_write write_mode preserve)"
fb_is "a run ends well" "OK done" \
	"$(fb_write run 'find-fat erasesize=256K fat-nr=3') $(fb_status state)"
fb_is "with a result" 5 "$(grep -c '^[0-9]*KiB' $FB/results/find-fat)"
fb_write target "" >/tmp/res
fb_is "every byte is what it was" "$before" \
	"$(fbdata sum "/dev/$one") $(fbdata sum "/dev/$two")"
fb_is "the kernel has not complained" 0 \
	"$(dmesg | sed '1,/selftest: races/d' |
	grep -cE 'WARNING|BUG|Oops|refcount|blocked for')"

fb_done
