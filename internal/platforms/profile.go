package platforms

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel.example/laurel"
)

// Profile is the public profile of an account, for the proof by a code in its text (contract 8.2).
type Profile struct {
	Account Account
	Text    string
}

// IsProvenByProfile reports whether members prove accounts on a platform by a text in the public profile.
func IsProvenByProfile(platform string) bool { return slices.Contains(provenByProfile, platform) }

// ProfileName returns the name of an account from what a member sends: a name, or the address of a profile, whose last
// segment it is. ok is false if it is no name. The address is never called.
func ProfileName(input string) (name string, ok bool) {
	name, _, _ = strings.Cut(input, "#")
	name, _, _ = strings.Cut(name, "?")
	name = strings.TrimRight(strings.TrimSpace(name), "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	name = strings.TrimPrefix(name, "@")
	isForbidden := func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\?#%&`, r)
	}
	ok = name != "" && strings.Trim(name, ".") != "" && utf8.ValidString(name) && len(name) <= maxProfileName &&
		!strings.ContainsFunc(name, isForbidden)
	return name, ok
}

// maxProfileName is the most bytes of a name of an account.
const maxProfileName = 200

// Profile reads the public profile of a name from the driver's userInfoUrl. found is false if there is none. Errors:
// *outbound.Fault, or one that says what is wrong with the answer.
func (c *Connector) Profile(
	ctx context.Context, d *Driver, website laurel.ID, name string,
) (p Profile, found bool, err error) {
	defer func() { c.record(d, website, err) }()
	answer, err := c.getJSON(ctx, d, fillName(d.UserInfoURL, name), "")
	switch {
	case errors.Is(err, errNotFound):
		return Profile{}, false, nil
	case err != nil:
		return Profile{}, false, err
	}
	p = Profile{Account: d.accountOf(answer), Text: textOf(valueAt(answer, d.Mapping.Text))}
	if p.Account.Name == "" {
		p.Account.Name = name
	}
	err = p.Account.normalize()
	return p, err == nil, err
}

// fillName puts a name into the place of {name} in an address, escaped for its place.
func fillName(address, name string) string {
	path, query, hasQuery := strings.Cut(address, "?")
	path = strings.ReplaceAll(path, "{name}", url.PathEscape(name))
	if !hasQuery {
		return path
	}
	return path + "?" + strings.ReplaceAll(query, "{name}", url.QueryEscape(name))
}
