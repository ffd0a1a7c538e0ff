package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"laurel"
)

// SideListLimit bounds the lists that a page shows in addition to its main one.
const SideListLimit = 20

// Day is a day of 24 hours.
const Day = 24 * time.Hour

// UniqueIDs returns the ids of a list's items, each once and without zero ids, in their order.
func UniqueIDs[T any](list []T, id func(T) laurel.ID) []laurel.ID {
	var out []laurel.ID
	for _, item := range list {
		if itemID := id(item); !itemID.IsZero() && !slices.Contains(out, itemID) {
			out = append(out, itemID)
		}
	}
	return out
}

// Map returns the results of f for all elements, in their order.
func Map[T, R any](in []T, f func(T) R) []R {
	out := make([]R, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// MustEncode returns a value as JSON. It panics if that fails, which is a bug.
func MustEncode(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%T cannot be encoded: %v", v, err))
	}
	return out
}
