package identity

import (
	"context"

	"laurel"
)

// Person is Resolve outside a transaction.
func (s *Service) Person(ctx context.Context, scope laurel.Scope, ref Ref) (Person, error) {
	return s.Resolve(ctx, s.db, scope, ref)
}

// MetadataOf is Metadatas outside a transaction, as the scope's key may see it.
func (s *Service) MetadataOf(ctx context.Context, scope laurel.Scope, userIDs []laurel.ID) (map[laurel.ID][]Metadata, error) {
	if len(userIDs) == 0 {
		return nil, nil
	}
	found, err := s.Metadatas(ctx, s.db, scope, userIDs)
	for _, list := range found {
		for i := range list {
			list[i] = list[i].Shown(scope)
		}
	}
	return found, err
}

// WalletsOf is Wallets outside a transaction. That of a single user, as most transactions have, is read together with those of other callers.
func (s *Service) WalletsOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]string, error) {
	if len(ids) != 1 || scope.WebsiteID.IsZero() {
		return s.Wallets(ctx, s.db, scope, ids)
	}
	p, known, err := s.found.Get(ctx, found(scope, Ref{UserID: ids[0]}))
	if err != nil || !known || p.Wallet == "" {
		return nil, err
	}
	return map[laurel.ID]string{p.UserID: p.Wallet}, nil
}

// WalletsOfGroup answers the wallets of a group's members; none of a group outside the scope.
func (s *Service) WalletsOfGroup(ctx context.Context, scope laurel.Scope, group laurel.ID) ([]string, error) {
	return walletsOfGroup(ctx, s.db, scope, group)
}
