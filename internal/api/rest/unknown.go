package rest

import (
	"net/http"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// The headers about unknown properties and parameters (contract 1.11).
const (
	preferHeader    = "Prefer"
	appliedHeader   = "Preference-Applied"
	ignoredHeader   = "Laurel-Ignored"
	strictHandling  = "handling=strict"
	maxIgnored      = 10 // paths in Laurel-Ignored
	maxIgnoredBytes = 80 // of each path, since headers have little room and names are the caller's
)

// handlesStrictly reports whether a request prefers handling=strict (RFC 7240). If a preference is repeated, the first
// counts.
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

// addUnknownParameters adds a fault for each query parameter that an operation does not have, in alphabetical order,
// for a caller who asks for strict handling.
func addUnknownParameters(raw string, known []parameter, faults *laurel.Faults) {
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

// reportIgnored reports the unknown properties of a body: as faults under strict handling, else in a response header.
func (r *request) reportIgnored(paths []string) {
	if !r.strict && len(paths) > 0 {
		r.header.Set(ignoredHeader, ignoredHeaderValue(paths))
		return
	}
	for _, path := range paths {
		r.bodyFaults.Add(path, "is not a known property")
	}
}

// ignoredHeaderValue returns the value of Laurel-Ignored for paths: the first ten, escaped, with commas.
func ignoredHeaderValue(paths []string) string {
	out := make([]string, min(len(paths), maxIgnored))
	for i := range out {
		out[i] = escapeForHeader(paths[i])
	}
	return strings.Join(out, ", ")
}

// escapeForHeader returns a path for a list in a header: special characters percent-encoded, and cut if it is too long.
func escapeForHeader(path string) string {
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
