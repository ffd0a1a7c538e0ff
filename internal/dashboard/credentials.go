package dashboard

import (
	"encoding/json"
	"net/url"
	"slices"

	"laurel"
	"laurel/internal/rules/schema"
)

// secretRequired is the fault if a stored secret must be entered again.
const secretRequired = "must be entered again, because the URL has another host than the one it was stored for"

// hasOtherOrigin reports whether the origin of an address differs from that of every known one. A secret must not be
// sent there.
func hasOtherOrigin(address string, knownURLs ...string) bool {
	if address == "" {
		return false
	}
	origin := originOf(address)
	return !slices.ContainsFunc(knownURLs, func(known string) bool { return known != "" && originOf(known) == origin })
}

// originOf returns the scheme and host of an address, or the address itself if it has none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// checkRewardsKeyHost adds a fault if the address of a rule's feed of rewards now has another host, while the stored
// key is kept: the key was entered for the old host.
func (f *ruleForm) checkRewardsKeyHost(faults *laurel.Faults) {
	const address, key = "customRewardsApiUrl", "metadata." + schema.RewardsKey
	stored := func(path string) (text string) {
		_ = json.Unmarshal(f.stored[path], &text) // absent, or a text
		return text
	}
	if stored(key) == "" || f.typed.Get(key) != "" {
		return
	}
	if typed := f.typed.Get(address); typed != stored(address) && hasOtherOrigin(typed, stored(address)) {
		faults.Add(key, secretRequired)
	}
}
