package tenancy

import (
	"context"
	"time"

	"laurel"
)

// Key is a presented key that was found good. Its slice is shared: it must not be changed.
type Key struct {
	Scope          laurel.Scope // WebsiteID is zero for organization keys
	AllowedOrigins []string     // empty: every origin
	// TrustClientUsers is the setting of the key's website (contract 1.2); false for organization keys.
	TrustClientUsers bool
}

type heldKey struct {
	key     Key
	expires *time.Time
}

// size is how many bytes the key has; that there is none has hardly any.
func (h *heldKey) size() int {
	if h == nil {
		return 0
	}
	const alone = 192
	n := alone
	for _, origin := range h.key.AllowedOrigins {
		n += len(origin) + 16
	}
	return n
}

func (h *heldKey) alive(now time.Time) bool {
	return h != nil && (h.expires == nil || now.Before(*h.expires))
}

// Authenticate returns whose key was presented. What it relies on is at most half a second old, except that a key
// revoked by this process is refused at once. Errors (contract 1.4): Forbidden "API key is required" for an empty text,
// Forbidden "Invalid API key" for every other text that is no live key.
func (s *Service) Authenticate(ctx context.Context, presented string) (Key, error) {
	if presented == "" {
		return Key{}, laurel.Errorf(laurel.Forbidden, "API key is required")
	}
	if !wellFormed(presented) {
		return Key{}, invalidKey()
	}
	hash := hashOf(presented)
	held, err := s.keys.get(ctx, hash, func(ctx context.Context) (*heldKey, error) { return s.findKey(ctx, hash) })
	if err != nil {
		return Key{}, err
	}
	now := s.db.Now()
	if !held.alive(now) {
		return Key{}, invalidKey()
	}
	s.uses.note(held.key.Scope.KeyID, now)
	return held.key, nil
}

// Known reports whether the key was good when this process last read it, which may be a day ago. It asks no database
// and proves nothing: Authenticate says whether the key is good now.
func (s *Service) Known(presented string) bool {
	if !wellFormed(presented) {
		return false
	}
	_, good := s.known.find(hashOf(presented))
	return good
}

// findKey reads a key and remembers whether it was good.
func (s *Service) findKey(ctx context.Context, hash string) (*heldKey, error) {
	now, forgotten := s.db.Now(), s.known.count()
	held, err := findKey(ctx, s.db, hash)
	switch _, known := s.known.find(hash); {
	case err != nil:
	case held.alive(now):
		s.known.keep(hash, kept[struct{}]{at: now}, forgotten)
	case known:
		s.known.forget(hash)
	}
	return held, err
}

func invalidKey() error { return laurel.Errorf(laurel.Forbidden, "Invalid API key") }
