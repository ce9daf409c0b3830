#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every bad value of every key: -EINVAL, a reason that names the key, no I/O.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

fb_null size=64 blocksize=4096
fb_write target "$dev" >/tmp/res
before=$(fb_io "$dev")

# bad KEY LINE [REGEX]: refused, the reason begins with KEY
bad()
{
	fb_res=$(fb_refused "$2")
	case $fb_res in
	"EINVAL $1: "?*)
		fb_like "'$2'" "${3:-.}" "$fb_res"
		;;
	*)
		fb_fail "'$2'" "wanted: EINVAL $1: ..." "got:    $fb_res"
		;;
	esac
}

# KEY TEST: keys with sizes, and with numbers
sizes="blocksize:interval erasesize:open-au offset:scatter max-write:align"
numbers="count:align seed:scatter max-time:interval open-au-nr:open-au
	fat-nr:find-fat scatter-order:scatter scatter-span:scatter
	interval-order:interval"
flags="dryrun:align diag:interval random:open-au fua:open-au
	flush:find-fat noclose:align-write discard:open-au"

for pair in $sizes $numbers; do
	key=${pair%:*} test=${pair#*:}
	for value in x -1 +1 1.5 1e3 1,0 4Q 16KB 1Ki 0x 0xg 0b1 4096junk \
		18446744073709551616 99999999999999999999 0x1ffffffffffffffff \
		"'1'" 1=1; do
		bad $key "$test $key=$value"
	done
	bad $key "$test $key="
	bad $key "$test $key" "needs a value"
	good=4096
	case " $numbers " in
	*"$pair"*) good=2 ;;
	esac
	bad $key "$test $key=$good $key=$good" "twice"
