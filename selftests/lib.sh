# SPDX-License-Identifier: GPL-2.0-only
# What a selftest needs. A test is a file t_NAME.sh that runs in the virtual
# machine as root under busybox sh:
#
#	. "$(dirname "$0")/lib.sh"	loads the module, fresh
#	fb_is "..." WANT GOT		one result a call (TAP)
#	...
#	fb_done				prints the plan, cleans up, unloads
#
# A file that does not reach fb_done has failed. Time is virtual: a sleep costs
# nothing, and the same test takes the same nanoseconds everywhere.
#
# Results:
#	fb_ok NAME
#	fb_fail NAME [DIAGNOSTIC]...
#	fb_skip NAME REASON
#	fb_is NAME WANT GOT		equal strings
#	fb_like NAME REGEX GOT		an extended regular expression matches
#	fb_that NAME COMMAND...		the command succeeds
#	fb_fails NAME COMMAND...	the command fails
# The interface:
#	fb_write FILE TEXT		one write; prints OK or the errno's name
#	fb_writes <<EOF			a table of writes, a result a row:
#	WANT | FILE | TEXT | REGEX	 REGEX, if any, is for status' reason:
#	fb_read FILE			prints it
#	fb_status KEY			the value of a line of status
#	fb_refused LINE			a run: prints the errno and the reason
#	fb_start LINE			starts a run, does not wait
#	fb_wait [STATE]			until it has ended, or STATE is reached
# Devices, gone at the end; the name (without /dev) is in $dev:
#	fb_null KEY=VALUE...		null_blk, by its configfs attributes
#	fb_loop MIB			loop on a sparse file
#	fb_scsi KEY=VALUE...		scsi_debug
#	fb_hold DEVICE ro|rw|excl	keeps it open, pid in $held
#	fb_drop				closes it again
#	fb_io DEVICE			what it has done: reads, sectors read,
#					writes, sectors written, discards
#	fb_slow MS [KEY=VALUE...]	null_blk, 64 MiB, so long for a bio
#	sim_load CARD...		a simulated SD card or eMMC: sim.sh
#	fb_atexit COMMAND		run at the end, last one first

# shellcheck source=selftests/sim.sh
. "$(dirname "$0")/sim.sh"

FB=/sys/kernel/debug/flashbench
fb_count=0
fb_cleanup=
fb_finished=
dev=
held=

# ---- results ----

fb_ok()
{
	fb_count=$((fb_count + 1))
	echo "ok $fb_count $1"
}

fb_fail()
{
	fb_count=$((fb_count + 1))
	echo "not ok $fb_count $1"
	shift
	for fb_line; do
		printf '%s\n' "$fb_line" | sed 's/^/# /'
	done
}

fb_skip()
{
	fb_count=$((fb_count + 1))
	echo "ok $fb_count $1 # SKIP $2"
}

fb_is()
{
	if [ "$2" = "$3" ]; then
		fb_ok "$1"
	else
		fb_fail "$1" "wanted: $2" "got:    $3"
	fi
}

fb_like()
{
	if printf '%s\n' "$3" | grep -qE -e "$2"; then
		fb_ok "$1"
	else
		fb_fail "$1" "wanted a match of: $2" "got: $3"
	fi
}

fb_that()
{
	fb_name=$1
	shift
	if fb_out=$("$@" 2>&1); then
		fb_ok "$fb_name"
	else
		fb_fail "$fb_name" "failed: $*" "$fb_out"
	fi
}

fb_fails()
{
	fb_name=$1
	shift
	if fb_out=$("$@" 2>&1); then
		fb_fail "$fb_name" "succeeded: $*" "$fb_out"
	else
		fb_ok "$fb_name"
	fi
}

# ---- the module's interface ----

fb_write()
{
	fbt write "$FB/$1" "$2"
}

fb_read()
{
	fbt read "$FB/$1"
}

fb_status()
{
	sed -n "s/^$1: *//p" "$FB/status"
}

fb_trim()
{
	printf '%s\n' "$1" | sed 's/^[[:blank:]]*//; s/[[:blank:]]*$//'
}

