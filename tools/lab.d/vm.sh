# SPDX-License-Identifier: GPL-2.0-only
# One virtual machine: boots, runs a script, and judges how it went.
# Sourced by tools/lab; needs common.sh, kernel.sh and initramfs.sh.
#
# KVM is not used: it hangs on too many machines. With -icount the guest's
# clock counts instructions, and idle time costs nothing: the same run gives
# the same nanoseconds everywhere. For that the date, what is random, and the
# archive the guest boots from have to be the same, too. And it may have no
# disk that a thread of QEMU's reads: that takes as long as it takes.

vm_packages="$build_packages qemu-system-x86 cpio libjansson-dev"

# Settings of one run
vm_kernel=
vm_time=virtual
vm_append=
vm_programs=
vm_shell=
vm_card=	# profile or description of a simulated one
vm_disk=	# with a disk that is no card
vm_limit=600	# seconds of processor time
vm_memory=1024

# vm_prepare SCRIPT ARGUMENT...: modules, archives and disks in $rundir
vm_prepare()
{
	[ -n "$vm_kernel" ] || vm_kernel=$(default_kernel)
	build_modules "$vm_kernel"
	build_helpers
	build_command
	busybox=$cache/kernel-$vm_kernel/busybox
	base=$(base_archive "$vm_kernel")
	# shellcheck disable=SC2086 # a list
	programs=$(program_archive guest $guest_programs)
	# shellcheck disable=SC2086
	[ -z "$vm_programs" ] || programs="$programs $(
		program_archive bench $vm_programs)"
	overlay_archive "$vm_kernel" "$@" >"$rundir/overlay.cpio"
	# shellcheck disable=SC2086
	cat "$base" $programs "$rundir/overlay.cpio" >"$rundir/initramfs"
	truncate -s 1G "$rundir/card.img"
	truncate -s 256M "$rundir/disk.img"
	case $1 in
	*/selftests/run.sh) vm_disk=1 ;;
	esac
}

# The kernel tests its ciphers in the background, long after it has booted, and
# that thread does not give way to ours in the middle of a block.
vm_args="cryptomgr.notests"

# vm_boot COMMAND...: QEMU, started by COMMAND (timeout). The port for results
# is our stdin and stdout.
vm_boot()
{
	set -- "$@" qemu-system-x86_64
	case $vm_time in
	virtual)
		set -- "$@" -accel tcg -icount shift=1,sleep=off -seed 1 \
			-rtc base=2026-01-01T00:00:00,clock=vm
		;;
	real)
		set -- "$@" -accel tcg,thread=multi -smp 2
		;;
	esac
	[ -z "$vm_disk" ] || set -- "$@" -device virtio-blk-pci,drive=disk \
		-drive "if=none,id=disk,format=raw,file=$rundir/disk.img"
	release=$(cat "$cache/kernel-$vm_kernel/release")
	# there, ACPI takes so long to find the interrupts that it gives up
	[ "$vm_kernel" != debug ] || vm_append="acpi=noirq noapic $vm_append"
	"$@" -pidfile "$rundir/qemu.pid" -M pc -m "$vm_memory" \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$cache/kernel-$vm_kernel/boot/vmlinuz-$release" \
		-initrd "$rundir/initramfs" \
		-append "console=ttyS0 tsc=reliable panic=-1 $vm_args $vm_append" \
		-chardev "file,id=console,path=$rundir/console.log" \
		-serial chardev:console \
		-chardev stdio,id=results,signal=off -serial chardev:results \
		-drive "if=none,id=card,format=raw,file=$rundir/card.img" \
		-device sdhci-pci -device sd-card,drive=card
}

# What no run may leave in the kernel's log. I/O errors are not among them: a
# test may well provoke those.
klog_bad='WARNING:|BUG:|Oops|Kernel panic|general protection|Call Trace'
klog_bad="$klog_bad|blocked for more than|rcu.*(stall|self-detected)"
klog_bad="$klog_bad|possible (recursive|circular|irq)|suspicious RCU"
klog_bad="$klog_bad|soft lockup|hard LOCKUP|UBSAN:|KASAN:|KCSAN:"
klog_bad="$klog_bad|kmemleak: [0-9]+ new"
klog_bad="$klog_bad|refcount_t:|list_(add|del) corruption|scheduling while"
klog_bad="$klog_bad|sleeping function called|Unable to handle|stack-protector"

# vm_run NAME: what vm_prepare has made; the script's output goes to stdout as
# it comes. Returns 0 if the script did and the kernel has nothing to complain
# of, 1 if the script failed, 3 if the machine or its kernel did; and says so.
# Keeps $logs/NAME.console and $logs/NAME.results.
vm_run()
{
	# by the clock, too, for a machine that sleeps: that of a busy host
	vm_boot timeout -k 5 $((vm_limit * 4)) prlimit --cpu="$vm_limit" \
		</dev/null 2>"$rundir/qemu.err" |
		tee "$rundir/results" | vm_show &
	# a signal ends a wait at once, but not a command in the foreground
	wait $! || :
	cp "$rundir/results" "$logs/$1.results"
	touch "$rundir/console.log"
	cp "$rundir/console.log" "$logs/$1.console"
	vm_judge "$logs/$1.console"
}

# Lines that begin with @@ are for us. Progress is shown in one line where
# that is possible; elsewhere only when the part before its first comma is new.
vm_show()
{
	shown=
	while IFS= read -r line; do
		case $line in
		@@progress*)
			set -- "${line#@@progress }"
			if [ -t 1 ]; then
				printf '\r\033[K  %s' "$1"
				shown=1
			elif [ "$shown" != "${1%%,*}" ]; then
				shown=${1%%,*}
				printf '  %s\n' "$1"
			fi
			;;
		@@*)
			;;
		*)
			[ ! -t 1 ] || [ -z "$shown" ] || printf '\r\033[K'
			[ ! -t 1 ] || shown=
			printf '%s\n' "$line"
			;;
		esac
	done
}

vm_judge()
{
	verdict=$(sed -n 's/^@@exit //p' "$rundir/results" | tail -n 1)
	case $verdict in
	0)
		;;
	'')
		warn "the virtual machine ended without a verdict" \
			"(it has $vm_limit s of processor time);" \
			"the end of its console:"
		cat "$rundir/qemu.err" >&2
		tail -n 25 "$1" >&2
		verdict=3
		;;
	*)
		warn "the script in the virtual machine ended with status $verdict"
		verdict=1
		;;
	esac
	if grep -qE "$klog_bad" "$1"; then
		warn "the kernel complained:"
		grep -E -m 5 -B 2 -A 12 "$klog_bad" "$1" >&2
		verdict=3
	fi
	[ "$verdict" = 0 ] || warn "kernel log: $1"
	return "$verdict"
}
