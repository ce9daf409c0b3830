#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Which error comes first: EBUSY, ENODEV, EINVAL, EPERM, EROFS, ENOSPC. What a
# refusal leaves behind, what would fit, and what the device itself says.
. "$(dirname "$0")/lib.sh"

# what fits nowhere here: 1000 erase blocks of 4 MiB
huge="open-au open-au-nr=1000"

# ---- the order ----

fb_writes <<EOF
ENODEV | run        | bogus        | ^run: no target
ENODEV | run        |              | ^run: no target
ENODEV | run        | align        | ^run: no target
ENODEV | run        | $huge        | ^run: no target
ENODEV | range      | bogus        | ^range: no target
ENODEV | write_mode | bogus        | ^write_mode: no target
EOF
fb_is "a refused run is a failed one" failed "$(fb_status state)"
fb_is "and says what it was" "$huge" "$(fb_status test)"

fb_null size=64 memory_backed=1
null=$dev
fb_write target "$null" >/tmp/res
blockdev --setro "/dev/$null"
fb_writes <<EOF
EINVAL | run | $huge bogus             | ^bogus:
EINVAL | run | $huge count=0           | ^count:
EINVAL | run | $huge blocksize=513     | ^blocksize:
EINVAL | run | $huge discard           | ^discard:
EINVAL | run | open-au blocksize=8M    | ^blocksize:
EPERM  | run | $huge                   | ^write_mode: .*off
EPERM  | run | open-au erasesize=1M    | ^write_mode: .*off
OK     | run | interval                |
ENOSPC | run | scatter scatter-order=20 count=1 | ^scatter-order:
EINVAL | write_mode | bogus            | ^write_mode: "bogus"
EROFS  | write_mode | destroy          | ^write_mode: .*write-protected
EOF
blockdev --setrw "/dev/$null"
fb_write write_mode destroy >/tmp/res
blockdev --setro "/dev/$null"
fb_writes <<EOF
EINVAL | run | $huge bogus             | ^bogus:
EINVAL | run | $huge blocksize=513     | ^blocksize:
EROFS  | run | $huge                   | ^write_mode: .*write-protected
EROFS  | run | open-au erasesize=1M    | ^write_mode: .*write-protected
OK     | run | interval                |
EOF
blockdev --setrw "/dev/$null"
fb_writes <<EOF
ENOSPC | run | $huge                   | ^open-au-nr:
OK     | run | find-fat erasesize=1M   |
EOF

# ---- a refusal ----

before=$(fb_io "$null")
table=$(cat $FB/results/find-fat)
for line in "find-fat bogus" "find-fat fat-nr=64"; do
	fb_write run "$line" >/tmp/res
	fb_is "'$line' is refused: status" \
		"failed $line 0/0 0 0 0 0 0 0" \
		"$(sed -n '1,9s/^[a-z_]*: //p' $FB/status | xargs)"
	fb_that "with a reason" [ "$(fb_status reason)" != - ]
	fb_is "and leaves the result there was" "$table" \
		"$(cat $FB/results/find-fat)"
done
fb_is "without any I/O" "$before" "$(fb_io "$null")"
fb_is "the next run is not refused" OK "$(fb_write run interval)"
fb_is "and has no reason" "done -" "$(fb_status state) $(fb_status reason)"

# ---- what would fit, does; one more does not ----

# KEY | LINE without the key | too much | the most
while IFS='|' read -r key line much most; do
	fb_like "$line $key=$much" "^ENOSPC $key: .*fits is $most$" \
		"$(fb_refused "$line $key=$much")"
	fb_is "$line $key=$most" OK "$(fb_write run "$line $key=$most dryrun")"
	fb_is "$line $key=$((most + 1))" ENOSPC \
		"$(fb_write run "$line $key=$((most + 1)) dryrun")"
done <<EOF
open-au-nr|open-au erasesize=4M|2|1
open-au-nr|open-au erasesize=1M|8|4
open-au-nr|open-au erasesize=1M offset=0|9|6
open-au-nr|open-au erasesize=1536K|9|3
fat-nr|find-fat|17|16
fat-nr|find-fat offset=8M|15|14
fat-nr|find-fat offset=4K erasesize=16M|4|3
scatter-order|scatter|13|12
scatter-order|scatter scatter-span=2|12|11
scatter-order|scatter offset=63M|8|6
interval-order|interval count=1 offset=4K|18|17
interval-order|interval|18|12
EOF
fb_like "align: no room round any boundary" \
	"^ENOSPC blocksize: .*blocksize 16777216 would fit$" \
	"$(fb_refused 'align blocksize=64M')"
fb_is "align: what would fit" OK \
	"$(fb_write run 'align blocksize=16777216 dryrun')"
fb_is "nothing fits behind the end" ENOSPC \
	"$(fb_write run 'scatter offset=64M scatter-order=0')"
fb_is "nor far behind it" ENOSPC \
	"$(fb_write run 'find-fat offset=18446744073709547520')"

# ---- the device fails: after the row, with sector and operation ----

line="interval interval-order=5 count=4"
fb_is "a run without errors" OK "$(fb_write run "$line")"
# the third sample of the third row, which no earlier row reads
sector=$(awk -F '\t' '$1 == 10 {print $4 / 512}' $FB/results/interval.samples)
table=$(cat $FB/results/interval.tsv)
echo "+$sector-$sector" >"$fb_dir/badblocks"
fb_is "sector $sector cannot be read" EIO "$(fb_write run "$line")"
fb_is "the run is a failed one" failed "$(fb_status state)"
fb_is "it ended with the row, three of five" 15/25 "$(fb_status progress)"
fb_is "it counts its errors" 1 "$(fb_status io_errors)"
fb_like "the reason names operation and sector" \
	"^read failed at sector $sector\>" "$(fb_status reason)"
fb_is "its result is not published" "$table" "$(cat $FB/results/interval.tsv)"

echo "-$sector-$sector" >"$fb_dir/badblocks"
fb_is "healed" OK "$(fb_write run "$line")"
echo "+4096-4096" >"$fb_dir/badblocks"
line="find-fat fat-nr=1 erasesize=512K blocksize=128K noclose"
fb_write range 2M+512K >/tmp/res
fb_is "sector 4096 cannot be written" EIO "$(fb_write run "$line")"
fb_like "the reason names the operation" "^write failed at sector 4096\>" \
	"$(fb_status reason)"
fb_is "it ended with the row, one of three" 2/10 "$(fb_status progress)"
fb_write write_mode preserve >/tmp/res
fb_is "nor be read to be preserved" EIO "$(fb_write run "$line")"
fb_like "the reason names the read" "^read failed at sector 4096\>" \
	"$(fb_status reason)"
fb_write range 4M+512K >/tmp/res
fb_is "elsewhere, all is well" OK "$(fb_write run "$line")"

fb_done
