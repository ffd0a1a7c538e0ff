package progress

import (
	"crypto/sha256"

	"laurel.example/laurel"
)

// AccountKeys returns the keys of the rule state of a connected account, one for each of its names. The subject of such
// a key is a hash of the name.
func AccountKeys(rule, website laurel.ID, names []string) []StateKey {
	keys := make([]StateKey, len(names))
	for i, name := range names {
		sum := sha256.Sum256([]byte(website.String() + " " + name))
		copy(keys[i].Subject[:], sum[:])
		keys[i].Rule = rule
		keys[i].Subject[6] = keys[i].Subject[6]&0x0f | 0x80 // version 8 (RFC 9562), which no id of a user or group has
		keys[i].Subject[8] = keys[i].Subject[8]&0x3f | 0x80
	}
	return keys
}
