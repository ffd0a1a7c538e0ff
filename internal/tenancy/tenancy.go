// Package tenancy owns organizations, websites, their API keys and roles: it turns a presented key into a laurel.Scope
// and decides which website a call is for. It also owns the Idempotency-Keys of HTTP requests and the rate limits that
// hold across nodes. It does not own users: identity creates those that keys act as and those that administer a
// website, through Users.
package tenancy

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// UserCreator creates users inside the caller's transaction.
type UserCreator interface {
	// CreateServiceUser creates the user without wallet that a key acts as.
	CreateServiceUser(ctx context.Context, tx *store.Tx, org laurel.ID) (laurel.ID, error)
	// FindOrCreateWallet returns the user of a wallet, and creates it if there is none. The scope names the
	// organization and one website.
	FindOrCreateWallet(ctx context.Context, tx *store.Tx, scope laurel.Scope, wallet string) (laurel.ID, error)
}

// Config holds the dependencies and settings of a Service. Zero durations mean the defaults, which are the contract's.
type Config struct {
	DB     *store.DB
	Users  UserCreator
	Logger *slog.Logger // nil for slog.Default()
	// RequestWait is how long a request waits for a running one with the same Idempotency-Key: 10 s (contract 1.8.1).
	RequestWait time.Duration
	// ResponseWait is how long a request waits for the stored response of a committed effect, before it takes the
	// response to be lost: 2 s.
	ResponseWait time.Duration
	// MaxWebsites is how many websites an organization may have; 0: any number.
	MaxWebsites int
}

// Service is the API of the package. It may be used by many goroutines.
type Service struct {
	db            *store.DB
	users         UserCreator
	log           *slog.Logger
	requestWait   time.Duration
	responseWait  time.Duration
	maxWebsites   int
	keys          ttlCache[*cachedKey] // by hash; nil: no such key
	validKeys     ttlCache[struct{}]   // by hash: keys that were valid when they were last read
	onlyWebsites  ttlCache[laurel.ID]  // by organization: its only website, or zero
	websiteOwners ttlCache[laurel.ID]  // by website: its organization
	uses          *lastUses
	running       *runningRequests
}

const (
	// freshness bounds the age of cached data that other nodes may change: a revoked key ends within a second (contract
	// 1.2).
	freshness = 500 * time.Millisecond
	// Websites never move between organizations, so their owners can be cached for long.
	ownerTTL      = 24 * time.Hour
	validKeyTTL   = 24 * time.Hour
	maxCacheBytes = 4 << 20 // bytes of each cache, twice
	entryOverhead = 128     // bytes of an entry beside its key and what its value refers to
)

// New returns a Service. Its Run must run in the background, or the last uses of keys are not written.
func New(c Config) *Service {
	s := &Service{db: c.DB, users: c.Users, log: c.Logger, requestWait: c.RequestWait, responseWait: c.ResponseWait,
		maxWebsites:   c.MaxWebsites,
		keys:          newCache(freshness, c.DB.Now, (*cachedKey).size),
		validKeys:     newCache(validKeyTTL, c.DB.Now, func(struct{}) int { return 0 }),
		onlyWebsites:  newCache(freshness, c.DB.Now, noExtraSize),
		websiteOwners: newCache(ownerTTL, c.DB.Now, noExtraSize),
		uses:          newUses(),
		running:       newRunningRequests(),
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.requestWait == 0 {
		s.requestWait = 10 * time.Second
	}
	if s.responseWait == 0 {
		s.responseWait = 2 * time.Second
	}
	return s
}

// noExtraSize is the size of the data that an id refers to: none.
func noExtraSize(laurel.ID) int { return 0 }

func errNotAllowed() error {
	return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
}
