package identity

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

const walletEVM = "evm"

// Ref names a user as a caller does: by id or by wallet. UserID takes precedence.
type Ref struct {
	UserID laurel.ID
	Wallet string
}

// Validate adds the problems of the reference's form (contract 1.7, 4).
func (r Ref) Validate(f *laurel.Faults) {
	if r.UserID.IsZero() && r.Wallet == "" {
		f.AddText("userId", "userId or walletAddress is required")
	}
	f.OptionalIdentifier("walletAddress", r.Wallet)
}

// NormalizeWallet returns the stored form of an address: EVM addresses lower-case, all others verbatim (contract 1.7).
func NormalizeWallet(s string) string { return evm.Normalize(s) }

// walletType guesses the type of a wallet (contract 3.4); "" is unknown until the wallet is connected.
func walletType(wallet string) string {
	if evm.IsAccount(wallet) {
		return walletEVM
	}
	return ""
}

// Person is a user of one website as Resolve read it, or as Presume assumed it. NewUser and NewMember say which rows
// Admit inserts with the first effect, so that a refused request leaves nothing behind.
type Person struct {
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	UserID         laurel.ID
	Wallet         string // normalized; empty for a user without wallet
	NewUser        bool
	NewMember      bool
	GroupID        laurel.ID   // zero: in no group
	Group          []laurel.ID // user ids in order of joining, the person included; nil without group
	// Blocked reports whether the person is not exempt, and it or another member of its group that is not exempt has the
	// block mark.
	Blocked    bool
	KnownSince time.Time // in this website; for a new member the time of Resolve
	// WithMultipliers are the users among the person and its group who have had multipliers. Decisions look for
	// multipliers of those only.
	WithMultipliers []laurel.ID
	// MarkMultipliers makes Admit mark a new member as having multipliers.
	MarkMultipliers bool
	Version         Version
	isPresumed      bool // nothing was read: Wallet and KnownSince are unknown
}

// Version identifies the state of the rows that a Person was read from; Check compares it with the locked rows.
type Version struct {
	blocked, exempt bool
	hasMultipliers  bool
	group           int64 // updated_at of the group, which every change of its members raises
}

// Subject returns the id under which windows, streaks and statuses are stored: the group's, else the user's (contract
// 5.2, 5.16).
func (p Person) Subject() laurel.ID {
	if !p.GroupID.IsZero() {
		return p.GroupID
	}
	return p.UserID
}

// Locks returns the locks of the rows that Check and Admit read, shared with other payments. The group's row stands for
// all its members: joining, leaving and blocking change it, so a debit across the balances of a whole group needs no
// further lock of this package.
func (p Person) Locks() []store.Lock {
	locks := []store.Lock{members.Lock(p.member())}
	if p.NewUser {
		locks = append(locks, users.Lock(p.user()))
	}
	if !p.GroupID.IsZero() {
		locks = append(locks, groups.Lock(p.GroupID))
	}
	return locks
}

func (p Person) user() userKey     { return userKey{p.OrganizationID, p.Wallet} }
func (p Person) member() memberKey { return memberKey{p.WebsiteID, p.UserID} }

// Check returns store.ErrStale if the locked rows differ from what Resolve read, or Presume assumed; then the caller
// resolves and prepares again. It stages nothing, so a Judge may call it before it decides to refuse.
func (p Person) Check(b *store.Batch) error {
	if p.NewUser {
		if row := users.Row(b, p.user()); row.exists && row.ID != p.UserID {
			return store.ErrStale
		}
	}
	row := members.Row(b, p.member())
	if p.isPresumed && (!row.exists || row.OrganizationID != p.OrganizationID) {
		return store.ErrStale
	}
	// If another transaction has inserted the new member meanwhile, the person is the same unless the row has a group, a
	// mark or multipliers.
	if !row.exists && !p.NewMember || row.GroupID != p.GroupID || row.Blocked != p.Version.blocked ||
		row.Exempt != p.Version.exempt ||
		row.exists && row.HasMultipliers != (p.Version.hasMultipliers || p.MarkMultipliers) {
		return store.ErrStale
	}
	if !p.GroupID.IsZero() && groups.Row(b, p.GroupID).UpdatedAt != p.Version.group {
		return store.ErrStale
	}
	return nil
}

// MemberSince returns when the person became a member of the website, from the locked row if it exists.
func (p Person) MemberSince(b *store.Batch) time.Time {
	if row := members.Row(b, p.member()); row.exists {
		return store.Time(row.KnownSince)
	}
	return p.KnownSince
}

// Admit calls Check and stages the rows of a new person and its "User created" event. A Judge calls it once nothing
// can refuse any more.
func (p Person) Admit(b *store.Batch, scope laurel.Scope) error {
	return p.admit(b, scope, true)
}

// admit does what Admit does; temporary says whether a new user gets the mark of a temporary one.
func (p Person) admit(b *store.Batch, scope laurel.Scope, temporary bool) error {
	if err := p.Check(b); err != nil {
		return err
	}
	if p.NewUser {
		if row := users.Row(b, p.user()); !row.exists {
			users.Changed(b, p.user()).initialize(p.UserID, temporary, b.Now())
			feed.Changes.Add(b, userChange(scope, feed.Created, row))
		}
	}
	if row := members.Row(b, p.member()); !row.exists {
		members.Changed(b, p.member()).initialize(p.OrganizationID, b.Now())
		row.HasMultipliers = p.MarkMultipliers
	}
	return nil
}

// admitWork is the Work of an operation whose only effect is to insert a person.
type admitWork struct {
	person    Person
	scope     laurel.Scope
	temporary bool
}

func (a admitWork) String() string {
	return "user " + a.person.UserID.String() + " of website " + a.person.WebsiteID.String()
}

func (a admitWork) Locks() []store.Lock        { return a.person.Locks() }
func (a admitWork) Judge(b *store.Batch) error { return a.person.admit(b, a.scope, a.temporary) }

// SpendingOrder returns the users from whose balances a debit is taken, in this order: the person, then the others of
// its group in order of joining (contract 5.16).
func (p Person) SpendingOrder() []laurel.ID {
	order := []laurel.ID{p.UserID}
	for _, mate := range p.Group {
		if mate != p.UserID {
			order = append(order, mate)
		}
	}
	return order
}
