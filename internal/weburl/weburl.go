// Package weburl owns which texts are addresses that a caller may name: urls of the web, and paths of files that were
// uploaded here. It calls nothing and does not know whether a file exists.
package weburl

import (
	"net/url"
	"regexp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/record"
)

// MaxLength is how long an address may be, in bytes (contract 1.7).
const MaxLength = 2048

// Valid reports whether the text is an address of the web: http or https, at most MaxLength bytes (contract 1.7).
func Valid(s string) bool {
	if len(s) > MaxLength {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// filePath is the path of an uploaded file, behind the path prefix of the service.
var filePath = regexp.MustCompile(
	`^(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/files/[A-Za-z]+/[0-9a-f]{32}/[A-Za-z0-9_-]+\.[a-z0-9]+$`)

// IsFilePath reports whether the text has the form of a path under which the service gives out an uploaded file where
// it has no public address.
func IsFilePath(s string) bool { return len(s) <= MaxLength && filePath.MatchString(s) }

// ValidOrFile reports whether the text is Valid or IsFilePath: for properties that may name an uploaded file.
func ValidOrFile(s string) bool { return IsFilePath(s) || Valid(s) }

// The bounds of properties that are addresses: url of the web alone, fileurl of uploaded files, too.
var (
	_ = record.Define("url", bound("uri", Valid))
	_ = record.Define("fileurl", bound("uri-reference", ValidOrFile))
)

func bound(format string, isValid func(string) bool) record.Bound[string] {
	return record.Bound[string]{
		Check:    record.Problem("must be a valid url", isValid),
		Keywords: laurel.Keywords{"format": format, "maxLength": MaxLength},
	}
}

// Assign stores an address that was sent, or null; valid is Valid or ValidOrFile.
func Assign(f *laurel.Faults, path string, in laurel.Optional[string], valid func(string) bool, to **string) {
	if in.Set && !in.Null && !valid(in.Value) {
		f.Add(path, "must be a valid url")
		return
	}
	laurel.AssignText(f, path, in, MaxLength, to)
}
