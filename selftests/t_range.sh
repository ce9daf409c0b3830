#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The part of the target that may be touched, and nothing else is.
. "$(dirname "$0")/lib.sh"

fb_writes <<EOF
ENODEV | range | 0+4096 | ^range: no target
EOF

# sectors of 4 KiB, 64 MiB
fb_null size=64 blocksize=4096 memory_backed=1
fb_write target "$dev" >/tmp/res
fb_is "the whole target by default" 0+67108864 "$(cat $FB/range)"

# WRITTEN | READ BACK
while IFS='|' read -r text range; do
	fb_is "'$text' is a range" OK "$(fb_write range "$text")"
	fb_is "'$text' is read back as" "$range" "$(cat $FB/range)"
done <<EOF
0+4096|0+4096
4096+4096|4096+4096
1M+2M|1048576+2097152
1MiB+2m|1048576+2097152
1024K+2048KiB|1048576+2097152
0x100000+0x200000|1048576+2097152
0x40K+0x80k|65536+131072
0+64M|0+67108864
67104768+4096|67104768+4096
63M+1M|66060288+1048576
0001M+00002M|1048576+2097152
EOF

fb_is "a range without a newline" OK "$(fbt write -n $FB/range 4M+8M)"

fb_writes <<EOF
EINVAL | range |                          | ^range:
EINVAL | range | 1M                       | ^range: .*OFFSET\+LENGTH
EINVAL | range | +1M                      | ^range:
EINVAL | range | 1M+                      | ^range:
EINVAL | range | 1M-2M                    | ^range:
EINVAL | range | 1M 1M                    | ^range:
EINVAL | range | 1M+1M+1M                 | ^range:
EINVAL | range | 1M + 1M                  | ^range:
EINVAL | range | 0+1M,                    | ^range:
EINVAL | range | 0+1MB                    | ^range:
EINVAL | range | 0+1T                     | ^range:
EINVAL | range | 0+1.5M                   | ^range:
EINVAL | range | -4096+4096               | ^range:
EINVAL | range | 0+-4096                  | ^range:
EINVAL | range | 0x+4096                  | ^range:
EINVAL | range | 0+0                      | ^range:
EINVAL | range | 4M+0                     | ^range:
EINVAL | range | 0+512                    | ^range: .*multiple.*4096
EINVAL | range | 512+4096                 | ^range: .*multiple.*4096
EINVAL | range | 0+4097                   | ^range: .*multiple.*4096
EINVAL | range | 0+67112960               | ^range: .*67108864
EINVAL | range | 4096+64M                 | ^range: .*67108864
EINVAL | range | 64M+4096                 | ^range: .*67108864
EINVAL | range | 1G+4096                  | ^range:
EINVAL | range | 0+17179869184G           | ^range:
EINVAL | range | 0+18446744073709551616   | ^range:
EINVAL | range | 18446744073709547520+8K  | ^range:
EINVAL | range | 4096+18446744073709547520 | ^range:
EINVAL | range | 36893488147419103232+4096 | ^range:
EOF
fb_is "a refused range leaves the old one" 4194304+8388608 "$(cat $FB/range)"

# longer than what is looked at: the end may not be lost
digits=$(printf %0500d 4096)
fb_is "a length of 500 digits" OK "$(fb_write range "0+$digits")"
fb_is "may be long, not large" EINVAL "$(fb_write range "0+${digits}0000000000")"

fb_write range 4M+8M >/tmp/res
fb_write target "$dev" >/tmp/res
fb_is "the target written again resets it" 0+67108864 "$(cat $FB/range)"

# Just outside of 8M+16M all fails (an entry of badblocks has 512 sectors at
# most), and what is written further away would be seen in the content
fb_null size=64 memory_backed=1
fb_write target "$dev" >/tmp/res
fbdata fill "/dev/$dev" 5
outside()
{
	fbdata sum "/dev/$dev" 0 8388608
	fbdata sum "/dev/$dev" 25165824 41943040
}

before=$(outside)
echo "+15872-16383" >"$fb_dir/badblocks"
echo "+49152-49663" >"$fb_dir/badblocks"
fb_write range 8M+16M >/tmp/res

# inside LINE: the run ends well and stays inside
inside()
{
	fb_is "$1" OK "$(fb_write run "$1")"
	fb_is "$1: errors" 0 "$(fb_status io_errors)"
	fb_is "$1: samples outside" 0 "$(awk -F '\t' '
		/^[0-9]/ && ($4 < 8388608 || $4 + $5 > 25165824)' \
		"$FB/results/${1%% *}.samples" | wc -l)"
}

inside "align blocksize=16K count=2"
inside "scatter blocksize=16K scatter-order=10 count=1"
inside "interval interval-order=8 count=16"
fb_write write_mode destroy >/tmp/res
inside "open-au erasesize=512K open-au-nr=2 blocksize=64K"
inside "find-fat erasesize=1M fat-nr=16 blocksize=256K"
inside "align-write blocksize=32K erasesize=4M"
fb_write write_mode preserve >/tmp/res
inside "find-fat erasesize=4M fat-nr=4 blocksize=2M"
fb_is "find-fat begins where the range does" 8388608 \
	"$(awk -F '\t' '/^0\t/ {print $4}' $FB/results/find-fat.samples)"

# one block more on either side, and the same kind of run fails
for range in 8384512+16M 8M+16781312; do
	fb_write range $range >/tmp/res
	fb_is "$range is touched at both ends" EIO \
		"$(fb_write run 'find-fat erasesize=4K fat-nr=1 blocksize=4K')"
done

echo "-15872-16383" >"$fb_dir/badblocks"
echo "-49152-49663" >"$fb_dir/badblocks"
fb_is "nothing outside was written" "$before" "$(outside)"

fb_write range 8M+16M >/tmp/res
fb_is "an offset outside the range" ENOSPC \
	"$(fb_write run 'interval interval-order=3 offset=4M')"

fb_done
