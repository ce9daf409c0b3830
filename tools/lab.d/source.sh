# SPDX-License-Identifier: GPL-2.0-only
# Debian's kernel sources: their checkers for tools/lint, the tree for
# tools/kunit. Sourced; needs common.sh and apt.sh.

# get_source X.Y NAME [PATTERN...]: unpacks linux-source-X.Y, or the parts of
# it that match, into $cache/NAME-X.Y, once, and sets $source to that
get_source()
{
	source_version=$1
	source=$cache/$2-$1
	shift 2
	[ ! -e "$source/.complete" ] || return 0
	need "linux-source-$source_version" xz-utils
	mkdir -p "$cache"
	(
		# two parts of a check may want the same tree
		flock 9
		[ -e "$source/.complete" ] || unpack_source "$@"
	) 9>"$source.lock" || exit 1
}

unpack_source()
{
	say "unpacking linux-source-$source_version"
	rm -rf "$source"
	mkdir -p "$source"
	tar -xf "/usr/src/linux-source-$source_version.tar.xz" -C "$source" \
		--strip-components=1 --wildcards "$@" ||
		die "cannot unpack linux-source-$source_version"
	touch "$source/.complete"
}
