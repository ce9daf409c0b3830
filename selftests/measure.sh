# SPDX-License-Identifier: GPL-2.0-only
# What the tests of measured values share; sourced after lib.sh.
#
# Every expectation here is worked out from the contract and the run line by
# means of its own, so that a wrong schedule cannot agree with itself. What was
# really done is what the block layer gave the driver, by its tracepoint, and
# not what the module says.
#
# A plan is a line for each I/O: POINT OP OFFSET LENGTH, POINT - if not timed.
#
#	fb_target [MODE]		$dev is the target, armed with MODE, which
#					is kept in $mode; fails unless that works
#	fb_run LINE			runs it; fails unless it is done
#	fb_samples TEST			the samples as such a plan
#	fb_plan_align KEY=VALUE...	what align has to do; the keys below
#	fb_plan_au KEY=VALUE...		the same for open-au and find-fat, on
#					stdin the plan of the samples
#	fb_plan_scatter KEY=VALUE...	the same for scatter
#	fb_plan_interval KEY=VALUE...
#	fb_preserved			the reads that preserve, added
#	fb_timed			what is timed in a plan
#	fb_untagged			a plan without points: OP OFFSET LENGTH
#	fb_cost				the plan's I/Os and bytes, as status
#	fb_same NAME WANT GOT		two files are equal
#	fb_check_plan NAME TEST PLAN [MAX]	plan, samples and trace agree;
#					MAX: longest request, bytes
#	fb_trace			record what devices are given
#	fb_traced [DEVICE]		stop that; OP OFFSET LENGTH a request
#	fb_check_table NAME TEST	table and .tsv follow from .samples
#	fb_check_times NAME TEST NS OVER	latencies are NS, and the median not
#					more than OVER above it
#	fb_stat_delta DEVICE		I/Os since the last call: READS MERGED
#					WRITES MERGED
# More devices, as in lib.sh:
#	fb_dm NAME <<TABLE		device mapper
#	fb_partition START LENGTH	the only partition of $dev, in sectors
#	fb_widen			$dev takes the longest requests it can
#	fb_two_speeds MIB		reads and writes take 1 ms in the first
#					half, 3 ms in the second

FB_TRACE=/sys/kernel/debug/tracing

# shellcheck disable=SC2120 # its argument is optional
fb_target()
{
	mode=${1:-off}
	fb_got="$(fb_write target "$dev") $(fb_write write_mode "$mode")"
	[ "$fb_got" = "OK OK" ] || {
		fb_fail "the target is $dev, $mode" "$fb_got"
		return 1
	}
}

fb_run()
{
	fb_got=$(fb_write run "$1")
	[ "$fb_got" = OK ] || {
		fb_fail "run '$1'" "$fb_got: $(fb_status reason)"
		return 1
	}
	[ "$(fb_status state)" = "done" ]
}

# The lines of a .samples or .tsv file that are data
fb_rows()
{
	sed '/^#/d' "$FB/results/$1" | sed 1d
}

fb_samples()
{
	fb_rows "$1.samples" | awk '{ print $2, $3, $4, $5 }'
}

# ---- what has to be done ----

# Functions for the programs below, and variables: bs blocksize, lbs logical
# block, from first byte, end of the range, disk where the target begins,
# count, op, erase (0: nothing is closed), discard, flush
# shellcheck disable=SC2016 # awk has variables, too
fb_awk_plan='
function up(x, m) { return int((x + m - 1) / m) * m }
function down(x, m) { return int(x / m) * m }
function wake() { print "-", "read", end - lbs, lbs }
function close_it(at, len) {
	print "-", discard ? "discard" : "write", at, len
}
function timed(point, half, at, len) {
	print point, op, at, len
	if (flush)
		print point + half, "flush", 0, 0
}
'

fb_plan()
{
	fb_program=$1
	shift
	fb_vars=
	for fb_arg in bs=16384 lbs=512 from=0 disk=0 count=1 op=read erase=0 \
		discard=0 flush=0 random=0 "$@"; do
		fb_vars="$fb_vars -v $fb_arg"
	done
	# shellcheck disable=SC2086 # a list
	awk $fb_vars "$fb_awk_plan$fb_program"
}

