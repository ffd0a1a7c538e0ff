// Package replay decides past completions again by a changed rule, from the facts that each of them has kept, and tells
// what that would have paid: at once, or as a job in the background.
package replay

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"laurel"
	"laurel/internal/points/rewardhistory"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Service returns what would have been.
type Service struct {
	db    *store.DB
	rules *catalog.Service
	paid  *rewardhistory.Service
	queue worker.Runner
}

// Config is what a Service is made of.
type Config struct {
	DB      *store.DB
	Rules   *catalog.Service
	Rewards *rewardhistory.Service
	Logger  *slog.Logger
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, rules: c.Rules, paid: c.Rewards}
	s.queue = s.open(c.Logger)
	return s
}

// Input asks what past completions of a rule in [From, To) would have come to by another.
type Input struct {
	RuleID   laurel.ID
	Changes  schema.Input // as an update of the rule would have them
	From, To time.Time
	Members  int // at most; 0: any number
	// Judged is told when a completion took place that was decided again, and may end the replay; nil: nobody follows.
	Judged func(at time.Time) error
}

// validate checks the input and changes the properties of a rule by it.
func (in Input) validate(p *schema.Properties) error {
	var f laurel.Faults
	in.Changes.Update(p, &f)
	if !in.From.Before(in.To) {
		f.Add("to", "must be after from")
	}
	return f.Err()
}

// Replayed is what completions paid and would have paid, in the rule's currency.
type Replayed struct {
	Completions int
	Refused     int // would not have been completed
	Differing   int // would not have been completed, or would have paid another amount
	Paid        laurel.Amount
	WouldPay    laurel.Amount
}

// Difference is what the changed rule would have paid more, or less.
func (r Replayed) Difference() laurel.Amount { return r.WouldPay - r.Paid }

// MemberReplayed is a member's share of a replay.
type MemberReplayed struct {
	UserID laurel.ID
	Replayed
}

// Replay is the outcome.
type Replay struct {
	Rule    catalog.Rule // as it would be
	Changed bool         // it is not the saved one
	Total   Replayed
	Members []MemberReplayed // in the order of their first completion
	// transactions of the rule that were not decided from facts, such as shares of referrals: they are in no sum
	Unknown int
	// completions whose amount the caller set (contract 4.2): no change of the rule changes what they pay
	Overridden int
}

// Replay decides past completions again by a changed rule, from the facts that each has kept, and writes nothing. What
// the changed rule would have paid counts for its own windows and maxima. Calls that were refused left nothing behind:
// nobody knows whether they would have been completed. Errors: NotFound "Loyalty rule"; Invalid where the changes are.
func (s *Service) Replay(ctx context.Context, scope laurel.Scope, in Input) (Replay, error) {
	rule, err := s.rules.Rule(ctx, scope, in.RuleID)
	if err != nil {
		return Replay{}, err
	}
	currency, saved := rule.Currency(), rule.Properties
	if err := in.validate(&rule.Properties); err != nil {
		return Replay{}, err
	}
	r := &replay{
		out:      Replay{Rule: rule, Changed: !reflect.DeepEqual(saved, rule.Properties)},
		meta:     rule.Properties.Meta(),
		currency: currency,
		memories: map[laurel.ID]*decision.ReplayState{},
		members:  map[laurel.ID]int{},
		judged:   in.Judged,
		most:     in.Members,
	}
	err = s.paid.EachCredit(
		ctx,
		scope.At(rule.WebsiteID),
		rewardhistory.Period{RuleID: rule.ID, From: in.From, To: in.To},
		r.take,
	)
	if err == nil {
		err = r.end()
	}
	return r.out, err
}

// replay gathers the credits of one transaction at a time.
type replay struct {
	out      Replay
	meta     schema.Meta
	currency laurel.ID
	memories map[laurel.ID]*decision.ReplayState // by member or group
	members  map[laurel.ID]int
	open     rewardhistory.Credit // the first credit of the transaction that is being gathered
	paid     laurel.Amount
	judged   func(at time.Time) error // nil: nobody follows
	most     int                      // members; 0: any number
}

func (r *replay) take(p rewardhistory.Credit) error {
	if p.TransactionID != r.open.TransactionID {
		if err := r.end(); err != nil {
			return err
		}
		r.open, r.paid = p, 0
	}
	if p.CurrencyID == r.currency {
		r.paid += p.Amount
	}
	return nil
}

// end decides the gathered transaction again.
func (r *replay) end() error {
	switch {
	case r.open.TransactionID.IsZero():
		return nil
	case r.open.Facts == "":
		r.out.Unknown++
		return nil
	}
	record, err := decision.DecodeRecord([]byte(r.open.Facts))
	if err != nil {
		return err
	}
	if record.Facts.Amount != nil {
		r.out.Overridden++
	}
	memory := r.memories[record.SubjectID]
	if memory == nil {
		memory = &decision.ReplayState{}
		r.memories[record.SubjectID] = memory
	}
	one := Replayed{Completions: 1, Paid: r.paid}
	reward, refusal := memory.Redecide(record, &r.out.Rule.Properties, r.meta, ruletypes.KindOf(r.out.Rule.Type).Decision)
	if refusal != nil {
		one.Refused = 1
	} else {
		one.WouldPay = reward.Total(&r.out.Rule.Properties) + r.lump(record.Facts)
	}
	if refusal != nil || one.WouldPay != one.Paid {
		one.Differing = 1
	}
	r.add(r.open.UserID, one)
	if r.most > 0 && len(r.out.Members) > r.most {
		return laurel.Errorf(laurel.Refused, "More than %d members completed the rule then. Choose a shorter period", r.most)
	}
	if r.judged == nil {
		return nil
	}
	return r.judged(store.Time(r.open.At))
}

// lump is what the changed rule would have given who brought the member, in the rule's currency (contract 5.12).
func (r *replay) lump(f decision.Facts) laurel.Amount {
	terms := r.out.Rule.Referral()
	if r.out.Rule.Type != schema.TypeReferredUser || !f.Referral.HasReferrer || terms.ReferrerBonus <= 0 ||
		r.currency == f.TokenCurrencyID ||
		terms.BonusCurrencyID != nil && *terms.BonusCurrencyID != r.currency {
		return 0
	}
	return terms.ReferrerBonus
}

func (r *replay) add(user laurel.ID, one Replayed) {
	i, known := r.members[user]
	if !known {
		i = len(r.out.Members)
		r.members[user] = i
		r.out.Members = append(r.out.Members, MemberReplayed{UserID: user})
	}
	for _, sum := range []*Replayed{&r.out.Total, &r.out.Members[i].Replayed} {
		sum.Completions += one.Completions
		sum.Refused += one.Refused
		sum.Differing += one.Differing
		sum.Paid += one.Paid
		sum.WouldPay += one.WouldPay
	}
}
