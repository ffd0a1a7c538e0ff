package budget

import (
	"encoding/json"

	"laurel.example/laurel"
)

// The most bytes of free JSON that callers write (contract 1.1). Larger values from before these limits stay as they
// are.
const (
	RuleMetadata = 64 << 10
	Metadata     = 16 << 10 // of everything else
)

// CheckJSON adds a fault if free JSON of a caller, such as metadata, has more than maxBytes as it was sent; white space
// counts.
func CheckJSON(f *laurel.Faults, path string, value json.RawMessage, maxBytes int) {
	if len(value) > maxBytes {
		f.Add(path, "must be at most %d bytes", maxBytes)
	}
}
