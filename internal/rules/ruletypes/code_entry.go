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

// codeEntry: the member enters a code, one that everybody may use or one of the rule's own, good for one member each
// (contract 5.11).
var codeEntry = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCodeEntry, Family: schema.Engagement, Title: "Code",
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

func hasCode(f decision.Facts) bool {
	return f.HasCodes || f.Meta.HasSharedCode() && f.Meta.PromoCode != ""
}

func checkCode(f decision.Facts) error {
	isShared := f.Meta.HasSharedCode() && f.Text == strings.TrimSpace(f.Meta.PromoCode)
	if f.Text == "" || !f.CodeIsUnused && !isShared {
		return decision.Refuse(decision.MsgCode)
	}
	return nil
}

// codeWindows: where a rule counts codes instead of days, each is a window of its own.
type codeWindows struct{}

func (codeWindows) Window(c *Case, _ *progress.State) (key string, open, ok bool) {
	if !c.Rule.HasWindowPerCode() {
		return "", false, false
	}
	return progress.CodeWindow(c.In.Entered()), true, true
}

// sharedCodeStep is a code that everybody may use. Its window is closed even where days are counted, so that a rule
// which comes to count codes, or the other way, finds what was paid.
type sharedCodeStep struct {
	BaseStep
	codeWindows
}

// NeedsNoLookup: the rule and the call tell all.
func (*sharedCodeStep) NeedsNoLookup() {}

func (*sharedCodeStep) FurtherWindows(c *Case) []string {
	return []string{progress.CodeWindow(c.In.Entered())}
}

// ownCodeStep is one of the rule's own codes. They are never taken away, so whether there are any may be read ahead.
type ownCodeStep struct {
	*Deps
	codeWindows
}

func (*ownCodeStep) FurtherWindows(*Case) []string { return nil }

func (*ownCodeStep) key(c *Case) codes.Key { return codes.Key{Rule: c.Rule.ID, Code: c.In.Entered()} }

func (s *ownCodeStep) Prepare(ctx context.Context, c *Case) (err error) {
	c.PreparedFacts.HasCodes, _, err = s.Loaders.hasCodes.Get(ctx, c.Rule.ID)
	return err
}

func (s *ownCodeStep) Locks(c *Case) []store.Lock { return []store.Lock{codes.Table.Lock(s.key(c))} }

func (s *ownCodeStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.CodeIsUnused = codes.Table.Row(b, s.key(c)).IsFree()
}

func (s *ownCodeStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	code, err := s.Loaders.code(ctx, s.key(c))
	f.CodeIsUnused = code.IsFree()
	return err
}

func (s *ownCodeStep) Apply(b *store.Batch, c *Case, _ decision.Reward) error {
	now := store.Micros(b.Now())
	row := codes.Table.Changed(b, s.key(c))
	row.RedeemedBy, row.RedeemedAt = c.Person.UserID, &now
	return nil
}

func (*ownCodeStep) AccountStateKeys() []progress.StateKey { return nil }

func (*ownCodeStep) Reservations(c *Case) []string { return []string{"code " + c.In.Entered()} }
