# SPDX-License-Identifier: GPL-2.0-only
# Simulated cards, for scripts in the virtual machine; sourced. The MMC stack
# makes a block device of each, see Documentation/flashsim.rst.
#
#	sim_load CARD...		loads flashsim; a CARD is a description
#					(KEY=VALUE ...) or the name of a profile
#	sim_unload			and unloads it
#	sim_use N			the N-th card, from 0, is the one meant:
#					$host, $dev (no /dev), $sim (in debugfs)
#	sim_pull, sim_insert		takes it out, puts it in
#	sim_total KEY			what it counted
#	sim_reset			counts from nothing
#	sim_card [KEY=VALUE]...		describes a small card
#	sim_read, sim_write OFFSET LENGTH	one command, directly
#	sim_elapsed COMMAND...		how long it takes, in 1/100 s
#	sim_attr NAME			what sysfs says of the card
#	sim_until COMMAND...		waits for it to succeed, up to ten
#					seconds, which are virtual

SIM=/sys/kernel/debug/flashsim
sim_profiles=/selftests/cards

sim_until()
{
	sim_tries=100
	until "$@" 2>/dev/null; do
		sim_tries=$((sim_tries - 1))
		[ $sim_tries -gt 0 ] || return 1
		sleep 0.1
	done
}

# sim_describe CARD: as flashsim wants it
sim_describe()
{
	case $1 in
	*=*) printf '%s' "$1" ;;
	*) sed 's/#.*//' "$sim_profiles/$1.card" | tr -s '\n' ' ' ;;
	esac
}

sim_load()
{
	sim_cards=
	for sim_card; do
		sim_card=$(sim_describe "$sim_card") || return
		sim_cards="$sim_cards${sim_cards:+,}$sim_card"
	done
	insmod /lab/flashsim.ko card="\"$sim_cards\"" || return
	sim_use 0
}

sim_unload()
{
	[ ! -d /sys/module/flashsim ] || sim_until rmmod flashsim
}

# Which block device hangs below $host? Its boot partitions have names, too.
sim_disk()
{
	for sim_path in /sys/class/mmc_host/"$host/$host":*/block/*; do
		sim_name=${sim_path##*/}
		[ -b "/dev/$sim_name" ] && echo "$sim_name" && return 0
	done
	return 1
}

sim_use()
{
	# hosts are mmcN, in the order of the cards
	# shellcheck disable=SC2012
	host=$(ls $SIM | sort -V | sed -n "$(($1 + 1))p")
	sim=$SIM/$host
	[ "$(cat "$sim/present")" = 0 ] || sim_wait
}

sim_wait()
{
	sim_until sim_disk >/dev/null && dev=$(sim_disk)
}

sim_gone()
{
	! sim_disk
}

sim_pull()
{
	echo 0 >"$sim/present"
	sim_until sim_gone
}

sim_insert()
{
	echo 1 >"$sim/present"
	sim_wait
}

sim_total()
{
	sed -n "s/^$1: //p" "$sim/totals"
}

sim_reset()
{
	echo 0 >"$sim/totals"
}

# sim_card [KEY=VALUE]...: a small card for a test
# shellcheck disable=SC2120 # nothing need be added
sim_card()
{
	echo "size=64M erase=1M page=4K planes=1 read_ns=100us $*"
}

# sim_read OFFSET LENGTH, sim_write OFFSET LENGTH: one command, if the offset is
# a multiple of the length
sim_read()
{
	dd if="/dev/$dev" of=/dev/null bs="$2" skip=$(($1 / $2)) count=1 \
		iflag=direct 2>/dev/null
}

sim_write()
{
	dd if=/dev/zero of="/dev/$dev" bs="$2" seek=$(($1 / $2)) count=1 \
		oflag=direct conv=notrunc,fsync 2>/dev/null
}

# sim_elapsed COMMAND...: prints how many hundredths of a second it took
sim_elapsed()
{
	sim_start=$(sed 's/ .*//; s/\.//' /proc/uptime)
	"$@"
	echo $(($(sed 's/ .*//; s/\.//' /proc/uptime) - sim_start))
}

# sim_attr NAME: an attribute of the card
sim_attr()
{
	cat "/sys/block/$dev/device/$1"
}
