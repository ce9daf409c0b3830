# SPDX-License-Identifier: GPL-2.0-only
# What every part of tools/lab uses: places, messages, clean-up.
# Sourced; needs $top (the source tree).

labdir=$top/tools/lab.d
cache=${FLASHBENCH_CACHE:-${HOME:-/root}/.cache/flashbench}
logs=$cache/log
kernels="6.1 6.12"

# What is built from this tree: its files may be older than what was built from
# another one, which make would then take for up to date
tree_cache=$cache/built-$(printf '%s' "$top" | cksum | tr ' ' -)

say()
{
	printf 'lab: %s\n' "$*"
}

warn()
{
	printf 'lab: %s\n' "$*" >&2
}

die()
{
	warn "$*"
	exit 1
}

# Runs a command with its output in a log; on failure shows the end of it.
logged()
{
	logged_to=$1
	shift
	"$@" >"$logged_to" 2>&1 </dev/null && return 0
	tail -n 25 "$logged_to" >&2
	warn "failed: $1; the whole output is in $logged_to"
	return 1
}

# newer FILE THAN: FILE exists and is newer
newer()
{
	[ -n "$(find "$1" -newer "$2" 2>/dev/null)" ]
}

# A directory for one run, on disk (images are sparse files of 1 GiB, and
# /tmp may be memory), removed when the process ends; and so is the virtual
# machine that lives in it, if there is one.
make_rundir()
{
	mkdir -p "$cache" "$logs"
	rundir=$(mktemp -d "$cache/run.XXXXXX")
	trap 'remove_rundir' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

remove_rundir()
{
	[ ! -s "$rundir/qemu.pid" ] || kill "$(cat "$rundir/qemu.pid")" || :
	rm -rf "$rundir"
}

seconds_text()
{
	if [ "$1" -ge 60 ]; then
		printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
	else
		printf '%d s' "$1"
	fi
}
