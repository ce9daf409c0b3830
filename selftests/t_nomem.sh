#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Memory runs out: of all that a module asks for, one thing after another is
# not given. What was to be done is then refused, or done without; nothing
# breaks, and nothing is lost.
# shellcheck disable=SC2013,SC2046,SC2086,SC2119,SC2317 # words, called by name
. "$(dirname "$0")/lib.sh"

faults="/sys/kernel/debug/failslab /sys/kernel/debug/fail_page_alloc"
for fault in $faults; do
	[ -e "$fault/require-start" ] || {
		fb_skip "memory runs out" "the kernel has no ${fault##*/}"
		fb_done
	}
done
tainted=$(cat /proc/sys/kernel/tainted)

# only what fail-nth of a task says fails, and all that may
set_faults()
{
	for fault in $faults; do
		echo "$2" >"$fault/$1"
	done
}

set_faults verbose 0
set_faults ignore-gfp-wait N
echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order

# asked START END: only by code between these addresses, or what it calls
asked()
{
	set_faults require-start "0x$1"
	set_faults require-end "0x$2"
}

# while a module is initialised; where it will be is not known before
asked_by_init()
{
	asked $(sed -n '/ do_init_module$/{p;n;p;}' /proc/kallsyms |
		cut -d ' ' -f 1)
}

# by the code of a module. Its last function is short.
asked_by()
{
	awk -v name="[$1]" '$4 == name && $2 ~ /[tT]/ { print $1 }' \
		/proc/kallsyms | sort >/tmp/symbols
	last=$(tail -n 1 /tmp/symbols)
	asked "$(head -n 1 /tmp/symbols)" \
		"$(printf '%x' $((0x$last + 0x200)))"
}

# count: how often there was no memory
count()
{
	set -- $faults
	echo $((2000000 - $(cat "$1/times") - $(cat "$2/times")))
}

# nth COMMAND...: the $n-th thing it asks for is not there
nth()
{
	sh -c 'echo "$0" >/proc/self/fail-nth; exec "$@"' "$n" "$@"
}

# worker COMMAND...: what kernel threads ask for meanwhile
worker()
{
	arm_workers "$n"
	"$@"
	arm_workers 0
}

arm_workers()
{
	for comm in $(grep -l '^kworker/' /proc/[0-9]*/comm 2>/dev/null); do
		echo "$1" >"${comm%comm}fail-nth"
	done 2>/dev/null
}

# each NAME COMMAND...: COMMAND, which prints OK or an error, until it has got
# all it asked for; a thread may be new, so twice. The first requests fail each,
# of the later ones, which are much alike, fewer and fewer.
each()
{
	what=$1
	shift
	set_faults times 1000000
	n=0
	enough=0
	: >/tmp/outcomes
	while [ $enough -lt 2 ] && [ $n -lt 2000 ]; do
		n=$((n + 1 + n / 4))
		before=$(count)
		"$@" >>/tmp/outcomes
		[ "$(count)" != "$before" ] && enough=0 || enough=$((enough + 1))
	done
	fb_that "$what: requests failed, $(count) of them" [ "$(count)" -gt 0 ]
	fb_is "$what: all else is done or refused" "" \
		"$(grep -vxE 'OK|ENOMEM' /tmp/outcomes | sort | uniq -c)"
	fb_is "$what: and all goes well in the end" OK \
		"$(tail -n 1 /tmp/outcomes)"
}

# ---- loading ----

# loads FILE [PARAMETER]...
loads()
{
	out=$(nth insmod "$@" 2>&1)
	name=${1##*/}
	name=${name%.ko}
	if [ -d "/sys/module/$name" ]; then
		echo OK
		sim_until rmmod "$name" || echo "$name cannot be unloaded"
	else
		case $out in
		*"Cannot allocate memory") echo ENOMEM ;;
		*) echo "$out" ;;
		esac
	fi
}

fb_unload
asked_by_init
each "loading" loads /lab/flashbench.ko
each "loading flashsim" loads /lab/flashsim.ko \
	'card="size=64M erase=1M page=4K boot=1M type=mmc,size=32M"'
fb_load

# ---- a target, a run, its results ----

sets()
{
	nth fbt write $FB/target "$dev"
	fb_write target "" >/tmp/res
}

arms()
{
	nth fbt write $FB/write_mode preserve
	fb_write write_mode off >/tmp/res
}

reads()
{
	if nth fbt read "$1" >/tmp/read; then
		echo OK
	else
		tail -n 1 /tmp/read
	fi
}

sim_load "$(sim_card)"
asked_by flashbench
each "a target" sets
fb_write target "$dev" >/tmp/res
each "a claim" arms
fb_write write_mode preserve >/tmp/res
for line in find-fat scatter; do
	case $line in
	find-fat) more="erasesize=64K fat-nr=2 blocksize=16K" ;;
	scatter) more="blocksize=256K count=1 scatter-order=2 diag" ;;
	esac
	each "$line" nth fbt write $FB/run "$line $more"
	each "$line, its worker" worker fb_write run "$line $more"
	fb_is "$line: is as it was" OK "$(fb_write run "$line $more")"
done
for file in target status info tests results/find-fat results/find-fat.tsv \
	results/scatter.samples; do
	each "reading $file" reads $FB/$file
done
fb_write target "" >/tmp/res

# ---- a card ----

# by dd or by a worker, whoever finds it in the queue; the driver tries again, so
# that it may well succeed
writes()
{
	if nth dd if=/tmp/data of="/dev/$dev" bs=64k count=1 oflag=direct \
		2>/tmp/res; then
		echo OK
	elif grep -qE "(I/O|Input/output) error" /tmp/res; then
		echo ENOMEM
	else
		cat /tmp/res
	fi
	blkdiscard -o 0 -l 1048576 "/dev/$dev"
}

head -c 65536 /dev/urandom >/tmp/data
asked_by flashsim
each "the content of a card" worker writes
for file in config totals blocks open fail; do
	each "reading $file of a card" reads "$sim/$file"
done
each "a rule of a card" nth fbt write "$sim/fail" "fail:read@1000-1001*1"
echo clear >"$sim/fail"
dd if=/tmp/data of="/dev/$dev" bs=64k oflag=direct 2>/dev/null
fb_is "the card is as it was" "$(md5sum </tmp/data)" \
	"$(dd if="/dev/$dev" bs=64k count=1 iflag=direct 2>/dev/null | md5sum)"
sim_unload

# ---- and in the end ----

asked 0 ffffffffffffffff
fb_unload
fb_is "the kernel has nothing to complain of" "$tainted" \
	"$(cat /proc/sys/kernel/tainted)"
fb_load

fb_done
