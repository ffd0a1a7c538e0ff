package dashboard

import (
	"encoding/json"
	"net/url"
	"slices"

	"laurel"
	"laurel/internal/rules/schema"
)

// secretRequired is the fault if a stored secret must be entered again.
const secretRequired = "must be entered again, because the URL now points to another host"

// hasOtherOrigin reports whether an address has another scheme or host than all known ones. A secret that is stored for
// them must not be sent there. An empty address has none, so it is false.
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

// checkRewardsKeyHost protects the stored key that a rule sends to the address from which it reads rewards. If the
// admin entered an address on another host but no new key, it adds a fault: the stored key was entered for the old host
// and must not be sent to the new one.
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
