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

// Candidate is a member that a run considers.
type Candidate struct {
	User identity.Ref
	// Facts are the facts that the run has read for this rule type in bulk. PreparePage adds those that all completions
	// share.
	Facts decision.Facts
}

// RunPage is a page of candidates of a run, decided as of the time of the run.
type RunPage struct {
	Rule          catalog.CachedRule
	At            time.Time
	PreviousRunAt time.Time // the last run that covered all members, for providers; zero: none has
	Candidates    []Candidate
	Verifications Verifications // results of an earlier preparation of the page; nil: this is the first
}

// Verifications are results of a provider by user. A candidate that is prepared again is verified again only if the
// question has changed.
type Verifications map[laurel.ID]*verification

// PreparedPage is a page whose candidates have been checked without locks. Each candidate goes into one chunk.
type PreparedPage struct {
	completions   []*completion // by candidate; nil: refused whatever the locked rows show
	verifications Verifications
	maxAtOnce     int // candidates that are prepared at once; 0: preparedAtOnce
}

// RunWindowKey returns the key of the window that a run closes for each member that it pays: the time of the run.
func RunWindowKey(at time.Time) string { return laurel.Timestamp{Time: at}.String() }

// eventOrRun returns the trigger of the page's completions.
func (r RunPage) eventOrRun() *EventOrRun {
	return &EventOrRun{Kind: decision.TriggerRun, At: r.At, PreviousRunAt: r.PreviousRunAt, Window: RunWindowKey(r.At)}
}

// PreparePage reads in bulk what the decision on the candidates needs. It drops the candidates that are sure to be
// refused, whatever the decision will find under its locks. A candidate's wallet without a user gets a user with its
// first payment.
func (s *Service) PreparePage(ctx context.Context, scope laurel.Scope, r RunPage) (*PreparedPage, error) {
	refs := make([]identity.Ref, len(r.Candidates))
	for i, c := range r.Candidates {
		refs[i] = c.User
	}
	people, err := s.people.ResolveMany(ctx, s.db, scope, refs)
	if err != nil {
		return nil, err
	}
	p, err := s.newPage(ctx, scope, r, people)
	if err != nil {
		return nil, err
	}
	if err := p.forEach(func(w *completion) (err error) {
		for _, s := range w.steps {
			err = cmp.Or(err, s.Prepare(ctx, &w.Case))
		}
		return err
	}); err != nil {
		return nil, err
	}
	p.dropRefused(r.Verifications)
	err = p.forEach(func(w *completion) error { return w.prepareAutoCheckIns(ctx) })
	return p, err
}

// newPage returns the completions of the candidates of a page. people holds the person of each candidate. newPage reads
// the facts about required rules and chains for all of them at once, and does not prepare the steps of the completions.
func (s *Service) newPage(
	ctx context.Context, scope laurel.Scope, r RunPage, people []identity.Person,
) (*PreparedPage, error) {
	missingRequired, err := s.missingRequired(ctx, scope, r, people)
	if err != nil {
		return nil, err
	}
	chainStates, err := s.chains.ChainStates(ctx, scope, *r.Rule.Rule, people)
	if err != nil {
		return nil, err
	}
	run := r.eventOrRun().mode()
	p := &PreparedPage{
		completions: make([]*completion, len(people)), maxAtOnce: maxAtOnceOf(r.Rule.Rule), verifications: Verifications{},
	}
	for i, person := range people {
		w := s.newCompletion(run, scope, CompleteInput{RuleID: r.Rule.Rule.ID, SkipRequired: true}) // read in bulk below
		w.Person, w.PreparedFacts, w.window, w.preparations = person, r.Candidates[i].Facts, run.Window, 1
		if r.Verifications != nil {
			w.preparations = 2 // the page was prepared before
		}
		w.setRule(r.Rule)
		w.reuseVerification(r.Verifications[person.UserID])
		w.PreparedFacts.RequiredMissing, w.PreparedFacts.Chains = missingRequired[person.Subject()], chainStates[i]
		p.completions[i] = w
	}
	return p, nil
}

// dropRefused drops the completions that are sure to be refused. For all candidates it keeps the results of the
// provider: those of this preparation, or else those of an earlier one.
func (p *PreparedPage) dropRefused(earlier Verifications) {
	for i, w := range p.completions {
		if verification := cmp.Or(w.verification(), earlier[w.Person.UserID]); verification != nil {
			p.verifications[w.Person.UserID] = verification
		}
		if w.isRefusedAnyway() {
			p.completions[i] = nil
		}
	}
}

// Verifications returns the results of the provider, for preparing some of the candidates again.
func (p *PreparedPage) Verifications() Verifications { return p.verifications }

