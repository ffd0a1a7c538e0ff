package ledger

import (
	"cmp"
	"context"
	"encoding/binary"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"laurel"
	"laurel/internal/store"
)

// SnapshotSize says how often rank snapshots are taken and how much they hold.
type SnapshotSize struct {
	Entries  int // of a currency between two snapshots; a rank in the past reads at most about as many
	Accounts int // the highest balances; twice MaxRank, so that those that fell or are blocked are made up for
}

// defaultSnapshots cost 240 kB per 100,000 entries, which themselves take some 60 MB.
var defaultSnapshots = SnapshotSize{Entries: 100_000, Accounts: 2 * MaxRank}

// standing is an account with its balance at a moment.
type standing struct {
	Account laurel.ID
	Amount  laurel.Amount
}

// snapshot holds the highest balances of a currency at a settled moment. What makes it useful is what it says of all others:
//
//	every user's account that is not in Top had a balance of at most Floor at the moment At.
//
// Blocked members' accounts are in it like any other, so it stays true when a block ends. genesis is the snapshot before all entries.
type snapshot struct {
	At    int64
	Floor laurel.Amount
	Top   []standing
}

var genesis = snapshot{At: math.MinInt64}

// touched is an account that has an entry between two moments, with its balance at one side of the entry. Of an account's many the one with the
// highest version counts.
type touched struct {
	Account laurel.ID     `db:"loyalty_account_id"`
	Amount  laurel.Amount `db:"amount"`
	Version int64         `db:"lock_version"`
}

// balances answers the balances at a later moment m of all accounts that have more than Floor there, given the entries dated in (At, m]: every
// debit, and every credit that ends above Floor. A balance at or below Floor may be told lower than it is, or not at all.
//
// An account in neither is not in Top, so it had at most Floor at At; a credit that went above it would be given; so it has at most Floor at m.
// An account with entries given has the end of the last of them, whether it rose into the list or fell out of it, unless
// credits that end at or below Floor came after: then it has at most Floor, and so is it told, for to get from above Floor to
// such a credit takes a debit that ends below it. An account of Top without entries given stands as it stood, at Floor or above.
func (s snapshot) balances(since []touched) map[laurel.ID]laurel.Amount {
	out := make(map[laurel.ID]laurel.Amount, len(s.Top)+len(since))
	for _, t := range s.Top {
		out[t.Account] = t.Amount
	}
	last := make(map[laurel.ID]int64, len(since))
	for _, e := range since {
		if version, seen := last[e.Account]; !seen || e.Version > version {
			out[e.Account], last[e.Account] = e.Amount, e.Version
		}
	}
	return out
}

func (s snapshot) until(m int64) window { return window{span{s.At, m}, s.Floor} }

// pick makes the snapshot of a moment from balances there and a floor that no account without one exceeds. What it leaves out
// has no more than the new floor, which may only be higher.
func pick(at int64, floor laurel.Amount, balances map[laurel.ID]laurel.Amount, most int) snapshot {
	top := above(balances, floor)
	slices.SortFunc(top, highestFirst)
	if len(top) > most {
		floor, top = top[most].Amount, top[:most]
	}
	return snapshot{At: at, Floor: floor, Top: top}
}

// above answers the accounts with more, in no order.
func above(balances map[laurel.ID]laurel.Amount, amount laurel.Amount) []standing {
	var out []standing
	for account, a := range balances {
		if a > amount {
			out = append(out, standing{account, a})
		}
	}
	return out
}

func highestFirst(a, b standing) int {
	return -cmp.Or(cmp.Compare(a.Amount, b.Amount), compareIDs(a.Account, b.Account))
}

// marked is a currency with the moment of its newest snapshot.
type marked struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Newest         *int64    `db:"newest"`
}

// tally counts the settled entries of a currency since its newest snapshot, so that each is counted once.
type tally struct {
	snapshot int64
	seen     int64 // the moment up to which is counted
	entries  int
}

// tallies are those of this node. mu is held while snapshots are taken.
type tallies struct {
	mu sync.Mutex
	of map[laurel.ID]tally
}

// SnapshotRanks takes the rank snapshots that are due: one wherever a currency has as many settled entries as the size says since the one before.
// A snapshot follows from the entries and the one before, so any number of nodes may run this and make the same; one that fell behind, or
// a database that was filled before, is caught up with step by step. Where the clock stepped back, the snapshots that this touches are made anew.
func (s *Service) SnapshotRanks(ctx context.Context, size SnapshotSize) error {
	s.tallies.mu.Lock()
	defer s.tallies.mu.Unlock()
	settled, err := s.db.Settled(ctx)
	if err != nil {
		return err
	}
	if err := s.distrustSnapshots(ctx); err != nil {
		return err
	}
	list, err := markedCurrencies(ctx, s.db)
	for i := 0; i < len(list) && err == nil; i++ {
		for due := true; due && err == nil; {
			due, err = s.snapshotNext(ctx, &list[i], store.Micros(settled), size)
		}
	}
	return err
}

