package rules

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/rules/schema"
)

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
	if typed := f.typed.Get(address); typed != stored(address) && form.HasOtherOrigin(typed, stored(address)) {
		faults.Add(key, form.SecretRequired)
	}
}
