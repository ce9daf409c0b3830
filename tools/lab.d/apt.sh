# SPDX-License-Identifier: GPL-2.0-only
# Packages: installing on this machine what is missing, and a private apt for
# kernels of another suite that never touches this machine's own packages.
# Sourced by tools/lab; needs common.sh.

host_suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "neither root nor sudo here; as root, run: $*"
	fi
}

installed()
{
	status=$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) || :
	[ "$status" = installed ]
}

# Prints the package of the command of 2011, which the tests are better with,
# unless it would take the place of ours
old_command()
{
	installed flashbench-tools || echo flashbench
}

# need PACKAGE...: installs those that are missing, after saying so
need()
{
	missing=
	for pkg; do
		installed "$pkg" || missing="$missing $pkg"
	done
	[ -n "$missing" ] || return 0

	say "missing here, installing with apt-get:$missing"
	mkdir -p "$logs"
	# shellcheck disable=SC2086 # a list of package names
	if ! apt-cache show $missing >/dev/null 2>&1; then
		logged "$logs/apt-update.log" as_root apt-get -q update ||
			die "apt-get update failed"
	fi
	# shellcheck disable=SC2086
	apt_install $missing >/dev/null 2>&1 && return 0
	# lists can be older than the archive: once more with fresh ones
	logged "$logs/apt-update.log" as_root apt-get -q update || :
	# shellcheck disable=SC2086
	logged "$logs/apt-install.log" apt_install $missing ||
		die "could not install:$missing"
}

apt_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=300 \
		install --no-install-recommends "$@" </dev/null
}

# Prints this machine's "deb [OPTIONS] URI" for SUITE, from both formats of
# sources; nothing if there is none.
host_mirror()
{
	find /etc/apt/sources.list /etc/apt/sources.list.d \
		\( -name '*.list' -o -name '*.sources' \) -type f \
		-exec cat {} + 2>/dev/null |
		awk -v suite="$1" -f "$labdir/sources.awk"
}

# Writes sources for the kernels of SUITE: the mirror is this machine's own
# if it has one, as are its keys, proxies and passwords (Dir::Etc stays).
private_sources()
{
	for pocket in '' -updates -security; do
		case $pocket in
		-security) default=http://deb.debian.org/debian-security ;;
		*) default=http://deb.debian.org/debian ;;
		esac
		line=$(host_mirror "$host_suite$pocket")
		[ -n "$line" ] || line="deb $default"
		echo "$line $1$pocket main"
	done
}

# papt TOOL ARGUMENT...: an apt tool with the private sources and state
papt()
{
	tool=$1
	shift
	"$tool" -q -o Dir::State="$papt_dir" -o Dir::Cache="$papt_dir" \
		-o Dir::State::status="$papt_dir/status" \
		-o Dir::Etc::SourceList="$papt_dir/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null \
		-o Dir::Etc::PreferencesParts=/dev/null \
		-o APT::Sandbox::User=root -o Acquire::Retries=3 "$@"
}

# private_apt SUITE: makes papt look at SUITE, with fresh lists
private_apt()
{
	papt_dir=$cache/apt-$1
	mkdir -p "$papt_dir/lists/partial" "$papt_dir/archives/partial"
	: >"$papt_dir/status"
	private_sources "$1" >"$papt_dir/sources.list"
	logged "$logs/apt-$1.log" papt apt-get update ||
		die "cannot read the package lists of $1 (sources: $papt_dir/sources.list)"
}
