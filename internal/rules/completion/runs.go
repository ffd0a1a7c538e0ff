package completion

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Candidate is a member that a run looks at.
type Candidate struct {
	User identity.Ref
	// Known are facts that the run has read of the member for the type of the rule: those that a call has read one by one.
	// Facts that all completions share are filled in.
	Known decision.Facts
}

// RunPage is a part of a run: members that are judged in bulk, as of the time of the run.
type RunPage struct {
	Rule          catalog.CachedRule
	At            time.Time
	Since         time.Time // the run before, if a provider is asked; zero: none has looked at everybody yet
	Candidates    []Candidate
	Verifications Verifications // by an earlier preparation, on something that has changed; nil: this is the first
}

// Verifications is what a provider has said about members, by user: whoever is prepared again is not asked about again,
// unless the question is another one by then.
type Verifications map[laurel.ID]*verification

// PreparedPage is a round of which is known who may be paid. It is good for one Share of each of its candidates.
type PreparedPage struct {
	works         []*completion // nil: refused whatever the locked rows say
	verifications Verifications
	maxReaders    int // candidates that are read for at once; 0: readers
}

// RunWindowKey is the key of the window that a run closes for a member: its time.
func RunWindowKey(at time.Time) string { return laurel.Timestamp{Time: at}.String() }

func (r RunPage) trigger() *EventOrRun {
	return &EventOrRun{By: decision.ByRun, At: r.At, Since: r.Since, Window: RunWindowKey(r.At)}
}

// PreparePage reads in bulk what the decision on the members is prepared on, and refuses without locks those whom no
// row that a payment locks could make eligible. A wallet that nobody has becomes a user with its first payment.
func (s *Service) PreparePage(ctx context.Context, scope laurel.Scope, r RunPage) (*PreparedPage, error) {
	refs := make([]identity.Ref, len(r.Candidates))
	for i, c := range r.Candidates {
		refs[i] = c.User
	}
	people, err := s.people.ResolveMany(ctx, s.db, scope, refs)
	if err != nil {
		return nil, err
	}
	run := r.trigger().mode()
	p := &PreparedPage{
		works: make([]*completion, len(people)), maxReaders: maxReadersOf(r.Rule.Rule), verifications: Verifications{},
	}
	required, err := s.missingRequired(ctx, scope, r, people)
	if err != nil {
		return nil, err
	}
	standings, err := s.chains.Standings(ctx, scope, *r.Rule.Rule, people)
	if err != nil {
		return nil, err
	}
	for i, person := range people {
		w := s.newCompletion(run, scope, CompleteInput{RuleID: r.Rule.Rule.ID, SkipRequired: true})
		w.Person, w.PreparedFacts, w.window, w.preparations = person, r.Candidates[i].Known, run.Window, 1
		if r.Verifications != nil {
			w.preparations = 2
		}
		w.setRule(r.Rule)
		w.reuseVerification(r.Verifications[person.UserID])
		w.PreparedFacts.RequiredMissing, w.PreparedFacts.Chains = required[person.Subject()], standings[i]
		p.works[i] = w
	}
	if err := p.forEach(func(w *completion) (err error) {
		for _, s := range w.steps {
			err = cmp.Or(err, s.Prepare(ctx, &w.Case))
		}
		return err
	}); err != nil {
		return nil, err
	}
	for i, w := range p.works {
		if verification := cmp.Or(w.verification(), r.Verifications[w.Person.UserID]); verification != nil {
			p.verifications[w.Person.UserID] = verification
		}
		if w.isRefusedAnyway() {
			p.works[i] = nil
		}
	}
	err = p.forEach(func(w *completion) error { return w.prepareAutoCheckIns(ctx) })
	return p, err
}

// Verifications returns what a provider has said about the candidates, for a preparation of some of them again.
func (p *PreparedPage) Verifications() Verifications { return p.verifications }

const (
	defaultReaders = 128 // candidates that are read for at once: what they ask for at the same moment is read together
	verifiers      = 8   // candidates about whom a provider is asked at once
)

func maxReadersOf(r *catalog.Rule) int {
	if ruletypes.KindOf(r.Type).AsksProvider() {
		return verifiers
	}
	return 0
}