done
for pair in $sizes; do
	key=${pair%:*} test=${pair#*:}
	bad $key "$test $key=17179869184G"
done
for pair in $numbers; do
	key=${pair%:*} test=${pair#*:}
	bad $key "$test $key=1K"
done
for pair in $flags; do
	key=${pair%:*} test=${pair#*:}
	for value in 2 yes on true -1 00x 18446744073709551616; do
		bad $key "$test $key=$value"
	done
	bad $key "$test $key="
	bad $key "$test $key $key" "twice"
	bad $key "$test $key $key=0" "twice"
done

# KEY | LINE | the reason: zero where it makes no sense, limits, the device
while IFS='|' read -r key line regex; do
	bad "$key" "$line" "$regex"
done <<EOF
blocksize|align blocksize=0|from 512
blocksize|align blocksize=511|from 512
blocksize|align blocksize=67108865|to 67108864
blocksize|align blocksize=128M|to 67108864
blocksize|align blocksize=512|multiple.*4096
blocksize|interval blocksize=6K|multiple.*4096
blocksize|align blocksize=4096|at least 8192
blocksize|align-write blocksize=4K|at least 8192
blocksize|open-au erasesize=1M blocksize=2M|erasesize, 1048576
blocksize|find-fat erasesize=1M blocksize=2M|erasesize, 1048576
erasesize|open-au erasesize=0|from 512
erasesize|find-fat erasesize=0|from 512
erasesize|open-au erasesize=511|from 512
erasesize|open-au erasesize=65M|to 67108864
erasesize|open-au erasesize=4097K|multiple.*4096
erasesize|align-write erasesize=64M|at most 33554432
offset|scatter offset=1|multiple.*4096
offset|open-au offset=512|multiple.*4096
count|align count=0|from 1
count|open-au count=0|from 1
count|align count=1000001|to 1000000
count|scatter scatter-order=12 count=1000000|4194304
open-au-nr|open-au open-au-nr=0|from 1
open-au-nr|open-au open-au-nr=4097|to 4096
fat-nr|find-fat fat-nr=0|from 1
fat-nr|find-fat fat-nr=65|to 64
scatter-order|scatter scatter-order=21|to 20
scatter-span|scatter scatter-span=0|from 1
scatter-span|scatter scatter-span=131073|to 131072
scatter-span|scatter blocksize=64K scatter-span=1025|67108864
interval-order|interval interval-order=0|from 1
interval-order|interval interval-order=19|to 18
interval-order|interval interval-order=16|at most 15
max-time|align max-time=1000000001|to 1000000000
pattern|open-au pattern=|random, zero or one
pattern|open-au pattern|needs a value
pattern|open-au pattern=0|random, zero or one
pattern|open-au pattern=Zero|random, zero or one
pattern|open-au pattern=zeros|random, zero or one
pattern|open-au pattern=one pattern=one|twice
fua|open-au fua|no volatile write cache
flush|find-fat flush|no volatile write cache
discard|open-au discard|no discard
discard|open-au discard noclose|noclose
discard|align-write discard|erasesize
erasesize|align erasesize=4M|no such key
random|scatter random|no such key
fat-nr|open-au fat-nr=2|no such key
open-au-nr|find-fat open-au-nr=2|no such key
scatter-order|interval scatter-order=2|no such key
pattern|align pattern=zero|no such key
bogus|align bogus=1|no such key
bogus|align bogus|no such key
Count|align Count=1|no such key
coun|align coun=1|no such key
counts|align counts=1|no such key
=|align =1|no such key
empty||TEST
bogus|bogus|no such test
bogus|bogus count=1|no such test
Align|Align|no such test
align,scatter|align,scatter|no such test
alig|alig|no such test
count=1|count=1 align|no such test
EOF

fb_is "control characters" "EINVAL character 0x07 at column 6" \
	"$(fb_refused "$(printf 'align\acount=1')" | cut -d : -f 1)"
fb_is "two lines" "EINVAL character 0x0a at column 6" \
	"$(fb_refused "$(printf 'align\nscatter')" | cut -d : -f 1)"
fb_is "are one line of status" "test: align?scatter" \
	"$(sed -n 2p $FB/status)"
fb_like "a NUL" "EINVAL" "$(printf 'align\0' | fbt pipe $FB/run)"
long="align $(printf %506s x | tr ' ' y)"
fb_is "a line of 512 characters" "EINVAL line too long" \
	"$(fb_refused "$long" | cut -d : -f 1)"
fb_like "a word of 504 characters" "^EINVAL 0{200}" \
	"$(fb_refused "align $(printf %0504d 0)")"
fb_is "does not break status" 10 "$(grep -c . $FB/status)"

fb_is "nothing of all this has touched the device" "$before" "$(fb_io "$dev")"
fb_is "nor left a result" ENODATA "$(fb_read results/align)"

# and what is allowed
while IFS='|' read -r line want; do
	fb_is "'$line'" OK "$(fb_write run "$line dryrun")"
	fb_like "'$line' is" "$want" "$(fb_status test)"
done <<EOF
align blocksize=8192|blocksize=8192
align blocksize=0x4000|blocksize=16384
align blocksize=16k|blocksize=16384
align blocksize=16KiB|blocksize=16384
align blocksize=12K|blocksize=12288
align blocksize=0000016K|blocksize=16384
interval blocksize=64M interval-order=3|blocksize=67108864
open-au erasesize=1536K offset=0|erasesize=1572864
align count=0x10|count=16
align seed=18446744073709551615|seed=18446744073709551615
align seed=0xffffffffffffffff|seed=18446744073709551615
align seed=0|seed=0
align max-time=0 max-write=0|max-time=0 max-write=0
align max-write=1G|max-write=1073741824
align max-write=0xffffffffffffffff|max-write=18446744073709551615
align offset=0|offset=0
scatter scatter-order=0|scatter-order=0
interval interval-order=1|interval-order=1
align-write erasesize=0|erasesize=0
open-au offset=0 random|random=1
open-au offset=0 random=1|random=1
open-au offset=0 random=0|random=0
open-au offset=0 pattern=one|pattern=one
open_au offset=0 open_au_nr=1|^open-au .*open-au-nr=1
   align	count=3   |^align blocksize=16384 count=3
EOF

fb_done
