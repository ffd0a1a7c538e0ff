package identity

import (
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// MetadataFilter limits a list of metadata. All conditions that are set must hold.
type MetadataFilter struct {
	UserIDs            []laurel.ID
	Wallets            []string // in stored form
	ExternalIdentifier string   // compared without case
	// Search is a part of a wallet, a display name, a user name on a platform, an external identifier or, for secret keys,
	// an e-mail address. It is compared by store.Fold.
	Search string
}

const (
	// searchTimeout bounds the time of a search, which reads the records of a website from the newest on.
	searchTimeout  = 5 * time.Second
	searchPageSize = 2000 // records in one statement of a search
)

// ListMetadata returns a page of metadata, newest first, as the scope's key may see it. Errors: Invalid for an unknown
// cursor, and for a search that takes too long.
func (s *Service) ListMetadata(
	ctx context.Context, scope laurel.Scope, f MetadataFilter, page laurel.PageRequest,
) (laurel.Page[Metadata], error) {
	var found laurel.Page[Metadata]
	var err error
	if f.Search == "" {
		found, err = pageOfMetadata(ctx, s.db, scope, f, page)
	} else {
		found, err = s.searchMetadata(ctx, scope, f, page)
	}
	for i := range found.Data {
		found.Data[i] = found.Data[i].VisibleTo(scope)
	}
	return found, err
}

// GetMetadata returns the metadata with an id as the scope's key may see it. Errors: NotFound "User metadata".
func (s *Service) GetMetadata(ctx context.Context, scope laurel.Scope, id laurel.ID) (Metadata, error) {
	m, err := selectMetadataByID(ctx, s.db, scope, id)
	if store.IsNoRows(err) {
		return Metadata{}, laurel.Missing("User metadata")
	}
	return m.VisibleTo(scope), err
}

// searchMetadata is ListMetadata for a filter with a search. It reads the records that meet the other conditions until
// the page is full, and compares them here: the engines fold texts differently.
func (s *Service) searchMetadata(
	ctx context.Context, scope laurel.Scope, f MetadataFilter, page laurel.PageRequest,
) (laurel.Page[Metadata], error) {
	wanted := store.NewFolded(f.Search)
	var found []Metadata
	size := 0
	err := s.db.LongRead(ctx, searchTimeout, func(q store.Queryer) error {
		next := laurel.PageRequest{Limit: searchPageSize, StartingAfter: page.StartingAfter}
		for {
			read, err := pageOfMetadata(ctx, q, scope, f, next)
			if err != nil {
				return err
			}
			for _, m := range read.Data {
				next.StartingAfter = m.ID
				if !m.VisibleTo(scope).contains(wanted) {
					continue
				}
				found, size = append(found, m), size+len(store.JSON(m))
				if len(found) > page.Limit || size > budget.MaxPageBytes && len(found) > 1 {
					return nil
				}
			}
			if !read.HasNextPage {
				return nil
			}
		}
	})
	if store.TookTooLong(err) {
		var problem laurel.Faults
		problem.Add("userSearch", "takes too long: use userId, walletAddress or externalIdentifier")
		return laurel.Page[Metadata]{}, problem.Err()
	}
	if size > budget.MaxPageBytes && len(found) > 1 {
		page.Limit = min(page.Limit, len(found)-1) // the last one no longer fits
	}
	return laurel.PageOf(found, page.Limit), err
}

// contains reports whether one of the texts by which people are found contains the search text.
func (m Metadata) contains(wanted store.Folded) bool {
	if m.User.Wallet != nil && wanted.In(*m.User.Wallet) {
		return true
	}
	for _, t := range textFields(&MetadataInput{}, &m.Profile) {
		if *t.out != nil && isSearched(t.name) && wanted.In(**t.out) {
			return true
		}
	}
	return false
}

// isSearched reports whether searches look into a field: those that name a person (contract 4.6).
func isSearched(field string) bool {
	switch field {
	case "displayName", "emailAddress", "externalIdentifier":
		return true
	}
	return strings.HasSuffix(field, "User") || strings.HasSuffix(field, "Username")
}
