package tenancy

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"laurel.example/laurel"
)

// Limits of texts in characters (contract 1.7).
const (
	maxName = 1000
	maxURL  = 2048
)

// checkURL adds a fault unless the value is nil or a valid http or https url.
func checkURL(f *laurel.Faults, path string, value *string) {
	if value == nil {
		return
	}
	if utf8.RuneCountInString(*value) > maxURL {
		f.Add(path, "must be at most %d characters", maxURL)
		return
	}
	u, err := url.Parse(*value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !utf8.ValidString(*value) {
		f.Add(path, "must be a valid url")
	}
}

// normalizeOrigin returns an origin in the form in which browsers send it (RFC 6454, section 6.2), or false if the text
// is no origin. Any scheme is allowed, since apps have schemes of their own.
func normalizeOrigin(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil || u.Path != "" && u.Path != "/" ||
		u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || len(text) > maxURL || strings.Contains(text, "#") {
		return "", false
	}
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return u.Scheme + "://" + host, true
}
