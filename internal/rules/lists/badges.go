package lists

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// BadgeList is a list of a badge's condition: the list of the condition itself, or one of the further files of the
// badge.
type BadgeList struct {
	Condition laurel.ID
	File      laurel.ID // zero: the list of the condition itself
	URL       string
}

// kind returns the Kind under which the list is stored.
func (a BadgeList) kind() Kind {
	if a.File.IsZero() {
		return ConditionKind(a.Condition)
	}
	return FileKind(a.Condition, a.File)
}

// UpdateBadgeSources stores which lists a badge has, in the transaction that saves the badge. Each list of a badge is
// imported once (contract 5.17): an import is enqueued for each list that is new, has another address, or was never
// imported because all imports failed. Sources of lists that the badge no longer has are removed; a deleted badge has
// none.
func UpdateBadgeSources(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, badge laurel.ID, lists []BadgeList,
) error {
	stored, err := selectSources(ctx, tx, badge)
	if err != nil {
		return err
	}
	for _, list := range lists {
		s := Source{Kind: list.kind(), URL: list.URL}
		before, isStored := stored[s.Kind]
		delete(stored, s.Kind)
		if isStored && before.URL == s.storedURL() {
			isDone, err := isImportedOrPending(ctx, tx, before)
			if err != nil {
				return err
			}
			if isDone {
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

// LatestImportsOfBadge returns the latest import of each list of a badge, oldest first.
func (s *Service) LatestImportsOfBadge(ctx context.Context, scope laurel.Scope, badge laurel.ID) ([]Import, error) {
	rows, err := selectLatestImports(ctx, s.db, scope, badge)
	out := make([]Import, len(rows))
	for i, r := range rows {
		out[i] = r.toImport()
	}
	return out, err
}

// FindConditionsByWallets returns, by wallet, the conditions of badges whose lists contain the wallet.
func (s *Service) FindConditionsByWallets(
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
		sources, err := selectImportedSources(ctx, s.db, scope, owners)
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

// maxOwnersPerQuery bounds the badges of one query.
const maxOwnersPerQuery = 500

// ListWallets returns a page of the wallets on all lists of a condition of a badge, each once and in the order of the
// database. after names the condition and the last wallet of the page before; an empty wallet starts from the
// beginning. A page with fewer than limit wallets is the last one.
func (s *Service) ListWallets(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	after Key,
	limit int,
) ([]string, error) {
	sources, err := selectImportedSources(ctx, s.db, scope, []laurel.ID{badge})
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

// FindBadgesByWallets returns the badges of the scope's website with a list that contains one of the wallets.
func (s *Service) FindBadgesByWallets(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return selectOwnersByWallets(ctx, s.db, scope, OwnerBadge, wallets)
}
