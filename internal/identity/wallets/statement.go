package wallets

import (
	"slices"
	"strings"
	"time"
)

// Statement is what a signed message says.
type Statement struct {
	Nonce     string
	IssuedAt  time.Time
	ExpiresAt time.Time // zero: not said
	NotBefore time.Time // zero: not said
	Domain    string    // host and port of the page; "" in the common form, which names the website
	Website   string    // "" where the message names a domain
	Delegate  string    // the wallet to which the signer delegates; "": none
	ChainID   uint64    // 0: not said
}

// Expected is what a message must say.
type Expected struct {
	Now      time.Time
	Domains  []string // lower case, host with its port if it has one
	Website  string   // a lower-case uuid
	Delegate string   // a wallet in its stored form; "": the message must delegate to none
}

const (
	// MaxAge is how long a message is valid after it was issued.
	MaxAge = 10 * time.Minute
	// MaxAhead is how far the clock of a signer may be ahead.
	MaxAhead = time.Minute
	minNonce = 8
	maxNonce = 255
)

// Check compares a statement with what it must say. The first result is false if it says something else, the second
// true if it said the right thing and is too old.
func (s Statement) Check(want Expected) (ok, isOld bool) {
	names := s.Website == want.Website
	if s.Website == "" {
		names = slices.Contains(want.Domains, strings.ToLower(s.Domain))
	}
	if !names || !sameAddress(s.Delegate, want.Delegate) || s.IssuedAt.After(want.Now.Add(MaxAhead)) ||
		s.NotBefore.After(want.Now.Add(MaxAhead)) {
		return false, false
	}
	isOld = want.Now.Sub(s.IssuedAt) > MaxAge || !s.ExpiresAt.IsZero() && !want.Now.Before(s.ExpiresAt)
	return true, isOld
}

// parseCommon parses a message of the common form: the address, `Website: `, `Nonce: ` and `Issued At: ` on lines of
// their own, each once, and perhaps `Delegate: `. The address may follow other words on its line. Other lines may say
// anything. It returns false for any other text.
func parseCommon(message, address string) (Statement, bool) {
	fields := map[string]string{}
	hasAddress := false
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\r\n")
		name, value, isField := strings.Cut(line, ": ")
		switch name {
		case "Website", "Nonce", "Issued At", "Delegate":
			if _, isSet := fields[name]; isSet || !isField || value == "" {
				return Statement{}, false
			}
			fields[name] = value
			continue
		}
		word := line[strings.LastIndexByte(line, ' ')+1:]
		hasAddress = hasAddress || sameAddress(word, address)
	}
	issued, err := time.Parse(time.RFC3339, fields["Issued At"])
	s := Statement{
		Nonce: fields["Nonce"], IssuedAt: issued, Website: strings.ToLower(fields["Website"]), Delegate: fields["Delegate"],
	}
	return s, err == nil && hasAddress && isNonce(s.Nonce) && s.Website != ""
}

// isNonce reports whether a text may be a nonce: 8 to 255 characters without spaces at its ends.
func isNonce(text string) bool {
	n := len([]rune(text))
	return n >= minNonce && n <= maxNonce && strings.TrimSpace(text) == text
}

// sameAddress reports whether two texts are the same address: those that begin with 0x are compared without case.
func sameAddress(a, b string) bool {
	if strings.HasPrefix(a, "0x") && strings.HasPrefix(b, "0x") {
		return strings.EqualFold(a, b)
	}
	return a == b
}
