package ledger

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/rank"
	"laurel.example/laurel/internal/store"
)

// SnapshotSize says how often rank snapshots are taken and how much they hold.
type SnapshotSize struct {
	Entries  int // of a currency between two snapshots; a read of the past reads about as many
	Accounts int // the highest balances; twice MaxRank, because some accounts fall or are blocked
}

// defaultSnapshots cost 240 kB per 100,000 entries, which themselves take some 60 MB.
var defaultSnapshots = SnapshotSize{Entries: 100_000, Accounts: 2 * MaxRank}

// Package rank computes the snapshots.
type (
	accountBalance = rank.AccountBalance
	snapshot       = rank.Snapshot
	changedBalance = rank.ChangedBalance
)

// gapUntil returns the gap from a snapshot to a later moment.
func gapUntil(s snapshot, m int64) snapshotGap { return snapshotGap{span{s.At, m}, s.Floor} }

// snapshotCurrency is a currency with the moment of its newest snapshot.
type snapshotCurrency struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Newest         *int64    `db:"newest"`
}

// entryCount is the number of settled entries of a currency since its newest snapshot. It is kept between rounds, so
// that each entry is counted once.
type entryCount struct {
	snapshot  int64 // the moment of that snapshot
	countedTo int64 // the moment up to which entries are counted
	entries   int
}

// entryCounts has the counts of all currencies on this node. mu is locked while snapshots are taken.
type entryCounts struct {
	mu         sync.Mutex
	byCurrency map[laurel.ID]entryCount
}

// SnapshotRanks takes the rank snapshots that are due: the next one of each currency with at least size.Entries settled
// entries since its last one. A snapshot follows from the entries and the snapshot before it, so any number of nodes
// may run this with the same result. If the clock has stepped back, snapshots of moments that cannot be settled yet are
// removed first, and taken again later.
func (s *Service) SnapshotRanks(ctx context.Context, size SnapshotSize) error {
	s.entryCounts.mu.Lock()
	defer s.entryCounts.mu.Unlock()
	settled, err := s.db.Settled(ctx)
	if err != nil {
		return err
	}
	if err := s.removeUnsettledSnapshots(ctx); err != nil {
		return err
	}
	list, err := selectSnapshotCurrencies(ctx, s.db)
	for i := 0; i < len(list) && err == nil; i++ {
		for due := true; due && err == nil; {
			due, err = s.snapshotNext(ctx, &list[i], store.Micros(settled), size)
		}
	}
	return err
}

// distrustMargin is how much older snapshots are removed together with those of moments that the clock has stepped back
// behind. Until the step is noticed, entries are dated before these snapshots. It is noticed within one round of
// SnapshotRanks.
const distrustMargin = 10 * time.Minute

// removeUnsettledSnapshots removes snapshots of moments that cannot have been settled yet. They exist if the clock has
// stepped back, and miss entries that are dated before them. No rank has relied on them, since ranks are returned only
// for settled moments.
func (s *Service) removeUnsettledSnapshots(ctx context.Context) error {
	latest := s.db.SettledAtMost()
	found, err := hasSnapshotsAfter(ctx, s.db, store.Micros(latest))
	if err != nil || !found {
		return err
	}
	var removed int64
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		removed, err = removeSnapshots(ctx, tx, store.Micros(latest.Add(-distrustMargin)))
		return err
	})
	if err == nil {
		s.log.Warn(
			"the clock stepped back: rank snapshots of later moments are made anew",
			slog.Int64("removed", removed),
			slog.Time("after", latest),
		)
	}
	return err
}

// snapshotNext counts the entries of a currency that have settled since the last round. Once there are size.Entries
// since the newest snapshot, it takes the next one and returns true.
func (s *Service) snapshotNext(
	ctx context.Context,
	c *snapshotCurrency,
	settled int64,
	size SnapshotSize,
) (bool, error) {
	newest := rank.Genesis.At
	if c.Newest != nil {
		newest = *c.Newest
	}
	counted, known := s.entryCounts.byCurrency[c.ID]
	if !known || counted.snapshot != newest || counted.countedTo > settled { // countedTo > settled: the clock stepped back
		counted = entryCount{snapshot: newest, countedTo: newest}
	}
	n, last, err := countEntries(ctx, s.db, *c, span{counted.countedTo, settled}, max(0, size.Entries-counted.entries))
	if err != nil {
		return false, err
	}
	if counted.entries += n; n > 0 {
		counted.countedTo = last
	}
	if counted.entries < size.Entries {
		s.entryCounts.set(c.ID, counted)
		return false, nil
	}
	next, err := s.snapshotAt(ctx, *c, counted.countedTo, size)
	if err != nil {
		return false, err
	}
	c.Newest = &next.At
	delete(s.entryCounts.byCurrency, c.ID)
	return true, s.db.InTx(ctx, func(tx *store.Tx) error { return insertSnapshot(ctx, tx, *c, next) })
}

// snapshotAt returns the rank snapshot of a settled moment: the highest balances then, and the floor, which no other
// account exceeded. It is computed from the snapshot before it and the entries since. The floor only rises this way, so
// with time fewer accounts stay above it. If fewer than three quarters of size.Accounts are, the snapshot is computed
// from the present balances instead.
func (s *Service) snapshotAt(ctx context.Context, c snapshotCurrency, at int64, size SnapshotSize) (snapshot, error) {
	before, err := readSnapshot(ctx, s.db, c.ID, at)
	if err != nil {
		return snapshot{}, err
	}
	since, err := balancesAfterEntries(ctx, s.db, c, gapUntil(before, at), math.MaxInt32)
	if err != nil {
		return snapshot{}, err
	}
	next := rank.PickHighest(at, before.Floor, before.Balances(since), size.Accounts)
	if next.Floor == 0 || len(next.Top) > size.Accounts*3/4 {
		return next, nil
	}
	fresh, done, err := s.snapshotBackwards(ctx, c, at, size)
	if done {
		next = fresh
	}
	return next, err
}

// snapshotBackwards returns the rank snapshot of a settled moment, computed backwards from the present balances.
// Accounts without entries since had the same balance at the moment; others had the balance before the first of these
// entries. An account that is not among the highest now has at most the balance of the first one left out, which is the
// floor. done is false, and there is no result, if there are more than size.Entries entries since: then the next
// snapshot, which is nearer to the present, is due soon.
func (s *Service) snapshotBackwards(
	ctx context.Context,
	c snapshotCurrency,
	at int64,
	size SnapshotSize,
) (made snapshot, done bool, err error) {
	err = s.db.Snapshot(ctx, func(q store.Queryer) error {
		top, err := highestBalances(ctx, q, c.ID, size.Accounts+1)
		if err != nil {
			return err
		}
		since, err := balancesBeforeEntries(ctx, q, c, at, size.Entries+1)
		if err != nil || len(since) > size.Entries {
			return err
		}
		var floor laurel.Amount
		if len(top) > size.Accounts {
			floor = top[size.Accounts].Amount
		}
		made, done = rank.PickHighest(at, floor, snapshot{Top: top}.Balances(since), size.Accounts), true
		return nil
	})
	return made, done, err
}

// set stores the count of a currency. The caller has locked mu.
func (t *entryCounts) set(currency laurel.ID, counted entryCount) {
	if t.byCurrency == nil {
		t.byCurrency = map[laurel.ID]entryCount{}
	}
	t.byCurrency[currency] = counted
}
