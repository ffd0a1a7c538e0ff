package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
)

// Person is Resolve outside a transaction.
func (s *Service) Person(ctx context.Context, scope laurel.Scope, ref Ref) (Person, error) {
	return s.Resolve(ctx, s.db, scope, ref)
}

// MetadataOf reads the metadata of users by user id, outside a transaction, as the scope's key may see it (see
// Metadatas).
func (s *Service) MetadataOf(
	ctx context.Context,
	scope laurel.Scope,
	userIDs []laurel.ID,
) (map[laurel.ID][]Metadata, error) {
	if len(userIDs) == 0 {
		return nil, nil
	}
	found, err := s.Metadatas(ctx, s.db, scope, userIDs)
	for _, list := range found {
		for i := range list {
			list[i] = list[i].VisibleTo(scope)
		}
	}
	return found, err
}

// CountFittingMetadata returns how many of the users, from the first on, fit on a page (budget.MaxPageBytes) together
// with their metadata, and with what else of these sizes the page shows of them.
func (s *Service) CountFittingMetadata(
	ctx context.Context, scope laurel.Scope, userIDs []laurel.ID, others []budget.ByteSize,
) (int, error) {
	sizes, err := metadataSizes(ctx, s.db, scope, userIDs)
	return budget.CountFitting(userIDs, slices.Concat(sizes, others)), err
}

// Card is the part of a user's metadata that a list of accounts shows.
type Card struct {
	WebsiteID                                                                  laurel.ID
	DisplayName, LogoURL, ChatServerUser, MicroblogUser, WalletGroupIdentifier *string
}

// Cards reads the cards of users by user id: one for each website of the scope in which the user has metadata.
func (s *Service) Cards(ctx context.Context, scope laurel.Scope, userIDs []laurel.ID) (map[laurel.ID][]Card, error) {
	out := make(map[laurel.ID][]Card, len(userIDs))
	err := eachMetadata(ctx, s.db, scope, userIDs, func(m Metadata) {
		out[m.UserID] = append(
			out[m.UserID],
			Card{WebsiteID: m.WebsiteID, DisplayName: m.DisplayName, LogoURL: m.LogoURL, ChatServerUser: m.ChatServerUser,
				MicroblogUser: m.MicroblogUser, WalletGroupIdentifier: m.WalletGroupIdentifier},
		)
	})
	return out, err
}

// WalletsOf returns the wallets of users by user id, as Wallets does, outside a transaction. Most calls ask for one
// user, whose wallet is read together with those that other callers ask for at the same moment.
func (s *Service) WalletsOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]string, error) {
	if len(ids) != 1 || scope.WebsiteID.IsZero() {
		return s.Wallets(ctx, s.db, scope, ids)
	}
	p, known, err := s.personLoader.Get(ctx, newPersonKey(scope, Ref{UserID: ids[0]}))
	if err != nil || !known || p.Wallet == "" {
		return nil, err
	}
	return map[laurel.ID]string{p.UserID: p.Wallet}, nil
}

// UsersOfWallets returns the ids of the users in the scope's organization by their wallets. Unknown wallets are left
// out.
func (s *Service) UsersOfWallets(
	ctx context.Context, scope laurel.Scope, wallets []string,
) (map[string]laurel.ID, error) {
	out := make(map[string]laurel.ID, len(wallets))
	for part := range slices.Chunk(wallets, maxKeysPerQuery) {
		rows, err := selectUsersOfWallets(ctx, s.db, scope.OrganizationID, part)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[*r.Wallet] = r.ID
		}
	}
	return out, nil
}

// WalletsOfGroup returns the wallets of a group's members, or none if the group is outside the scope.
func (s *Service) WalletsOfGroup(ctx context.Context, scope laurel.Scope, group laurel.ID) ([]string, error) {
	return walletsOfGroup(ctx, s.db, scope, group)
}
