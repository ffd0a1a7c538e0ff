package completion

import (
	"context"

	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// part is one kind of thing that the completions of some rules look at or change, beside what all completions share. It
// has no state of its own: what belongs to a call is in the completion.
type part interface {
	// ahead reads without locks what Judge relies on as it was then, into w.known.
	ahead(ctx context.Context, w *completion) error
	// locks names the rows that judged reads and paid changes.
	locks(w *completion) []store.Lock
	// judged adds the facts that the locked rows tell.
	judged(b *store.Batch, w *completion, f *decision.Facts)
	// asked adds the same facts from reads without locks, for a call that pays nothing.
	asked(ctx context.Context, w *completion, f *decision.Facts) error
	// paid stages what the part changes with a payment. After an error nothing of the completion is written.
	paid(b *store.Batch, w *completion, reward decision.Reward) error
}

// checker is a part whose readings must not have changed until Judge: checked answers store.ErrStale where they have.
type checker interface {
	checked(b *store.Batch, w *completion) error
}

// leaver is a part that leaves something behind where a completion is refused. It returns an error only where nothing
// can be left.
type leaver interface {
	refused(b *store.Batch, w *completion, f decision.Facts) error
}

// payer is a part that changes what a payment posts.
type payer interface {
	pays(w *completion, p *ledger.Posting)
}

// unasking is a part that goes by no more of a person than the locked rows tell: it may be a presumed one.
type unasking interface{ unasking() }

// inert does nothing in every place; parts embed it for those that do not concern them.
type inert struct{}

func (inert) ahead(context.Context, *completion) error                  { return nil }
func (inert) locks(*completion) []store.Lock                            { return nil }
func (inert) judged(*store.Batch, *completion, *decision.Facts)         {}
func (inert) asked(context.Context, *completion, *decision.Facts) error { return nil }
func (inert) paid(*store.Batch, *completion, decision.Reward) error     { return nil }

// concern is a part with the rules whose completions it concerns.
type concern struct {
	part
	of func(*catalog.Rule) bool
}

// concerns lists every part, in the order in which facts are gathered and effects are staged.
func (s *Service) concerns() []concern {
	return []concern{
		{required{Service: s}, func(*catalog.Rule) bool { return true }}, // of every rule where the website has required ones
		{chained{Service: s}, func(r *catalog.Rule) bool { return r.Chained }},
		{multiplied{Service: s}, raises},
		{gift{Service: s}, gives},
		{redemption{Service: s}, redeems},
		{click{Service: s}, clicked},
		{allotted{Service: s}, byList},
		{referral{Service: s}, func(r *catalog.Rule) bool { return r.Type == schema.TypeReferredUser }},
		{quiz{Service: s}, asks},
		{standing{Service: s}, asksStanding},
		{streak{Service: s}, streaks},
		{token{Service: s}, paysToken},
		{verdict{Service: s}, verified}, // the last one: it goes by what the others find
	}
}

// partsOf returns the parts that concern the rule's completions.
func (s *Service) partsOf(r *catalog.Rule) []part {
	parts := make([]part, 0, 4)
	for _, c := range s.parts {
		if c.of(r) {
			parts = append(parts, c.part)
		}
	}
	return parts
}
