# SPDX-License-Identifier: GPL-2.0-only
# Stock Debian kernels, their headers and a static busybox, unpacked into the
# cache and usable there, and our modules built against them.
# Sourced by tools/lab; needs common.sh and apt.sh.
#
# $cache/kernel-X.Y holds what the packages hold, and
#   release    what uname -r prints
#   headers    link to the directory to build modules against
#   busybox    link to it (its package would replace an installed busybox)
#   complete   all of it is there

# What the build of a module needs
build_packages="gcc libc6-dev make xz-utils"

# Modules the virtual machines can be given; the rest of a kernel package is
# 300 MB that nobody needs.
module_dirs="arch/x86 block crypto drivers/block drivers/md drivers/mmc
	drivers/scsi drivers/virtio fs lib"

default_kernel()
{
	case $host_suite in
	bookworm) echo 6.1 ;;
	*) echo 6.12 ;;
	esac
}

# 6.12 is native on Debian 13, where its build tools fit best; bookworm has
# both.
kernel_suite()
{
	case $1-$host_suite in
	6.12-trixie) echo trixie ;;
	*) echo bookworm ;;
	esac
}

# newest_image X.Y: the name of the newest amd64 image package of a series
newest_image()
{
	papt apt-cache pkgnames "linux-image-$1." |
		grep -E "^linux-image-$1\.[0-9][-+.0-9a-z]*-amd64$" |
		grep -vE -e '-(rt|cloud)-' | sort -rV |
		while read -r pkg; do
			# names of packages that exist no more are listed too
			papt apt-cache show "$pkg" 2>/dev/null | grep -q . ||
				continue
			echo "$pkg"
			break
		done
}

# kernel_packages IMAGE: all the packages to unpack for it
kernel_packages()
{
	headers=linux-headers-${1#linux-image-}
	echo "$1" "$headers" busybox-static
	papt apt-cache depends "$1" "$headers" |
		sed -n 's/^ .*Depends: //p' |
		grep -E '^linux-(headers-.*-common|kbuild-|modules-|binary-)'
}

# get_kernel X.Y: fetches and unpacks, once; get_kernel debug: builds
get_kernel()
{
	kdir=$cache/kernel-$1
	mkdir -p "$cache" "$logs"
	if [ "$1" = debug ]; then
		get_debug_kernel
		return
	fi
	[ ! -e "$kdir/complete" ] || return 0
	(
		flock 9
		[ ! -e "$kdir/complete" ] || exit 0
		fetch_kernel "$1"
	) 9>"$kdir.lock"
}

fetch_kernel()
{
	suite=$(kernel_suite "$1")
	private_apt "$suite"
	image=$(newest_image "$1")
	[ -n "$image" ] || die "no kernel $1 in the package lists of $suite"
	release=${image#linux-image-}
	say "fetching Debian's kernel $release and its headers"

	rm -rf "$kdir"
	mkdir -p "$kdir/debs"
	# shellcheck disable=SC2046 # a list of package names
	(cd "$kdir/debs" && logged "$logs/fetch-$1.log" \
		papt apt-get download $(kernel_packages "$image")) ||
		die "could not fetch kernel $release"
	for deb in "$kdir"/debs/*.deb; do
		unpack_deb "$deb"
	done
	rm -r "$kdir/debs"

	echo "$release" >"$kdir/release"
	finish_modules
	finish_headers
	touch "$kdir/complete"
}

# Kernel images only in part. The vmlinux in newer headers is there for BTF,
# which would need pahole, and we have no use for it.
unpack_deb()
{
	set -- "$1" --exclude='./usr/src/*/vmlinux'
	case $1 in
	*/linux-headers* | */linux-kbuild* | */busybox*) ;;
	*)
		set -- "$@" --wildcards './boot/vmlinuz-*' \
			'*/modules.builtin*' '*/modules.order'
		for dir in $module_dirs; do
			set -- "$@" "*/kernel/$dir/*"
		done
		;;
	esac
	deb=$1
	shift
	# not every pattern has to match
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$kdir" "$@" 2>/dev/null || :
}

# One place and one format for the modules, whatever the package has
finish_modules()
{
	if [ ! -e "$kdir/lib/modules/$release/kernel" ]; then
		mkdir -p "$kdir/lib/modules"
		rm -rf "$kdir/lib/modules/$release"
		mv "$kdir/usr/lib/modules/$release" "$kdir/lib/modules/"
	fi
	find "$kdir/lib/modules" -name '*.ko.xz' -exec xz -d {} +
	ln -s "$(cd "$kdir" && ls bin/busybox usr/bin/busybox 2>/dev/null)" \
		"$kdir/busybox"
	"$kdir/busybox" depmod -b "$kdir" "$release"
	[ -s "$kdir/lib/modules/$release/modules.dep" ] ||
		die "the package of kernel $release has no modules"
}

# The headers name each other by absolute path.
finish_headers()
{
	ln -s "usr/src/linux-headers-$release" "$kdir/headers"
	sed -i "s,/usr/src/,$kdir/usr/src/," "$kdir/headers/Makefile"
	modpost=$kdir/headers/scripts/mod/modpost
	[ -x "$modpost" ] || die "no modpost in the headers of $release"
	if ldd "$modpost" 2>&1 | grep -qE 'not found'; then
		ldd "$modpost" >&2 || :
		die "the build tools of Debian's kernel $release do not run on this machine (see above)"
	fi
}

# Where the tree has modules, each a directory with a Kbuild
module_sources=". tools/flashsim"

# build_modules X.Y: all modules of the tree into $tree_cache/X.Y. A copy is
# built, so that the tree stays clean and both kernels can be built at once.
build_modules()
{
	get_kernel "$1"
	bdir=$tree_cache/$1
	mkdir -p "$bdir"
	(
		flock 9
		copy_sources "$bdir"
		# the compiler Debian's headers name may not be installed
		for sources in $module_sources; do
			logged "$logs/build-$1.log" make \
				-C "$cache/kernel-$1/headers" \
				M="$bdir/$sources" CC=gcc -j2 modules || exit 1
		done
	) 9>"$bdir.lock" || die "the modules do not build for kernel $1"
}

copy_sources()
{
	for sources in $module_sources; do
		rm -f "$1/$sources"/*.c "$1/$sources/Kbuild"
	done
	(cd "$top" && find . \( -name .git -o -path './tools/lab*' \) -prune -o \
		-type f \( -name '*.[ch]' -o -name Kbuild -o -name Makefile \
		-o -name Kconfig \) -print0 |
		tar --null -T - -cf -) | tar -xf - -C "$1"
}

modules_built()
{
	find "$tree_cache/$1" -name '*.ko'
}
