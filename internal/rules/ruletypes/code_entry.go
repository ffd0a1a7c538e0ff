package ruletypes

import (
	"context"
	"strings"

	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// codeEntry pays members who enter a code: the one that all members share, or one of the rule's own, each good for one
// redemption (contract 5.11).
var codeEntry = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCodeEntry, Family: schema.FamilyEngagement, Title: "Code",
		Summary: "Members enter a code that you hand out.", OnCall: true,
	},
	Decision: &decision.Kind{IsSetUp: hasCode, Check: checkCode},
	NewStep:  newCodeStep,
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

// newCodeStep returns the step of a rule's shared code, or of its own codes.
func newCodeStep(d *Deps, c *Case) *Step {
	if c.Rule.Meta().HasSharedCode() {
		return sharedCodeStep
	}
	return &Step{
		Prepare: d.findCodes, Window: codeWindow, UnlockedFacts: d.addCode,
		Locks: lockCode, Reservations: reserveCode, LockedFacts: addLockedCode, Apply: redeemCode,
	}
}

// sharedCodeStep handles a code that all members share; the rule and the call show everything about it. It closes the
// code's window even if the rule counts days, so that a rule that is changed to count codes, or the other way round,
// finds what was paid.
var sharedCodeStep = &Step{
	PresumesPerson: true, Window: codeWindow,
	FurtherWindows: func(c *Case) []string { return []string{progress.CodeWindow(c.In.Entered())} },
}

// codeWindow returns the window of the entered code, if each code of the rule is a window of its own. open is always
// true: whether the code was paid is up to the paid windows.
func codeWindow(c *Case, _ *progress.State) (key string, open, ok bool) {
	if !c.Rule.HasWindowPerCode() {
		return "", false, false
	}
	return progress.CodeWindow(c.In.Entered()), true, true
}

// codeKey returns the key of the entered code.
func codeKey(c *Case) codes.Key { return codes.Key{Rule: c.Rule.ID, Code: c.In.Entered()} }

// findCodes notes whether the rule has codes of its own. Codes are never removed, so it is read without locks.
func (d *Deps) findCodes(ctx context.Context, c *Case) (err error) {
	c.PreparedFacts.HasCodes, _, err = d.Loaders.hasCodes.Get(ctx, c.Rule.ID)
	return err
}

// lockCode returns the lock of the code.
func lockCode(c *Case) []store.Lock { return []store.Lock{codes.Table.Lock(codeKey(c))} }

// addLockedCode adds whether the code is unused, as its locked row shows.
func addLockedCode(b *store.Batch, c *Case, f *decision.Facts) {
	f.CodeIsUnused = codes.Table.Row(b, codeKey(c)).IsFree()
}

// addCode adds whether the code is unused, read without locks.
func (d *Deps) addCode(ctx context.Context, c *Case, f *decision.Facts) error {
	code, err := d.Loaders.code(ctx, codeKey(c))
	f.CodeIsUnused = code.IsFree()
	return err
}

// redeemCode stages that the member has redeemed the code.
func redeemCode(b *store.Batch, c *Case, _ *Payment) error {
	now := store.Micros(b.Now())
	row := codes.Table.Changed(b, codeKey(c))
	row.RedeemedBy, row.RedeemedAt = c.Person.UserID, &now
	return nil
}

// reserveCode names the code, so that only one completion redeems it.
func reserveCode(c *Case) []string { return []string{"code " + c.In.Entered()} }
