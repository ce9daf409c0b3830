#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# t_completion.sh: what bash completes, with a program whose help is known and
# a /sys of its own; t_options.sh asks the real one. Prints TAP.
set -eu

completion=$(cd "$(dirname "$0")/../../tools/flashbench" && pwd -P)/completion.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/files/tables"
touch "$work/files/a.tsv" "$work/files/b.tsv"
for disk in dm-0:64 loop0:0 mmcblk0:64 mmcblk0p1:32 sda:64; do
	mkdir -p "$work/sys/class/block/${disk%:*}"
	echo "${disk#*:}" >"$work/sys/class/block/${disk%:*}/size"
done
cat >"$work/program" <<'PROGRAM'
#!/bin/sh
case $* in
--help)
	printf '  geometry  say what\n  run       one test\n'
	printf '  report    a page\n  compare   two\n'
	;;
'geometry --help' | 'report --help')
	printf 'usage: geometry [OPTION] - not an option\n\n'
	printf '      --range=RANGE  bytes\n'
	printf '  -o, --output=NAME  file, in NAME--x\n'
	printf '      --json         for programs\n'
	;;
'run --help')
	printf '  -n, --count N  runs\n\n'
	printf 'align: reads only: times\n\tblocksize=SIZE (default 16K)\n'
	printf '\tdryrun (default off)\nopen-au: writes: rates: more\n'
	printf '\tnoclose (default off)\n'
	;;
'-a --help')
	printf '  -a, --align  align\n      --fat-nr=N  number\n'
	;;
esac
PROGRAM
chmod +x "$work/program"

# completed WORD...: the last one is at the cursor
completed()
{
	bash -c '
	. "$1"
	_flashbench_sys=$2/sys
	cd "$2/files"
	COMP_WORDS=(flashbench "${@:3}")
	COMP_CWORD=$(($# - 2))
	_flashbench "$2/program"
	echo "${COMPREPLY[*]}"' bash "$completion" "$work" "$@"
}

tests=0
failed=0
# expect WANTED WORD...
expect()
{
	wanted=$1
	shift
	got=$(completed "$@")
	tests=$((tests + 1))
	if [ "$got" = "$wanted" ]; then
		echo "ok $tests after: $*"
	else
		failed=1
		printf 'not ok %d after: %s\n# wanted: %s\n# got: %s\n' \
			$tests "$*" "$wanted" "$got"
	fi
}

devices="/dev/mmcblk0 /dev/mmcblk0p1 /dev/dm-0 /dev/sda"
expect "geometry run report compare" ''
expect "report" re
expect "-a --align --fat-nr=" -
expect "--align" --al
expect "" --fat-nr = ''
expect "$devices" -a ''
expect "$devices" geometry ''
expect "$devices" /
expect "/dev/mmcblk0 /dev/mmcblk0p1" --fat-nr = 3 /dev/mm
expect "--range= -o --output= --json" geometry -
expect "--json" geometry /dev/sda --j
expect "" geometry --range ''
expect "" geometry --range = 0
expect "a.tsv b.tsv tables" geometry --output = ''
expect "a.tsv b.tsv tables" geometry --output =
expect "a.tsv" geometry -o a
expect "$devices" geometry --json ''
expect "a.tsv b.tsv tables" compare ''
expect "b.tsv" compare a.tsv b
expect "a.tsv b.tsv tables" report --from ''
expect "-n --count=" run -
expect "" run --count ''
expect "$devices align open-au" run ''
expect "open-au" run /dev/sda o
expect "blocksize= dryrun" run /dev/sda align ''
expect "dryrun" run /dev/sda align blocksize = 1K d
expect "noclose" run /dev/sda open-au ''

# the module's own list goes first
mkdir -p "$work/sys/kernel/debug/flashbench"
printf 'scatter: reads only: x\n\tscatter-order=NUMBER (default 9)\n' \
	>"$work/sys/kernel/debug/flashbench/tests"
expect "scatter-order=" run /dev/sda scatter ''

echo "1..$tests"
exit $failed
