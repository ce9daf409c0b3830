#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# tools/lab bench: how far from the truth is a measured latency, and what does
# measuring cost? Ours and the peers', side by side, from one run in virtual
# time, where null_blk takes exactly as long as it is told and a nanosecond is
# the same on every machine.
#
# The truth is 1 ms. Everybody reads 4 KiB at random places, one at a time,
# 500 times, without a scheduler in between.
. /selftests/lib.sh

TRUTH=1000000
SAMPLES=500
INSTRUCTION_NS=2	# -icount shift=1

# bench_stats FILE: median and p99 (nearest rank) of a number a line
bench_stats()
{
	head -n $SAMPLES "$1" | sort -n | awk '
		{ v[NR] = $1 }
		END {
			median = v[int((NR + 1) / 2)]
			print NR, median, v[int((NR * 99 + 99) / 100)]
		}'
}

# bench_row NAME FILE: a row of the table; sets $bias and $tail
bench_row()
{
	# shellcheck disable=SC2046 # three numbers
	set -- "$1" $(bench_stats "$2")
	if [ "${2:-0}" != $SAMPLES ]; then
		fb_fail "$1: $SAMPLES samples" "there are ${2:-none}"
		return
	fi
	bias=$(($3 - TRUTH)) tail=$(($4 - $3))
	printf '# %-26s %12d %+9d %9d\n' "$1" "$3" "$bias" "$tail"
}

# bench_fio ENGINE IOS [OPTION]...
bench_fio()
{
	engine=$1 ios=$2
	shift 2
	fio --name=bench --filename="/dev/$dev" --direct=1 --rw=randread \
		--bs=4k --ioengine="$engine" --iodepth=1 --number_ios="$ios" \
		--size=100% --minimal "$@"
}

bench_fio_latencies()
{
	bench_fio "$1" $SAMPLES --write_lat_log="/tmp/$1" >/dev/null
	awk -F', *' '{ print $2 }' "/tmp/${1}_lat.1.log" >"/tmp/$1"
}

bench_old()
{
	flashbench-2011 -s --scatter-order=9 --scatter-span=1 --blocksize=4096 \
		--count=1 -o /tmp/old.out "/dev/$dev"
	# milliseconds with six digits
	awk '{ printf "%d\n", $2 * 1000000 + 0.5 }' /tmp/old.out >/tmp/old
}

# bench_ours LINE: runs it; the columns latency_ns and driver_ns
bench_ours()
{
	fb_is "run '$1'" "OK OK" \
		"$(fb_write target "$dev") $(fb_write run "$1")"
	grep -v '^[#s]' "$FB/results/scatter.samples" >/tmp/samples
	cut -f 7 /tmp/samples >/tmp/latency
	cut -f 10 /tmp/samples >/tmp/driver
}

# bench_under NAME LIMIT VALUE: at most that, on either side of 0
bench_under()
{
	if [ "$3" -le "$2" ] && [ "$3" -ge "-$2" ]; then
		fb_ok "$1: at most $2, is $3"
	else
		fb_fail "$1: at most $2" "is $3"
	fi
}

bench_latency()
{
	fb_null completion_nsec=$TRUTH irqmode=2 size=64 blocksize=512
	echo none >"/sys/block/$dev/queue/scheduler"
	echo "# latency of 4 KiB reads, truth $TRUTH ns, ns:"
	printf '# %-26s %12s %9s %9s\n' "" median bias p99-p50
	bench_old
	bench_row "flashbench (2011)" /tmp/old
	bench_fio_latencies psync
	bench_row "fio psync" /tmp/psync
	bench_fio_latencies io_uring
	bench_row "fio io_uring" /tmp/io_uring
	bench_ours "scatter blocksize=4K count=1"
	bench_row "flashbench.ko" /tmp/latency
	ours_bias=$bias ours_tail=$tail
	bench_ours "scatter blocksize=4K count=1 diag=1"
	bench_row "flashbench.ko diag, driver" /tmp/driver
	bench_under "bias, ns" 5000 "$ours_bias"
	bench_under "p99 - p50, ns" 300 "$ours_tail"
	# null_blk starts its timer some 1.0 us after it was given the request,
	# and the interrupt of the timer takes some 0.8 us to complete it
	bench_under "bias of the driver's share, ns" 2200 "$bias"
}

# bench_pace NAME NS_PER_IO
bench_pace()
{
	printf '# %-26s %12d %9d %9d\n' "$1" $((1000000000 / $2)) "$2" \
		$(($2 / INSTRUCTION_NS))
}

# Nanoseconds per I/O of fio: its field 8 of the terse format is read IOPS
bench_fio_pace()
{
	bench_fio "$1" 49152 | awk -F';' '$1 == 3 { printf "%d\n", 1e9 / $8 }'
}

bench_speed()
{
	fb_null completion_nsec=0 irqmode=0 size=64 blocksize=512
	echo none >"/sys/block/$dev/queue/scheduler"
	echo "# 4 KiB reads of a device that takes no time, depth 1:"
	printf '# %-26s %12s %9s %9s\n' "" I/Os/s ns/I/O instr/I/O
	psync=$(bench_fio_pace psync)
	bench_pace "fio psync" "$psync"
	uring=$(bench_fio_pace io_uring)
	bench_pace "fio io_uring" "$uring"
	bench_ours "scatter blocksize=4K count=3 scatter-order=14"
	ours=$(($(fb_status elapsed_ns) / 49152))
	bench_pace "flashbench.ko" $ours
	fb_that "more I/Os per second than fio psync" [ $ours -lt "$psync" ]
	fb_that "more I/Os per second than fio io_uring" [ $ours -lt "$uring" ]
}

bench_free()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	awk '$1 == "MemFree:" { print $2 }' /proc/meminfo
}

# What the module takes, loaded and in a run whose buffer and samples are small
bench_memory()
{
	fb_null completion_nsec=100000000 irqmode=2 size=64 blocksize=512
	fb_unload
	before=$(bench_free)
	fb_load
	loaded=$(bench_free)
	fb_is "a run starts" "OK OK" "$(fb_write target "$dev"
		) $(fb_start "scatter blocksize=4K count=8")"
	running=$(bench_free)
	fb_write cancel 1 >/dev/null
	# 4096 samples of 56 bytes, each also an entry of the lists of a result
	echo "# memory: code and data $(cat /sys/module/flashbench/coresize)" \
		"bytes; free memory fell by $((before - loaded)) KiB when it" \
		"was loaded, by $((loaded - running)) KiB more in a run with" \
		"4096 samples"
	bench_under "KiB taken" 1024 $((before - running))
}

bench_latency
bench_speed
bench_memory
fb_done
