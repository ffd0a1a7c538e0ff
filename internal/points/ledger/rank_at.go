package ledger

import (
	"context"
	"math"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/rank"
	"laurel.example/laurel/internal/store"
)

const (
	// maxEntriesInGap bounds the entries between a snapshot and a moment that a read of the past keeps in memory.
	// Snapshots are taken so often that a quarter of it usually suffices.
	maxEntriesInGap = 400_000
	// pastReadLimit bounds the time of a read of the past, which may have to count all accounts of a currency.
	pastReadLimit = 25 * time.Second
)

// RankAt returns the rank that an account had at a moment of the past, by the balances at that moment, but without the
// members who are blocked now. An account that did not exist then has no rank. Bids that are hidden from the reader now
// are ignored at any moment. Errors: Invalid if entries may still be dated before the moment (it is not settled);
// NotFound "Account" if the scope has no such account; Unavailable if it would take too long.
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

// greaterAt counts the ranked accounts of the same currency that had a greater balance than the account a at that
// moment, up to MaxRank. If a rank snapshot is near, it counts in the balances computed from it. These have every
// account above a floor, so the count is exact for an amount at or above the floor. For a lower amount it is a lower
// bound, which suffices if it reaches MaxRank. Otherwise greaterAt counts all accounts in the database.
func greaterAt(ctx context.Context, q store.Queryer, a accountAsOf, at asOf) (int, error) {
	before, found, err := readPastBalances(ctx, q, snapshotCurrency{ID: a.CurrencyID, WebsiteID: a.WebsiteID}, at)
	if err != nil {
		return 0, err
	}
	if found {
		n, err := countRanked(ctx, q, rank.Above(before.balances, a.Amount))
		if err != nil || n >= MaxRank || a.Amount >= before.floor {
			return n, err
		}
	}
	return countGreater(ctx, q, a.CurrencyID, a.Amount, at)
}

// pastBalances has the highest balances of a moment, computed from a snapshot and the entries after it.
type pastBalances struct {
	floor    laurel.Amount // accounts without a balance here had at most this
	balances map[laurel.ID]laurel.Amount
}

// readPastBalances returns the highest balances of a moment as the reader may see them, computed from the newest rank
// snapshot before it and the entries since. It returns false if there are more than maxEntriesInGap such entries, which
// happens after a bulk load, while snapshots are still being taken.
func readPastBalances(ctx context.Context, q store.Queryer, c snapshotCurrency, at asOf) (pastBalances, bool, error) {
	before, err := readSnapshot(ctx, q, c.ID, at.moment)
	if err != nil {
		return pastBalances{}, false, err
	}
	since, err := balancesAfterEntries(ctx, q, c, gapUntil(before, at.moment), maxEntriesInGap+1)
	if err != nil || len(since) > maxEntriesInGap {
		return pastBalances{}, false, err
	}
	balances := before.Balances(since)
	concealed, err := concealedAt(ctx, q, at.visibility, c.ID, at.moment)
	for _, a := range concealed {
		balances[a.Account] = a.Amount
	}
	return pastBalances{before.Floor, balances}, true, err
}

// Moment is a moment of the past, with what the reader may see and which accounts a list has.
type Moment struct {
	time.Time
	Visibility laurel.Visibility
	Ranked     *bool // nil: all; else those that have a rank today, or that have none
}

// asOf returns the moment in its stored form, also one before 1970.
func (m Moment) asOf() asOf { return asOf{m.UnixMicro(), m.Visibility} }

// LeadersAt returns a page of a currency's leaderboard at a settled moment, before which no entry can be dated any
// more: the accounts with the highest amount first, then with the highest id. It returns page.Limit + 1 accounts, so
// that the caller knows whether there are more. It reads them from rank snapshots, which have the highest balances
// only. It returns false if these do not reach down to the end of the page, or if the currency is not the scope's; the
// caller must then read all accounts. If at.Ranked is set, it returns only accounts that have a rank today (true), or
// only those that have none (false). Errors: Invalid if the moment is not settled, or if the scope has no account
// page.StartingAfter.
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
	c, err := currencyTable.Get(ctx, s.db, currencyByID(scope, currency), "")
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
		before, found, err := readPastBalances(ctx, q, snapshotCurrency{ID: currency, WebsiteID: c.WebsiteID}, at.asOf())
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

// below returns the accounts with a balance above the floor that come after from on the leaderboard, the highest first.
func (p pastBalances) below(from accountBalance) []accountBalance {
	list := rank.Above(p.balances, p.floor)
	list = slices.DeleteFunc(list, func(t accountBalance) bool { return rank.HighestFirst(t, from) <= 0 })
	slices.SortFunc(list, rank.HighestFirst)
	return list
}

// firstOf returns the ids of the first size accounts, or false if there are fewer.
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

// onlyRanked returns the accounts of the list that have a rank today (ranked) or have none (not ranked), in their
// order. It stops reading once it has found size of them.
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
