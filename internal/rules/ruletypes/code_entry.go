package ruletypes

import (
	"context"
	"strings"

	"laurel/internal/rules/codes"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// codeEntry pays members who enter a code: the one that all members share, or one of the rule's own, each good for one
// redemption (contract 5.11).
var codeEntry = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCodeEntry, Family: schema.FamilyEngagement, Title: "Code",
		Summary: "Members enter a code that you hand out.", OnCall: true,
	},
	Decision: &decision.Kind{IsSetUp: hasCode, Check: checkCode},
	NewStep: func(d *Deps, c *Case) Step {
		if c.Rule.Meta().HasSharedCode() {
			return &sharedCodeStep{}
		}
		return &ownCodeStep{Deps: d}
	},
}

// hasCode reports whether the rule has codes or a shared code.
func hasCode(f decision.Facts) bool {
	return f.HasCodes || f.Meta.HasSharedCode() && f.Meta.PromoCode != ""
}

// checkCode refuses unless the text is the shared code or an unused code of the rule.
func checkCode(f decision.Facts) error {
	isShared := f.Meta.HasSharedCode() && f.Text == strings.TrimSpace(f.Meta.PromoCode)
	if f.Text == "" || !f.CodeIsUnused && !isShared {
		return decision.Refuse(decision.MsgCode)
	}
	return nil
}

// codeWindows gives each code a window of its own, if the rule counts codes instead of days.
type codeWindows struct{}

// Window returns the window of the entered code, if each code of the rule is a window of its own. open is always true:
// whether the code was paid is up to the paid windows.
func (codeWindows) Window(c *Case, _ *progress.State) (key string, open, ok bool) {
	if !c.Rule.HasWindowPerCode() {
		return "", false, false
	}
	return progress.CodeWindow(c.In.Entered()), true, true
}

// sharedCodeStep handles a code that all members share. It closes the code's window even if the rule counts days, so
// that a rule that is changed to count codes, or the other way round, finds what was paid.
type sharedCodeStep struct {
	BaseStep
	codeWindows
}

// NeedsNoLookup implements LookupFree: the rule and the call show everything.
func (*sharedCodeStep) NeedsNoLookup() {}

// FurtherWindows returns the window of the entered code.
func (*sharedCodeStep) FurtherWindows(c *Case) []string {
	return []string{progress.CodeWindow(c.In.Entered())}
}

// ownCodeStep redeems one of the rule's own codes. Codes are never removed, so whether the rule has any is read without
// locks.
type ownCodeStep struct {
	*Deps
	codeWindows
}

// FurtherWindows returns none: a redeemed code needs no window.
func (*ownCodeStep) FurtherWindows(*Case) []string { return nil }

// key returns the key of the entered code.
func (*ownCodeStep) key(c *Case) codes.Key { return codes.Key{Rule: c.Rule.ID, Code: c.In.Entered()} }

// Prepare reads whether the rule has codes of its own.
func (s *ownCodeStep) Prepare(ctx context.Context, c *Case) (err error) {
	c.PreparedFacts.HasCodes, _, err = s.Loaders.hasCodes.Get(ctx, c.Rule.ID)
	return err
}

// Locks returns the lock of the code.
func (s *ownCodeStep) Locks(c *Case) []store.Lock { return []store.Lock{codes.Table.Lock(s.key(c))} }

// LockedFacts adds whether the code is unused.
func (s *ownCodeStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.CodeIsUnused = codes.Table.Row(b, s.key(c)).IsFree()
}

// UnlockedFacts adds whether the code is unused, read without locks.
func (s *ownCodeStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	code, err := s.Loaders.code(ctx, s.key(c))
	f.CodeIsUnused = code.IsFree()
	return err
}

// Apply redeems the code.
func (s *ownCodeStep) Apply(b *store.Batch, c *Case, _ decision.Reward) error {
	now := store.Micros(b.Now())
	row := codes.Table.Changed(b, s.key(c))
	row.RedeemedBy, row.RedeemedAt = c.Person.UserID, &now
	return nil
}

// AccountStateKeys returns none: codes have no accounts.
func (*ownCodeStep) AccountStateKeys() []progress.StateKey { return nil }

// Reservations names the code, so that only one completion redeems it.
func (*ownCodeStep) Reservations(c *Case) []string { return []string{"code " + c.In.Entered()} }