const (
	preparedAtOnce = 128 // candidates that are prepared at once: their reads are combined
	verifiedAtOnce = 8   // candidates that a provider verifies at once
)

// maxAtOnceOf returns how many candidates of a rule are prepared at once; 0: preparedAtOnce.
func maxAtOnceOf(r *catalog.Rule) int {
	if ruletypes.KindOf(r.Type).AsksProvider() {
		return verifiedAtOnce
	}
	return 0
}

// forEach calls read for every candidate that was not dropped, for many at once.
func (p *PreparedPage) forEach(read func(*completion) error) error {
	return worker.ForEach(p.completions, cmp.Or(p.maxAtOnce, preparedAtOnce), func(w *completion) error {
		if w == nil {
			return nil
		}
		return read(w)
	})
}

// isRefusedAnyway reports whether the decision refuses even if nothing was paid yet and progress is complete.
func (w *completion) isRefusedAnyway() bool {
	target := w.Rule.Target()
	const isPaid, isCurrencyLive = false, true
	f := w.factsOf(&progress.State{Progress: &target}, isPaid, isCurrencyLive)
	f.Now = w.Trigger.Moment
	_, err := decision.Decide(f)
	return err != nil
}

// missingRequired returns which of the people's subjects (a user or its group) have not completed all rules that are
// required before the rule of the page (contract 5.8); nil if none are required.
func (s *Service) missingRequired(
	ctx context.Context,
	scope laurel.Scope,
	r RunPage,
	people []identity.Person,
) (map[laurel.ID]bool, error) {
	if !r.Rule.HasRequired {
		return nil, nil
	}
	isRequired, err := s.rules.IsRequired(ctx, scope, *r.Rule.Rule)
	if err != nil || isRequired { // a required rule has no required rules itself
		return nil, err
	}
	requiredRules, err := s.rules.RequiredAt(ctx, s.db, scope, r.At)
	if err != nil || len(requiredRules) == 0 {
		return nil, err
	}
	subjects := make([]laurel.ID, len(people))
	for i, p := range people {
		subjects[i] = p.Subject()
	}
	return progress.SubjectsWithUncompleted(ctx, s.db, subjects, requiredRules)
}

// MayBePaid reports whether a candidate may be paid, as far as is known without locks.
func (p *PreparedPage) MayBePaid(candidate int) bool { return p.completions[candidate] != nil }

// Chunk returns the Work that pays the candidates from one index to before another.
func (p *PreparedPage) Chunk(from, to int) *RunChunk {
	return &RunChunk{completions: p.completions[from:to]}
}

// Outcome counts the results of candidates.
type Outcome struct {
	Rewarded int // or found eligible, where members claim by call
	Refused  int
	Failed   int // not refused, and yet not payable, as where an amount is out of range
}

// Plus returns the sum of two outcomes.
func (o Outcome) Plus(p Outcome) Outcome {
	return Outcome{o.Rewarded + p.Rewarded, o.Refused + p.Refused, o.Failed + p.Failed}
}

// RunChunk pays candidates of a page in one transaction. It is a store.Work; after store.ErrStale the page must be
// prepared again.
type RunChunk struct {
	Outcome
	completions []*completion
}

// String describes the chunk in log messages.
func (s *RunChunk) String() string {
	for _, w := range s.completions {
		if w != nil {
			return strconv.Itoa(len(s.completions)) + " members of a run, the first: " + w.String()
		}
	}
	return strconv.Itoa(len(s.completions)) + " members of a run, none of them to be paid"
}

// Locks returns the locks of every candidate that may be paid.
func (s *RunChunk) Locks() []store.Lock {
	var locks []store.Lock
	for _, w := range s.completions {
		if w != nil {
			locks = append(locks, w.Locks()...)
		}
	}
	return locks
}

