package outbound

import "regexp"

// The parts of an address in a text that may contain secrets: the query, in quotes up to their end, and the userinfo.
var (
	quotedQuery = regexp.MustCompile(`("[^"?\\]*\?)(?:[^"\\]|\\.)*"`)
	query       = regexp.MustCompile(`\?[^\s"…]+`)
	userinfo    = regexp.MustCompile(`//[^\s/"]*@`)
)

// Redact returns an error like err whose text contains no queries and no credentials of URLs: they may be secrets, and
// texts of errors reach the log. It returns nil for nil.
func Redact(err error) error {
	if err == nil {
		return nil
	}
	return redactedError{err}
}

type redactedError struct{ err error }

func (r redactedError) Error() string {
	text := quotedQuery.ReplaceAllString(r.err.Error(), `$1…"`)
	text = query.ReplaceAllString(text, "?…")
	return userinfo.ReplaceAllString(text, "//")
}

func (r redactedError) Unwrap() error { return r.err }
