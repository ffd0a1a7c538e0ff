package lists

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Attached is a list of a badge's condition: its own, or one of the files beside it.
type Attached struct {
	Condition laurel.ID
	File      laurel.ID // zero: the condition's own list
	URL       string
}

// kind is that of the list.
func (a Attached) kind() Kind {
	if a.File.IsZero() {
		return ConditionKind(a.Condition)
	}
	return FileKind(a.Condition, a.File)
}

// BadgeSaved notes, in the transaction that saves a badge of one website, which lists its conditions name, and asks for
// those to be read that were not read before. A list that it names no more is forgotten; none of a deleted badge is
// named. A list of a badge is read once (contract 5.17).
func BadgeSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, badge laurel.ID, named []Attached) error {
	known, err := sourcesOf(ctx, tx, badge)
	if err != nil {
		return err
	}
	for _, a := range named {
		s := Source{Kind: a.kind(), URL: a.URL}
		before, was := known[s.Kind]
		delete(known, s.Kind)
		if was && before.URL == s.address() {
			read, err := readBefore(ctx, tx, before)
			if err != nil {
				return err
			}
			if read {
				continue
			}
		}
		if err := s.ask(ctx, tx, scope, Owner{OfBadge, badge}); err != nil {
			return err
		}
	}
	for kind := range known {
		if err := forgetSource(ctx, tx, badge, kind); err != nil {
			return err
		}
	}
	return nil
}

// OfBadge returns the latest reading of each list of a badge, in the order in which they were asked for.
func (s *Service) OfBadge(ctx context.Context, scope laurel.Scope, badge laurel.ID) ([]Import, error) {
	rows, err := latestOf(ctx, s.db, scope, badge)
	out := make([]Import, len(rows))
	for i, r := range rows {
		out[i] = r.shape()
	}
	return out, err
}

// Naming returns which of the badges' conditions name which of the wallets: by wallet, the conditions.
func (s *Service) Naming(
	ctx context.Context,
	scope laurel.Scope,
	badges []laurel.ID,
	wallets []string,
) (map[string][]laurel.ID, error) {
	out := map[string][]laurel.ID{}
	if len(wallets) == 0 {
		return out, nil
	}
	for owners := range slices.Chunk(badges, maxOwners) {
		counting, err := countingOf(ctx, s.db, scope, owners)
		if err != nil {
			return nil, err
		}
		for part := range slices.Chunk(wallets, maxWallets) {
			for _, list := range counting {
				names, err := namedIn(ctx, s.db, list.CurrentID, part)
				if err != nil {
					return nil, err
				}
				_, condition := list.Kind.plain()
				for _, wallet := range names {
					if !slices.Contains(out[wallet], condition) {
						out[wallet] = append(out[wallet], condition)
					}
				}
			}
		}
	}
	return out, nil
}

// maxOwners are asked for at once.
const maxOwners = 500

// WalletsAfter returns up to limit wallets that a badge's condition names, by all of its lists, in their order, behind
// one of them (an empty one: from the start). Fewer than the limit are the last ones.
func (s *Service) WalletsAfter(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	after Key,
	limit int,
) ([]string, error) {
	counting, err := countingOf(ctx, s.db, scope, []laurel.ID{badge})
	if err != nil {
		return nil, err
	}
	var imports []laurel.ID
	for _, list := range counting {
		if _, condition := list.Kind.plain(); condition == after.Condition {
			imports = append(imports, list.CurrentID)
		}
	}
	return walletsIn(ctx, s.db, imports, after.Wallet, limit)
}

// BadgesNaming returns the badges of the scope's website with a list on which one of the wallets stands.
func (s *Service) BadgesNaming(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return ownersOf(ctx, s.db, scope, OfBadge, wallets)
}
