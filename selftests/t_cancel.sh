#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A run can be ended at any time, and is, within one outstanding bio.
# shellcheck disable=SC2119,SC2120 # arguments are optional
. "$(dirname "$0")/lib.sh"

line="interval interval-order=10 count=9"	# 100 I/Os
ms()
{
	awk '{printf "%d\n", $1 * 1000}' /proc/uptime
}

fb_is "cancel without a target" OK "$(fb_write cancel 1)"
fb_is "leaves the state" idle "$(fb_status state)"
fb_slow 500
null=$dev
fb_write target "$null" >/tmp/res
for text in 1 0 no "any text at all"; do
	fb_is "cancel without a run: '$text'" OK "$(fb_write cancel "$text")"
done
fb_is "still leaves the state" idle "$(fb_status state)"

# start the run with a writer that waits; its result is in /tmp/writer
start()
{
	fbt write $FB/run "${1-$line}" >/tmp/writer &
	writer=$!
	fb_wait running
	sleep 2.2
}

# ended NAME STATE: the run and its writer are
ended()
{
	wait $writer
	fb_is "$1: the writer's error" ECANCELED "$(cat /tmp/writer)"
	fb_is "$1: state" "cancelled" "$(fb_status state)"
	# the fifth was outstanding
	fb_is "$1: progress" "5/100" "$(fb_status progress)"
	fb_is "$1: what the device did" $((5 + base)) \
		"$(fb_io "$null" | cut -d ' ' -f 1)"
	fb_that "$1: there is a reason" [ "$(fb_status reason)" != - ]
	fb_is "$1: eta" 0 "$(fb_status eta_ns)"
	fb_is "$1: no result" ENODATA "$(fb_read results/interval)"
	base=$((base + 5))
}

# ---- by the file ----

base=$(fb_io "$null" | cut -d ' ' -f 1)
start
begin=$(ms)
fb_is "cancel" OK "$(fb_write cancel 1)"
took=$(($(ms) - begin))
fb_that "cancel returns when the bio has, $took ms" [ $took -le 400 ]
fb_is "nothing runs when it returns" "cancelled" "$(fb_status state)"
ended "by cancel"
fb_is "cancel again" OK "$(fb_write cancel 1)"
fb_is "changes nothing" cancelled "$(fb_status state)"

start
fb_is "cancel without a byte of text" OK "$(fbt write -n $FB/cancel ' ')"
ended "by a blank"

start
begin=$(ms)
fb_is "cancel with O_NONBLOCK" OK "$(fbt write -b $FB/cancel 1)"
took=$(($(ms) - begin))
fb_that "does not wait, $took ms" [ $took -le 100 ]
fb_is "the bio is still outstanding" running "$(fb_status state)"
fb_is "so nothing can be started" EBUSY "$(fb_write run "$line")"
ended "without waiting"

# ---- by a signal to the writer ----

for signal in INT TERM USR1; do
	start
	kill -$signal $writer
	begin=$(ms)
	ended "by SIG$signal"
	took=$(($(ms) - begin))
	fb_that "by SIG$signal: at once, $took ms" [ $took -le 600 ]
done

start
kill -KILL $writer
wait $writer 2>/dev/null
fb_is "by SIGKILL" "cancelled 5/100" \
	"$(fb_status state) $(fb_status progress)"

# ---- a run that nobody waits for ----

fb_is "O_NONBLOCK" OK "$(fb_start "$line")"
sleep 1.2
fb_is "is not cancelled by its writer's end" running "$(fb_status state)"
fb_is "but by cancel" OK "$(fb_write cancel 1)"
fb_is "as any" "cancelled 3/100" "$(fb_status state) $(fb_status progress)"

# ---- nothing is left behind ----

fb_is "a run after a cancelled one" OK \
	"$(fb_write run 'interval interval-order=2 count=1')"
fb_is "has nothing of it" "done 4/4 -" \
	"$(fb_status state) $(fb_status progress) $(fb_status reason)"

fb_null size=64 memory_backed=1 irqmode=2 completion_nsec=20000000
fbdata fill "/dev/$dev" 7
before=$(fbdata sum "/dev/$dev")
fb_write target "$dev" >/tmp/res
fb_write write_mode preserve >/tmp/res
line="find-fat erasesize=4M blocksize=128K fat-nr=4"
fbt write $FB/run "$line" >/tmp/writer &
writer=$!
fb_wait running
sleep 3
kill -INT $writer
wait $writer
fb_is "a writing run is cancelled" "ECANCELED cancelled" \
	"$(cat /tmp/writer) $(fb_status state)"
fb_that "in the middle" [ "$(fb_status written_bytes)" -gt 1000000 ]
fb_is "still armed" "off [preserve] destroy" "$(cat $FB/write_mode)"
fb_is "preserve has preserved" "$before" "$(fbdata sum "/dev/$dev")"

fb_done
