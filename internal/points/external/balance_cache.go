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
	cacheTTL  = 5 * time.Second // from when the outside was asked
	cacheSize = 1 << 15         // holders; the one that was asked for least recently goes first
)

// cachedBalance is what the outside says of one holder. Amount and told are set before done is closed, and never changed
// afterwards.
type cachedBalance struct {
	settings    [sha256.Size]byte
	requestedAt time.Time
	done        chan struct{}
	Balance
}

// balanceCache keeps what the outside said of holders for a short while: a crowd of readers asks it once. Wallets of its keys
// are in normal form.
type balanceCache struct {
	mu       sync.Mutex
	byHolder balancesByHolder
}

// balancesByHolder is an interface for the reason of budget.Cache.
type balancesByHolder interface {
	Get(at Holder) (*cachedBalance, bool)
	Add(at Holder, k *cachedBalance) (evicted bool)
	Remove(at Holder) bool
}

func newBalanceCache() *balanceCache {
	byHolder, err := lru.New[Holder, *cachedBalance](cacheSize)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	return &balanceCache{byHolder: byHolder}
}

// settingsHash tells the ways apart in which a currency's balances are asked for: what one way was told is no answer to
// another.
func settingsHash(c ledger.Currency) [sha256.Size]byte {
	text, err := json.Marshal([]any{c.API.GetURL, c.API.AuthType, c.API.AuthKey, c.API.AuthValue.Sealed()})
	if err != nil {
		panic(err) // of texts alone there is none
	}
	return sha256.Sum256(text)
}

// lookUp returns what is known of wallets of a currency, or will be when done is closed; of those that it returns as
// fresh the caller asks the outside.
func (m *balanceCache) lookUp(c ledger.Currency, wallets []string, now time.Time) (all map[string]*cachedBalance, unknown []string) {
	settings, done := settingsHash(c), make(chan struct{})
	all = make(map[string]*cachedBalance, len(wallets))
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range wallets {
		at := Holder{c.ID, identity.NormalizeWallet(w)}
		k, cached := m.byHolder.Get(at)
		if !cached || k.settings != settings || !k.isFresh(now) {
			k = &cachedBalance{settings: settings, requestedAt: now, done: done}
			m.byHolder.Add(at, k)
			unknown = append(unknown, w)
		}
		all[w] = k
	}
	return all, unknown
}

// isFresh reports whether it is young enough; a clock that stepped back makes nothing young.
func (k *cachedBalance) isFresh(now time.Time) bool {
	age := now.Sub(k.requestedAt)
	return age >= 0 && age < cacheTTL
}

// invalidate has the outside asked anew for the holders of a post, who may have another balance there. A question that is
// under way is answered to those who asked it already, and to nobody else.
func (m *balanceCache) invalidate(p Post) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range p.Entries {
		m.byHolder.Remove(Holder{p.CurrencyID, identity.NormalizeWallet(e.Wallet)})
	}
}

// fetchBalances asks the outside for wallets of a currency and closes what their readers wait for. It does not end with
// the caller, since others wait for the same. Of all of a system that is down or returns in another shape nothing is
// told.
func (s *Service) fetchBalances(ctx context.Context, c ledger.Currency, wallets []string, cached map[string]*cachedBalance) {
	defer close(cached[wallets[0]].done) // one for all of them
	found, err := panics.Try(func() (map[string]laurel.Amount, error) { return s.readBalances(ctx, c, wallets) })
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
		cached[w].Balance = Balance{amount, true}
	}
}