# shellcheck disable=SC2016
fb_plan_align()
{
	fb_plan '
	# boundaries of size, step apart, with room for a block on both sides
	function places(size, step,   first) {
		first = up(disk + from + bs, size) - disk
		if (first + bs > end)
			return 0
		return int((end - bs - first) / step) + 1
	}
	function row(size, odd, base,   n, step, first, i, r, p) {
		step = step_of[odd] > size ? step_of[odd] : size
		n = places(size, step)
		n = n > 7 ? 7 : n
		first = up(disk + from + bs, size) - disk
		wake()
		before[0] = bs
		before[1] = int(bs / lbs / 2) * lbs
		before[2] = 0
		for (r = 0; r < count; r++)
			for (p = 0; p < 3; p++)
				for (i = 0; i < n; i++)
					timed(base + p, 3, first + i * step -
					      before[p], bs)
		for (i = 0; erase && i < n; i++)
			close_round(first + i * step)
	}
	function close_round(at,   a, b) {
		a = down(disk + at - bs, erase) - disk
		b = up(disk + at + bs, erase) - disk
		a = a < low ? low : a
		b = b > end ? end : b
		close_it(a, b - a)
	}
	BEGIN {
		low += 0
		for (odd = 1; odd < 10; odd *= 3)
			for (size = odd; places(size, size); size *= 2)
				if (size >= 2 * bs && size % lbs == 0) {
					sizes[size] = odd
					largest = size > largest ? size : largest
					if (places(size, size) >= 7)
						step_of[odd] = size
				}
		for (size = largest; size >= 2 * bs; size = below) {
			row(size, sizes[size], base + 0)
			base += flush ? 6 : 3
			below = 0
			for (s in sizes)
				if (s + 0 < size && s + 0 > below)
					below = s + 0
			if (!below)
				break
		}
	}' "$@"
}

# On stdin the samples: the orders that are random are taken from them, once
# they are known to be right. More variables: kind (open or fat), nr
# shellcheck disable=SC2016
fb_plan_au()
{
	fb_plan '
	function bad(what) {
		print "wrong order: " what
		exit
	}
	# The next sample that is no flush, relative to the start
	function take(   place) {
		if (got >= samples)
			bad("samples are missing")
		place = at[got]
		got += flush ? 2 : 1
		return place - start
	}
	function orders(size, blocks,   i, x) {
		base = got
		for (i = 0; kind == "open" && i < nr; i++) {
			x = int(take() / apart)
			if (x < 0 || x >= nr || (x in used))
				bad("erase block " x " in row " size)
			used[x] = 1
			turn[i] = x
		}
		delete used
		got = base
		for (i = 0; i < blocks; i++) {
			x = int(take() % apart / size)
			if (kind == "open")
				got += (nr - 1) * (flush ? 2 : 1)
			if (x < 0 || x >= blocks || (x in used))
				bad("block " x " in row " size)
			if (!random && x != i)
				bad("block " x " instead of " i)
			used[x] = 1
			block[i] = x
		}
		delete used
		got = base
	}
	function open_row(size, blocks, point,   r, b, k) {
		orders(size, blocks)
		wake()
		for (r = 0; r < count; r++)
			for (b = 0; b < blocks; b++)
				for (k = 0; k < nr; k++) {
					take()
					timed(point, 1, start + turn[k] * apart +
					      block[b] * size, size)
				}
		for (k = 0; size < erase && k < nr; k++)
			close_it(start + k * apart, erasesize)
	}
	function fat_row(size, blocks, point,   r, b, k) {
		for (k = 0; k < nr; k++) {
			orders(size, blocks)
			wake()
			for (r = 0; r < count; r++)
				for (b = 0; b < blocks; b++) {
					take()
					timed(point + k, nr, start + k * apart +
					      block[b] * size, size)
				}
			if (size < erase)
				close_it(start + k * apart, erasesize)
		}
	}
	{ at[samples++] = $3 }
	END {
		op = "write"
		got = 0
		apart = erasesize * (kind == "open" ? 12 : 1)
		for (size = erasesize; size >= bs && size % lbs == 0;
		     size /= 2) {
			if (kind == "open")
				open_row(size, erasesize / size, point + 0)
			else
				fat_row(size, erasesize / size, point + 0)
			point += (kind == "open" ? 1 : nr) * (flush ? 2 : 1)
		}
	}' "$@"
}