// forEach reads for every candidate that may be paid.
func (p *PreparedPage) forEach(read func(*completion) error) error {
	return worker.Together(p.works, cmp.Or(p.maxReaders, defaultReaders), func(w *completion) error {
		if w == nil {
			return nil
		}
		return read(w)
	})
}

// isRefusedAnyway reports whether the decision refuses even where nothing was paid yet and progress is complete.
func (w *completion) isRefusedAnyway() bool {
	target := w.Rule.Target()
	f := w.factsOf(&progress.State{Progress: &target}, false, true)
	f.Now = w.Trigger.Moment
	_, err := decision.Decide(f)
	return err != nil
}

// missingRequired returns which subjects of a round have not completed what must be completed before its rule (contract
// 5.8).
func (s *Service) missingRequired(
	ctx context.Context,
	scope laurel.Scope,
	r RunPage,
	people []identity.Person,
) (map[laurel.ID]bool, error) {
	if !r.Rule.HasRequired {
		return nil, nil
	}
	own, err := s.rules.IsRequired(ctx, scope, *r.Rule.Rule)
	if err != nil || own {
		return nil, err
	}
	before, err := s.rules.RequiredAt(ctx, s.db, scope, r.At)
	if err != nil || len(before) == 0 {
		return nil, err
	}
	subjects := make([]laurel.ID, len(people))
	for i, p := range people {
		subjects[i] = p.Subject()
	}
	return progress.SubjectsWithUnmet(ctx, s.db, subjects, before)
}

// MayBePaid reports whether a candidate may be paid.
func (p *PreparedPage) MayBePaid(candidate int) bool { return p.works[candidate] != nil }

// Chunk is the Work of some candidates of a round, from one to before another.
func (p *PreparedPage) Chunk(from, to int) *RunChunk {
	return &RunChunk{works: p.works[from:to]}
}

// Outcome counts what became of candidates.
type Outcome struct {
	Rewarded int // or found eligible, where members claim by call
	Refused  int
	Failed   int // not refused, and yet not payable, as where an amount is out of range
}

// Plus adds two outcomes.
func (o Outcome) Plus(p Outcome) Outcome {
	return Outcome{o.Rewarded + p.Rewarded, o.Refused + p.Refused, o.Failed + p.Failed}
}

// RunChunk pays candidates in one transaction. It is a store.Work; where it returns store.ErrStale the round is
// prepared anew.
type RunChunk struct {
	Outcome
	works []*completion
}

func (s *RunChunk) String() string {
	for _, w := range s.works {
		if w != nil {
			return strconv.Itoa(len(s.works)) + " members of a run, the first: " + w.String()
		}
	}
	return strconv.Itoa(len(s.works)) + " members of a run, none of whom is paid"
}

// Locks are those of every candidate that may be paid.
func (s *RunChunk) Locks() []store.Lock {
	var locks []store.Lock
	for _, w := range s.works {
		if w != nil {
			locks = append(locks, w.Locks()...)
		}
	}
	return locks
}

// Judge decides on every candidate and stages the payments.
func (s *RunChunk) Judge(b *store.Batch) error {
	s.Outcome = Outcome{}
	for _, w := range s.works {
		err := error(nil)
		if w != nil {
			err = w.Judge(b)
		}
		var refusal *laurel.Error
		switch {
		case w == nil:
			s.Refused++
		case err == nil:
			s.Rewarded++
		case errors.As(err, &refusal) && refusal.Code == laurel.Refused:
			s.Refused++
		case errors.As(err, &refusal) && refusal.Code == laurel.Invalid:
			s.Failed++
		default:
			return err
		}
	}
	return nil
}

// CheckRunnable returns nil where a run of the rule may pay anybody, else the refusal that everybody would get: an
// *laurel.Error.
func (s *Service) CheckRunnable(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, at time.Time) error {
	if id := rule.Currency(); rule.DeletedAt.IsZero() && rule.RunsPay() && !id.IsZero() {
		c, err := s.ledger.Currency(ctx, scope, id)
		switch {
		case err != nil && laurel.CodeOf(err) != laurel.NotFound:
			return err
		case err == nil && c.API.PostURL != nil:
			// members of a run are paid by the thousand, what is kept outside one by one
			return ledger.ErrOutside
		}
	}
	return s.checkPayable(ctx, scope, rule, &EventOrRun{By: decision.ByRun, At: at})
}

