#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The files there are, who may do what with them, and what they refuse.
# shellcheck disable=SC2005,SC2012,SC2046 # words are split on purpose
. "$(dirname "$0")/lib.sh"

tests="align align-write open-au find-fat scatter interval geometry"

while read -r mode file; do
	fb_is "mode of $file" "$mode 0:0" "$(stat -c '%a %u:%g' "$FB/$file")"
done <<EOF
700 .
600 target
600 range
600 write_mode
200 run
200 cancel
400 status
400 info
400 tests
EOF

for test in $tests; do
	for file in $test $test.tsv $test.samples; do
		fb_is "mode of results/$file" 400 \
			"$(stat -c %a "$FB/results/$file")"
	done
	fb_like "the file tests has $test" "^$test: (writes|reads only|writes if armed): ." \
		"$(grep "^$test:" $FB/tests)"
done

fb_is "nothing else is there" \
	"cancel info range results run status target tests write_mode" \
	"$(echo $(ls $FB))"
fb_is "a table, a .tsv and a .samples for each test, nothing else" \
	"$(sed -n 's/^\([a-z-]*\): .*/\1\n\1.samples\n\1.tsv/p' $FB/tests |
		sort | xargs)" \
	"$(ls $FB/results | sort | xargs)"

for file in run cancel; do
	fb_fails "$file cannot be read" cat $FB/$file
done
for file in status info tests results/align; do
	fb_fails "$file cannot be written" sh -c "echo align >$FB/$file"
done

# Who writes what, and what each key can be
while read -r test writes; do
	fb_like "tests says what $test does" "^$test: $writes: " \
		"$(grep "^$test:" $FB/tests)"
done <<EOF
align reads only
align-write writes
open-au writes
find-fat writes
scatter reads only
interval reads only
geometry writes if armed
EOF

# the lines of a test in the file tests
keys_of()
{
	sed -n "/^$1:/,/^[a-z]/p" $FB/tests | grep '^	'
}

while IFS='|' read -r test line; do
	fb_is "tests of $test has$line" 1 \
		"$(keys_of "$test" | grep -c "^	${line# }")"
done <<EOF
align| blocksize=SIZE (default 16KiB, from 512B to 64MiB)
align| count=NUMBER (default 8, from 1 to 
align-write| count=NUMBER (default 1, from 1 to 
open-au| count=NUMBER (default 1, from 1 to 
open-au| open-au-nr=NUMBER (default 2, from 1 to 
open-au| erasesize=SIZE (default 4MiB, from 
open-au| random (flag)
open-au| pattern=random|zero|one (default random)
find-fat| count=NUMBER (default 1, from 1 to 
find-fat| fat-nr=NUMBER (default 6, from 1 to 
scatter| scatter-order=NUMBER (default 9, from 
scatter| scatter-span=NUMBER (default 1, from 
open-au| open-au-nr=NUMBER (default 2, from 1 to 4096, or auto)
align| old-schedule (flag)
geometry| only=LIST (
geometry| max-collections=NUMBER (default 400, from 0 to 
geometry| scan (flag)
interval| interval-order=NUMBER (default
interval| seed=NUMBER (default 1, from 
interval| max-time=NUMBER (default 0, from 
interval| max-write=SIZE (default 0, from 
interval| dryrun (flag)
EOF
fb_is "align does not take erasesize" 0 "$(keys_of align | grep -c erasesize)"

fb_done