# On stdin the samples, as above. More variables: order, span
# shellcheck disable=SC2016
fb_plan_scatter()
{
	fb_plan '
	{ at[samples++] = $3 }
	END {
		for (places = 1; order; order--)
			places *= 2
		wake()
		for (r = 0; r < count; r++) {
			for (i = 0; i < places; i++) {
				x = (at[r * places + i] - from) / bs
				if (x != int(x) || x < 0 || x >= places ||
				    (x in used))
					print "wrong order: place " x
				used[x] = 1
				timed(x, 0, from + x * bs, bs * span)
			}
			delete used
		}
	}' "$@"
}

# shellcheck disable=SC2016
fb_plan_interval()
{
	fb_plan '
	BEGIN {
		size = lbs
		for (row = 0; row < order; row++) {
			wake()
			for (i = 0; i < count; i++)
				timed(row, 0, from + 9 * i * size, size)
			size *= 2
		}
	}' "$@"
}

fb_preserved()
{
	awk '$2 == "write" { print "-", "read", $3, $4 } { print }'
}

fb_timed()
{
	sed '/^-/d'
}

fb_untagged()
{
	sed 's/^[^ ]* //'
}

# Requests of at most $1 bytes, if it is there
# shellcheck disable=SC2120 # its argument is optional
fb_cut()
{
	awk -v max="$1" '{
		for (; max && $3 > max; $3 -= max) {
			print $1, $2, max
			$2 += max
		}
		print $1, $2, $3
	}'
}

fb_cost()
{
	awk '{ ios++; bytes[$2] += $4 }
	END {
		print ios + 0, bytes["read"] + 0, bytes["write"] + 0,
			bytes["discard"] + 0
	}'
}

fb_same()
{
	if cmp -s "$2" "$3"; then
		fb_ok "$1"
	else
		fb_fail "$1" "first difference (- wanted, + got):" \
			"$(diff -U 2 "$2" "$3" | sed 1,2d | head -n 12)"
	fi
}

# The trace has to be stopped already, in /tmp/traced
fb_check_plan()
{
	fb_timed <"$3" >/tmp/timed
	fb_samples "$2" >/tmp/samples
	fb_same "$1: the samples are as planned" /tmp/timed /tmp/samples
	fb_untagged <"$3" | fb_cut "$4" >/tmp/untagged
	fb_same "$1: the driver was given just that" /tmp/untagged /tmp/traced
	set -- "$1" "$(fb_cost <"$3")"
	fb_is "$1: I/Os and bytes in status" "$2" \
		"$(fb_status progress | sed 's,/.*,,') $(
		fb_status read_bytes) $(fb_status written_bytes) $(
		fb_status discarded_bytes)"
	fb_is "$1: all of the plan was done" "${2%% *}/${2%% *}" \
		"$(fb_status progress)"
}

# ---- what was done ----

fb_trace()
{
	echo 0 >$FB_TRACE/tracing_on
	echo 16384 >$FB_TRACE/buffer_size_kb
	echo 1 >$FB_TRACE/events/block/block_rq_issue/enable
	: >$FB_TRACE/trace
	echo 1 >$FB_TRACE/tracing_on
}

# Flags such as F (FUA) are kept behind the operation's name: write+F. A flush
# has no place.
# shellcheck disable=SC2016
# shellcheck disable=SC2120 # its argument is optional
fb_traced()
{
	echo 0 >$FB_TRACE/tracing_on
	echo 0 >$FB_TRACE/events/block/block_rq_issue/enable
	awk -v dev="$(sed 's/:/,/' "/sys/class/block/${1:-$dev}/dev")" '
	{
		for (i = 1; i <= NF && $i != "block_rq_issue:"; i++)
			;
		if (i > NF || $(i + 1) != dev)
			next
		flags = $(i + 2)
		for (j = i + 3; $j != "+"; j++)
			;
		at = $(j - 1) * 512
		len = $(j + 1) * 512
		op = flags ~ /D/ ? "discard" : flags ~ /W/ ? "write" :
			flags ~ /^FF|^F$/ ? "flush" :
			flags ~ /R/ ? "read" : flags
		if (op == "flush")
			at = len = 0
		if (op == "write" && flags ~ /WF|WSF|WFS/)
			op = "write+F"
		print op, at, len
	}' $FB_TRACE/trace
}

