#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The three files of a result, word for word: header, table, columns; and that
# they agree with each other.
# shellcheck disable=SC2086 # words without blanks
. "$(dirname "$0")/lib.sh"

R=$FB/results
tab=$(printf '\t')

# One device of each kind: a card with a CID, and one that is nothing special
fb_null size=64 memory_backed=1
null=$dev

# ---- the header ----

# header DEVICE IDENTITY: of the run of interval just done
header()
{
	devt=$(cat "/sys/block/$1/dev")
	size=$(($(cat "/sys/block/$1/size") * 512))
	# KEY | VALUE, a regular expression; in this order
	cat >/tmp/want <<EOF
flashbench|$(modinfo -F version /lab/flashbench.ko 2>/dev/null || echo '[0-9.]+') interval
target:|$1 $devt $size bytes, $2
range:|0\\+$size
kernel:|$(uname -r | sed 's/[.+]/\\&/g') $(uname -m)
run:|$(fb_status test)
date:|$(date -u +%Y-%m-%dT%H):[0-5][0-9]:[0-5][0-9]Z
limits:|logical_block=$(cat "/sys/block/$1/queue/logical_block_size") .*
cost:|$(fb_status progress | sed 's,.*/,,') I/Os, read $(fb_status read_bytes) bytes, written 0 bytes, discarded 0 bytes, $(fb_status elapsed_ns) ns
errors:|0
EOF
	fb_is "$1: keys of the header" \
		"$(cut -d '|' -f 1 /tmp/want | xargs)" \
		"$(sed -n 's/^# \([a-z_]*:*\) .*/\1/p' $R/interval |
		grep -v positions | xargs)"
	while IFS='|' read -r key value; do
		fb_like "$1: $key" "^# $key $value$" \
			"$(grep "^# $key " $R/interval)"
	done </tmp/want
	for file in interval.tsv interval.samples; do
		fb_is "$1: $file begins with a format version" "# format: 1" \
			"$(head -n 1 $R/$file)"
		fb_is "$1: $file has the same header" \
			"$(grep '^#' $R/interval)" \
			"$(grep '^#' $R/$file | tail -n +2)"
	done
	fb_is "$1: all of it is before the table" \
		"$(grep -c '^#' $R/interval)" \
		"$(sed '/^[^#]/,$d' $R/interval | wc -l)"
	limits=$(grep '^# limits:' $R/interval)
	for attr in physical_block max_bio segments segment_size scheduler \
		write_cache discard_granularity read_only; do
		fb_like "$1: limits have $attr" " $attr=[a-z0-9-]+ " "$limits"
	done
	fb_like "$1: max_segments is sysfs'" \
		" segments=$(cat "/sys/block/$1/queue/max_segments") " "$limits"
}

for device in $null mmcblk0; do
	fb_write target $device >/tmp/res
	fb_is "a run on $device" OK "$(fb_write run 'interval count=3')"
	if [ $device = mmcblk0 ]; then
		header mmcblk0 "SD .*cid $(cat /sys/block/mmcblk0/device/cid).*"
	else
		header "$device" n/a
	fi
done

# ---- columns ----

fb_write target "$null" >/tmp/res
fb_write write_mode destroy >/tmp/res
numbers="n errors min_ns median_ns mean_ns p99_ns max_ns spread_ns"

# columns LINE COORDINATES POINTS SAMPLES
columns()
{
	test=${1%% *}
	fb_is "$1" OK "$(fb_write run "$1")"
	head=$(grep -v '^#' $R/$test.tsv | head -n 1)
	fb_is "$test.tsv: columns" "point $2 op positions $numbers" \
		"$(echo "$head" | tr '\t' ' ')"
	fb_is "$test.samples: columns" \
		"seq point op offset length submit_ns latency_ns parts status" \
		"$(grep -v '^#' $R/$test.samples | head -n 1 | tr '\t' ' ')"
	fb_is "$test.tsv: points" "$3" "$(grep -vc '^#' $R/$test.tsv |
		awk '{print $1 - 1}')"
	fb_is "$test.samples: samples" "$4" "$(grep -vc '^#' $R/$test.samples |
		awk '{print $1 - 1}')"
	fb_is "$test.tsv: as many columns in each row, integers or words" "" \
		"$(grep -v '^#' $R/$test.tsv | awk -F '\t' '
		NR == 1 { n = NF; next }
		NF != n { print; next }
		{
			for (i = 1; i <= NF; i++)
				if ($i !~ /^[0-9]+$/ &&
				    $i !~ /^(pre|on|post|read|write|flush)$/)
					print
		}')"
	fb_is "$test.samples: integers, in order, one after the other" "" \
		"$(grep -v '^#' $R/$test.samples | awk -F '\t' '
		NR == 1 { next }
		NF != 9 || $1 != NR - 2 || $3 !~ /^(read|write)$/ ||
		$4 % 512 || $5 % 512 || !$5 || $8 < 1 || $9 != 0 ||
		!$7 || $6 < end { print }
		{
			end = $6 + $7
			for (i = 1; i <= NF; i++)
				if (i != 3 && $i !~ /^[0-9]+$/)
					print
		}')"
	consistent "$1"
}

