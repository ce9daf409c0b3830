#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashbench plot: each kind of result becomes a picture that says what is in
# it; nothing of what users name things gets into gnuplot's hands.
. "$(dirname "$0")/pictures.sh"

if ! command -v gnuplot >/dev/null; then
	echo "1..0 # SKIP gnuplot is missing"
	exit 0
fi

# picture NAME INPUT...: without warnings, and well-formed
picture()
{
	picture_name=$1
	shift
	rm -f "$tmp/p.svg"
	ok "$picture_name: drawn" timeout 60 "$program" plot "$@" -o "$tmp/p.svg"
	ok "$picture_name: without a warning" test ! -s "$tmp/err"
	ok "$picture_name: well-formed" well_formed "$tmp/p.svg"
	text "$tmp/p.svg" >"$tmp/text"
}

# What is to be read in a picture, an element a line
text()
{
	tr '\n' ' ' <"$1" | sed 's/<text[^>]*>/\
@/g; s/<\/text>/\
/g' | sed -n '/^@/{s/^@//; s/<[^>]*>//g; p;}'
}

# shows TEXT...: each of them is in the picture
shows()
{
	for text; do
		says "$picture_name: shows $text" "$text" "$tmp/text"
	done
}

picture align "$saved/align.tsv"
shows "align, reads: SD FLSIM manfid 0x0000fe oemid 0x4653" \
	"align blocksize=1024 count=4" "6.1.0-57-amd64" \
	"sizes 2^k" "sizes 3*2^k" "sizes 9*2^k" \
	"erase block 1MiB" "of 1000 (this table alone)" \
	64K 4M 1G "boundaries at multiples of (bytes)" "(µs)"
says "align: described in words" "<desc id=\"desc\">extra time" "$tmp/p.svg"

picture "align and geometry" "$saved/align.tsv" "$saved/geometry.tsv"
shows "erase block 1MiB: sure, 990 of 1000 (geometry)" "super page 8KiB"

picture "align of 1.5 MiB" "$saved/align-odd.tsv"
shows "erase block 1.5MiB: likely"

picture "align, all places" --places "$saved/align.tsv"
shows "before the boundary (pre)" "across it (on)" "behind it (post)" "(ms)"

picture "before and after" "$saved/align.tsv" "$saved/align-odd.tsv"
shows before after "before: align blocksize=1024" \
	"another card: SDHC SD04G manfid 0x000003 oemid 0x5344"

picture open-au "$saved/open-au-2.tsv" "$saved/open-au-3.tsv" \
	"$saved/geometry.tsv"
shows "2 erase blocks open" "3 erase blocks open" "20 kB/s" "1 MB/s" 16K \
	"size of each write (bytes)" \
	"open erase blocks, written in order: 2; sure, 980 of 1000 (geometry)"

picture "open-au twice" "$saved/open-au-2.tsv" "$saved/open-au-2.tsv"
shows "before, 2 erase blocks open" "after, 2 erase blocks open"

picture find-fat "$saved/find-fat.tsv" "$saved/geometry.tsv"
shows "writes of 1MiB" "writes of 64KiB" "rate (MB/s)" \
	"FAT area, erase blocks: none"

picture scatter "$saved/scatter.tsv"
shows "place on the device (MiB)" "shortest time of a read (ms)" reads

picture interval "$saved/interval.tsv"
shows measured "line fitted from the fourth size on" "access time" "50 ms" 512

picture samples "$saved/open-au-2.samples" --size 16K
shows "latencies of 16KiB: SD FLSIM" "16KiB (128)" \
	"operations that took no longer (%)" "time of an operation" "2 ms"

picture "samples, before and after" "$saved/open-au-2.samples" \
	"$saved/open-au-3.samples"
shows "before (254)" "after (381)" "before: open-au" "after: open-au"

# The share of operations below a time, from the file itself: of 254 writes
# half are of 16 KiB, and these are the fastest
awk -F '\t' '/^[0-9]/ && $9 == 0 { print $7 }' "$saved/open-au-2.samples" |
	sort -n >"$tmp/sorted"
ok "samples: as many as the file has" test "$(wc -l <"$tmp/sorted")" = 254

ok "png: drawn" "$program" plot "$saved/align.tsv" -o "$tmp/p.png"
says "png: is one" "PNG" "$tmp/p.png"

