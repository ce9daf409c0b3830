#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashsim: cards and slots that go, whatever is going on.
# shellcheck disable=SC2086,SC2317 # numbers and names, called by name
. "$(dirname "$0")/lib.sh"

# use COMMAND...: in the background, again and again until stop
use()
{
	while [ ! -e /tmp/stop ]; do
		"$@"
	done >/dev/null 2>&1 &
	users="$users $!"
}

begin()
{
	rm -f /tmp/stop
	users=
}

stop()
{
	touch /tmp/stop
	wait $users
}

direct_read()
{
	fbdata sum "/dev/$1" 0 1048576 || sleep 0.1
}

direct_write()
{
	fbdata fill "/dev/$1" 1 0 524288 || sleep 0.1
}

sleep_sync()
{
	sleep 0.1
	sync
}

read_truth()
{
	cat "$sim/totals" "$sim/config" "$sim/blocks" "$sim/open"
	sleep 0.1
}

head -c 300000 /dev/urandom >/tmp/data

# ---- a card that comes and goes ----

for card in "" "type=mmc cache=512K cache_bps=100M wait_busy=0"; do
	# slow, so that there is always a command under way and little to do
	sim_load "size=64M erase=1M page=4K read_ns=3ms write_ns=5ms $card"
	name=$dev
	begin
	use direct_read "$name"
	use direct_write "$name"
	use read_truth
	for i in $(seq 12); do
		sleep 0.0$((i % 7))3
		echo 0 >"$sim/present"
		sleep 0.$((i % 4))1
		echo 1 >"$sim/present"
		[ $((i % 3)) = 0 ] || sim_wait
	done
	stop
	sim_wait
	fb_that "in and out 12 times during I/O, it works" sim_write 0 4096
	fb_is "and is the one it was" "$name" "$dev"

	# nobody waits for what is under way
	begin
	use direct_read "$name"
	use direct_write "$name"
	use read_truth
	sleep 0.1
	fb_that "unloading during I/O" sim_unload
	stop
done

# ---- a slot that has hardly come ----

failed=0
for i in $(seq 0 2 30); do
	insmod /lab/flashsim.ko card="\"size=64M,type=mmc size=64M\"" &&
		sleep 0.0$i && rmmod flashsim || failed=$((failed + 1))
done
fb_is "unloading at any time after loading" 0 $failed

# ---- mounted ----

if command -v mkfs.ext4 >/dev/null; then
	modprobe ext4
	for how in unload pull; do
		sim_load "size=64M erase=1M page=4K write_ns=2ms write_bps=3M"
		mkfs.ext4 -q "/dev/$dev"
		mount -t ext4 "/dev/$dev" /mnt
		begin
		use cp /tmp/data /mnt/one
		use cp /tmp/data /mnt/two
		use sleep_sync
		sleep 1.01
		if [ $how = unload ]; then
			fb_that "unloading under a file system in use" rmmod flashsim
		else
			fb_that "pulling a card with a file system in use" sim_pull
		fi
		stop
		fb_that "$how: it can be unmounted" umount /mnt
		[ $how = unload ] && continue
		sim_insert
		fb_that "$how: and is there again" sim_read 0 4096
		sim_unload
	done
else
	fb_skip "a mounted card" "there is no mkfs.ext4"
fi

# ---- as a target ----

slow_card="size=64M erase=1M page=4K read_ns=700us"
sim_load "$(sim_card)" "$slow_card"
sim_use 1
slow=$dev
sim_use 0
median()
{
	fb_write target "$1" >/tmp/res
	fb_write run "align blocksize=4K count=1" >/tmp/res
	fb_write target "" >/tmp/res
	sed '/^#/d' $FB/results/align.samples | sed 1d | cut -f 7 | sort -n |
		sed -n 20p
}
fb_that "two cards, measured in turn, are two" \
	[ "$(median $slow)" -gt $(($(median $dev) + 400000)) ]
for mode in off preserve destroy; do
	fb_write target "$slow" >/tmp/res
	fb_write write_mode $mode >/tmp/res
	test="align count=1000"
	[ $mode = off ] || test="find-fat erasesize=1M"
	fbt write $FB/run "$test" >/tmp/writer &
	writer=$!
	fb_wait running
	fb_that "$mode: unloading during a run" rmmod flashsim
	wait $writer
	fb_is "$mode: which ends" ENODEV "$(cat /tmp/writer)"
	fb_is "$mode: the target has gone" ENODEV "$(fb_write run interval)"
	fb_is "$mode: and can be released" OK "$(fb_write target "")"
	sim_load "$(sim_card)" "$slow_card"
	sim_use 1
	slow=$dev
done
sim_unload

# ---- many ----

set --
for i in 1 2 3 4 5 6 7 8; do
	set -- "$@" "size=${i}6M erase=1M page=4K read_ns=3ms write_ns=5ms seed=$i"
done
sim_load "$@"
sizes=
names=
for i in 0 1 2 3 4 5 6 7; do
	sim_use $i
	names="$names $dev"
	sizes="$sizes $(($(cat "/sys/block/$dev/size") / 2048))"
done
fb_is "eight cards" " 16 26 36 46 56 66 76 86" "$sizes"
begin
for name in $names; do
	use direct_read $name
	use direct_write $name
done
sleep 0.5
fb_is "all at work" 8 "$(cat $SIM/*/totals |
	awk '/^written_bytes/ && $2 > 10000 { n++ } END { print n }')"
fb_that "unloading all of them" rmmod flashsim
stop

fb_done
