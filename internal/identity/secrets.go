package identity

import (
	"context"
	"fmt"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const (
	secretBytes       = 32
	maxLiveSecrets    = 2               // the newest one signs; tokens of the one before it are still valid (contract 1.2)
	secretTTL         = time.Second / 2 // how long a node may use secrets that another node has rotated
	maxCachedWebsites = 10_000          // websites; beyond it the cache is emptied
)

// memberSecret is a secret of a website that signs or checks tokens.
type memberSecret struct {
	ID        laurel.ID `db:"id"`
	Sealed    string    `db:"secret"`
	CreatedAt int64     `db:"created_at"`
	plain     []byte
}

// secretContext returns the context that binds a sealed secret to its row.
func secretContext(id laurel.ID) string { return "member_secret:" + id.String() }

type cachedSecrets struct {
	live []memberSecret // newest first
	at   time.Time
}

// secretCache caches opened secrets by website for secretTTL.
type secretCache struct {
	mu      sync.Mutex
	entries map[laurel.ID]cachedSecrets
}

func newSecretCache() *secretCache { return &secretCache{entries: map[laurel.ID]cachedSecrets{}} }

func (c *secretCache) get(website laurel.ID, now time.Time) ([]memberSecret, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.entries[website]
	return found.live, ok && now.Sub(found.at).Abs() < secretTTL
}

// put stores the secrets of a website in plain text; now is the time at which they were read. If the cache has
// maxCachedWebsites, put empties it first.
func (c *secretCache) put(website laurel.ID, live []memberSecret, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= maxCachedWebsites {
		clear(c.entries)
	}
	c.entries[website] = cachedSecrets{live, now}
}

func (c *secretCache) invalidate(website laurel.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, website)
}

// loadSecrets returns the website's secrets that are not retired, newest first; none before the first use. They may be
// secretTTL old.
func (s *Service) loadSecrets(ctx context.Context, scope laurel.Scope) ([]memberSecret, error) {
	now := s.db.Now()
	if cached, ok := s.secrets.get(scope.WebsiteID, now); ok {
		return cached, nil
	}
	list, err := selectSecrets(ctx, s.db, scope)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].plain, err = s.vault.Open(list[i].Sealed, secretContext(list[i].ID)); err != nil {
			return nil, fmt.Errorf("member secret %s: %w", list[i].ID, err)
		}
	}
	if len(list) > 0 { // none is not cached: otherwise this node would refuse the website's first tokens for a while
		s.secrets.put(scope.WebsiteID, list, now)
	}
	return list, nil
}

// findSecret returns a secret of the website by its id, or false if there is none. An unknown id causes no read of
// its own, since anyone can make one up.
func (s *Service) findSecret(ctx context.Context, scope laurel.Scope, id laurel.ID) (memberSecret, bool, error) {
	list, err := s.loadSecrets(ctx, scope)
	for _, m := range list {
		if m.ID == id {
			return m, true, err
		}
	}
	return memberSecret{}, false, err
}

// signingSecret returns the newest secret of the website, which signs tokens. It creates the first one.
func (s *Service) signingSecret(ctx context.Context, scope laurel.Scope) (memberSecret, error) {
	list, err := s.loadSecrets(ctx, scope)
	if err != nil || len(list) > 0 {
		return newest(list), err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.AdvisoryLock(ctx, secretContext(scope.WebsiteID)); err != nil {
			return err
		}
		existing, err := selectSecrets(ctx, tx, scope)
		if err != nil || len(existing) > 0 {
			return err
		}
		return s.addSecret(ctx, tx, scope, existing)
	})
	if err != nil {
		return memberSecret{}, err
	}
	if list, err = s.loadSecrets(ctx, scope); err == nil && len(list) == 0 {
		err = fmt.Errorf("website %s has no member secret", scope.WebsiteID)
	}
	return newest(list), err
}

func newest(list []memberSecret) memberSecret {
	if len(list) == 0 {
		return memberSecret{}
	}
	return list[0]
}

// addSecret creates a secret that is newer than the existing ones, whatever the clocks of the nodes say.
func (s *Service) addSecret(ctx context.Context, tx *store.Tx, scope laurel.Scope, existing []memberSecret) error {
	plain := make([]byte, secretBytes)
	tx.Random(plain)
	m := memberSecret{ID: tx.NewID(), CreatedAt: max(store.Micros(tx.Now()), newest(existing).CreatedAt+1)}
	m.Sealed = s.vault.Seal(plain, secretContext(m.ID))
	return insertSecret(ctx, tx, scope, m)
}

// RotateSecrets creates a new secret for the scope's website, and retires all but the one that was the newest until
// now: tokens that this one has signed stay valid until they expire, older ones become invalid. Other nodes follow
// within a second.
func (s *Service) RotateSecrets(ctx context.Context, scope laurel.Scope) error {
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := tx.AdvisoryLock(ctx, secretContext(scope.WebsiteID)); err != nil {
			return err
		}
		existing, err := selectSecrets(ctx, tx, scope)
		if err != nil {
			return err
		}
		if len(existing) >= maxLiveSecrets {
			// newest first: with the new one, maxLiveSecrets stay
			if err := retireSecrets(ctx, tx, existing[maxLiveSecrets-1:]); err != nil {
				return err
			}
		}
		return s.addSecret(ctx, tx, scope, existing)
	})
	s.secrets.invalidate(scope.WebsiteID)
	return err
}
