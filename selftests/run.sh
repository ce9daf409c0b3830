#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the selftests named (align or t_align.sh; all without arguments) in
# the virtual machine and prints KTAP, one subtest a file.
#
#	tools/lab check [TEST...]	starts this on both kernels

cd "$(dirname "$0")" || exit 1

if [ $# = 0 ]; then
	set -- t_*.sh
fi

echo "KTAP version 1"
echo "1..$#"
failed=0
number=0
for name; do
	name=${name#t_}
	name=${name%.sh}
	number=$((number + 1))
	# so that the kernel log tells which test a message belongs to
	echo "selftest: $name" >/dev/kmsg
	echo "    KTAP version 1"
	if [ ! -f "t_$name.sh" ]; then
		echo "1..1"
		echo "not ok 1 there is no t_$name.sh"
	else
		# an hour, which is virtual: a test that hangs ends soon
		timeout -s KILL 3600 sh "./t_$name.sh" 2>&1
	fi | sed 's/^/    /' >/tmp/tap
	cat /tmp/tap
	if grep -q '^ *1\.\.' /tmp/tap && ! grep -q '^ *not ok' /tmp/tap; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		failed=1
	fi
done
exit $failed
