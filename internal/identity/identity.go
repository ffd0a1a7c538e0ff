// Package identity owns users and their membership in websites, groups of wallets that belong to one person, metadata
// with connected accounts, and member tokens. Its tables are users, members, user_groups, user_metadata,
// user_identifiers, wallet_keys, member_secrets and used_account_links. It does not own points, windows or streaks of a
// user (ledger, progress, engagement), nor API keys and roles (tenancy). Lists that filter users are read by report.
package identity

import (
	"cmp"
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// Sealer encrypts secrets at rest. The context binds a sealed text to its row: it cannot be opened with another one.
type Sealer interface {
	Seal(plain []byte, context string) string
	Open(sealed, context string) ([]byte, error)
}

// MemberFollower changes with members, in the same transaction, what packages above keep of them. The member rows of
// every user concerned, and the rows of its groups, are locked FOR UPDATE meanwhile.
type MemberFollower interface {
	// Blocked follows a change of a user's effective block mark: blocked and not exempt.
	Blocked(ctx context.Context, tx *store.Tx, website, user laurel.ID, blocked bool) error
	// Joined is called after the user's row names the group.
	Joined(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error
	// Left is called after the user's row no longer names the group.
	Left(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error
	// Disconnected is called after a user has disconnected its account of a platform, of Email or of Phone.
	Disconnected(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, platform string) error
	// Moved is called after an account of a platform, of Email or of Phone was moved from a user, the holder, to another
	// one.
	Moved(ctx context.Context, tx *store.Tx, scope laurel.Scope, holder laurel.ID, platform string) error
}

// Options are the operator's choices.
type Options struct {
	// MaxAccountsPerPlatformID is how many people of a website may connect the same platform account; 0 means the
	// default of 1 (contract 3.5).
	MaxAccountsPerPlatformID int
	// Labels are display names of platforms by platform id, where they differ from the defaults of contract 2.
	Labels map[string]string
	// AccountLinkLife is how long an account link is valid; 0: DefaultAccountLinkLife.
	AccountLinkLife time.Duration
	Follower        MemberFollower // nil: nothing follows members
}

// Service is the identity domain. It may be used by many goroutines.
type Service struct {
	db           *store.DB
	vault        Sealer
	options      Options
	secrets      *secretCache
	personLoader store.Loader[personKey, Person]
	personCache  budget.Cache[personKey, Person]
	profiles     store.Loader[memberKey, profileRow]
}

// New returns the service. If o.MaxAccountsPerPlatformID is zero, an account may belong to one person.
func New(db *store.DB, vault Sealer, o Options) *Service {
	o.MaxAccountsPerPlatformID = cmp.Or(o.MaxAccountsPerPlatformID, 1)
	o.AccountLinkLife = cmp.Or(o.AccountLinkLife, DefaultAccountLinkLife)
	s := &Service{
		db: db, vault: vault, options: o, secrets: newSecretCache(), personCache: budget.NewCache(maxPersonCache, personSize),
	}
	s.personLoader = store.NewLoader(s.loadPeople)
	s.profiles = newProfileLoader(s)
	return s
}
