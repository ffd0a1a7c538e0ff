package lists

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// BadgeList is a list of a badge's condition: its own, or one of the files beside it.
type BadgeList struct {
	Condition laurel.ID
	File      laurel.ID // zero: the condition's own list
	URL       string
}

// kind is that of the list.
func (a BadgeList) kind() Kind {
	if a.File.IsZero() {
		return ConditionKind(a.Condition)
	}
	return FileKind(a.Condition, a.File)
}

// UpdateBadgeSources notes, in the transaction that saves a badge of one website, which lists its conditions name, and
// asks for those to be read that were not read before. A list that it names no more is forgotten; none of a deleted
// badge is named. A list of a badge is read once (contract 5.17).
func UpdateBadgeSources(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, badge laurel.ID, lists []BadgeList,
) error {
	stored, err := selectSources(ctx, tx, badge)
	if err != nil {
		return err
	}
	for _, a := range lists {
		s := Source{Kind: a.kind(), URL: a.URL}
		before, isStored := stored[s.Kind]
		delete(stored, s.Kind)
		if isStored && before.URL == s.storedURL() {
			isRead, err := hasBeenRead(ctx, tx, before)
			if err != nil {
				return err
			}
			if isRead {
				continue
			}
		}
		if err := s.enqueueImport(ctx, tx, scope, Owner{OwnerBadge, badge}); err != nil {
			return err
		}
	}
	for kind := range stored {
		if err := removeSource(ctx, tx, badge, kind); err != nil {
			return err
		}
	}
	return nil
}

// OwnerBadge returns the latest reading of each list of a badge, in the order in which they were asked for.
func (s *Service) LatestOfBadge(ctx context.Context, scope laurel.Scope, badge laurel.ID) ([]Import, error) {
	rows, err := selectLatestImports(ctx, s.db, scope, badge)
	out := make([]Import, len(rows))
	for i, r := range rows {
		out[i] = r.toImport()
	}
	return out, err
}

// ConditionsListing returns which of the badges' conditions name which of the wallets: by wallet, the conditions.
func (s *Service) ConditionsListing(
	ctx context.Context,
	scope laurel.Scope,
	badges []laurel.ID,
	wallets []string,
) (map[string][]laurel.ID, error) {
	out := map[string][]laurel.ID{}
	if len(wallets) == 0 {
		return out, nil
	}
	for owners := range slices.Chunk(badges, maxOwnersPerQuery) {
		sources, err := selectReadSources(ctx, s.db, scope, owners)
		if err != nil {
			return nil, err
		}
		for chunk := range slices.Chunk(wallets, maxWalletsPerQuery) {
			for _, list := range sources {
				listed, err := selectListedWallets(ctx, s.db, list.CurrentID, chunk)
				if err != nil {
					return nil, err
				}
				_, condition := list.Kind.split()
				for _, wallet := range listed {
					if !slices.Contains(out[wallet], condition) {
						out[wallet] = append(out[wallet], condition)
					}
				}
			}
		}
	}
	return out, nil
}

// maxOwnersPerQuery are asked for at once.
const maxOwnersPerQuery = 500

// ListWallets returns up to limit wallets that a badge's condition names, by all of its lists, in their order, behind
// one of them (an empty one: from the start). Fewer than the limit are the last ones.
func (s *Service) ListWallets(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	after Key,
	limit int,
) ([]string, error) {
	sources, err := selectReadSources(ctx, s.db, scope, []laurel.ID{badge})
	if err != nil {
		return nil, err
	}
	var imports []laurel.ID
	for _, list := range sources {
		if _, condition := list.Kind.split(); condition == after.Condition {
			imports = append(imports, list.CurrentID)
		}
	}
	return selectWallets(ctx, s.db, imports, after.Wallet, limit)
}

// BadgesListing returns the badges of the scope's website with a list on which one of the wallets stands.
func (s *Service) BadgesListing(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return selectOwnersListing(ctx, s.db, scope, OwnerBadge, wallets)
}
