package catalog

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Version is the version of a rule as a Work holds it: the rule does not change between the decision and the commit.
type Version struct {
	ID          laurel.ID `db:"id"`
	Version     int64     `db:"version"`
	HasRequired bool      `db:"gated"` // the website has required rules or required groups
}

// Versions is the table by which Works hold rules.
var Versions = &store.Table[laurel.ID, Version]{
	Name: "rules", Rank: store.LockRankRules,
	Compare: laurel.ID.Compare,
	Query:   selectVersion,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(v *Version) laurel.ID { return v.ID },
	New:     func(laurel.ID) *Version { return &Version{} },
}
