package ruletypes

import (
	"context"

	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// Step is what a rule or its type adds to a completion: a function for each phase in which it has something to do. The
// others are nil. A Step whose functions hand values to later ones is made for one preparation of one completion.
type Step struct {
	// PresumesPerson says that the step needs to know nothing about the person beyond the locked rows, so that the person
	// may be presumed.
	PresumesPerson bool
	// IsRequirement says that Prepare reads a requirement that may cease to hold after the payment.
	IsRequirement bool

	// Prepare reads facts without locks into c.PreparedFacts. It may be called again.
	Prepare func(ctx context.Context, c *Case) error
	// PrepareVerified reads what the answer of a provider names. It is called after Prepare of all steps.
	PrepareVerified func(ctx context.Context, c *Case) error
	// Window returns the key of the window to pay in place of the calendar's, and whether the rule state shows it as open.
	// ok is false if the calendar's window counts.
	Window func(c *Case, state *progress.State) (key string, open, ok bool)
	// FurtherWindows returns the keys of other windows that the payment closes.
	FurtherWindows func(c *Case) []string
	// UnlockedFacts adds the facts of LockedFacts, read without locks, for a decision that pays nothing.
	UnlockedFacts func(ctx context.Context, c *Case, f *decision.Facts) error

	// Locks returns the locks of the rows that Check and LockedFacts read and that the writes change.
	Locks func(c *Case) []store.Lock
	// Accounts returns the rule states of the connected accounts that must not be paid twice, even if other members
	// connect them.
	Accounts func() []progress.StateKey
	// Reservations names what no other completion may pay while an external ledger is asked, beside the member.
	Reservations func(c *Case) []string

	// Check returns store.ErrStale if rows have changed that the preparation relies on.
	Check func(b *store.Batch, c *Case) error
	// LockedFacts adds the facts that the locked rows show.
	LockedFacts func(b *store.Batch, c *Case, f *decision.Facts)

	// EditPosting changes what a payment posts.
	EditPosting func(c *Case, p *ledger.Posting)
	// InitState fills a new rule state, before its first payment.
	InitState func(c *Case, state *progress.State)
	// Apply stages what follows from a payment. If it fails, nothing of the completion is written.
	Apply func(b *store.Batch, c *Case, p *Payment) error
	// ApplyRefusal stages what a refusal leaves, such as the answer to a quiz. An error means that nothing of it can be
	// written.
	ApplyRefusal func(b *store.Batch, c *Case, f decision.Facts) error
	// Defer stages the completion to be decided later. It returns the message for the caller.
	Defer func(b *store.Batch, c *Case, reward decision.Reward) (message string)
}

// Payment is what a completion pays, as Apply of its steps finds it.
type Payment struct {
	Reward      decision.Reward
	Transaction ledger.Transaction // zero: it has no entries
	// GrantsNewBadge says that a badge was granted that the member did not have. The step of badges sets it.
	GrantsNewBadge bool
}

// GivesReward reports whether the payment gives the member anything. A badge that the member had already does not
// count.
func (p *Payment) GivesReward() bool {
	return p.Reward.Amount > 0 || p.Reward.Multiplier > 0 || len(p.Reward.Credits) > 0 || p.GrantsNewBadge
}