# Every number of .tsv worked out again from .samples
consistent()
{
	fb_is "$1: .tsv is what .samples say" "$(grep -v '^#' $R/$test.tsv |
		awk -F '\t' 'NR > 1 {
			printf "%d", $1
			for (i = NF - 7; i <= NF; i++)
				printf " %d", $i
			print ""
		}')" \
		"$(grep -v '^#' $R/$test.samples | tail -n +2 |
		sort -n -k 2,2 -k 7,7 | awk -F '\t' '
		function mid(v, n) {
			return n % 2 ? v[(n + 1) / 2] :
				int((v[n / 2] + v[n / 2 + 1]) / 2)
		}
		function flush_point(  i, j, m, x, sum, d) {
			if (!n)
				return
			m = mid(v, n)
			for (i = 1; i <= n; i++) {
				sum += v[i]
				x = v[i] > m ? v[i] - m : m - v[i]
				for (j = i; j > 1 && d[j - 1] > x; j--)
					d[j] = d[j - 1]
				d[j] = x
			}
			printf "%d %d 0 %d %d %d %d %d %d\n", point, n, v[1], m,
				int(sum / n), v[int((n * 99 + 99) / 100)],
				v[n], mid(d, n)
			n = 0
		}
		$2 != point { flush_point(); point = $2 }
		{ v[++n] = $7 + 0 }
		END { flush_point() }')"
}

columns "interval interval-order=6 count=5" length_bytes 6 30
columns "scatter scatter-order=3 count=4" offset_bytes 8 32
columns "align blocksize=8M count=3" "align_bytes place" 18 \
	$((3 * 3 * (1 + 1 + 1 + 2 + 3 + 3)))
columns "align-write blocksize=8M" "align_bytes place" 18 \
	$((3 * (1 + 1 + 1 + 2 + 3 + 3)))
columns "open-au erasesize=1M blocksize=128K open-au-nr=3 count=2" \
	"block_bytes open_aus" 4 $((3 * 2 * (1 + 2 + 4 + 8)))
columns "find-fat erasesize=512K blocksize=128K fat-nr=4" \
	"block_bytes erase_block" 12 $((4 * (1 + 2 + 4)))

fb_is "rows of align: largest first" "48M 36M 32M 24M 18M 16M" "$(awk \
	'/^align/ {print $2 / 1048576 "M"}' $R/align | xargs)"

# diag adds a column
fb_is "a run with diag" OK \
	"$(fb_write run 'interval interval-order=3 count=2 diag')"
fb_is "columns with diag" \
	"seq point op offset length submit_ns latency_ns parts status driver_ns" \
	"$(grep -v '^#' $R/interval.samples | head -n 1 | tr '\t' ' ')"
fb_is "the driver had each request for a part of the time" 6 \
	"$(awk -F '\t' '/^[0-9]/ && $10 > 0 && $10 < $7' $R/interval.samples |
	wc -l)"

# ---- tables ----

time="-?([0-9]{1,3}|[0-9]{1,2}\.[0-9]|[0-9]\.[0-9]{1,2})(ns|µs|ms|s)"
rate="([0-9]{1,3}|[0-9]{1,2}\.[0-9]|[0-9]\.[0-9]{1,2})(B|K|M|G)/s"
size="[0-9.]+(B|KiB|MiB|GiB)"

# rows TEST REGEX NUMBER: lines of the table that match, and all there are
rows()
{
	fb_is "$1: rows that look as they should, and all" "$3 ${4-$3}" \
		"$(grep -v '^#' $R/$1 | grep -cE "$2") \
$(grep -vc '^#' $R/$1)"
}

fb_is "align: positions of each row are in the header" "1 1 1 2 3 3" \
	"$(sed -n 's/^# positions: *//p' $R/align)"
rows align "^align [0-9]+${tab}pre $time${tab}on $time${tab}post $time${tab}diff $time$" 6
rows align-write "^align [0-9]+${tab}pre $time${tab}on $time${tab}post $time${tab}diff $time$" 6
rows open-au "^$size +$rate$" 4
fb_is "open-au: labels" "1MiB 512KiB 256KiB 128KiB" \
	"$(sed -n 's/^\([1-9][^ ]*\) .*/\1/p' $R/open-au | xargs)"
rows find-fat "^$size +$rate +$rate +$rate +$rate$" 3
rows scatter "^[0-9]+\.[0-9]{6}${tab}[0-9]+\.[0-9]{6}$" 8
rows interval "^[0-9]+ bytes: min $time avg $time max $time: [0-9]+\.[0-9]{3} MB/s$" 3 4

# a rate and a time worked out again, rounded as they should be
fb_write run "open-au erasesize=512K blocksize=512K" >/tmp/res
fb_is "512 KiB in this time is this rate" \
	"$(awk -F '\t' '/^[0-9]/ {sum += $7; n++} END {
		rate = int(524288 * 1e9 / int(sum / n) + 0.5)
		while (rate >= 1000) {
			rate /= 1000
			unit++
		}
		text = sprintf(rate >= 100 ? "%.0f" : rate >= 10 ? "%.1f" :
			"%.2f", rate)
		if (text ~ /\./)
			sub(/\.?0+$/, "", text)
		print text substr("BKMG", unit + 1, 1) "/s"
	}' $R/open-au.samples)" \
	"$(sed -n 's/^512KiB *//p' $R/open-au)"
fb_is "scatter: megabytes and milliseconds" \
	"$(awk -F '\t' '/^[0-9]/ {printf "%.6f\t%.6f\n", $2 / 1048576, $7 / 1e6}' \
	$R/scatter.tsv)" "$(grep -v '^#' $R/scatter)"

fb_done
