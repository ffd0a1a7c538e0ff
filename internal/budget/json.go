package budget

import (
	"encoding/json"

	"laurel"
)

// The most bytes of free JSON that callers write (contract 1.1). Larger values from before these limits stay as they
// are.
const (
	RuleMetadata = 64 << 10
	Metadata     = 16 << 10 // of everything else
)

// JSON notes free JSON, such as metadata, that has too many bytes as it was sent: white space counts, as it does for
// the walk over bodies.
func JSON(f *laurel.Faults, path string, value json.RawMessage, most int) {
	if len(value) > most {
		f.Add(path, "must be at most %d bytes", most)
	}
}
