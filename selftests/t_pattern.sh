#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What is written: read back, and compressed.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/measure.sh"

fb_null size=24 blocksize=512 memory_backed=1
fb_target destroy

# One erase block of 1 MiB at 0, written as a whole; nothing is closed
line="find-fat fat-nr=1 erasesize=1M blocksize=1M"
whole="/dev/$dev 0 1048576"
# shellcheck disable=SC2086 # offset and length
{
	fbdata fill $whole
	fb_run "$line pattern=zero"
	fb_is "zero" 1048576 "$(fbdata count "/dev/$dev" 0 0 1048576)"
	fb_run "$line pattern=one"
	fb_is "one" 1048576 "$(fbdata count "/dev/$dev" 255 0 1048576)"
	fb_run "$line pattern=random"
	random=$(fbdata sum $whole)
	fb_run "$line"
	fb_is "random is what it is if nothing is said" "$random" \
		"$(fbdata sum $whole)"
	fb_run "$line seed=2"
	fb_fails "another seed, other data" test "$random" = \
		"$(fbdata sum $whole)"
	fb_run "$line seed=1"
	fb_is "the same seed, the same data" "$random" "$(fbdata sum $whole)"
}

# Half of the bits are set, and gzip finds nothing in it
dd if="/dev/$dev" bs=64K count=8 2>/dev/null >/tmp/data
size=$(gzip -c /tmp/data | wc -c)
fb_that "random cannot be compressed: 524288 bytes become $size" \
	test "$size" -ge 524288
fb_that "random has every byte about as often as others" \
	awk -v n="$(fbdata count /tmp/data 0)" 'BEGIN { exit n < 1748 || n > 2348 }'
fb_is "random: no two sectors are the same" 1024 "$(fbdata kinds /tmp/data)"

# A card may recognize what it has seen: no two writes in a run are the same,
# neither those to one place nor those to two
fb_run "find-fat fat-nr=2 erasesize=64K blocksize=64K"
fb_fails "two places, two contents" test \
	"$(fbdata sum "/dev/$dev" 0 65536)" = \
	"$(fbdata sum "/dev/$dev" 65536 65536)"
first=$(fbdata sum "/dev/$dev" 0 65536)
fb_run "find-fat fat-nr=2 erasesize=64K blocksize=64K count=2"
fb_fails "the same place twice, another content" test "$first" = \
	"$(fbdata sum "/dev/$dev" 0 65536)"

# What closes an erase block follows the pattern, too; so do odd block sizes
fbdata fill "/dev/$dev" 3
fb_run "align-write erasesize=1M blocksize=1536 offset=20M pattern=one"
fb_is "one: whole erase blocks" $((4 << 20)) \
	"$(fbdata count "/dev/$dev" 255 $((20 << 20)) $((4 << 20)))"
fb_run "align-write erasesize=1M blocksize=1536 offset=20M"
dd if="/dev/$dev" bs=64K skip=320 count=64 2>/dev/null >/tmp/data
size=$(gzip -c /tmp/data | wc -c)
fb_that "random: whole erase blocks" test "$size" -ge 4194304

# Preserved data in the buffer is no data of the next run, and no secret
fb_target preserve
fbdata fill "/dev/$dev" 4
fb_run "$line"
fb_target destroy
fb_run "$line pattern=zero"
fb_is "zero after preserve" 1048576 "$(fbdata count "/dev/$dev" 0 0 1048576)"
fb_run "$line noclose"
# shellcheck disable=SC2086
fb_is "random after preserve" "$random" "$(fbdata sum $whole)"

# The wake-up reads a block into the buffer that is written from afterwards
fbdata fill "/dev/$dev" 0
fbdata fill "/dev/$dev" 5 $(((24 << 20) - 512)) 512
fb_run "find-fat fat-nr=6 erasesize=512 blocksize=512 pattern=zero"
fb_is "what was read is not written" 3072 "$(fbdata count "/dev/$dev" 0 0 3072)"

fb_done