// distrusted is how much older snapshots go with those that a clock which stepped back has overtaken: for as long as it may take until that is noticed,
// entries have been dated before them. It is noticed within one round of SnapshotRanks, if no round before it takes long.
const distrusted = 10 * time.Minute

// distrustSnapshots removes snapshots of moments that cannot have been settled yet: the clock stepped back, and entries are dated before
// them that they do not hold. Until then no answer relies on them, since none is given for a moment that is not settled.
func (s *Service) distrustSnapshots(ctx context.Context) error {
	latest := s.db.SettledAtMost()
	found, err := snapshotsAfter(ctx, s.db, store.Micros(latest))
	if err != nil || !found {
		return err
	}
	var removed int64
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		removed, err = removeSnapshots(ctx, tx, store.Micros(latest.Add(-distrusted)))
		return err
	})
	if err == nil {
		s.log.Warn("the clock stepped back: rank snapshots of later moments are made anew", slog.Int64("removed", removed), slog.Time("after", latest))
	}
	return err
}

// snapshotNext takes the next snapshot of a currency and answers true, or counts on and answers false.
func (s *Service) snapshotNext(ctx context.Context, c *marked, settled int64, size SnapshotSize) (bool, error) {
	newest := genesis.At
	if c.Newest != nil {
		newest = *c.Newest
	}
	t, known := s.tallies.of[c.ID]
	if !known || t.snapshot != newest || t.seen > settled { // the last where the clock stepped back
		t = tally{snapshot: newest, seen: newest}
	}
	n, last, err := countEntries(ctx, s.db, *c, span{t.seen, settled}, max(0, size.Entries-t.entries))
	if err != nil {
		return false, err
	}
	if t.entries += n; n > 0 {
		t.seen = last
	}
	if t.entries < size.Entries {
		s.tallies.keep(c.ID, t)
		return false, nil
	}
	next, err := s.snapshotAt(ctx, *c, t.seen, size)
	if err != nil {
		return false, err
	}
	c.Newest = &next.At
	delete(s.tallies.of, c.ID)
	return true, s.db.InTx(ctx, func(tx *store.Tx) error { return insertSnapshot(ctx, tx, *c, next) })
}

// snapshotAt makes the snapshot of a settled moment from the one before it. The floor only rises that way, so with time fewer accounts stay
// above it; when a quarter of the places is empty the snapshot is made from the present balances instead.
func (s *Service) snapshotAt(ctx context.Context, c marked, at int64, size SnapshotSize) (snapshot, error) {
	before, err := readSnapshot(ctx, s.db, c.ID, at)
	if err != nil {
		return snapshot{}, err
	}
	since, err := lastAmounts(ctx, s.db, c, before.until(at), math.MaxInt32)
	if err != nil {
		return snapshot{}, err
	}
	next := pick(at, before.Floor, before.balances(since), size.Accounts)
	if next.Floor == 0 || len(next.Top) > size.Accounts*3/4 {
		return next, nil
	}
	fresh, done, err := s.snapshotBackwards(ctx, c, at, size)
	if done {
		next = fresh
	}
	return next, err
}

// snapshotBackwards makes the snapshot of a settled moment from the present, in one view of the database: whoever is not among the highest now has
// at most what the first one left out has, and had the same at the moment unless it has entries since; who has
// entries since had what the first of them started from. Not done where more entries came since than a snapshot waits for: then the
// next one will be nearer to the present.
func (s *Service) snapshotBackwards(ctx context.Context, c marked, at int64, size SnapshotSize) (made snapshot, done bool, err error) {
	err = s.db.Snapshot(ctx, func(q store.Queryer) error {
		top, err := highestNow(ctx, q, c.ID, size.Accounts+1)
		if err != nil {
			return err
		}
		since, err := firstAmounts(ctx, q, c, at, size.Entries+1)
		if err != nil || len(since) > size.Entries {
			return err
		}
		var floor laurel.Amount
		if len(top) > size.Accounts {
			floor = top[size.Accounts].Amount
		}
		made, done = pick(at, floor, snapshot{Top: top}.balances(since), size.Accounts), true
		return nil
	})
	return made, done, err
}

func (t *tallies) keep(currency laurel.ID, counted tally) {
	if t.of == nil {
		t.of = map[laurel.ID]tally{}
	}
	t.of[currency] = counted
}

const standingBytes = len(laurel.ID{}) + 8

// packed is the stored form: per account the 16 bytes of its id and 8 of its balance, big endian.
func packed(top []standing) []byte {
	out := make([]byte, 0, len(top)*standingBytes)
	for _, t := range top {
		out = append(out, t.Account[:]...)
		out = binary.BigEndian.AppendUint64(out, uint64(t.Amount)) //nolint:gosec // balances of users are not negative
	}
	return out
}

func unpacked(b []byte) []standing {
	out := make([]standing, 0, len(b)/standingBytes)
	for ; len(b) >= standingBytes; b = b[standingBytes:] {
		var t standing
		rest := b[copy(t.Account[:], b):]
		t.Amount = laurel.Amount(binary.BigEndian.Uint64(rest)) //nolint:gosec // see packed
		out = append(out, t)
	}
	return out
}
