package store

import "encoding/json"

// JSON writes a value for a column that keeps JSON. It panics on types that cannot be written; structs, lists and maps
// of ids, amounts, times and texts always can.
func JSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