fb_stat_delta()
{
	awk '{ print $1, $2, $5, $6 }' "/sys/class/block/$1/stat" >/tmp/stat.new
	[ ! -f "/tmp/stat.$1" ] || awk '
		NR == 1 { for (i = 1; i <= 4; i++) old[i] = $i }
		NR == 2 { print $1 - old[1], $2 - old[2], $3 - old[3],
			$4 - old[4] }' "/tmp/stat.$1" /tmp/stat.new
	mv /tmp/stat.new "/tmp/stat.$1"
}

# ---- what it says ----

# shellcheck disable=SC2016
fb_awk_text='
# busybox may be built without the operator
function pow(x, n,   p) {
	for (p = 1; n > 0; n--)
		p *= x
	return p
}
# Three significant digits of v in a unit that is 1000 times the one before
function scaled(v, units,   sign, e, d, u, n, text) {
	split(units, u, " ")
	sign = v < 0 ? "-" : ""
	v = v < 0 ? -v : v
	for (d = 1; int(v / d) >= 1000; d *= 10)
		e++
	v = int(v / d + 0.5)
	if (v == 1000) {
		v = 100
		e++
	}
	n = int((e + 2) / 3)
	text = sprintf("%." (3 * n - e) "f", v / pow(10, 3 * n - e))
	if (text ~ /\./) {
		sub(/0+$/, "", text)
		sub(/\.$/, "", text)
	}
	return sign text u[n + 1]
}
function time_text(ns) { return scaled(ns, "ns µs ms s") }
function rate(bytes, ns) { return scaled(bytes * 1e9 / ns, "B/s K/s M/s G/s") }
function size_text(b,   u, i, d) {
	split("KiB MiB GiB", u, " ")
	for (i = 3; i > 0; i--) {
		d = pow(1024, i)
		if (b >= d && b * 4 % d == 0 &&
		    (b % d == 0 || length(b / d "") <= 4))
			return b / d u[i]
	}
	return b "B"
}
'

# Sorted by point and latency, so that the least of a place comes first
fb_check_table()
{
	fb_rows "$2.samples" | sort -n -k 2,2 -k 7,7 >/tmp/sorted
	fb_rows "$2.tsv" >/tmp/tsv
	# the statistics of a point, from its samples
	# shellcheck disable=SC2016
	awk -F '\t' '
	function mid(a, n) {
		return n % 2 ? a[(n + 1) / 2] :
			int((a[n / 2] + a[n / 2 + 1]) / 2)
	}
	function sort(a, n,   i, j, x) {
		for (i = 2; i <= n; i++) {
			x = a[i]
			for (j = i - 1; j && a[j] > x; j--)
				a[j + 1] = a[j]
			a[j + 1] = x
		}
	}
	function point(   i, m, sum) {
		if (!n)
			return
		for (i = 1; i <= n; i++)
			sum += v[i]
		m = mid(v, n)
		for (i = 1; i <= n; i++)
			dev[i] = v[i] > m ? v[i] - m : m - v[i]
		sort(dev, n)
		print now, op, op == "flush" ? "-" : places, n, 0, v[1], m,
			int(sum / n), v[int((99 * n + 99) / 100)], v[n],
			mid(dev, n)
	}
	NR == 1 || $2 != now { point(); n = places = 0; now = $2; op = $3 }
	{ v[++n] = $7 }
	!(($2, $4) in seen) { places++; seen[$2, $4] = 1 }
	END { point() }' /tmp/sorted >/tmp/want
	awk -F '\t' '{
		print $1, $(NF - 9), $(NF - 9) == "flush" ? "-" : $(NF - 8),
			$(NF - 7), $(NF - 6), $(NF - 5), $(NF - 4), $(NF - 3),
			$(NF - 2), $(NF - 1), $NF
	}' /tmp/tsv >/tmp/got
	fb_same "$1: .tsv follows from .samples" /tmp/want /tmp/got
	fb_table_of "$2" >/tmp/want
	sed '/^#/d' "$FB/results/$2" >/tmp/got
	fb_same "$1: the table follows from .samples" /tmp/want /tmp/got
}

