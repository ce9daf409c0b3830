# SPDX-License-Identifier: GPL-2.0-only
# tools/lab check: all tests, in parts that run two at a time.
# Sourced by tools/lab; needs common.sh, apt.sh and vm.sh.
#
# A part is a command that prints TAP. Its output is kept in $logs/check; what
# failed is shown when the part ends, and the sums at the end.

check_packages="$vm_packages clang libclang-rt-dev sparse shellcheck perl dmsetup
	e2fsprogs dosfstools gnuplot-nox libxml2-utils mandoc jq"

# Not in the quick check: each of these takes more than ten seconds
slow_selftests="align_write budget find_fat interval open_au parts preserve
	races repro scatter traps warn"

# On the debug kernel, which is slow: what comes and goes while it is used, and
# what fails. Not races and unload: they look at what is in time, and at free
# memory, of which freed memory is no part there. The rest has not been tried.
debug_selftests="nomem sim_removal sim_content sim_faults gone"

# check [quick | NAME...]: a NAME is a part or a selftest
cmd_check()
{
	begin=$(date +%s)
	choose_parts "$@"
	# shellcheck disable=SC2046,SC2086 # lists
	need $check_packages $(old_command)
	checks=$logs/check
	mkdir -p "$cache"
	exec 8>"$cache/check.lock"
	flock -n 8 || say "waiting for another tools/lab check to end"
	flock 8
	rm -rf "$checks"
	mkdir -p "$checks"
	export checks LAB_QUICK LAB_TESTS

	say "running, two at a time:$parts"
	# shellcheck disable=SC2086
	printf '%s\n' $parts | xargs -n 1 -P 2 "$self" part || :

	say "this took $(seconds_text $(($(date +%s) - begin)));" \
		"the whole output is in $checks"
	sum_up
}

# The longest first, so that two processors finish together
choose_parts()
{
	LAB_QUICK=
	LAB_TESTS=
	parts=
	case ${1-} in
	'')
		for part in kunit compile-check; do
			[ ! -x "$top/tools/$part" ] || parts="$parts $part"
		done
		parts="$parts cards selftests-6.1 selftests-6.12 fuzz"
		parts="$parts package lint command repeat truth unit"
		;;
	quick)
		LAB_QUICK=1
		LAB_TESTS=$(quick_selftests)
		parts=" selftests-$(default_kernel) lint unit"
		;;
	*)
		choose_named "$@"
		;;
	esac
}

quick_selftests()
{
	for file in "$top"/selftests/t_*.sh; do
		name=${file##*/t_}
		name=${name%.sh}
		# shellcheck disable=SC2086 # a list
		printf '%s\n' $slow_selftests | grep -qxF "$name" ||
			printf '%s ' "$name"
	done
}

choose_named()
{
	for name; do
		case $name in
		kunit | compile-check | cards | command | fuzz | lint | \
			package | repeat | truth | unit | selftests-*)
			parts="$parts $name"
			;;
		*)
			LAB_TESTS="$LAB_TESTS $name"
			;;
		esac
	done
	[ -z "$LAB_TESTS" ] || parts=" selftests-6.1 selftests-6.12$parts"
}

part_command()
{
	case $1 in
	unit)
		make -s -k -C "$top/selftests/unit" check &&
			make -s -k -C "$top/selftests/flashsim" check
		;;
	fuzz)
		make -s -C "$top/selftests/unit" fuzz &&
			make -s -C "$top/selftests/flashsim" fuzz &&
			make -s -C "$top/selftests/command" fuzz
		;;
	command)
		make -s -k -C "$top/selftests/command" check
		;;
	package)
		"$top/tools/package-check"
		;;
	cards)
		"$self" cards
		;;
	truth)
		make -s -C "$top/selftests/truth" check
		;;
	selftests-debug)
		# shellcheck disable=SC2086 # names of tests
		"$self" run --kernel debug --timeout 2400 \
			"$top/selftests/run.sh" ${LAB_TESTS:-$debug_selftests}
		;;
	selftests-*)
		# shellcheck disable=SC2086 # names of tests
		"$self" run --kernel "${1#selftests-}" --timeout 1500 \
			"$top/selftests/run.sh" $LAB_TESTS
		;;
	compile-check)
		# both ends, and 32 bits; 6.1 and 6.12 are built by the others
		"$top/tools/compile-check" bullseye sid bookworm:i386
		;;
	lint)
		part_lint
		;;
	repeat)
		part_repeat
		;;
	*)
		"$top/tools/$1"
		;;
	esac
}

# Quick: only what needs no kernel source, against the kernel that is there
part_lint()
{
	if [ -n "$LAB_QUICK" ]; then
		get_kernel "$(default_kernel)"
		KDIR=$cache/kernel-$(default_kernel)/headers "$top/tools/lint" \
			whitespace spdx length version submit shellcheck \
			command build
	else
		"$top/tools/lint"
	fi
}

# Two boots have to measure the same, within 20 ns
part_repeat()
{
	for boot in 1 2; do
		"$self" run "$top/selftests/repeat.sh" \
			>"$checks/repeat.$boot" || return
	done
	awk -v LIMIT=20 -f "$labdir/repeat.awk" "$checks/repeat.1" \
		"$checks/repeat.2"
}

# Runs a part and shows the outcome, at once so that parts do not mix
cmd_part()
{
	begin=$(date +%s)
	log=$checks/$1.log
	status=0
	part_command "$1" >"$log" 2>&1 </dev/null || status=$?
	awk -f "$labdir/tap.awk" "$log" >"$log.failed"
	# shellcheck disable=SC2046 # three numbers
	set -- "$1" $(sed -n 's/^@ //p' "$log.failed")
	failed=$3
	# status 3: the tests may have passed, but the kernel under them did not
	if [ $status = 3 ] || { [ $status != 0 ] && [ "$failed" = 0 ]; }; then
		failed=$((failed + 1))
		{
			echo "not ok - $1 ended with status $status"
			if [ $status = 3 ]; then
				sed -n '/^lab: /,$p' "$log"
			else
				tail -n 20 "$log"
			fi
		} >>"$log.failed"
	fi
	echo "$2 $failed $4" >"$checks/$1.sum"
	show=$(printf '%-16s %4d passed, %d failed, %d skipped in %s\n' \
		"$1" "$2" "$failed" "$4" \
		"$(seconds_text $(($(date +%s) - begin)))"
		sed '/^@ /d; s/^/    /' "$log.failed")
	printf '%s\n' "$show"
}

# The last line, and the exit status
sum_up()
{
	for part in $parts; do
		# a part that left no sums has failed as a whole
		cat "$checks/$part.sum" 2>/dev/null || echo "0 1 0"
	done | awk '
	{
		passed += $1
		failed += $2
		skipped += $3
	}
	END {
		printf "%d passed, %d failed, %d skipped\n",
			passed, failed, skipped
		exit failed > 0
	}'
}
