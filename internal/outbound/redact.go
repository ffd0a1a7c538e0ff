package outbound

import "regexp"

// What of an address in a text may hold a secret: the query, within quotes to their end, and what stands before the
// host.
var (
	quotedQuery = regexp.MustCompile(`("[^"?\\]*\?)(?:[^"\\]|\\.)*"`)
	query       = regexp.MustCompile(`\?[^\s"…]+`)
	userinfo    = regexp.MustCompile(`//[^\s/"]*@`)
)

// Redact returns the error with a text that tells no query and no credentials of any address: they may be secrets, and
// texts of errors reach the log.
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
