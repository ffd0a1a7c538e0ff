package completion

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

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
	// Verification is what a function or a platform said about the member.
	Verification *providers.Verification `json:"said,omitempty"`
	post         external.Post
}

// stagePost stages the post that asks the external ledger to accept the payment (contract 5.15), with all that
// applyAccepted needs to write the payment later. If an open post has a guard in common with this one, it stages
// nothing, and the outcome says which post it is. It returns external.ErrNotExternal if the currency has no external
// ledger, or if the rule pays no points any more.
func (p *plan) stagePost(b *store.Batch, posting ledger.Posting, reward decision.Reward) (o outcome, err error) {
	if len(posting.Lines) == 0 {
		return o, external.ErrNotExternal
	}
	if o.post.BlockedBy = p.post.BlockedBy(b); !o.post.BlockedBy.IsZero() {
		return o, nil
	}
	post := *p.post
	if post.CurrencyID, post.Entries, err = external.EntriesOf(b, posting); err != nil {
		return o, err
	}
	post.Record, post.RuleID = store.JSON(p.paymentToAccept(b, posting, reward)), p.Rule.ID
	post.OrganizationID, post.WebsiteID = p.Scope.OrganizationID, p.Scope.WebsiteID
	o.post.Committed = true
	return o, external.Stage(b, post)
}

// paymentToAccept returns the payment as the post stores it.
func (p *plan) paymentToAccept(b *store.Batch, posting ledger.Posting, reward decision.Reward) acceptedPayment {
	a := acceptedPayment{
		Scope:         p.Scope,
		Input:         p.In,
		Rule:          p.Rule.Properties,
		Reward:        reward,
		Facts:         posting.Facts,
		Window:        p.window,
		At:            p.DecisionTime(b.Now()),
		EligibleAt:    p.ClaimEligibleAt(progress.States.Row(b, p.StateKey())),
		Claimants:     p.claimants(),
		EventOrRun:    eventOrRunOf(&p.Trigger),
		Job:           p.Trigger.Job,
		ReferrerBonus: p.PaysReferrer,
		AutoCheckIn:   p.Trigger.Kind == decision.TriggerAutoCheckIn,
	}
	if p.verification != nil && (p.Kind.Provider != schema.PartnerProvider || p.verification.answer.Data != "") {
		a.Verification = &p.verification.answer
	}
	if !p.Person.NewUser || a.AutoCheckIn { // what triggers a check-in creates the user
		a.UserID = p.Person.UserID
	}
	return a
}

// ExternalPostApplier returns the applier that writes the accepted posts of completions.
func (s *Service) ExternalPostApplier() external.Applier {
	return external.Applier{Kind: external.Completion, Apply: s.applyAccepted}
}

// applyAccepted writes a payment that an external ledger has accepted, as it was decided before the ledger was asked:
// rule, window and reward are those that the post has stored, whatever has changed since. It prepares the completion
// only to find its rows and effects.
func (s *Service) applyAccepted(ctx context.Context, key *laurel.RequestKey, post external.Post) error {
	a := &acceptedPayment{post: post}
	if err := json.Unmarshal(post.Record, a); err != nil {
		return err
	}
	preparation := 0
	return s.committer.Submit(ctx, key, func() (store.Work, error) {
		preparation++
		p, err := s.prepareAccepted(ctx, a, preparation)
		return &acceptedWork{plan: p, payment: a}, err
	})
}

// prepareAccepted prepares the completion of an accepted payment.
func (s *Service) prepareAccepted(ctx context.Context, a *acceptedPayment, preparation int) (*plan, error) {
	r, err := s.resolve(ctx, a.request(), true)
	if err != nil {
		return nil, err
	}
	r.Rule.Properties = a.Rule
	r.steps = s.stepsOf(&r.Case)
	r.Accepted = &ruletypes.Accepted{EligibleAt: a.EligibleAt, Claimants: a.Claimants, PaysReferrer: a.ReferrerBonus}
	p := s.newPlan(r, preparation)
	p.window = a.Window
	if p.verifier != nil {
		p.verifier = verifiedBefore
		if a.Verification != nil {
			p.previous = &verification{answer: *a.Verification}
			if p.Kind.Provider == schema.PlatformProvider { // the verdict names the account and the post
				p.previous = newVerification(providers.VerificationRequest{}, *a.Verification)
			}
		}
	}
	if err := prepareSteps(ctx, p); err != nil || a.AutoCheckIn { // such a check-in triggers no others
		return p, err
	}
	return p, s.prepareCheckIns(ctx, p)
}

// request returns the request that the payment completes.
func (a *acceptedPayment) request() *request {
	q := &request{scope: a.Scope, in: a.Input, trigger: callTrigger()}
	switch {
	case a.EventOrRun != nil:
		q.trigger = a.EventOrRun.trigger()
	case a.Job != nil:
		q.trigger = jobTrigger(a.Job)
	}
	q.trigger.Moment, q.trigger.Window, q.trigger.HasFixedWindow = a.At, a.Window, true
	if !a.UserID.IsZero() {
		q.in.User = identity.Ref{UserID: a.UserID}
	}
	return q
}

// acceptedWork is an accepted payment on its way through the committer (a store.Work).
type acceptedWork struct {
	*plan
	payment *acceptedPayment
}

// Locks returns the locks of the completion and of the post.
func (w *acceptedWork) Locks() []store.Lock { return append(w.plan.Locks(), w.payment.post.Locks()...) }

// Judge stages the payment and ends the post, unless another node has done so. Nothing is decided again.
func (w *acceptedWork) Judge(b *store.Batch) error {
	if err := w.checkAllCurrent(b); err != nil {
		return err
	}
	if !external.IsOpen(b, w.payment.post.ID) {
		return nil
	}
	j := judgment{facts: w.lockedFacts(b), reward: w.payment.Reward}
	j.facts.CurrencyLive = true // it was when the external ledger was asked
	posting := w.finalPosting(b, j)
	w.mirror(b, &posting)
	result, err := w.stagePayment(b, posting, j.reward)
	if err != nil {
		return err
	}
	w.stageCheckIns(b)
	external.End(b, w.payment.post, *result.TransactionID, string(store.JSON(result)))
	return nil
}

// mirror turns the posting into a mirror of the transaction that the external ledger has accepted. If a posting in
// another currency has used the caller's key meanwhile, it removes the key from the entry.
func (w *acceptedWork) mirror(b *store.Batch, posting *ledger.Posting) {
	posting.IsMirror, posting.CreditNow = true, true
	if posting.Facts != nil { // a referrer bonus alone has no facts
		posting.Facts = w.payment.Facts
	}
	if w.In.Key == "" || w.keyIsUsed(b) {
		posting.Lines[0].Key = ""
	}
}
