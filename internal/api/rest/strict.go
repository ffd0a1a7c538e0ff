package rest

import (
	"net/http"
	"slices"
	"strings"

	"laurel"
)

// Headers by which callers learn of what no operation reads (contract 1.11).
const (
	preferHeader    = "Prefer"
	appliedHeader   = "Preference-Applied"
	ignoredHeader   = "Laurel-Ignored"
	strictHandling  = "handling=strict"
	maxIgnored      = 10 // paths in Laurel-Ignored
	maxIgnoredBytes = 80 // of each: headers have little room, and names are the caller's
)

// handlesStrictly reports whether a request prefers handling=strict (RFC 7240). Of a preference that is stated twice
// the first counts.
func handlesStrictly(h http.Header) bool {
	for _, line := range h[preferHeader] {
		for preference := range strings.SplitSeq(line, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(name), "handling") {
				return strings.EqualFold(strings.Trim(value, " \t\""), "strict")
			}
		}
	}
	return false
}

// unknownIn notes the parameters of a query that an operation does not have, in alphabetical order.
func unknownIn(raw string, known []parameter, faults *laurel.Faults) {
	if raw == "" {
		return
	}
	for _, name := range sortedKeys(sentValues(raw)) {
		isKnown := slices.ContainsFunc(known, func(p parameter) bool { return p.name == name })
		if name != "" && !isKnown {
			faults.Add(steps{{name: name, index: -1}}.String(), "is not a known parameter")
		}
	}
}

// tellIgnored names the unknown properties of a body: as problems under strict handling, else in a header.
func (r *request) tellIgnored(paths []string) {
	if !r.strict && len(paths) > 0 {
		r.header.Set(ignoredHeader, headerOf(paths))
		return
	}
	for _, path := range paths {
		r.form.Add(path, "is not a known property")
	}
}

// headerOf lists paths as a header may hold them.
func headerOf(paths []string) string {
	out := make([]string, min(len(paths), maxIgnored))
	for i := range out {
		out[i] = inHeader(paths[i])
	}
	return strings.Join(out, ", ")
}

// inHeader returns a path with what a list in a header cannot hold percent-encoded, cut where it is too long.
func inHeader(path string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for _, c := range []byte(path) {
		if out.Len() >= maxIgnoredBytes {
			out.WriteString("...")
			break
		}
		if c <= ' ' || c > '~' || c == ',' || c == '%' || c == '"' {
			out.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