// Judge decides on every candidate, stages the payments and counts the outcome. Refusals are counted; it returns only
// other errors, such as store.ErrStale.
func (s *RunChunk) Judge(b *store.Batch) error {
	s.Outcome = Outcome{}
	for _, w := range s.completions {
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

// CheckRunnable returns nil if a run of the rule at a moment can pay anybody, or the refusal that every member would
// get. It returns ledger.ErrExternal if the rule pays points of an external ledger, which runs never pay.
func (s *Service) CheckRunnable(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, at time.Time) error {
	if id := rule.Currency(); rule.DeletedAt.IsZero() && rule.RunsPay() && !id.IsZero() {
		c, err := s.ledger.Currency(ctx, scope, id)
		switch {
		case err != nil && laurel.CodeOf(err) != laurel.NotFound:
			return err
		case err == nil && c.API.PostURL != nil:
			// runs pay thousands of members, an external ledger is asked for each payment
			return ledger.ErrExternal
		}
	}
	return s.checkPayable(ctx, scope, rule, &EventOrRun{Kind: decision.TriggerRun, At: at})
}

// checkPayable returns nil if the trigger can pay anybody by the rule, or the refusal that every member would get, an
// *laurel.Error. Any other error is a fault.
func (s *Service) checkPayable(ctx context.Context, scope laurel.Scope, rule *catalog.Rule, trigger *EventOrRun) error {
	if !rule.DeletedAt.IsZero() {
		return laurel.Missing("Loyalty rule")
	}
	currencyLive := true
	if id := rule.Currency(); !id.IsZero() {
		var err error
		if currencyLive, err = s.ledger.IsLive(ctx, scope, id); err != nil {
			return err
		}
	}
	hasProvider, err := s.verifiers.IsAvailable(ctx, scope, &rule.Properties)
	if err != nil {
		return err
	}
	return decision.CheckRunnable(
		decision.Facts{
			Rule:            &rule.Properties,
			Meta:            rule.Meta(),
			Now:             trigger.At,
			TriggeredBy:     trigger.Kind,
			CurrencyLive:    currencyLive,
			TokenCurrencyID: rule.TokenCurrencyID,
			Kind:            ruletypes.KindOf(rule.Type).Decision,
			Verdict:         decision.Verdict{HasProvider: hasProvider},
		},
	)
}

// claimants returns the members of the group that claims; nil if this is no claim or the member has no group. The
// eligibility that runs found for them before they joined is claimed along with that of the group.
func (w *completion) claimants() []laurel.ID {
	switch {
	case !w.IsClaim():
		return nil
	case w.mode.isDecided:
		return w.mode.claimants
	}
	return w.Person.Group
}

// progressAfterPayment returns the progress to store: the target, or nil after a claim or if the rule resets progress
// with each payment. If a run has found the member eligible again while an external ledger was asked about the claim,
// the progress stays as it is.
func (w *completion) progressAfterPayment(state *progress.State) *laurel.Amount {
	target, claimedAt := w.Rule.Target(), w.ClaimEligibleAt(state)
	switch {
	case claimedAt != nil && state.EligibleAt != nil && *state.EligibleAt > *claimedAt:
		return state.Progress
	case w.IsClaim() || w.Rule.Meta().ResetProgressOnClaim:
		return nil
	}
	return &target
}

// noteEligible stages complete progress and the time of the run, which show that the run found the member eligible.
func (w *completion) noteEligible(b *store.Batch) error {
	target, at := w.Rule.Target(), store.Micros(w.Trigger.Moment)
	in := StatusInput{Progress: &target}
	return (&statusWork{scope: w.Scope, in: in, rule: w.Rule, person: w.Person, eligibleAt: &at}).Judge(b)
}

// RunWindow is the window of a run for one user, for payments that are no completions: referral shares.
type RunWindow struct{ Rule, User laurel.ID }

// key returns the key of the paid window of a run.
func (c RunWindow) key(at time.Time) progress.WindowKey {
	return progress.WindowKey{Rule: c.Rule, Subject: c.User, Window: RunWindowKey(at)}
}

// Lock returns the lock of the window of a run.
func (c RunWindow) Lock(at time.Time) store.Lock { return progress.PaidWindows.Lock(c.key(at)) }

// MarkPaid stages that a transaction has paid the window.
func (c RunWindow) MarkPaid(b *store.Batch, at time.Time, t ledger.Transaction) {
	row := progress.PaidWindows.Changed(b, c.key(at))
	row.OrganizationID, row.WebsiteID, row.UserID, row.TransactionID = t.OrganizationID, t.WebsiteID, c.User, t.ID
	row.CreatedAt = store.Micros(at)
}

// IsOpen reports whether nothing was paid in the window yet. Its lock is held.
func (c RunWindow) IsOpen(b *store.Batch, at time.Time) bool {
	return progress.PaidWindows.Row(b, c.key(at)).CreatedAt == 0
}

// PaidUsers returns which of the users were paid by the run of the rule at a time, read without locks.
func (s *Service) PaidUsers(
	ctx context.Context,
	_ laurel.Scope,
	rule laurel.ID,
	users []laurel.ID,
	at time.Time,
) (map[laurel.ID]bool, error) {
	return progress.PaidSubjects(ctx, s.db, rule, RunWindowKey(at), users)
}

// Result returns the outcome of the committed chunk.
func (s *RunChunk) Result() Outcome { return s.Outcome }