# A serial number is no part of a picture
sed 's/0x00000001/0xcafebabe/; s/100000000101/10cafebabe01/' \
	"$saved/align.tsv" >"$tmp/serial.tsv"
picture "a card with a serial number" "$tmp/serial.tsv"
silent "the serial number is not shown" cafebabe "$tmp/p.svg"

# Names that would be commands, markup or new lines
cd "$tmp" || exit 1
# shellcheck disable=SC2016 # nothing is to be expanded
evil='x'\''; system("touch pwned"); y=`touch pwned` @z "<b>&\n" \t\$(touch pwned)'
awk -v evil="$(printf '%s' "$evil" | sed 's/\\/\\\\/g')" '
	/^# (target|run):/ { $0 = $0 " " evil }
	/^# target:/ { gsub(/manfid/, evil) }
	{ print }' "$saved/align.tsv" >"evil.tsv"
ok "hostile names: they are there" grep -qF "$evil" evil.tsv
picture "hostile names" evil.tsv
ok "hostile names: nothing was done" test ! -e pwned
# shellcheck disable=SC2016 # as above
shows 'system(' '`touch pwned`' '$(touch pwned)' '&lt;b>&amp;\n'
cp "$saved/align.tsv" "a'; system('touch pwned').tsv"
ok "hostile file name: drawn" "$program" plot \
	"a'; system('touch pwned').tsv" -o "b'; system('touch pwned').svg"
ok "hostile file name: nothing was done" test ! -e pwned
ok "hostile file name: the picture has it" \
	test -s "b'; system('touch pwned').svg"

# What cannot be drawn
status "unknown end of the name" 2 "$program" plot "$saved/align.tsv" -o x.gif
says "it says which there are" ".svg or .png" err
status "no output" 2 "$program" plot "$saved/align.tsv"
status "no results" 2 "$program" plot -o x.svg
status "unknown option" 2 "$program" plot --colour "$saved/align.tsv" -o x.svg
status "help" 0 "$program" plot --help
status "no such file" 1 "$program" plot nowhere.tsv -o x.svg
status "different tests" 1 "$program" plot "$saved/align.tsv" \
	"$saved/scatter.tsv" -o x.svg
says "it says which" "scatter does not go with align" err
status "samples and tables" 1 "$program" plot "$saved/open-au-2.samples" \
	"$saved/open-au-2.tsv" -o x.svg
status "three of one kind" 1 "$program" plot "$saved/align.tsv" \
	"$saved/align.tsv" "$saved/align.tsv" -o x.svg
status "geometry alone" 1 "$program" plot "$saved/geometry.tsv" -o x.svg
status "no operation of this size" 1 "$program" plot --size 3K \
	"$saved/open-au-2.samples" -o x.svg
sed '/^[0-9]/d' "$saved/align.tsv" >empty.tsv
status "a result without points" 1 "$program" plot empty.tsv -o x.svg
sed '/^[0-9]/d' "$saved/open-au-2.samples" >empty.samples
status "samples without samples" 1 "$program" plot empty.samples -o x.svg
sed '/^5\t/s/\twrite//' "$saved/open-au-2.samples" >bad.samples
status "samples with a column missing" 1 "$program" plot bad.samples -o x.svg
says "it says where" "bad.samples:" err
status "no directory" 1 "$program" plot "$saved/align.tsv" -o no/x.svg
ok "nothing was left" test ! -e x.svg

# Without gnuplot
mkdir empty
status "no gnuplot" 1 env PATH="$tmp/empty" "$program" plot \
	"$saved/align.tsv" -o x.svg
says "it names the package" "gnuplot-nox" err
cp "$saved/align.tsv" align.tsv
PATH="$tmp/empty" "$program" plot align.tsv -o x.svg 2>/dev/null
ok "and no picture" test ! -e x.svg

# A pipe can be read once only
mkfifo fifo
cat "$saved/align.tsv" >fifo &
picture "a pipe" fifo
wait

# A sample that failed has no time
awk -F '\t' -v OFS='\t' '/^[0-9]/ && $1 == 7 { $7 = 1; $9 = -5 } { print }' \
	"$saved/open-au-2.samples" >failed.samples
picture "a failed sample" failed.samples
shows "(253)"

finish
