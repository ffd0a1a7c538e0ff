package completion

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/jobs"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// asking is a completion whose points a provider must accept before they are paid (contract 5.15).
type asking struct {
	post    *external.Post
	wallets []string // of the member's group
	external.Asked
}

// agreement is what the outside has accepted: the payment as it was decided then, whatever has changed since. It is
// what a post keeps.
type agreement struct {
	Scope  laurel.Scope      `json:"scope"`
	Input  CompleteInput     `json:"input"`
	UserID laurel.ID         `json:"userId"` // zero: a wallet that was nobody's yet
	Rule   schema.Properties `json:"rule"`
	Reward decision.Reward   `json:"reward"`
	Facts  json.RawMessage   `json:"facts"`
	Window string            `json:"window"`
	At     time.Time         `json:"at"`
	// FoundAt tells what is claimed, and Claimants for whom: a run may find the member again meanwhile, and others leave
	// its group.
	FoundAt   *int64      `json:"foundAt,omitempty"`
	Claimants []laurel.ID `json:"claimants,omitempty"`
	Fed       *Occasion   `json:"fed,omitempty"`
	Job       *jobs.Job   `json:"job,omitempty"`
	Lump      bool        `json:"lump,omitempty"` // the referrer gets the lump sum
	Deed      bool        `json:"deed,omitempty"` // a check-in by something else than a call
	post      external.Post
	// keyless: the key is another's by now.
	keyless bool
}

// changes bounds how often a currency goes outside or comes back while a completion is on its way.
const changes = 3

// submit takes a completion through the committer, and, where it pays what is kept outside, first to those who keep it.
func (s *Service) submit(ctx context.Context, w *completion) error {
	for range changes {
		w.asking = nil
		err := s.carry(ctx, w)
		if !errors.Is(err, ledger.ErrOutside) {
			return err
		}
		p, err := s.outside.Pay(
			ctx,
			w.scope,
			external.Completion,
			func(ctx context.Context, p *external.Post) (external.Asked, error) {
				w.asking = &asking{post: p}
				err := s.carry(ctx, w)
				return w.asking.Asked, err
			},
		)
		switch {
		case errors.Is(err, external.ErrInside):
			continue
		case err != nil || p.ID.IsZero(): // refused, or answered without a payment
			return err
		}
		return json.Unmarshal([]byte(p.Answer), &w.answer)
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// holds are what nothing else may pay for while the outside is asked: the member's place in the rule, by whatever
// account it is earned, and the code.
func (w *completion) holds() []string {
	of := "rule " + w.rule.ID.String() + " "
	out := append(external.HoldsOf(w.asking.post.Request, w.keys()...), of+"subject "+w.person.Subject().String())
	if w.person.Wallet != "" { // a new user has no lasting id yet
		out = append(out, of+"wallet "+w.person.Wallet)
	}
	for _, mate := range w.person.Group { // whoever joins or leaves meanwhile
		out = append(out, of+"subject "+mate.String())
	}
	for _, wallet := range w.asking.wallets { // what was asked for when it was a new user's
		out = append(out, of+"wallet "+wallet)
	}
	for _, keys := range w.accounts {
		for _, k := range keys {
			out = append(out, of+"account "+k.Subject.String())
		}
	}
	if redeems(&w.rule) {
		out = append(out, of+"code "+w.in.entered())
	}
	return out
}

// outsideLocks are the further rows of a completion on its way outside or back.
func (w *completion) outsideLocks() []store.Lock {
	switch {
	case w.asking != nil:
		w.asking.post.Holds = w.holds()
		return w.asking.post.Locks()
	case w.agreed != nil:
		return w.agreed.post.Locks()
	}
	return nil
}

// ask stages the post of a payment, unless one is open that excludes it: nothing is paid yet. external.ErrInside:
// nobody needs to be asked.
func (w *completion) ask(b *store.Batch, p ledger.Posting, reward decision.Reward) (err error) {
	post := w.asking.post
	if w.asking.Asked = (external.Asked{Met: post.Met(b)}); !w.asking.Met.IsZero() {
		return nil
	}
	if post.CurrencyID, post.Entries, err = external.EntriesOf(b, p); err != nil {
		return err
	}
	a := agreement{
		Scope:  w.scope,
		Input:  w.in,
		Rule:   w.rule.Properties,
		Reward: reward,
		Facts:  p.Facts,
		Window: w.window,
		At:     w.at(b.Now()),
		Fed:    w.fed,
		Job:    w.job,
		Deed:   w.deed,
	}
	a.FoundAt, a.Claimants = w.claimed(progress.Subjects.Row(b, w.subjectKey())), w.claimants()
	_, a.Lump = w.lump()
	if !w.person.NewUser || w.deed { // what sets a deed off makes the user
		a.UserID = w.person.UserID
	}
	post.Record, post.RuleID = store.JSON(a), w.rule.ID
	post.OrganizationID, post.WebsiteID = w.scope.OrganizationID, w.scope.WebsiteID
	w.asking.Made = true
	return external.Stage(b, *post)
}

// mirrors makes a posting one that was agreed to. A key that something in another currency has used meanwhile cannot be
// its entry's.
func (w *completion) mirrors(b *store.Batch, p *ledger.Posting) {
	p.Mirror, p.AtOnce = true, true
	w.agreed.keyless = w.in.Key == "" || ledger.Keys.Row(b, w.key()).Used()
	if w.agreed.keyless {
		p.Lines[0].Key = ""
	}
}

// finishOutside writes a payment that the outside has accepted.
func (s *Service) finishOutside(ctx context.Context, p external.Post) error {
	a := &agreement{post: p}
	if err := json.Unmarshal(p.Record, a); err != nil {
		return err
	}
	w := &completion{service: s, scope: a.Scope, in: a.Input, agreed: a, fed: a.Fed, job: a.Job}
	if !a.UserID.IsZero() {
		w.in.User = identity.Ref{UserID: a.UserID}
	}
	return s.committer.Submit(ctx, func() (store.Work, error) {
		w.tries++
		if err := w.identify(ctx, true); err != nil {
			return nil, err
		}
		w.rule.Properties = a.Rule
		w.parts, w.window = s.partsOf(&w.rule), a.Window
		if err := w.partsAhead(ctx); err != nil || a.Deed { // a check-in that is a deed sets off no others
			return w, err
		}
		err := w.setOff(ctx)
		return w, err
	})
}

// conclude stages a payment that was agreed to, as it was decided then, and ends its post.
func (w *completion) conclude(b *store.Batch) error {
	if !external.IsOpen(b, w.agreed.post.ID) {
		return nil // another node was first
	}
	sub, paid := w.opening(b)
	facts := w.judgedFacts(b, sub, paid) // the parts find out what they change
	facts.CurrencyLive = true            // when it was agreed to
	if err := w.pay(b, w.agreed.Reward, facts); err != nil {
		return err
	}
	for _, c := range w.follow {
		c.checkIn(b)
	}
	external.End(b, w.agreed.post, *w.answer.TransactionID, string(store.JSON(w.answer)))
	return nil
}
