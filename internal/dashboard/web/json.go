package web

import (
	"encoding/json"
	"fmt"
)

// MustEncode returns a value as JSON. It panics if that fails, which is a bug.
func MustEncode(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%T cannot be encoded: %v", v, err))
	}
	return out
}
