package dashboard

import (
	"encoding/json"
	"net/url"
	"slices"

	"laurel"
	"laurel/internal/rules/schema"
)

// secretRequired says why a secret is asked for although one is stored.
const secretRequired = "must be entered again, because the URL has another host than the one it was stored for"

// hasOtherOrigin reports whether an address is of another origin than every one of those before.
func hasOtherOrigin(address string, knownURLs ...string) bool {
	if address == "" {
		return false
	}
	origin := originOf(address)
	return !slices.ContainsFunc(knownURLs, func(known string) bool { return known != "" && originOf(known) == origin })
}

// originOf returns scheme and host of an address; the address itself where it has none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// checkRewardsKeyHost refuses to send the key of a rule's feed to another host than it was given for.
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
