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
	// Read reads without locks what Facts relies on as it was then, into c.Known. It may be called again.
	Read(ctx context.Context, c *Case) error
	// Locks names the rows that Facts reads and Paid changes. It changes nothing.
	Locks(c *Case) []store.Lock
	// Facts adds what the locked rows tell.
	Facts(b *store.Batch, c *Case, f *decision.Facts)
	// Look adds the same facts from reads without locks, for a call that pays nothing.
	Look(ctx context.Context, c *Case, f *decision.Facts) error
	// Paid stages what changes with a payment. After an error nothing of the completion is written.
	Paid(b *store.Batch, c *Case, reward decision.Reward) error
}

// Checker is a Step whose readings must not have changed until the decision: Check returns store.ErrStale where they
// have.
type Checker interface {
	Check(b *store.Batch, c *Case) error
}

// Leaver is a Step that leaves something behind where a completion is refused. It returns an error only where nothing
// can be left.
type Leaver interface {
	Refused(b *store.Batch, c *Case, f decision.Facts) error
}

// Payer is a Step that changes what a payment posts.
type Payer interface {
	Pays(c *Case, p *ledger.Posting)
}

// Waiter is a Step that keeps a completion for later, and says what the caller is told.
type Waiter interface {
	Wait(b *store.Batch, c *Case, reward decision.Reward) (message string)
}

// Opener is a Step that says where the memory of a subject comes from, when the completion begins it.
type Opener interface {
	Opened(c *Case, sub *progress.Subject)
}

// Windower is a Step by which windows are no days or weeks.
type Windower interface {
	// Window returns the key of the window that is paid, and whether it is open as far as the subject tells; ok is false
	// where it is that of the calendar.
	Window(c *Case, sub *progress.Subject) (key string, open, ok bool)
	// Claims returns further windows that the payment closes.
	Claims(c *Case) []string
}

// Holder is a Step with further memories by which a member could be paid twice: of the accounts that it has connected,
// and of codes.
type Holder interface {
	Accounts() []progress.Key
	Holds(c *Case) []string // names of what must not be paid for twice while an external ledger is asked
}

// Agreer is a Step whose further payment is kept with what an external ledger is asked for.
type Agreer interface {
	Agreed(c *Case) bool // there is one
	Recall(agreed bool)  // as it was agreed to, whatever has changed since
}

// Unasking is a Step that goes by no more of a person than the locked rows tell: it may be a presumed one.
type Unasking interface{ Unasking() }

// Inert does nothing in every place; steps embed it for those that do not concern them.
type Inert struct{}

// Read reads nothing.
func (Inert) Read(context.Context, *Case) error { return nil }

// Locks names nothing.
func (Inert) Locks(*Case) []store.Lock { return nil }

// Facts adds nothing.
func (Inert) Facts(*store.Batch, *Case, *decision.Facts) {}

// Look adds nothing.
func (Inert) Look(context.Context, *Case, *decision.Facts) error { return nil }

// Paid stages nothing.
func (Inert) Paid(*store.Batch, *Case, decision.Reward) error { return nil }
