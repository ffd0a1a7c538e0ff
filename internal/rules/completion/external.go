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

// pendingPost is a post to an external ledger, which must accept a completion's points before they are paid (contract
// 5.15).
type pendingPost struct {
	post    *external.Post
	wallets []string // of the member's group
	external.CommitResult
}

// acceptedPayment is the payment that an external ledger is asked to accept, as it was decided then. A post stores it
// as JSON, and once the ledger has accepted, it is written whatever has changed since.
type acceptedPayment struct {
	Scope  laurel.Scope      `json:"scope"`
	Input  CompleteInput     `json:"input"`
	UserID laurel.ID         `json:"userId"` // zero: the wallet had no user yet
	Rule   schema.Properties `json:"rule"`
	Reward decision.Reward   `json:"reward"`
	Facts  json.RawMessage   `json:"facts"`
	Window string            `json:"window"`
	At     time.Time         `json:"at"`
	// EligibleAt says which eligibility is claimed, and Claimants for which members: meanwhile a run may find the member
	// eligible again, and others may leave its group.
	EligibleAt    *int64              `json:"foundAt,omitempty"`
	Claimants     []laurel.ID         `json:"claimants,omitempty"`
	EventOrRun    *EventOrRun         `json:"fed,omitempty"`
	Job           *completionjobs.Job `json:"job,omitempty"`
	ReferrerBonus bool                `json:"lump,omitempty"` // the referrer gets the bonus
	AutoCheckIn   bool                `json:"deed,omitempty"` // a check-in that no call asked for
	// Verification is what a function said about the member.
	Verification *providers.Verification `json:"said,omitempty"`
	post         external.Post
}

// reservations returns the names that the completion reserves while it waits for the external ledger, so that nothing
// is paid twice: the rule for this member, for the member's wallet and for each member of the group, the connected
// accounts that could earn the rule, and the code. They are stored as the guards of the post.
func (w *completion) reservations() []string {
	prefix := "rule " + w.Rule.ID.String() + " "
	out := external.GuardsOf(w.pendingPost.post.Request, w.keyIDs()...)
	out = append(out, prefix+"subject "+w.Person.Subject().String())
	if w.Person.Wallet != "" { // the id of a new user is not final yet
		out = append(out, prefix+"wallet "+w.Person.Wallet)
	}
	for _, member := range w.Person.Group { // members may leave the group meanwhile
		out = append(out, prefix+"subject "+member.String())
	}
	for _, wallet := range w.pendingPost.wallets { // posts of users who were new then reserve their wallets
		out = append(out, prefix+"wallet "+wallet)
	}
	for _, s := range w.steps {
		if h, ok := s.(ruletypes.DoublePayGuard); ok {
			for _, name := range h.Reservations(&w.Case) {
				out = append(out, prefix+name)
			}
		}
	}
	return out
}

// accountKeys returns the rule states of the connected accounts that could earn the rule.
func (w *completion) accountKeys() []progress.StateKey {
	var keys []progress.StateKey
	for _, s := range w.steps {
		if h, ok := s.(ruletypes.DoublePayGuard); ok {
			keys = append(keys, h.AccountStateKeys()...)
		}
	}
	return keys
}

// postLocks returns the locks of the pending post; none if there is no post.
func (w *completion) postLocks() []store.Lock {
	if w.pendingPost == nil {
		return nil
	}
	return w.pendingPost.post.Locks()
}

// stagePost stages the post that asks the external ledger to accept the payment, with all that finishExternalPost needs
// to write the payment later. If an open post has a guard in common with this one, it stages nothing and sets BlockedBy
// to the open post. It returns external.ErrNotExternal if the currency has no external ledger.
func (w *completion) stagePost(b *store.Batch, p ledger.Posting, reward decision.Reward) (err error) {
	post := w.pendingPost.post
	w.pendingPost.CommitResult = external.CommitResult{BlockedBy: post.BlockedBy(b)}
	if !w.pendingPost.BlockedBy.IsZero() {
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
	a.EligibleAt, a.Claimants = w.ClaimEligibleAt(progress.States.Row(b, w.StateKey())), w.claimants()
	for _, s := range w.steps {
		if by, ok := s.(ruletypes.BonusPayer); ok {
			a.ReferrerBonus = by.PaysReferrerBonus(&w.Case)
		}
	}
	if !w.Person.NewUser || a.AutoCheckIn { // what triggers a check-in creates the user
		a.UserID = w.Person.UserID
	}
	post.Record, post.RuleID = store.JSON(a), w.Rule.ID
	post.OrganizationID, post.WebsiteID = w.Scope.OrganizationID, w.Scope.WebsiteID
	w.pendingPost.Committed = true
	return external.Stage(b, *post)
}

// ExternalPostApplier returns the applier that writes the accepted posts of completions.
func (s *Service) ExternalPostApplier() external.Applier {
	return external.Applier{Kind: external.Completion, Apply: s.finishExternalPost}
}

// finishExternalPost writes a payment that an external ledger has accepted, as it was decided before the ledger was
// asked: rule, window and reward are those that the post has stored. It prepares the completion anew only to find its
// rows and effects.
func (s *Service) finishExternalPost(ctx context.Context, key *laurel.RequestKey, p external.Post) error {
	a := &acceptedPayment{post: p}
	if err := json.Unmarshal(p.Record, a); err != nil {
		return err
	}
	w := s.newCompletion(a.mode(), a.Scope, a.Input)
	w.EligibleAt = a.EligibleAt
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
		if err := w.readSteps(ctx); err != nil || a.AutoCheckIn { // such a check-in triggers no others
			return w, err
		}
		err := w.prepareAutoCheckIns(ctx)
		return w, err
	})
}
