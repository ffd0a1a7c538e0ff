package web

import (
	"slices"

	"laurel.example/laurel"
)

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
