package outbound

import "regexp"

// The parts of an address in a text that may contain secrets: the query, in quotes up to their end, the userinfo, and
// what is behind the host.
var (
	quotedQuery = regexp.MustCompile(`("[^"?\\]*\?)(?:[^"\\]|\\.)*"`)
	query       = regexp.MustCompile(`\?[^\s"…]+`)
	userinfo    = regexp.MustCompile(`//[^\s/"]*@`)
	behindHost  = regexp.MustCompile(`("[^"/?\\]*//[^"/?\\]*)(?:[^"\\]|\\.)*"`) // in quotes
)

// Redact returns an error like err whose text contains no queries and no credentials of URLs: they may be secrets, and
// texts of errors reach the log. It returns nil for nil.
func Redact(err error) error {
	if err == nil {
		return nil
	}
	return redactedError{err}
}

// redact returns an error of the call as its Fault tells it.
func (call Call) redact(err error) error {
	if err == nil || !call.HasSecretPath {
		return Redact(err)
	}
	return hostOnlyError{redactedError{err}}
}

// hostOnlyError is an error whose text tells no more of addresses than their hosts.
type hostOnlyError struct{ redactedError }

func (h hostOnlyError) Error() string {
	return behindHost.ReplaceAllString(h.redactedError.Error(), `$1/…"`)
}

type redactedError struct{ err error }

func (r redactedError) Error() string {
	text := quotedQuery.ReplaceAllString(r.err.Error(), `$1…"`)
	text = query.ReplaceAllString(text, "?…")
	return userinfo.ReplaceAllString(text, "//")
}

func (r redactedError) Unwrap() error { return r.err }
