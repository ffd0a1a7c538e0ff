package ledger

import (
	"context"
	"math"
	"slices"
	"time"

	"laurel"
	"laurel/internal/standings"
	"laurel/internal/store"
)

const (
	// maxWindow bounds the entries that an answer about the past keeps in memory. Snapshots keep windows to about a quarter of it.
	maxWindow = 400_000
	// fullLimit bounds a count over all accounts of a currency.
	fullLimit = 25 * time.Second
)

// RankAt answers the rank that Rank would have answered at a moment of the past, by the balances there and the blocks of today. An account that did
// not exist then has none. Errors: Invalid where the moment is not settled; NotFound "Account" outside the scope; Unavailable
// where it would take too long.
func (s *Service) RankAt(ctx context.Context, scope laurel.Scope, accountID, currencyID laurel.ID, at time.Time) (Rank, error) {
	if err := s.db.RequireSettled(ctx, "asOf", at); err != nil {
		return Rank{}, err
	}
	m := moment(at)
	row, err := accountAt(ctx, s.db, scope, accountID, m)
	if err != nil {
		return Rank{}, err
	}
	if row.CurrencyID != currencyID || !row.Ranked || row.UserID.IsZero() || row.Amount == 0 {
		return Rank{}, nil
	}
	greater, err := s.greaterAt(ctx, row, m)
	switch {
	case store.TookTooLong(err):
		return Rank{}, laurel.Errorf(laurel.Unavailable, "The rank at asOf took too long to compute; ask for another moment or later")
	case err != nil:
		return Rank{}, err
	case greater >= MaxRank:
		return Rank{Beyond: true}, nil
	}
	return Rank{Place: greater + 1}, nil
}

// moment is the stored form of a time, also of one before 1970.
func moment(at time.Time) int64 { return at.UnixMicro() }

// greaterAt counts the ranked accounts of the same currency with more at the moment, up to MaxRank. Every account with more than the
// floor is among the past's balances, so the count is exact for an amount at or above the floor; below it, it is a lower bound, which is enough
// where it reaches MaxRank. Else all accounts are asked: the top has fallen since the snapshot, or there is none near.
func (s *Service) greaterAt(ctx context.Context, a accountThen, m int64) (int, error) {
	then, known, err := s.past(ctx, marked{ID: a.CurrencyID, WebsiteID: a.WebsiteID}, m)
	if err != nil {
		return 0, err
	}
	if known {
		n, err := countRanked(ctx, s.db, standings.Above(then.balances, a.Amount))
		if err != nil || n >= MaxRank || a.Amount >= then.floor {
			return n, err
		}
	}
	return countGreater(ctx, s.db.Within(fullLimit), a.CurrencyID, a.Amount, m)
}

// past is what a snapshot and the entries after it say of a moment.
type past struct {
	floor    laurel.Amount // accounts without a balance here had at most this
	balances map[laurel.ID]laurel.Amount
}

// past answers false where no snapshot is near: a database that was filled before is still being caught up with.
func (s *Service) past(ctx context.Context, c marked, m int64) (past, bool, error) {
	before, err := readSnapshot(ctx, s.db, c.ID, m)
	if err != nil {
		return past{}, false, err
	}
	since, err := lastAmounts(ctx, s.db.Within(fullLimit), c, until(before, m), maxWindow+1)
	if err != nil || len(since) > maxWindow {
		return past{}, false, err
	}
	return past{before.Floor, before.Balances(since)}, true, nil
}

// LeadersAt answers the accounts of a page of a currency's leaderboard at a settled moment, highest (amount, id) first, and one more where there is
// one, as snapshots tell them; false where they do not reach so far down or the currency is not of the scope, so that
// all accounts must be asked. Errors: Invalid where the moment is not settled or the page begins after an account outside the scope.
func (s *Service) LeadersAt(ctx context.Context, scope laurel.Scope, currency laurel.ID, at time.Time, page laurel.PageRequest) ([]laurel.ID, bool, error) {
	if err := s.db.RequireSettled(ctx, "asOf", at); err != nil {
		return nil, false, err
	}
	c, err := readCurrency(ctx, s.db, scope, currency)
	if laurel.CodeOf(err) == laurel.NotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	from := standing{Amount: math.MaxInt64}
	if !page.StartingAfter.IsZero() {
		a, err := accountAt(ctx, s.db, scope, page.StartingAfter, moment(at))
		if err != nil && laurel.CodeOf(err) != laurel.NotFound {
			return nil, false, err
		}
		if err != nil || a.UserID.IsZero() {
			return nil, false, laurel.ErrCursor()
		}
		from = standing{Account: a.ID, Amount: a.Amount}
	}
	then, known, err := s.past(ctx, marked{ID: currency, WebsiteID: c.WebsiteID}, moment(at))
	if err != nil || !known {
		return nil, false, err
	}
	return then.page(from, page.Limit+1)
}

// page answers so many accounts behind one of them; false where fewer than asked for stand above the floor.
func (p past) page(from standing, size int) ([]laurel.ID, bool, error) {
	list := standings.Above(p.balances, p.floor)
	list = slices.DeleteFunc(list, func(t standing) bool { return standings.HighestFirst(t, from) <= 0 })
	if len(list) < size {
		return nil, false, nil
	}
	slices.SortFunc(list, standings.HighestFirst)
	ids := make([]laurel.ID, size)
	for i := range ids {
		ids[i] = list[i].Account
	}
	return ids, true, nil
}
