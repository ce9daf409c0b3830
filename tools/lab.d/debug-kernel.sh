# SPDX-License-Identifier: GPL-2.0-only
# The debug kernel: built from Debian's source with debug.config, and put into
# the cache as get_kernel() puts the others. Sourced by tools/lab; needs
# common.sh, apt.sh, source.sh and kernel.sh.

debug_version=6.12
debug_packages="$build_packages bc flex bison libelf-dev"

# get_debug_kernel: $kdir is up to date, or built again as far as needed
get_debug_kernel()
{
	(
		flock 9
		get_source "$debug_version" source
		stamp=$(cat "$source/Makefile" "$labdir/debug.config" | cksum)
		[ "$(cat "$kdir/complete" 2>/dev/null)" != "$stamp" ] ||
			exit 0
		rm -f "$kdir/complete"
		build_debug_kernel
		echo "$stamp" >"$kdir/complete"
	) 9>"$kdir.lock"
}

build_debug_kernel()
{
	# shellcheck disable=SC2086 # a list
	need $debug_packages
	say "building a kernel $debug_version that checks itself (10 minutes, once)"
	# the links there may be those of a tree that is no more
	"$top/tools/kernel-link" "$source"
	mkdir -p "$kdir/headers" "$kdir/boot" "$kdir/bin"
	logged "$logs/debug-config.log" debug_make allnoconfig ||
		die "no configuration for the debug kernel"
	check_debug_config
	logged "$logs/debug-kernel.log" debug_make bzImage modules ||
		die "the debug kernel does not build"

	release=$(cat "$kdir/headers/include/config/kernel.release")
	echo "$release" >"$kdir/release"
	cp "$kdir/headers/arch/x86/boot/bzImage" "$kdir/boot/vmlinuz-$release"
	rm -rf "${kdir:?}/lib" "$kdir/busybox"
	logged "$logs/debug-install.log" debug_make modules_install ||
		die "the debug kernel's modules cannot be installed"
	get_busybox
	finish_modules
}

debug_make()
{
	nice make -C "$source" O="$kdir/headers" CC=gcc -j2 \
		KCONFIG_ALLCONFIG="$labdir/debug.config" \
		INSTALL_MOD_PATH="$kdir" DEPMOD=true "$@"
}

# Kconfig drops without a word what it does not know or cannot have.
check_debug_config()
{
	dropped=$(grep '^CONFIG_' "$labdir/debug.config" |
		grep -vxF -f "$kdir/headers/.config") || return 0
	# shellcheck disable=SC2086 # a list
	die "the debug kernel cannot have" $dropped
}

# It comes with the other kernels.
get_busybox()
(
	debug_bin=$kdir/bin
	get_kernel "$(default_kernel)"
	cp -L "$kdir/busybox" "$debug_bin/busybox"
)
