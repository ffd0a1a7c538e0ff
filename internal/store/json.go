package store

import "encoding/json"

// JSON encodes a value for a column that stores JSON. It panics on types that cannot be encoded; structs, lists and
// maps of ids, amounts, times and texts always can.
func JSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
