package platforms

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	signedWidgetLife  = 10 * time.Minute
	signedWidgetAhead = time.Minute // how far the provider's clock may be ahead
)

// signedWidgetURL returns the address of a login widget that signs what it returns (contract 8.8).
func signedWidgetURL(d *Driver, f Flow) (string, error) {
	returnTo, origin, err := f.returnTo()
	if err != nil {
		return "", err
	}
	return withQuery(d.AuthorizeURL, map[string]string{"bot_id": d.ClientID, "origin": origin, "return_to": returnTo})
}

// signedWidgetAccount checks the signature of the widget's answer and returns the account. The hash is the hex
// HMAC-SHA256 over the sorted key=value lines of all parameters but hash and state, under the SHA-256 of the client
// secret (contract 8.8). It does not cover the state, so the answer counts once (Identity.Once).
func (c *Connector) signedWidgetAccount(d *Driver, query url.Values) (found Identity, err error) {
	if query.Get("hash") == "" {
		return found, ErrDenied
	}
	var lines []string
	answer := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name == "hash" || name == "state" {
			continue
		}
		line := name + "=" + query.Get(name)
		// What was signed as two lines must not be read as one.
		if strings.ContainsFunc(line, unicode.IsControl) || strings.Contains(name, "=") {
			return found, errors.New("the widget's answer holds a control character")
		}
		lines = append(lines, line)
		answer[name] = query.Get(name)
	}
	key := sha256.Sum256([]byte(d.ClientSecret))
	sum := hmac.New(sha256.New, key[:])
	sum.Write([]byte(strings.Join(lines, "\n")))
	hash, err := hex.DecodeString(query.Get("hash"))
	if err != nil || !hmac.Equal(hash, sum.Sum(nil)) {
		return found, errors.New("the hash of the widget's answer is wrong")
	}
	seconds, err := strconv.ParseInt(query.Get("auth_date"), 10, 64)
	age := c.now().Sub(time.Unix(seconds, 0))
	if err != nil || age > signedWidgetLife || age < -signedWidgetAhead {
		return found, errors.New("the widget's answer is too old")
	}
	found.Account = Account{ID: answer[cmp.Or(d.Mapping.ID, "id")], Name: answer[cmp.Or(d.Mapping.Name, "username")]}
	found.Once, found.OnceUntil = hex.EncodeToString(hash), time.Unix(seconds, 0).Add(signedWidgetLife)
	return found, nil
}
