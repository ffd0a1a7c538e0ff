package ruletypes

import (
	"context"

	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// Step is what a completion has to do with beside what all completions share. Each completion has a value of its own,
// which keeps what it read until the payment is staged.
type Step interface {
	// Prepare reads without locks what Facts relies on as it was then, into c.Known. It may be called again.
	Prepare(ctx context.Context, c *Case) error
	// Locks names the rows that Facts reads and Paid changes. It changes nothing.
	Locks(c *Case) []store.Lock
	// LockedFacts adds what the locked rows tell.
	LockedFacts(b *store.Batch, c *Case, f *decision.Facts)
	// UnlockedFacts adds the same facts from reads without locks, for a call that pays nothing.
	UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error
	// Apply stages what changes with a payment. After an error nothing of the completion is written.
	Apply(b *store.Batch, c *Case, reward decision.Reward) error
}

// Checker is a Step whose readings must not have changed until the decision: Check returns store.ErrStale where they
// have.
type Checker interface {
	Check(b *store.Batch, c *Case) error
}

// RefusalApplier is a Step that leaves something behind where a completion is refused. It returns an error only where
// nothing can be left.
type RefusalApplier interface {
	ApplyRefusal(b *store.Batch, c *Case, f decision.Facts) error
}

// PostingEditor is a Step that changes what a payment posts.
type PostingEditor interface {
	EditPosting(c *Case, p *ledger.Posting)
}

// Deferrer is a Step that keeps a completion for later, and says what the caller is told.
type Deferrer interface {
	Defer(b *store.Batch, c *Case, reward decision.Reward) (message string)
}

// StateInitializer is a Step that says where the memory of a subject comes from, when the completion begins it.
type StateInitializer interface {
	InitState(c *Case, sub *progress.State)
}

// Windower is a Step by which windows are no days or weeks.
type Windower interface {
	// Window returns the key of the window that is paid, and whether it is open as far as the subject tells; ok is false
	// where it is that of the calendar.
	Window(c *Case, sub *progress.State) (key string, open, ok bool)
	// FurtherWindows returns further windows that the payment closes.
	FurtherWindows(c *Case) []string
}

// DoublePayGuard is a Step with further memories by which a member could be paid twice: of the accounts that it has
// connected, and of codes.
type DoublePayGuard interface {
	AccountStateKeys() []progress.StateKey
	Reservations(c *Case) []string // names of what must not be paid for twice while an external ledger is asked
}

// BonusPayer is a Step whose further payment is kept with what an external ledger is asked for.
type BonusPayer interface {
	PaysReferrerBonus(c *Case) bool   // there is one
	RestoreReferrerBonus(agreed bool) // as it was agreed to, whatever has changed since
}

// NeedsNoLookup is a Step that goes by no more of a person than the locked rows tell: it may be a presumed one.
type NeedsNoLookup interface{ NeedsNoLookup() }

// BaseStep does nothing in every place; steps embed it for those that do not concern them.
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
