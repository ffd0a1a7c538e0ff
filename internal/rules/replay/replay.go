// Package replay decides past completions again by a changed rule, from the facts that each payment has stored, and
// says what the rule would have paid: at once, or as a job in the background. It pays nothing.
package replay

import (
	"context"
	"log/slog"
	"reflect"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Service replays completions.
type Service struct {
	db      *store.DB
	rules   *catalog.Service
	history *rewardhistory.Service
	queue   worker.Runner
}

// Config holds what New needs.
type Config struct {
	DB      *store.DB
	Rules   *catalog.Service
	Rewards *rewardhistory.Service
	Logger  *slog.Logger
}

// New returns the service. Run must be started for jobs to be executed.
func New(c Config) *Service {
	s := &Service{db: c.DB, rules: c.Rules, history: c.Rewards}
	s.queue = s.newQueue(c.Logger)
	return s
}

// Input asks what the completions of a rule in [From, To) would have paid by a changed rule.
type Input struct {
	RuleID   laurel.ID
	Changes  schema.Input // the changes, as in an update of the rule
	From, To time.Time
	Members  int // the most members; 0: any number
	// OnRedecided is called after each completion with its time. An error ends the replay. It may be nil.
	OnRedecided func(at time.Time) error
}

// validate checks the input and applies its changes to the properties.
func (in Input) validate(p *schema.Properties) error {
	var f laurel.Faults
	in.Changes.Update(p, &f)
	if !in.From.Before(in.To) {
		f.Add("to", "must be after from")
	}
	return f.Err()
}

// Replayed sums what completions paid and what they would have paid, in the rule's currency. Jobs store it as JSON.
type Replayed struct {
	Completions int
	Refused     int // completions that would have been refused
	Differing   int // completions that would have been refused or have paid another amount
	Overridden  int // completions that do not differ and whose amount the caller set (contract 4.2)
	Paid        laurel.Amount
	WouldPay    laurel.Amount
}

// Difference returns how much more the changed rule would have paid, or how much less if negative.
func (r Replayed) Difference() laurel.Amount { return r.WouldPay - r.Paid }

// MemberReplayed sums the completions of one member.
type MemberReplayed struct {
	UserID laurel.ID
	Replayed
}

// Replay is the result of a replay.
type Replay struct {
	Rule    catalog.Rule // the changed rule
	Changed bool         // it differs from the saved rule
	Total   Replayed
	Members []MemberReplayed // in the order of their first completion
	// Unknown counts transactions of the rule that were not decided from facts, such as referral shares. No sum includes
	// them.
	Unknown int
}

// Replay decides past completions again by a changed rule and writes nothing. What the changed rule would have paid
// counts for its own windows and caps. Refused calls have left no facts, so nobody knows whether they would have been
// completed. Errors: NotFound "Loyalty rule"; Invalid for invalid changes.
func (s *Service) Replay(ctx context.Context, scope laurel.Scope, in Input) (Replay, error) {
	rule, err := s.rules.Rule(ctx, scope, in.RuleID)
	if err != nil {
		return Replay{}, err
	}
	currency, saved := rule.Currency(), rule.Properties
	if err := in.validate(&rule.Properties); err != nil {
		return Replay{}, err
	}
	r := &collector{
		out:         Replay{Rule: rule, Changed: !reflect.DeepEqual(saved, rule.Properties)},
		meta:        rule.Properties.Meta(),
		currency:    currency,
		states:      map[laurel.ID]*decision.ReplayState{},
		memberIndex: map[laurel.ID]int{},
		onRedecided: in.OnRedecided,
		maxMembers:  in.Members,
	}
	err = s.history.EachCredit(
		ctx,
		scope.At(rule.WebsiteID),
		rewardhistory.Period{RuleID: rule.ID, From: in.From, To: in.To},
		r.addCredit,
	)
	if err == nil {
		err = r.finishTransaction()
	}
	return r.out, err
}

// collector gathers the credits of one transaction at a time, and redecides it when the next one begins.
type collector struct {
	out         Replay
	meta        schema.Meta
	currency    laurel.ID
	states      map[laurel.ID]*decision.ReplayState // by member or group
	memberIndex map[laurel.ID]int
	firstCredit rewardhistory.Credit // the first credit of the present transaction
	paid        laurel.Amount
	onRedecided func(at time.Time) error // may be nil
	maxMembers  int                      // 0: any number
}

// addCredit adds a past credit to its transaction. Credits come transaction by transaction: if this one is the first of
// another transaction, addCredit first finishes the one before.
func (r *collector) addCredit(credit rewardhistory.Credit) error {
	if credit.TransactionID != r.firstCredit.TransactionID {
		if err := r.finishTransaction(); err != nil {
			return err
		}
		r.firstCredit, r.paid = credit, 0
	}
	if credit.CurrencyID == r.currency {
		r.paid += credit.Amount
	}
	return nil
}

// finishTransaction decides again on the transaction whose credits were gathered, and adds the outcome to the sums. It
// does nothing before the first credit. A transaction without facts is only counted as unknown. It returns a refusal if
// there are now more members than allowed.
func (r *collector) finishTransaction() error {
	switch {
	case r.firstCredit.TransactionID.IsZero():
		return nil
	case r.firstCredit.Facts == "":
		r.out.Unknown++
		return nil
	}
	record, err := decision.DecodeRecord([]byte(r.firstCredit.Facts))
	if err != nil {
		return err
	}
	state := r.states[record.SubjectID]
	if state == nil {
		state = &decision.ReplayState{}
		r.states[record.SubjectID] = state
	}
	one := Replayed{Completions: 1, Paid: r.paid}
	reward, refusal := state.Redecide(record, &r.out.Rule.Properties, r.meta, ruletypes.KindOf(r.out.Rule.Type).Decision)
	if refusal != nil {
		one.Refused = 1
	} else {
		one.WouldPay = reward.Total(&r.out.Rule.Properties) + r.referrerBonus(record.Facts)
	}
	if refusal != nil || one.WouldPay != one.Paid {
		one.Differing = 1
	} else if record.Facts.Amount != nil {
		one.Overridden = 1
	}
	r.addToMember(r.firstCredit.UserID, one)
	if r.maxMembers > 0 && len(r.out.Members) > r.maxMembers {
		return laurel.Errorf(laurel.Refused, "More than %d members completed the rule then. Choose a shorter period", r.maxMembers)
	}
	if r.onRedecided == nil {
		return nil
	}
	return r.onRedecided(store.Time(r.firstCredit.At))
}

// referrerBonus returns the bonus that the changed rule would have paid the referrer in the rule's currency (contract
// 5.12); 0 if it would have paid none, or in another currency.
func (r *collector) referrerBonus(f decision.Facts) laurel.Amount {
	terms := r.out.Rule.Referral()
	if r.out.Rule.Type != schema.TypeReferredUser || !f.Referral.HasReferrer || terms.ReferrerBonus <= 0 ||
		r.currency == f.TokenCurrencyID ||
		terms.BonusCurrencyID != nil && *terms.BonusCurrencyID != r.currency {
		return 0
	}
	return terms.ReferrerBonus
}

// addToMember adds a completion to the total and to the sum of its member.
func (r *collector) addToMember(user laurel.ID, one Replayed) {
	i, found := r.memberIndex[user]
	if !found {
		i = len(r.out.Members)
		r.memberIndex[user] = i
		r.out.Members = append(r.out.Members, MemberReplayed{UserID: user})
	}
	for _, sum := range []*Replayed{&r.out.Total, &r.out.Members[i].Replayed} {
		sum.Completions += one.Completions
		sum.Refused += one.Refused
		sum.Differing += one.Differing
		sum.Overridden += one.Overridden
		sum.Paid += one.Paid
		sum.WouldPay += one.WouldPay
	}
}
