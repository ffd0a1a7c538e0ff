package wallets

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// signInSuffix ends the first line of a sign-in message (EIP-4361).
const signInSuffix = " wants you to sign in with your Ethereum account:"

// isSignIn reports whether a message claims to be one of EIP-4361.
func isSignIn(message string) bool {
	first, _, _ := strings.Cut(message, "\n")
	return strings.HasSuffix(first, signInSuffix)
}

var signInNonce = regexp.MustCompile(`^[A-Za-z0-9]{8,255}$`)

// parseSignIn parses a sign-in message by the grammar of EIP-4361. It returns false for any other text, and if the
// message is not for the address.
func parseSignIn(message, address string) (s Statement, ok bool) {
	lines := strings.Split(message, "\n")
	if len(lines) < 8 || !isSignIn(message) {
		return s, false
	}
	domain := strings.TrimSuffix(lines[0], signInSuffix)
	if _, rest, hasScheme := strings.Cut(domain, "://"); hasScheme {
		domain = rest
	}
	if !isDomain(domain) || !sameAddress(lines[1], address) || lines[2] != "" {
		return s, false
	}
	s.Domain = domain
	// A statement of one line may stand between two empty lines; without it there is one, or two.
	rest := lines[3:]
	if rest[0] != "" && !strings.HasPrefix(rest[0], "URI: ") {
		rest = rest[1:]
		if rest[0] != "" {
			return s, false
		}
	}
	if rest[0] == "" {
		rest = rest[1:]
	}
	ok = s.readFields(rest)
	return s, ok
}

// signInFields are the lines behind the statement, in their order.
var signInFields = []struct {
	name       string
	isOptional bool
	read       func(s *Statement, value string) bool
}{
	{"URI: ", false, func(s *Statement, value string) bool {
		u, err := url.Parse(value)
		return err == nil && u.Scheme != "" && u.Host != ""
	}},
	{"Version: ", false, func(_ *Statement, value string) bool { return value == "1" }},
	{"Chain ID: ", false, func(s *Statement, value string) (ok bool) {
		n, err := strconv.ParseUint(value, 10, 63)
		s.ChainID = n
		return err == nil && n > 0 && value == strconv.FormatUint(n, 10)
	}},
	{"Nonce: ", false, func(s *Statement, value string) bool {
		s.Nonce = value
		return signInNonce.MatchString(value)
	}},
	{"Issued At: ", false, func(s *Statement, value string) bool { return readTime(&s.IssuedAt, value) }},
	{"Expiration Time: ", true, func(s *Statement, value string) bool { return readTime(&s.ExpiresAt, value) }},
	{"Not Before: ", true, func(s *Statement, value string) bool { return readTime(&s.NotBefore, value) }},
	{"Request ID: ", true, func(*Statement, string) bool { return true }},
}

// readFields reads the lines behind the statement. It returns false if one is missing, wrong, or in the wrong place.
func (s *Statement) readFields(lines []string) bool {
	for _, field := range signInFields {
		value, isHere := "", false
		if len(lines) > 0 {
			value, isHere = strings.CutPrefix(lines[0], field.name)
		}
		switch {
		case isHere && !field.read(s, value), !isHere && !field.isOptional:
			return false
		case isHere:
			lines = lines[1:]
		}
	}
	if len(lines) > 0 && lines[0] == "Resources:" {
		for lines = lines[1:]; len(lines) > 0 && strings.HasPrefix(lines[0], "- "); {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// readTime reads a time of RFC 3339.
func readTime(to *time.Time, text string) bool {
	t, err := time.Parse(time.RFC3339, text)
	*to = t
	return err == nil && !t.IsZero()
}

// isDomain reports whether a text is a host, perhaps with a port (RFC 3986, authority without user).
func isDomain(text string) bool {
	u, err := url.Parse("https://" + text)
	return err == nil && text != "" && u.Host == text && u.User == nil
}
