# SPDX-License-Identifier: GPL-2.0-only
# Finds the first network or file mirror of a suite in apt sources of either
# format (one line; RFC 822 stanzas) and prints "deb [OPTIONS] URI".
# Set: suite

function emit(uri, opts) {
	if (uri !~ /^(https?|file|ftp|mirror|tor)[:+]/)
		return
	found = 1
	print "deb" (opts == "" ? "" : " [" opts "]"), uri
	exit
}

function stanza_end(  i, n, list, opts) {
	if (types ~ /(^| )deb( |$)/ && tolower(enabled) != "no" &&
	    index(" " suites " ", " " suite " ")) {
		if (signed ~ /^\//)
			opts = "signed-by=" signed
		if (trusted != "")
			opts = opts (opts == "" ? "" : " ") "trusted=" trusted
		n = split(uris, list, " ")
		for (i = 1; i <= n; i++)
			emit(list[i], opts)
	}
	types = suites = uris = signed = trusted = enabled = ""
}

function value() {
	sub(/^[^:]*:[ \t]*/, "")
	gsub(/[ \t]+/, " ")
	return $0
}

/^#/ { next }

/^deb[ \t]/ {
	opts = ""
	if (match($0, /\[[^]]*\]/)) {
		opts = substr($0, RSTART + 1, RLENGTH - 2)
		gsub(/arch=[^ ]*/, "", opts)
		gsub(/^ +| +$/, "", opts)
		$0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
	}
	if ($3 == suite)
		emit($2, opts)
	next
}

/^[ \t]*$/ { stanza_end(); next }
/^Types:/ { if (types != "") stanza_end(); types = value(); next }
/^URIs:/ { uris = value(); next }
/^Suites:/ { suites = value(); next }
/^Signed-By:/ { signed = value(); next }
/^Trusted:/ { trusted = value(); next }
/^Enabled:/ { enabled = value(); next }
END { if (!found) stanza_end() }
