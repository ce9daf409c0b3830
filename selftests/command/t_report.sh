#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# flashbench report --from: the page and the mail have all of it, the serial
# number only if it was asked for, and nothing that comes from elsewhere.
. "$(dirname "$0")/pictures.sh"

# report NAME OPTION... INPUT...: $page and $mail
report()
{
	report_name=$1
	shift
	rm -rf "$tmp/r"
	ok "$report_name" "$program" report -o "$tmp/r" --from "$@"
	page=$tmp/r/report.html
	mail=$tmp/r/report.txt
}

# both NAME TEXT: page and mail have it
both()
{
	says "$1, page" "$2" "$page"
	says "$1, mail" "$2" "$mail"
}

# neither NAME TEXT
neither()
{
	silent "$1, page" "$2" "$page"
	silent "$1, mail" "$2" "$mail"
}

# often REGEX FILE: how often
often()
{
	grep -oE -e "$1" "$2" | wc -l
}

# too_wide FILE: lines of more than 72 columns (a µ is two bytes and one)
too_wide()
{
	sed 's/µ/u/g' "$1" | LC_ALL=C grep -cE '.{73}' || :
}

report "all results" "$saved/info" "$saved"/[!a]*.tsv "$saved/align.tsv"
both "which card" "SD FLSIM manfid 0x0000fe oemid 0x4653"
both "kernel" "6.1.0-57-amd64 x86_64"
both "module" "flashbench 1.0 "
both "claim of the card" "1048576 bytes = 1MiB (SSR AU)"
both "verdict" "erase block"
both "evidence" "999.9 times the noise"
both "confidence" "990"
both "run line" "interval blocksize=16384 count=4"
both "reading of align" "crosses a boundary between two pages"
# Of 16 KiB with three erase blocks open, from the file itself
both "rates" "$(awk -F '\t' '$2 == 16384 && $3 == 3 {
	printf "%.3gK/s", 16384 * 1e6 / $10 }' "$saved/open-au-3.tsv")"
both "times" "1.2ms"
says "mail: verdict in words" \
	"erase block: 1MiB (sure, 990 of 1000, read+check)" "$mail"
says "mail: subject" "Subject: flashbench: SD FLSIM" "$mail"
ok "mail: 72 columns" test "$(too_wide "$mail")" = 0
ok "page: well-formed" well_formed "$page"
says "page: language" '<html lang="en">' "$page"
says "page: for small screens" 'name="viewport"' "$page"
for test in align open-au find-fat scatter interval; do
	says "page: heading of $test" "<h2>$test</h2>" "$page"
done
ok "page: each table has a caption" test "$(often '<table' "$page")" = \
	"$(often '<caption' "$page")"
ok "page: tables scroll by themselves" test "$(often '<table' "$page")" = \
	"$(often '<div class="box" tabindex="0"><table' "$page")"
ok "page: each head of a table says of what" test \
	"$(often '<th[ >]' "$page")" = "$(often '<th scope="(col|row)"' "$page")"
ok "page: nothing from elsewhere" test "$(often 'http|//' "$page")" = 0
ok "page: no scripts, no links" test \
	"$(often '<(script|link|img|iframe|object)|@import|src=' "$page")" = 0
ok "page: ids are unique" test -z "$(grep -oE " id=[\"'][^\"']*" "$page" |
	sort | uniq -d)"

if command -v gnuplot >/dev/null; then
	ok "page: five pictures" test "$(often '<svg' "$page")" = 5
	ok "page: pictures are described" test "$(often '<desc' "$page")" = 5
	says "page: the step is marked" \
		"erase block 1MiB: sure, 990 of 1000 (geometry)" "$page"
	ok "page: one picture of both numbers of erase blocks" test \
		"$(often '>3 erase blocks open<' "$page")" = 1
else
	result 0 "pictures # SKIP gnuplot is missing"
fi

# The serial number, by itself and in the CID, with its checksum
mkdir "$tmp/card"
for file in info align.tsv geometry.tsv; do
	sed 's/0x00000001/0xcafebabe/
		s/10000000010191../10cafebabe0191ab/' \
		"$saved/$file" >"$tmp/card/$file"
done
report "a card with a serial number" "$tmp/card/info" "$tmp/card"/*.tsv
neither "the serial number is masked" cafebabe
neither "so is what is left of it in the CID" 191ab
both "and only that" "fe4653464c53494d10xxxxxxxxxx91xx"
both "the CSD is no CID" 000e00325b5a83a9f6dbff800a800001
report "the same" --serial "$tmp/card/info" "$tmp/card"/*.tsv
both "it is shown if asked for" fe4653464c53494d10cafebabe0191ab
both "by itself, too" 0xcafebabe

# Names that would be markup, or talk to a terminal
# shellcheck disable=SC2016 # nothing is to be expanded
awk '/^# (target|run):/ {
		$0 = $0 " </pre><script>alert(1)</script>&\"\033[2J"
	}
	/^# target:/ { sub(/FLSIM/, "<img src=x>\"&amp;\033]0;x\007") }
	{ print }' "$saved/align.tsv" >"$tmp/evil.tsv"
sed 's/step at/<b onclick="x">/' "$saved/geometry.tsv" >"$tmp/evil-geometry.tsv"
sed 's/^cid_name: .*/cid_name: <svg onload=x>/' "$saved/info" >"$tmp/evil-info"
report "hostile names" "$tmp/evil-info" "$tmp/evil.tsv" "$tmp/evil-geometry.tsv"
ok "hostile names: well-formed" well_formed "$page"
ok "hostile names: no markup" test \
	"$(often '<(script|img|b |svg onload)' "$page")" = 0
says "hostile names: they are text" "&lt;svg onload=x&gt;" "$page"
escape=$(printf '\033')
neither "hostile names: no control characters" "$escape"

report "without the info file" "$saved/align.tsv"
both "there is no geometry result" "there is no geometry result"
says "the target is known" "1967128576 bytes, SD FLSIM" "$page"
report "two runs of one test" "$saved/align.tsv" "$saved/align-odd.tsv"
ok "both tables" test "$(often '<caption>Median times' "$page")" = 2

ok "one file" "$program" report -o "$tmp/one.html" --from "$saved/align.tsv"
says "its name is said" "$tmp/one.html" "$tmp/out"
ok "it is there" test -s "$tmp/one.html"
ok "and the mail beside it" test -s "$tmp/one.txt"

mkdir "$tmp/empty"
ok "without gnuplot" env PATH="$tmp/empty" "$program" report \
	-o "$tmp/bare.html" --from "$saved/align.tsv" "$saved/geometry.tsv"
says "it names the package" gnuplot-nox "$tmp/err"
says "the page says so" "gnuplot was missing" "$tmp/bare.html"
says "and has its tables" "<caption>Median times" "$tmp/bare.html"
says "and verdicts" "999.9 times the noise" "$tmp/bare.html"

status "no device" 2 "$program" report
status "no results" 2 "$program" report --from
status "two devices" 2 "$program" report /dev/null /dev/zero
status "unknown option" 2 "$program" report --colour /dev/null
status "help" 0 "$program" report --help
status "no such result" 1 "$program" report -o "$tmp/x" --from "$tmp/nowhere"
status "no result" 1 "$program" report -o "$tmp/x" --from "$0"
status "nowhere to write" 1 "$program" report -o "$tmp/no/where" --from \
	"$saved/align.tsv"
ok "no page of what failed" test ! -e "$tmp/x/report.html"

finish
