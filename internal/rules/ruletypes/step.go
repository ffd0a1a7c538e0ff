package ruletypes

import (
	"context"

	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// Step is what a rule or its type adds to a completion. Each completion has Steps of its own, which keep what they read
// until the payment is staged.
type Step interface {
	// Prepare reads facts without locks into c.PreparedFacts. It may be called again.
	Prepare(ctx context.Context, c *Case) error
	// Locks returns the locks of the rows that LockedFacts reads and Apply changes.
	Locks(c *Case) []store.Lock
	// LockedFacts adds the facts that the locked rows show.
	LockedFacts(b *store.Batch, c *Case, f *decision.Facts)
	// UnlockedFacts adds the same facts, read without locks, for a call that pays nothing.
	UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error
	// Apply stages what follows from a payment. If it fails, nothing of the completion is written.
	Apply(b *store.Batch, c *Case, reward decision.Reward) error
}

// Checker is a Step that relies on rows that must not change before the decision. Check returns store.ErrStale if they
// have changed.
type Checker interface {
	Check(b *store.Batch, c *Case) error
}

// RefusalApplier is a Step that also writes something if the completion is refused, such as the answer to a quiz. An
// error means that nothing of it can be written.
type RefusalApplier interface {
	ApplyRefusal(b *store.Batch, c *Case, f decision.Facts) error
}

// PostingEditor is a Step that changes what a payment posts.
type PostingEditor interface {
	EditPosting(c *Case, p *ledger.Posting)
}

// Deferrer is a Step that stores a completion to be decided later. Defer returns the message for the caller.
type Deferrer interface {
	Defer(b *store.Batch, c *Case, reward decision.Reward) (message string)
}

// StateInitializer is a Step that fills a new rule state, before its first payment.
type StateInitializer interface {
	InitState(c *Case, state *progress.State)
}

// Windower is a Step with windows of its own instead of those of the calendar.
type Windower interface {
	// Window returns the key of the window to pay, and whether the rule state shows it as open. ok is false if the
	// calendar's window counts.
	Window(c *Case, state *progress.State) (key string, open, ok bool)
	// FurtherWindows returns the keys of other windows that the payment closes.
	FurtherWindows(c *Case) []string
}

// DoublePayGuard is a Step that knows of more than the member that must not be paid twice: its connected accounts, or a
// code.
type DoublePayGuard interface {
	// AccountStateKeys returns the rule states of the connected accounts.
	AccountStateKeys() []progress.StateKey
	// Reservations names what no other completion may pay while an external ledger is asked.
	Reservations(c *Case) []string
}

// BonusPayer is a Step that pays the referrer, too. Whether it does is stored with the post to an external ledger.
type BonusPayer interface {
	// PaysReferrerBonus reports whether there is a bonus to pay.
	PaysReferrerBonus(c *Case) bool
	// RestoreReferrerBonus sets what the external ledger has accepted, whatever has changed since.
	RestoreReferrerBonus(pays bool)
}

// LookupFree is a Step that needs to know nothing about the person beyond the locked rows, so the person may be
// presumed.
type LookupFree interface{ NeedsNoLookup() }

// BaseStep is a Step that does nothing. Steps embed it for the methods that they do not need.
type BaseStep struct{}

// Prepare reads nothing.
func (BaseStep) Prepare(context.Context, *Case) error { return nil }

// Locks names nothing.
func (BaseStep) Locks(*Case) []store.Lock { return nil }

// LockedFacts adds nothing.
func (BaseStep) LockedFacts(*store.Batch, *Case, *decision.Facts) {}

// UnlockedFacts adds nothing.
func (BaseStep) UnlockedFacts(context.Context, *Case, *decision.Facts) error { return nil }

// Apply stages nothing.
func (BaseStep) Apply(*store.Batch, *Case, decision.Reward) error { return nil }
