#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every profile is a card the kernel knows and the module can measure; what
# comes out is compared with what was published by tools/lab cards.
. "$(dirname "$0")/lib.sh"

# profile_key NAME KEY
profile_key()
{
	sed -n "s/^$2=//p" "$sim_profiles/$1.card"
}

info()
{
	sed -n "s/^$1: //p" "$FB/info"
}

for file in "$sim_profiles"/*.card; do
	name=$(basename "$file" .card)
	fb_unload
	sim_unload
	sim_load "$name" || fb_fail "$name: a card"
	fb_load
	fb_is "$name: it can be a target" OK "$(fb_write target "$dev")"
	for key in cid csd scr; do
		value=$(profile_key "$name" $key)
		[ -z "$value" ] || fb_is "$name: $key" "$value" "$(info $key)"
	done
	case $(profile_key "$name" type):$(info card_type) in
	sd:SD* | mmc:eMMC) fb_ok "$name: type" ;;
	*) fb_fail "$name: type" "it is $(info card_type)" ;;
	esac
	fb_is "$name: size" "$(sed -n 's/^size=//p' "$sim/config")" \
		"$(info size_bytes)"
	fb_is "$name: a short align" OK \
		"$(fb_write run "align blocksize=1024 count=1")"
	# shellcheck disable=SC2016 # for awk
	fb_that "$name: no row is empty, none faster than the card" \
		awk -v least="$(sed -n 's/^read_ns=//p' "$sim/config")" '
		/^[0-9]/ { rows++; bad += $8 < least / 2 }
		END { exit !rows || bad }' "$FB/results/align.tsv"
done

fb_done
