package tenancy

import (
	"context"
	"time"

	"laurel.example/laurel"
)

// Key is a presented API key that is valid. Its slice is shared and must not be changed.
type Key struct {
	Scope          laurel.Scope // WebsiteID is zero for organization keys
	AllowedOrigins []string     // empty: every origin
	// TrustClientUsers is the setting of the key's website (contract 1.2); false for organization keys.
	TrustClientUsers bool
}

// cachedKey is a valid key in the cache, with the time at which it expires.
type cachedKey struct {
	key     Key
	expires laurel.NullTimestamp
}

// size returns roughly how many bytes the key takes, for the bounds of the cache. A nil key stands for "there is no
// such key" and has size 0.
func (h *cachedKey) size() int {
	if h == nil {
		return 0
	}
	const withoutOrigins, stringHeader = 192, 16
	n := withoutOrigins
	for _, origin := range h.key.AllowedOrigins {
		n += len(origin) + stringHeader
	}
	return n
}

// isLive reports whether the key exists and has not expired.
func (h *cachedKey) isLive(now time.Time) bool {
	return h != nil && (h.expires.IsZero() || now.Before(h.expires.Time))
}

// Authenticate returns the valid key with this text. The state that it relies on is at most half a second old; a key
// that this process has revoked is refused at once. Errors (contract 1.4): Forbidden "API key is required" for an empty
// text, Forbidden "Invalid API key" for every other text that is no valid key.
func (s *Service) Authenticate(ctx context.Context, presented string) (Key, error) {
	if presented == "" {
		return Key{}, laurel.Errorf(laurel.Forbidden, "API key is required")
	}
	if !isWellFormed(presented) {
		return Key{}, errInvalidKey()
	}
	hash := hashKey(presented)
	key, err := s.keys.getOrRead(ctx, hash, func(ctx context.Context) (*cachedKey, error) { return s.findKey(ctx, hash) })
	if err != nil {
		return Key{}, err
	}
	now := s.db.Now()
	if !key.isLive(now) {
		return Key{}, errInvalidKey()
	}
	s.uses.recordUse(key.key.Scope.KeyID, now)
	return key.key, nil
}

// WasValid reports whether the key with this text was valid when this process last read it, which may be a day ago. It
// reads no database, and proves nothing: Authenticate says whether the key is valid now.
func (s *Service) WasValid(presented string) bool {
	if !isWellFormed(presented) {
		return false
	}
	_, found := s.validKeys.find(hashKey(presented))
	return found
}

// findKey reads a key by its hash. It returns nil if there is none or it is revoked. It also updates validKeys, the
// hashes of the keys that were valid when this process last read them.
func (s *Service) findKey(ctx context.Context, hash string) (*cachedKey, error) {
	now, invalidations := s.db.Now(), s.validKeys.invalidationCount()
	key, err := findKey(ctx, s.db, hash)
	switch _, wasValid := s.validKeys.find(hash); {
	case err != nil: // nothing is known about the key
	case key.isLive(now):
		s.validKeys.put(hash, cacheEntry[struct{}]{at: now}, invalidations)
	case wasValid:
		s.validKeys.invalidate(hash)
	}
	return key, err
}

func errInvalidKey() error { return laurel.Errorf(laurel.Forbidden, "Invalid API key") }
