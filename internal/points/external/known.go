package external

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/panics"
	"laurel/internal/points/ledger"
	"laurel/internal/worker"
)

const (
	knownFor   = 5 * time.Second // from when the outside was asked
	knownLimit = 1 << 15         // holders; the one that was asked for least recently goes first
)

// known is what the outside says of one holder. Amount and told are set before done is closed, and never changed
// afterwards.
type known struct {
	settings [sha256.Size]byte
	askedAt  time.Time
	done     chan struct{}
	Balance
}

// memory keeps what the outside said of holders for a short while: a crowd of readers asks it once. Wallets of its keys
// are in normal form.
type memory struct {
	mu  sync.Mutex
	has holders
}

// holders is an interface for the reason of budget.Cache.
type holders interface {
	Get(at Holder) (*known, bool)
	Add(at Holder, k *known) (evicted bool)
	Remove(at Holder) bool
}

func newMemory() *memory {
	has, err := lru.New[Holder, *known](knownLimit)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	return &memory{has: has}
}

// settingsOf tells the ways apart in which a currency's balances are asked for: what one way was told is no answer to
// another.
func settingsOf(c ledger.Currency) [sha256.Size]byte {
	text, err := json.Marshal([]any{c.API.GetURL, c.API.AuthType, c.API.AuthKey, c.API.AuthValue.Sealed()})
	if err != nil {
		panic(err) // of texts alone there is none
	}
	return sha256.Sum256(text)
}

// join returns what is known of wallets of a currency, or will be when done is closed; of those that it returns as
// fresh the caller asks the outside.
func (m *memory) join(c ledger.Currency, wallets []string, now time.Time) (all map[string]*known, fresh []string) {
	settings, done := settingsOf(c), make(chan struct{})
	all = make(map[string]*known, len(wallets))
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range wallets {
		at := Holder{c.ID, identity.NormalizeWallet(w)}
		k, is := m.has.Get(at)
		if !is || k.settings != settings || !k.good(now) {
			k = &known{settings: settings, askedAt: now, done: done}
			m.has.Add(at, k)
			fresh = append(fresh, w)
		}
		all[w] = k
	}
	return all, fresh
}

// good reports whether it is young enough; a clock that stepped back makes nothing young.
func (k *known) good(now time.Time) bool {
	age := now.Sub(k.askedAt)
	return age >= 0 && age < knownFor
}

// forget has the outside asked anew for the holders of a post, who may have another balance there. A question that is
// under way is answered to those who asked it already, and to nobody else.
func (m *memory) forget(p Post) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range p.Entries {
		m.has.Remove(Holder{p.CurrencyID, identity.NormalizeWallet(e.Wallet)})
	}
}

// askBalances asks the outside for wallets of a currency and closes what their readers wait for. It does not end with
// the caller, since others wait for the same. Of all of a system that is down or returns in another shape nothing is
// told.
func (s *Service) askBalances(ctx context.Context, c ledger.Currency, wallets []string, of map[string]*known) {
	defer close(of[wallets[0]].done) // one for all of them
	found, err := panics.Try(func() (map[string]laurel.Amount, error) { return s.balances(ctx, c, wallets) })
	if err != nil {
		s.Logger.LogAttrs(
			ctx,
			worker.Level(err, slog.LevelWarn),
			"balances kept outside could not be read; the mirror is answered",
			slog.String("currency", c.ID.String()),
			slog.Any("error", err),
		)
		return
	}
	for w, amount := range found {
		of[w].Balance = Balance{amount, true}
	}
}