# The table, from .samples and the coordinates in .tsv: mean over positions of
# the minimum over repetitions, a position being an offset
# shellcheck disable=SC2016
fb_table_of()
{
	awk -F '\t' -v test="$1" "$fb_awk_text"'
	function classic(p,   sum, i, n) {
		n = positions[p]
		for (i = 0; i < n; i++)
			sum += best[p, where[p, i]]
		return int(sum / n)
	}
	function align_row(p,   a, b, c) {
		a = classic(p)
		b = classic(p + 1)
		c = classic(p + 2)
		printf "align %.0f\tpre %s\ton %s\tpost %s\tdiff %s\n", x[p],
			time_text(a), time_text(b), time_text(c),
			time_text(b - int((a + c) / 2))
	}
	function au_row(p,   line) {
		if (op[p] == "flush")
			return
		if (x[p] != row)
			line = sprintf("%-7s", size_text(x[p]))
		row = x[p]
		line = line sprintf(line ? " %-7s" : "  %-7s",
				    rate(x[p], classic(p)))
		if (x[p + 1] != x[p] || op[p + 1] == "flush")
			sub(/ *$/, "\n", line)
		printf "%s", line
	}
	# rounded half up to six digits
	function fixed(v, unit,   i) {
		i = int(v / unit * 1e6 + 0.5)
		return sprintf("%d.%06d", int(i / 1e6), i % 1e6)
	}
	FILENAME == "/tmp/sorted" {
		if (!(($2, $4) in best)) {
			where[$2, positions[$2]++] = $4
			best[$2, $4] = $7
		}
		if ($7 < best[$2, $4])
			best[$2, $4] = $7
		next
	}
	{
		x[$1] = $2
		op[$1] = $(NF - 9)
		points = $1 + 1
	}
	END {
		for (p = 0; p < points; p++)
			if (test ~ /^align/) {
				if (p % 3 == 0 && op[p] != "flush")
					align_row(p)
			} else if (test == "scatter")
				print fixed(x[p], 1048576) "\t" \
					fixed(classic(p), 1e6)
			else
				au_row(p)
	}' /tmp/sorted /tmp/tsv
}

# A tick or another task may come in between now and then, but not often and
# not for long
fb_check_times()
{
	fb_rows "$2.samples" | cut -f 7 | sort -n | awk -v min="$3" -v over="$4" '
		{ v[NR] = $1 }
		END {
			mid = v[int((NR + 1) / 2)]
			if (v[1] < min || mid > min + over ||
			    v[NR] > min + 50000)
				print "least " v[1] ", median " mid ", most " \
					v[NR]
			if (!NR)
				print "no samples"
		}' >/tmp/got
	if [ -s /tmp/got ]; then
		fb_fail "$1: latencies are $3 ns and at most $4 more" \
			"$(cat /tmp/got)"
	else
		fb_ok "$1: latencies are $3 ns and at most $4 more"
	fi
}

# ---- devices ----

fb_dm()
{
	modprobe dm-mod
	dmsetup create --noudevsync "$1" || return
	fb_atexit "fb_retry dmsetup remove --noudevsync $1"
	dev=dm-$(dmsetup info -c --noheadings -o minor "$1" | tr -d ' ')
}

# A partition table of the old kind: an entry at 446, its start at 8 and its
# length at 12 in it, little endian
fb_partition()
{
	dd if=/dev/zero of="/dev/$dev" bs=512 count=1 conv=notrunc 2>/dev/null
	{
		printf '\0\0\0\0\203\0\0\0'
		for fb_number in "$1" "$2"; do
			for fb_byte in 0 8 16 24; do
				# shellcheck disable=SC2059 # made here
				printf "\\$(printf %03o \
					$((fb_number >> fb_byte & 255)))"
			done
		done
	} | dd of="/dev/$dev" bs=1 seek=446 conv=notrunc 2>/dev/null
	printf '\125\252' |
		dd of="/dev/$dev" bs=1 seek=510 conv=notrunc 2>/dev/null
	blockdev --rereadpt "/dev/$dev" || return
	dev=$(basename "/sys/block/$dev/$dev"*1)
}

fb_widen()
{
	cat "/sys/block/$dev/queue/max_hw_sectors_kb" \
		>"/sys/block/$dev/queue/max_sectors_kb"
}

fb_two_speeds()
{
	fb_null "size=$(($1 / 2))" irqmode=2 completion_nsec=1000000 \
		max_sectors=8192 || return
	fb_widen
	fb_fast=$dev
	fb_null "size=$(($1 / 2))" irqmode=2 completion_nsec=3000000 \
		max_sectors=8192 || return
	fb_widen
	fb_dm speeds <<EOF
0 $(($1 * 1024)) linear /dev/$fb_fast 0
$(($1 * 1024)) $(($1 * 1024)) linear /dev/$dev 0
EOF
}