fb_writes()
{
	while IFS='|' read -r fb_want fb_file fb_text fb_regex; do
		# the shell's own means: a table has hundreds of rows
		# shellcheck disable=SC2086 # two words
		set -- $fb_want $fb_file
		[ $# = 2 ] || continue
		fb_want=$1 fb_file=$2
		fb_text=${fb_text# }
		while [ "$fb_text" != "${fb_text% }" ]; do
			fb_text=${fb_text% }
		done
		while [ "$fb_regex" != "${fb_regex# }" ]; do
			fb_regex=${fb_regex# }
		done
		fb_is "'$fb_text' to $fb_file gives $fb_want" "$fb_want" \
			"$(fb_write "$fb_file" "$fb_text")"
		[ -z "$fb_regex" ] ||
			fb_like "'$fb_text' to $fb_file: the reason" \
				"$fb_regex" "$(fb_status reason)"
	done
}

fb_refused()
{
	echo "$(fb_write run "$1") $(fb_status reason)"
}

fb_start()
{
	fbt write -b "$FB/run" "$1"
}

# Up to an hour, which is virtual
fb_wait()
{
	fb_tries=36000
	while [ "$fb_tries" -gt 0 ]; do
		fb_state=$(fb_status state)
		case $1:$fb_state in
		:running | :cancelling) ;;
		:* | "$fb_state:$fb_state") return 0 ;;
		esac
		sleep 0.1
		fb_tries=$((fb_tries - 1))
	done
	echo "# waited in vain for state ${1:-not running}"
	return 1
}

# ---- devices ----

fb_atexit()
{
	fb_cleanup="$*
$fb_cleanup"
}

fb_null()
{
	[ -d /sys/kernel/config/nullb ] || {
		modprobe null_blk nr_devices=0
		[ -d /sys/kernel/config/nullb ] ||
			mount -t configfs config /sys/kernel/config
	}
	fb_nulls=$((${fb_nulls:--1} + 1))
	fb_dir=/sys/kernel/config/nullb/fb$fb_nulls
	mkdir "$fb_dir" || return
	for fb_attr; do
		echo "${fb_attr#*=}" >"$fb_dir/${fb_attr%%=*}" || return
	done
	echo 1 >"$fb_dir/power" || return
	# newer kernels name it after the directory
	dev=nullb$(cat "$fb_dir/index")
	[ -b "/dev/$dev" ] || dev=fb$fb_nulls
	fb_atexit "echo 0 >$fb_dir/power; rmdir $fb_dir"
}

fb_loop()
{
	modprobe loop
	fb_file=$(mktemp /tmp/loop.XXXXXX)
	truncate -s "$1M" "$fb_file"
	dev=$(losetup -f) && dev=${dev#/dev/}
	losetup "/dev/$dev" "$fb_file" || return
	fb_atexit "losetup -d /dev/$dev; rm $fb_file"
}

fb_scsi()
{
	modprobe sd_mod
	modprobe scsi_debug "$@" || return
	fb_tries=50
	until dev=$(fb_scsi_disk) && [ -b "/dev/$dev" ]; do
		fb_tries=$((fb_tries - 1))
		[ "$fb_tries" -gt 0 ] || return 1
		sleep 0.1
	done
	fb_atexit "fb_retry rmmod scsi_debug"
}

fb_scsi_disk()
{
	ls /sys/bus/pseudo/drivers/scsi_debug/adapter0/host*/target*/*/block \
		2>/dev/null
}

fb_hold()
{
	rm -f /tmp/held
	fbt hold "/dev/$1" "$2" >/tmp/held &
	held=$!
	fb_atexit "kill $held 2>/dev/null"
	until [ -s /tmp/held ]; do
		sleep 0.01
	done
	[ "$(cat /tmp/held)" = OK ]
}

fb_drop()
{
	kill "$held"
	wait "$held" 2>/dev/null
	held=
}

fb_io()
{
	read -r fb_r _ fb_rs _ fb_w _ fb_ws _ _ _ _ fb_d _ \
		<"/sys/class/block/$1/stat"
	echo "$fb_r $fb_rs $fb_w $fb_ws $fb_d"
}

fb_slow()
{
	fb_ms=$1
	shift
	fb_null size=64 irqmode=2 completion_nsec="${fb_ms}000000" "$@"
}

# Closing a device is finished a moment after the call
fb_retry()
{
	fb_tries=10
	until "$@" 2>/dev/null; do
		fb_tries=$((fb_tries - 1))
		[ "$fb_tries" -gt 0 ] || break
		sleep 0.2
	done
	[ "$fb_tries" -gt 0 ] || "$@"
}

# ---- beginning and end ----

fb_load()
{
	[ -d /sys/module/flashbench ] || insmod /lab/flashbench.ko
}

fb_unload()
{
	[ ! -d /sys/module/flashbench ] || fb_retry rmmod flashbench
}

fb_done()
{
	fb_finished=1
	exit 0
}

fb_end()
{
	trap - EXIT
	# the module first: it may hold what is cleaned up
	fb_unload || fb_fail "the module can be unloaded at the end"
	eval "$fb_cleanup"
	sim_unload || fb_fail "flashsim can be unloaded at the end"
	[ -n "$fb_finished" ] || fb_fail "the file ran to its fb_done"
	echo "1..$fb_count"
}

trap fb_end EXIT
fb_load || fb_fail "the module loads"