// checkPayable returns nil where an occasion may pay anybody by a rule, else the refusal that everybody would get: an
// *laurel.Error.
func (s *Service) checkPayable(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, o *EventOrRun) error {
	if !rule.DeletedAt.IsZero() {
		return laurel.Missing("Loyalty rule")
	}
	live := true
	if id := rule.Currency(); !id.IsZero() {
		var err error
		if live, err = s.ledger.Live(ctx, scope, id); err != nil {
			return err
		}
	}
	able, err := s.verifiers.Equipped(ctx, scope, &rule.Properties)
	if err != nil {
		return err
	}
	return decision.CheckRunnable(
		decision.Facts{
			Rule:            &rule.Properties,
			Meta:            rule.Meta(),
			Now:             o.At,
			TriggeredBy:     o.By,
			CurrencyLive:    live,
			TokenCurrencyID: rule.TokenCurrencyID,
			Kind:            ruletypes.KindOf(rule.Type).Decision,
			Verdict:         decision.Verdict{HasProvider: able},
		},
	)
}

// claimants are the members of the group that claims: what runs found of them before they joined is claimed with what
// was found of the group.
func (w *completion) claimants() []laurel.ID {
	switch {
	case !w.IsClaim():
		return nil
	case w.mode.isDecided:
		return w.mode.claimants
	}
	return w.Person.Group
}

// progressAfterPayment is the progress after the payment: none of what is claimed, until a run finds the member
// eligible again. One may have, while the outside was asked.
func (w *completion) progressAfterPayment(sub *progress.State) *laurel.Amount {
	target, found := w.Rule.Target(), w.ClaimedEligibility(sub)
	switch {
	case found != nil && sub.EligibleAt != nil && *sub.EligibleAt > *found:
		return sub.Progress
	case w.IsClaim() || w.Rule.Meta().ResetProgressOnClaim:
		return nil
	}
	return &target
}

// noteEligible notes that the member is eligible: progress is complete.
func (w *completion) noteEligible(b *store.Batch) error {
	target, at := w.Rule.Target(), store.Micros(w.Trigger.Moment)
	in := StatusInput{Progress: &target}
	return (&statusWork{scope: w.Scope, in: in, rule: w.Rule, person: w.Person, eligibleAt: &at}).Judge(b)
}

// RunWindow is a window of a rule that others than completions pay: shares of what somebody earned.
type RunWindow struct{ Rule, User laurel.ID }

func (c RunWindow) key(at time.Time) progress.WindowKey {
	return progress.WindowKey{Rule: c.Rule, Subject: c.User, Window: RunWindowKey(at)}
}

// Lock names the window of a run.
func (c RunWindow) Lock(at time.Time) store.Lock { return progress.PaidWindows.Lock(c.key(at)) }

// MarkPaid closes the window with a transaction.
func (c RunWindow) MarkPaid(b *store.Batch, at time.Time, t ledger.Transaction) {
	row := progress.PaidWindows.Changed(b, c.key(at))
	row.OrganizationID, row.WebsiteID, row.UserID, row.TransactionID = t.OrganizationID, t.WebsiteID, c.User, t.ID
	row.CreatedAt = store.Micros(at)
}

// IsOpen reports whether nothing was paid in the window yet.
func (c RunWindow) IsOpen(b *store.Batch, at time.Time) bool {
	return progress.PaidWindows.Row(b, c.key(at)).CreatedAt == 0
}

// PaidUsers returns for which users of a rule the window of a run is closed, read without locks.
func (s *Service) PaidUsers(
	ctx context.Context,
	_ laurel.Scope,
	rule laurel.ID,
	users []laurel.ID,
	at time.Time,
) (map[laurel.ID]bool, error) {
	return progress.PaidSubjects(ctx, s.db, rule, RunWindowKey(at), users)
}

// Result returns what became of the candidates when the Work was committed.
func (s *RunChunk) Result() Outcome { return s.Outcome }
