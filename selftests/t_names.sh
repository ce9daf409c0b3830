#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# How tests, keys and sizes may be spelled, and what they are by default.
. "$(dirname "$0")/lib.sh"

fb_null size=512
fb_write target "$dev" >/tmp/res
fb_write write_mode destroy >/tmp/res

# the run line with all keys in force
resolved()
{
	echo "$(fb_write run "$1 dryrun") $(fb_status test)"
}

# ---- defaults ----

common="seed=1 max-time=0 max-write=0 diag=0 dryrun=1"
writing="pattern=random fua=0 flush=0 noclose=0 discard=0"
# TEST | what it is with all its keys
while IFS='|' read -r test want; do
	fb_is "$test by default" "OK $test $want" "$(resolved "$test")"
done <<EOF
align|blocksize=16384 count=8 offset=0 old-schedule=0 $common
align-write|blocksize=16384 count=1 offset=0 erasesize=0 old-schedule=0 $writing $common
open-au|blocksize=16384 count=1 offset=16777216 open-au-nr=2 erasesize=4194304 random=0 $writing $common
find-fat|blocksize=16384 count=1 offset=0 fat-nr=6 erasesize=4194304 random=0 $writing $common
scatter|blocksize=16384 count=8 offset=0 scatter-order=9 scatter-span=1 $common
interval|blocksize=16384 count=8 offset=0 interval-order=12 $common
geometry|only=all max-collections=400 scan=0 $common
EOF

# ---- the same line, in other words ----

# LINE | LINE
while IFS='|' read -r one other; do
	fb_is "'$other' is '$one'" "$(resolved "$one")" "$(resolved "$other")"
	fb_like "'$one' is right" "^OK " "$(resolved "$one")"
done <<EOF
open-au open-au-nr=3|open_au open_au_nr=3
open-au open-au-nr=3|open-au open_au-nr=3
align-write|align_write
find-fat fat-nr=2|find_fat fat_nr=2
scatter scatter-order=3 scatter-span=2|scatter scatter_order=3 scatter_span=2
interval interval-order=3|interval interval_order=3
geometry only=erase_block,page|geometry only=erase-block,page
geometry only=erase_block,page|geometry only=page,erase_block
align max-time=9 max-write=9|align max_time=9 max_write=9
align blocksize=32768|align blocksize=32K
align blocksize=32768|align blocksize=32k
align blocksize=32768|align blocksize=32KiB
align blocksize=32768|align blocksize=32kiB
align blocksize=32768|align blocksize=0x8000
align blocksize=32768|align blocksize=0x20K
align blocksize=32768|align blocksize=00032K
open-au erasesize=2097152|open-au erasesize=2M
open-au erasesize=2097152|open-au erasesize=2m
open-au erasesize=2097152|open-au erasesize=2MiB
open-au erasesize=2097152|open-au erasesize=2048K
open-au erasesize=1572864|open-au erasesize=1536K
align max-write=3221225472|align max-write=3G
align max-write=3221225472|align max-write=3g
align max-write=3221225472|align max-write=3GiB
align max-write=3221225472|align max-write=0xC0000000
align max-write=3221225472|align max-write=0xc0000000
align count=255|align count=0xff
align count=8|align count=08
open-au random|open-au random=1
open-au|open-au random=0
open-au random fua=0 noclose|open-au noclose=1 flush=0 random=1 discard=0
align count=2 seed=3|align seed=3 count=2
align count=2 seed=3| 	align  	seed=3	 count=2  	
EOF

# ---- other words, another meaning ----

while IFS='|' read -r key line; do
	fb_is "'$line'" "EINVAL $key" "$(fb_refused "$line" | cut -d : -f 1)"
done <<EOF
ALIGN|ALIGN
open|open au
openau|openau
open--au|open--au
-align|-align
align-|align-
align_|align_
BLOCKSIZE|align BLOCKSIZE=4K
block-size|align block-size=4K
count|align count =3
count|align count= 3
blocksize|align blocksize=16 K
blocksize|align blocksize=0X4000
blocksize|align blocksize=16KB
blocksize|align blocksize=16KK
blocksize|align blocksize=16Kb
blocksize|align blocksize=16KiBi
blocksize|align blocksize=K
blocksize|align blocksize=4000h
blocksize|align blocksize=ffff
seed|scatter seed=1K
EOF

fb_done
