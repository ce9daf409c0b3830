# SPDX-License-Identifier: GPL-2.0-only
# What the virtual machine boots into: cpio archives, concatenated. Those that
# depend on a kernel or on programs of this machine are cached; the last one,
# with the script to run, the selftests and our modules, is made for each boot.
# Sourced by tools/lab; needs common.sh and kernel.sh.

guest_modules="sdhci-pci mmc_block virtio_pci virtio_blk null_blk loop
	scsi_debug sd_mod dm-mod dm-flakey ext4 vfat nls_cp437 nls_ascii
	nls_iso8859-1 nls_utf8 crc32c_generic"

# Programs busybox has not, or not well enough; taken if they are here
guest_programs="dmsetup mkfs.ext4 fsck.ext4 mkfs.vfat fsck.vfat flashbench"
bench_programs="fio flashbench"

# pack DIRECTORY: as a cpio archive on stdout, always the same one
pack()
{
	(cd "$1" && find . -exec touch -h -d @0 {} + &&
		find . | LC_ALL=C sort |
		cpio --quiet --reproducible -o -H newc -R 0:0)
}

# base_archive X.Y: prints the name of the archive with busybox and modules
base_archive()
{
	kdir=$cache/kernel-$1
	archive=$kdir/base.cpio
	if ! newer "$archive" "$kdir/complete" ||
	   ! newer "$archive" "$labdir/initramfs.sh"; then
		stage=$rundir/base
		mkdir -p "$stage/bin"
		cp -L "$busybox" "$stage/bin/busybox"
		ln -s busybox "$stage/bin/sh"
		copy_modules
		pack "$stage" >"$archive.$$"
		mv "$archive.$$" "$archive"
	fi
	echo "$archive"
}

# The modules wanted and what they need, from modules.dep
copy_modules()
{
	release=$(cat "$kdir/release")
	from=$kdir/lib/modules/$release
	to=$stage/lib/modules/$release
	mkdir -p "$to"
	# shellcheck disable=SC2086 # a list
	printf '%s\n' $guest_modules | awk '
	NR == FNR {
		wanted[$1] = 1
		next
	}
	{
		name = $1
		gsub(/.*\/|\.ko.*/, "", name)
		if (!(name in wanted))
			next
		sub(/:/, "")
		gsub(/\.ko\.[a-z]*/, ".ko")
		for (i = 1; i <= NF; i++)
			print $i
	}' - "$from/modules.dep" | sort -u >"$rundir/modules"
	(cd "$from" && tar -cf - -T "$rundir/modules" modules.builtin \
		modules.order) | tar -xf - -C "$to"
	"$busybox" depmod -b "$stage" "$release"
}

# A flashbench from elsewhere may be ours
find_program()
{
	if [ "$1" != flashbench ]; then
		command -v "$1"
	elif installed flashbench; then
		echo /usr/bin/flashbench
	fi
}

# program_archive NAME PROGRAM...: prints the name of the archive with those
# programs of this machine that exist, and their libraries; nothing if none do
program_archive()
{
	archive=$cache/programs-$1.cpio
	shift
	PATH=$PATH:/usr/sbin:/sbin
	found=
	for program; do
		found="$found $(find_program "$program" || :)"
	done
	# shellcheck disable=SC2086 # lists of files without blanks
	set -- $found
	[ $# -gt 0 ] || return 0
	stamp=$(ls -lLn "$@" 2>/dev/null || :)
	if [ "$stamp" != "$(cat "$archive.stamp" 2>/dev/null)" ] ||
	   ! newer "$archive" "$labdir/initramfs.sh"; then
		stage=$rundir/programs
		rm -rf "$stage"
		mkdir -p "$stage/bin"
		cp -L "$@" "$stage/bin/"
		# by its own name ours is in there
		[ ! -e "$stage/bin/flashbench" ] ||
			mv "$stage/bin/flashbench" "$stage/bin/flashbench-2011"
		for program; do
			ldd "$program" | sed -n 's,^[^/]*/\([^ ]*\) (.*,\1,p' || :
		done | sort -u >"$rundir/libraries"
		tar -chf - -C / -T "$rundir/libraries" |
			tar -xf - -C "$stage"
		pack "$stage" >"$archive.$$"
		mv "$archive.$$" "$archive"
		echo "$stamp" >"$archive.stamp"
	fi
	echo "$archive"
}

# Small static programs for the selftests, built once a change
build_helpers()
{
	mkdir -p "$tree_cache/helpers"
	for src in "$top"/selftests/helpers/*.c; do
		prog=$tree_cache/helpers/$(basename "$src" .c)
		! newer "$prog" "$src" || continue
		logged "$logs/helpers.log" gcc -O2 -Wall -static \
			-o "$prog.$$" "$src" || die "$src does not build"
		mv "$prog.$$" "$prog"
	done
}

# The command, in one piece
build_command()
{
	mkdir -p "$tree_cache"
	logged "$logs/command.log" flock "$tree_cache/command.lock" \
		make -C "$top/tools/flashbench" O="$tree_cache/command" \
		LDFLAGS=-static || die "the command does not build"
}

# overlay_archive X.Y SCRIPT ARGUMENT...: what belongs to this one boot
overlay_archive()
{
	stage=$rundir/overlay
	rm -rf "$stage"
	mkdir -p "$stage/lab" "$stage/bin" "$stage/selftests"
	cp "$labdir/init" "$stage/init"
	modules_built "$1" | xargs -r cp -t "$stage/lab"
	cp "$tree_cache"/helpers/* "$stage/bin/"
	cp -r "$top"/selftests/*.sh "$stage/selftests/"
	[ ! -d "$top/selftests/cards" ] ||
		cp -r "$top/selftests/cards" "$stage/selftests/"
	cp "$tree_cache/command/flashbench" "$stage/bin/"
	[ -z "$vm_card" ] || printf '%s\n' "$vm_card" >"$stage/lab/card"
	[ -z "$vm_shell" ] || touch "$stage/lab/shell"
	# a script of the selftests finds its neighbours
	case $(realpath "$2") in
	"$top"/selftests/*) script=/selftests/${2##*/} ;;
	*) script=/lab/script; cp "$2" "$stage/lab/script" ;;
	esac
	shift 2
	for arg in "$script" "$@"; do
		printf '%s\n' "$arg" | sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/"
	done | tr '\n' ' ' >"$stage/lab/args"
	chmod 755 "$stage/init"
	pack "$stage"
}
