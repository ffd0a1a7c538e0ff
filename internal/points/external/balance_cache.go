package external

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/worker"
)

const (
	cacheTTL  = 5 * time.Second // from when the balance was requested
	cacheSize = 1 << 15         // holders; the least recently used goes first
)

// cachedBalance is the balance of one holder, or the request for it that is under way. The Balance is set before done
// is closed, and never changed afterwards.
type cachedBalance struct {
	settings    [sha256.Size]byte
	requestedAt time.Time
	done        chan struct{}
	Balance
}

// balanceCache keeps external balances for a few seconds and lets concurrent readers of a holder share one request. The
// wallets of its keys are in normal form.
type balanceCache struct {
	mu       sync.Mutex
	byHolder balancesByHolder
}

// balancesByHolder is an interface for the same reason as budget.Cache.
type balancesByHolder interface {
	Get(at Holder) (*cachedBalance, bool)
	Add(at Holder, k *cachedBalance) (evicted bool)
	Remove(at Holder) bool
}

// newBalanceCache returns an empty cache.
func newBalanceCache() *balanceCache {
	byHolder, err := lru.New[Holder, *cachedBalance](cacheSize)
	if err != nil {
		panic(err) // happens only with a size that is not positive
	}
	return &balanceCache{byHolder: byHolder}
}

// settingsHash returns a hash of the settings with which a currency's balances are read. A balance that was read with
// other settings is not used.
func settingsHash(c ledger.Currency) [sha256.Size]byte {
	text, err := json.Marshal([]any{c.API.GetURL, c.API.AuthType, c.API.AuthKey, string(c.SealedAuthValue)})
	if err != nil {
		panic(err) // texts always encode
	}
	return sha256.Sum256(text)
}

// findOrAdd returns the cached balance of each wallet in a currency. For wallets without a fresh balance it adds one
// that is not set yet, and returns these wallets as added: the caller must fetch their balances and close the channel
// done, which they share. A balance may be read only once its done is closed.
func (m *balanceCache) findOrAdd(
	c ledger.Currency,
	wallets []string,
	now time.Time,
) (all map[string]*cachedBalance, added []string) {
	settings, done := settingsHash(c), make(chan struct{})
	all = make(map[string]*cachedBalance, len(wallets))
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range wallets {
		holder := Holder{c.ID, identity.NormalizeWallet(w)}
		entry, cached := m.byHolder.Get(holder)
		if !cached || entry.settings != settings || !entry.isFresh(now) {
			entry = &cachedBalance{settings: settings, requestedAt: now, done: done}
			m.byHolder.Add(holder, entry)
			added = append(added, w)
		}
		all[w] = entry
	}
	return all, added
}

// isFresh reports whether the balance was requested less than cacheTTL ago. A balance of the future, which a clock that
// stepped back leaves, is not fresh.
func (k *cachedBalance) isFresh(now time.Time) bool {
	age := now.Sub(k.requestedAt)
	return age >= 0 && age < cacheTTL
}

// invalidate removes the balances of a post's wallets, which the post may have changed. A request that is under way
// still serves the readers that wait for it, and no later ones.
func (m *balanceCache) invalidate(p Post) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range p.Entries {
		m.byHolder.Remove(Holder{p.CurrencyID, identity.NormalizeWallet(e.Wallet)})
	}
}

// fetchBalances reads the balances of wallets in a currency from the external ledger, sets them in cached, and closes
// done, for which readers wait. Several requests may wait for it, so ctx must not end with one of them. If the external
// ledger fails, the balances stay zero.
func (s *Service) fetchBalances(
	ctx context.Context,
	c ledger.Currency,
	wallets []string,
	cached map[string]*cachedBalance,
) {
	defer close(cached[wallets[0]].done) // all wallets share this channel
	found, err := panics.Try(func() (map[string]laurel.Amount, error) { return s.readBalances(ctx, c, wallets) })
	if err != nil {
		s.Logger.LogAttrs(
			ctx,
			worker.LogLevel(err, slog.LevelWarn),
			"external balances could not be read; the ledger's mirror is shown",
			slog.String("currency", c.ID.String()),
			slog.Any("error", err),
		)
		return
	}
	for w, amount := range found {
		cached[w].Balance = Balance{amount, true}
	}
}
