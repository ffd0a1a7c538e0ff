package form

import (
	"net/url"
	"slices"
)

// SecretRequired is the fault if a stored secret must be entered again.
const SecretRequired = "must be entered again, because the URL now points to another host"

// HasOtherOrigin reports whether an address has another scheme or host than all known ones. A secret that is stored for
// them must not be sent there. An empty address has none, so it is false.
func HasOtherOrigin(address string, knownURLs ...string) bool {
	if address == "" {
		return false
	}
	origin := OriginOf(address)
	return !slices.ContainsFunc(knownURLs, func(known string) bool { return known != "" && OriginOf(known) == origin })
}

// OriginOf returns the scheme and host of an address, or the address itself if it has none.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}
