// Package pages owns what websites show on their pages: page sections, which have a place and a window of time
// (contract 3.29), and the blocks of the loyalty page (contract 3.30). It does not own the collections and rule groups
// that they show.
package pages

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// GroupNames returns the names of the rule groups with the ids, keyed by id, without those that are deleted or of
// another scope.
type GroupNames func(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]string, error)

// Service creates, changes and reads page sections and blocks.
type Service struct {
	db         *store.DB
	groupNames GroupNames
}

// New returns a service on the database. groupNames looks up the rule groups that pages refer to.
func New(db *store.DB, groups GroupNames) *Service { return &Service{db: db, groupNames: groups} }

const (
	maxName    = 1000 // characters
	maxText    = 10000
	maxPageID  = 255
	maxType    = 100
	maxParts   = 100      // of each kind in a section
	maxSection = 32 << 10 // bytes: 100 of them are a page of a list
	maxBlocks  = 100
)

const (
	msgNoCollection = "Collection not found"
	msgNoGroup      = "Loyalty rule group not found"
)
