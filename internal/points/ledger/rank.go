package ledger

import (
	"context"
	"strconv"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// MaxRank is the last exact rank; beyond it the rank is "5000+" (contract 4.1).
const MaxRank = 5000

// Rank is the place of an account among the users' accounts of its currency. The zero Rank means that the account has
// none: its balance is 0, it is of another currency, or its user is blocked.
type Rank struct {
	Place  int // 1..MaxRank
	Beyond bool
}

// String returns the place as text, "5000+" beyond MaxRank, or "" for no rank.
func (r Rank) String() string {
	switch {
	case r.Beyond:
		return strconv.Itoa(MaxRank) + "+"
	case r.Place == 0:
		return ""
	}
	return strconv.Itoa(r.Place)
}

// MarshalJSON writes the rank: a number, null without one, or the text 5000+ beyond MaxRank.
func (r Rank) MarshalJSON() ([]byte, error) {
	switch text := r.String(); {
	case r.Beyond:
		return []byte(strconv.Quote(text)), nil
	case text == "":
		return []byte("null"), nil
	default:
		return []byte(text), nil
	}
}

// Rank returns the rank of an account: 1 + the number of ranked accounts of the currency with a greater balance, so
// ties share a rank. Beyond MaxRank it returns Rank{Beyond: true}. The zero Rank means no rank: the balance is 0, the
// account is not ranked, a main account, or of another currency. The rank is exact at the moment of the read.
// visibility decides whether points of hidden bids count. NotFound "Account" if the scope has no such account. If the
// currency has no cutoff (see RefreshCutoffs), which makes ranks slow, Rank requests one.
func (s *Service) Rank(
	ctx context.Context, scope laurel.Scope, visibility laurel.Visibility, accountID, currencyID laurel.ID,
) (Rank, error) {
	row, err := readRank(ctx, s.db, scope, visibility, accountID)
	if err != nil {
		return Rank{}, err
	}
	if row.Cutoff == nil {
		s.cutoffs.add(row.CurrencyID)
	}
	switch {
	case row.CurrencyID != currencyID || !row.Ranked || row.UserID.IsZero() || row.Amount == 0:
		return Rank{}, nil
	case row.Above >= MaxRank:
		return Rank{Beyond: true}, nil
	}
	return Rank{Place: row.Above + 1}, nil
}

// cutoffRequests are the currencies without a cutoff whose rank was requested. Only their cutoffs are refreshed.
type cutoffRequests struct {
	mu      sync.Mutex
	pending map[laurel.ID]bool
}

// add requests that RefreshCutoffs sets the cutoff of a currency.
func (d *cutoffRequests) add(currency laurel.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending == nil {
		d.pending = map[laurel.ID]bool{}
	}
	d.pending[currency] = true
}

// take returns the requested currencies and empties the list of requests.
func (d *cutoffRequests) take() []laurel.ID {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []laurel.ID
	for id := range d.pending {
		list = append(list, id)
	}
	d.pending = nil
	return list
}

// RefreshCutoffs sets the missing cutoffs of requested currencies. A cutoff is the amount of the 5000th account: an
// account with less is beyond MaxRank, so that nothing need be counted for it. A cutoff is never too high: credits only
// raise the true value, and a debit, block or merge of an account with as much or more clears the cutoff in its own
// transaction (clearCutoffs). Any number of nodes may run this.
func (s *Service) RefreshCutoffs(ctx context.Context) error {
	for _, currency := range s.cutoffs.take() {
		err := s.db.InTx(ctx, func(tx *store.Tx) error { return refreshCutoff(ctx, tx, currency) })
		if err != nil {
			return err
		}
	}
	return nil
}

// SetRanked takes the accounts of a user out of the ranking or puts them back, when the user is blocked or unblocked.
// The caller's transaction has locked the member row, so no account is made meanwhile.
func SetRanked(ctx context.Context, tx *store.Tx, website, user laurel.ID, ranked bool) error {
	return setRanked(ctx, tx, website, user, ranked)
}

const (
	cutoffEvery = time.Second
	foldEvery   = 2 * time.Second
	// less than settling takes: a clock that stepped back is noticed, see removeUnsettledSnapshots
	snapshotEvery = 5 * time.Second
)

// Run does the ledger's background work until ctx ends: it adds the deltas of main accounts to their balances,
// refreshes cutoffs of ranks and takes rank snapshots. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	for _, work := range []struct {
		every time.Duration
		fault string
		round func(context.Context) error
	}{
		{cutoffEvery, "cutoffs of ranks could not be refreshed; it is tried again", s.RefreshCutoffs},
		{foldEvery, "balances of main accounts could not be folded; it is tried again", s.FoldMainAccounts},
		{snapshotEvery, "rank snapshots failed; they are tried again", s.SnapshotDueRanks},
	} {
		running.Go(func() {
			worker.Loop{Every: work.every, DelayFirst: true, Log: s.log, Fault: work.fault}.RunEach(ctx, work.round)
		})
	}
}

// SnapshotDueRanks takes all rank snapshots that are due. After a bulk load there are many.
func (s *Service) SnapshotDueRanks(ctx context.Context) error {
	return s.SnapshotRanks(ctx, defaultSnapshots)
}

// FoldMainAccounts adds the deltas of main accounts to their balances and deletes the deltas, a few hundred per
// transaction, until none is left. Readers sum up balance and deltas in one statement, so the sum is always exact.
func (s *Service) FoldMainAccounts(ctx context.Context) error {
	for {
		if some, err := hasDeltas(ctx, s.db); err != nil || !some {
			return err
		}
		folded := 0
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			folded, err = foldDeltas(ctx, tx)
			return err
		})
		if err != nil || folded < foldChunk {
			return err
		}
	}
}
