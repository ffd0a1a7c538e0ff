package completion

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/providers"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// pendingPost is a completion whose points a provider must accept before they are paid (contract 5.15).
type pendingPost struct {
	post    *external.Post
	wallets []string // of the member's group
	external.CommitResult
}

// acceptedPayment is what the outside has accepted: the payment as it was decided then, whatever has changed since. It
// is what a post keeps.
type acceptedPayment struct {
	Scope  laurel.Scope      `json:"scope"`
	Input  CompleteInput     `json:"input"`
	UserID laurel.ID         `json:"userId"` // zero: a wallet that was nobody's yet
	Rule   schema.Properties `json:"rule"`
	Reward decision.Reward   `json:"reward"`
	Facts  json.RawMessage   `json:"facts"`
	Window string            `json:"window"`
	At     time.Time         `json:"at"`
	// EligibleAt tells what is claimed, and Claimants for whom: a run may find the member again meanwhile, and others
	// leave its group.
	FoundAt       *int64              `json:"foundAt,omitempty"`
	Claimants     []laurel.ID         `json:"claimants,omitempty"`
	EventOrRun    *EventOrRun         `json:"fed,omitempty"`
	Job           *completionjobs.Job `json:"job,omitempty"`
	ReferrerBonus bool                `json:"lump,omitempty"` // the referrer gets the lump sum
	AutoCheckIn   bool                `json:"deed,omitempty"` // a check-in by something else than a call
	// Verification is what a function has said.
	Verification *providers.Verdict `json:"said,omitempty"`
	post         external.Post
}

// reservations are what nothing else may pay for while the outside is asked: the member's place in the rule, by
// whatever account it is earned, and the code.
func (w *completion) reservations() []string {
	of := "rule " + w.Rule.ID.String() + " "
	out := append(external.GuardsOf(w.pendingPost.post.Request, w.keyIDs()...), of+"subject "+w.Person.Subject().String())
	if w.Person.Wallet != "" { // a new user has no lasting id yet
		out = append(out, of+"wallet "+w.Person.Wallet)
	}
	for _, mate := range w.Person.Group { // whoever joins or leaves meanwhile
		out = append(out, of+"subject "+mate.String())
	}
	for _, wallet := range w.pendingPost.wallets { // what was asked for when it was a new user's
		out = append(out, of+"wallet "+wallet)
	}
	for _, s := range w.steps {
		if h, ok := s.(ruletypes.DoublePayGuard); ok {
			for _, held := range h.Reservations(&w.Case) {
				out = append(out, of+held)
			}
		}
	}
	return out
}

// accountKeys are the memories of accounts by which the rule could be earned.
func (w *completion) accountKeys() []progress.StateKey {
	var keys []progress.StateKey
	for _, s := range w.steps {
		if h, ok := s.(ruletypes.DoublePayGuard); ok {
			keys = append(keys, h.AccountStateKeys()...)
		}
	}
	return keys
}

// postLocks are the rows of a completion on its way outside.
func (w *completion) postLocks() []store.Lock {
	if w.pendingPost == nil {
		return nil
	}
	return w.pendingPost.post.Locks()
}

// stagePost stages the post of a payment, unless one is open that excludes it: nothing is paid yet. external.ErrNotExternal:
// nobody needs to be asked.
func (w *completion) stagePost(b *store.Batch, p ledger.Posting, reward decision.Reward) (err error) {
	post := w.pendingPost.post
	if w.pendingPost.CommitResult = (external.CommitResult{BlockedBy: post.BlockedBy(b)}); !w.pendingPost.BlockedBy.IsZero() {
		return nil
	}
	if post.CurrencyID, post.Entries, err = external.EntriesOf(b, p); err != nil {
		return err
	}
	a := acceptedPayment{
		Scope:  w.Scope,
		Input:  w.In,
		Rule:   w.Rule.Properties,
		Reward: reward,
		Facts:  p.Facts,
		Window: w.window,
		At:     w.DecisionTime(b.Now()),
	}
	w.mode.record(&a)
	if verification := w.verification(); verification != nil && w.Rule.Type == schema.TypeFunction {
		a.Verification = &verification.answer
	}
	a.FoundAt, a.Claimants = w.ClaimedEligibility(progress.States.Row(b, w.StateKey())), w.claimants()
	for _, s := range w.steps {
		if by, ok := s.(ruletypes.BonusPayer); ok {
			a.ReferrerBonus = by.PaysReferrerBonus(&w.Case)
		}
	}
	if !w.Person.NewUser || a.AutoCheckIn { // what sets a deed off makes the user
		a.UserID = w.Person.UserID
	}
	post.Record, post.RuleID = store.JSON(a), w.Rule.ID
	post.OrganizationID, post.WebsiteID = w.Scope.OrganizationID, w.Scope.WebsiteID
	w.pendingPost.Committed = true
	return external.Stage(b, *post)
}

// Payer returns who writes the posts of completions.
func (s *Service) Payer() external.Applier {
	return external.Applier{Kind: external.Completion, Apply: s.finishExternalPost}
}

// finishExternalPost writes a payment that the outside has accepted.
func (s *Service) finishExternalPost(ctx context.Context, key *laurel.RequestKey, p external.Post) error {
	a := &acceptedPayment{post: p}
	if err := json.Unmarshal(p.Record, a); err != nil {
		return err
	}
	w := s.newCompletion(a.mode(), a.Scope, a.Input)
	w.EligibleAt = a.FoundAt
	if !a.UserID.IsZero() {
		w.In.User = identity.Ref{UserID: a.UserID}
	}
	return s.committer.Submit(ctx, key, func() (store.Work, error) {
		w.preparations++
		if err := w.identify(ctx, true); err != nil {
			return nil, err
		}
		w.Rule.Properties = a.Rule
		w.steps, w.window = s.stepsOf(w), a.Window
		for _, s := range w.steps {
			if by, ok := s.(ruletypes.BonusPayer); ok {
				by.RestoreReferrerBonus(a.ReferrerBonus)
			}
		}
		if err := w.readSteps(ctx); err != nil || a.AutoCheckIn { // a check-in that is a deed sets off no others
			return w, err
		}
		err := w.prepareAutoCheckIns(ctx)
		return w, err
	})
}
