#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# One run at a time: what can be read and what cannot be changed meanwhile.
# shellcheck disable=SC2119 # arguments are optional
. "$(dirname "$0")/lib.sh"

fb_slow 100
fb_write target "$dev" >/tmp/res
fb_write range 0+32M >/tmp/res
fb_write write_mode destroy >/tmp/res
line="interval interval-order=10 count=9"	# 10 s
fb_is "a first run" OK "$(fb_write run 'interval interval-order=2 count=1')"
table=$(cat $FB/results/interval)
fb_start "$line" >/tmp/res
sleep 1
before=$(sed -n 1,2p $FB/status)

fb_writes <<EOF
EBUSY | target     | mmcblk0       | ^target: a run is in progress
EBUSY | target     |               | ^target: a run is in progress
EBUSY | target     | $dev          | ^target:
EBUSY | target     | nosuchdisk    | ^target:
EBUSY | range      | 0+1M          | ^range: a run is in progress
EBUSY | range      | junk          | ^range:
EBUSY | write_mode | off           | ^write_mode: a run is in progress
EBUSY | write_mode | destroy       | ^write_mode:
EBUSY | write_mode | junk          | ^write_mode:
EBUSY | run        | scatter       | ^run: a run is in progress
EBUSY | run        | $line         | ^run:
EBUSY | run        | bogus         | ^run:
EBUSY | run        |               | ^run:
EBUSY | run        | align dryrun  | ^run:
EOF
fb_is "O_NONBLOCK is no less busy" EBUSY "$(fb_start scatter)"

fb_is "status is about the run all the same" "$before" \
	"$(sed -n 1,2p $FB/status)"
fb_is "nothing has changed: target" "$dev" "$(cat $FB/target)"
fb_is "nothing has changed: range" 0+33554432 "$(cat $FB/range)"
fb_is "nothing has changed: mode" "off preserve [destroy]" \
	"$(cat $FB/write_mode)"

# all that can be read is there at once
begin=$(cut -d ' ' -f 1 /proc/uptime)
fb_is "the result of the run before" "$table" "$(cat $FB/results/interval)"
fb_is "no result yet" ENODATA "$(fb_read results/align)"
fb_is "info" "device: $dev" "$(head -n 1 $FB/info)"
fb_like "tests" "^align" "$(head -n 1 $FB/tests)"
fb_like "in no time" "^0\.0" "$(cut -d ' ' -f 1 /proc/uptime |
	awk -v begin="$begin" '{printf "%.2f\n", $1 - begin}')"
fb_is "it still runs" running "$(fb_status state)"

fb_wait
fb_is "it has ended well" "done 100/100" \
	"$(fb_status state) $(fb_status progress)"
fb_is "refusals are forgotten" - "$(fb_status reason)"
fb_is "now the next one can start" OK "$(fb_start "$line")"
fb_is "cancel it" OK "$(fb_write cancel 1)"
fb_writes <<EOF
OK | range      | 0+1M    |
OK | write_mode | off     |
OK | target     | mmcblk0 |
EOF

fb_done
