package ledger

import (
	"context"
	"math"
	"slices"
	"time"

	"laurel"
	"laurel/internal/points/rank"
	"laurel/internal/store"
)

const (
	// maxWindow bounds the entries that an answer about the past keeps in memory. Snapshots keep windows to about a
	// quarter of it.
	maxWindow = 400_000
	// pastReadLimit bounds a read of the past: it may have to count over all accounts of a currency.
	pastReadLimit = 25 * time.Second
)

// RankAt returns the rank that Rank would have answered at a moment of the past, by the balances there and the blocks
// of today. An account that did not exist then has none. What is concealed today is as if it had not happened, also of
// a moment before it was concealed. Errors: Invalid where the moment is not settled; NotFound
// "Account" outside the scope; Unavailable where it would take too long.
func (s *Service) RankAt(
	ctx context.Context,
	scope laurel.Scope,
	accountID, currencyID laurel.ID,
	at Moment,
) (Rank, error) {
	if err := s.db.RequireSettled(ctx, "asOf", at.Time); err != nil {
		return Rank{}, err
	}
	var rank Rank
	err := s.db.LongRead(ctx, pastReadLimit, func(q store.Queryer) error {
		row, err := accountAt(ctx, q, scope, accountID, at.asOf())
		if err != nil || row.CurrencyID != currencyID || !row.Ranked || row.UserID.IsZero() || row.Amount == 0 {
			return err
		}
		greater, err := greaterAt(ctx, q, row, at.asOf())
		if rank = (Rank{Place: greater + 1}); greater >= MaxRank {
			rank = Rank{Beyond: true}
		}
		return err
	})
	switch {
	case store.TookTooLong(err):
		return Rank{}, laurel.Errorf(
			laurel.Unavailable,
			"The rank at asOf took too long to compute; ask for another moment or later",
		)
	case err != nil:
		return Rank{}, err
	}
	return rank, nil
}

// greaterAt counts the ranked accounts of the same currency with more at the moment, up to MaxRank. Every account with
// more than the floor is among the past's balances, so the count is exact for an amount at or above the floor; below
// it, it is a lower bound, which is enough where it reaches MaxRank. Else all accounts are asked: the top has fallen
// since the snapshot, or there is none near.
func greaterAt(ctx context.Context, q store.Queryer, a accountAsOf, t asOf) (int, error) {
	before, found, err := readPast(ctx, q, snapshotCurrency{ID: a.CurrencyID, WebsiteID: a.WebsiteID}, t)
	if err != nil {
		return 0, err
	}
	if found {
		n, err := countRanked(ctx, q, rank.Above(before.balances, a.Amount))
		if err != nil || n >= MaxRank || a.Amount >= before.floor {
			return n, err
		}
	}
	return countGreater(ctx, q, a.CurrencyID, a.Amount, t)
}

// past is what a snapshot and the entries after it say of a moment.
type past struct {
	floor    laurel.Amount // accounts without a balance here had at most this
	balances map[laurel.ID]laurel.Amount
}

// readPast returns false where no snapshot is near: a database that was filled before is still being caught up with.
func readPast(ctx context.Context, q store.Queryer, c snapshotCurrency, t asOf) (past, bool, error) {
	before, err := readSnapshot(ctx, q, c.ID, t.moment)
	if err != nil {
		return past{}, false, err
	}
	since, err := lastAmounts(ctx, q, c, windowUntil(before, t.moment), maxWindow+1)
	if err != nil || len(since) > maxWindow {
		return past{}, false, err
	}
	balances := before.Balances(since)
	concealed, err := concealedAt(ctx, q, t.sight, c.ID, t.moment)
	for _, a := range concealed {
		balances[a.Account] = a.Amount
	}
	return past{before.Floor, balances}, true, err
}

// Moment is a moment of the past, who looks at it, and which accounts a list of balances there is of.
type Moment struct {
	time.Time
	Visibility laurel.Visibility
	Ranked     *bool // nil: all; else those that have a rank today, or that have none
}

// asOf is the moment in its stored form, also of one before 1970.
func (m Moment) asOf() asOf { return asOf{m.UnixMicro(), m.Visibility} }

// LeadersAt returns the accounts of a page of a currency's leaderboard at a settled moment, highest (amount, id) first,
// and one more where there is one, as snapshots tell them; false where they do not reach so far down or the currency is
// not of the scope, so that all accounts must be asked. Where ranked is set, only accounts that have a rank today, or
// only those that have none, are returned. Errors: Invalid where the moment is not settled or the page
// begins after an account outside the scope.
func (s *Service) LeadersAt(
	ctx context.Context,
	scope laurel.Scope,
	currency laurel.ID,
	at Moment,
	page laurel.PageRequest,
) ([]laurel.ID, bool, error) {
	if err := s.db.RequireSettled(ctx, "asOf", at.Time); err != nil {
		return nil, false, err
	}
	c, err := readCurrency(ctx, s.db, scope, currency)
	if laurel.CodeOf(err) == laurel.NotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	from := accountBalance{Amount: math.MaxInt64}
	if !page.StartingAfter.IsZero() {
		a, err := accountAt(ctx, s.db, scope, page.StartingAfter, at.asOf())
		if err != nil && laurel.CodeOf(err) != laurel.NotFound {
			return nil, false, err
		}
		if err != nil || a.UserID.IsZero() {
			return nil, false, laurel.ErrCursor()
		}
		from = accountBalance{Account: a.ID, Amount: a.Amount}
	}
	var ids []laurel.ID
	isComplete := false
	err = s.db.LongRead(ctx, pastReadLimit, func(q store.Queryer) error {
		before, found, err := readPast(ctx, q, snapshotCurrency{ID: currency, WebsiteID: c.WebsiteID}, at.asOf())
		if err != nil || !found {
			return err
		}
		list := before.below(from)
		if at.Ranked != nil {
			list, err = onlyRanked(ctx, q, list, *at.Ranked, page.Limit+1)
		}
		ids, isComplete = firstOf(list, page.Limit+1)
		return err
	})
	return ids, isComplete, err
}

// below returns the accounts behind one of them that stand above the floor, highest first.
func (p past) below(from accountBalance) []accountBalance {
	list := rank.Above(p.balances, p.floor)
	list = slices.DeleteFunc(list, func(t accountBalance) bool { return rank.HighestFirst(t, from) <= 0 })
	slices.SortFunc(list, rank.HighestFirst)
	return list
}

// firstOf returns so many accounts; false where there are fewer.
func firstOf(list []accountBalance, size int) ([]laurel.ID, bool) {
	if len(list) < size {
		return nil, false
	}
	ids := make([]laurel.ID, size)
	for i := range ids {
		ids[i] = list[i].Account
	}
	return ids, true
}

// onlyRanked returns the first of the accounts that have a rank today, or that have none.
func onlyRanked(
	ctx context.Context,
	q store.Queryer,
	list []accountBalance,
	ranked bool,
	size int,
) ([]accountBalance, error) {
	var out []accountBalance
	for part := range slices.Chunk(list, rankedChunk) {
		if len(out) >= size {
			break
		}
		ids := make([]laurel.ID, len(part))
		for i, t := range part {
			ids[i] = t.Account
		}
		unranked, err := selectUnranked(ctx, q, ids)
		if err != nil {
			return nil, err
		}
		for _, t := range part {
			if slices.Contains(unranked, t.Account) != ranked {
				out = append(out, t)
			}
		}
	}
	return out, nil
}
