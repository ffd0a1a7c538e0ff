package completion

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/worker"
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
	plans         []*plan // by candidate; nil: refused whatever the locked rows show
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
// first payment. Errors: NotReady.
func (s *Service) PreparePage(ctx context.Context, scope laurel.Scope, r RunPage) (*PreparedPage, error) {
	refs := make([]identity.Ref, len(r.Candidates))
	for i, c := range r.Candidates {
		refs[i] = c.User
	}
	people, err := s.people.ResolveMany(ctx, s.db, scope, refs)
	if err != nil {
		return nil, err
	}
	page, err := s.newPage(ctx, scope, r, people)
	if err != nil {
		return nil, err
	}
	if r.Verifications == nil && s.verifiers.Prefetches(&r.Rule.Rule.Properties) {
		if err := s.prefetch(ctx, scope, &r.Rule.Rule.Properties, page); err != nil {
			return nil, err
		}
	}
	if err := page.forEach(func(p *plan) error {
		err := prepareSteps(ctx, p)
		p.setVerifiedWindow(&progress.State{}, r.At)
		return err
	}); err != nil {
		return nil, err
	}
	page.dropRefused(r.Verifications)
	err = page.forEach(func(p *plan) error { return s.prepareCheckIns(ctx, p) })
	return page, err
}

// prefetch lets the provider read about all candidates of a page at once.
func (s *Service) prefetch(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, page *PreparedPage,
) error {
	var mu sync.Mutex
	var questions []providers.VerificationRequest
	if err := page.forEach(func(p *plan) error {
		q, err := s.questionAbout(ctx, p)
		mu.Lock()
		defer mu.Unlock()
		questions = append(questions, q)
		return err
	}); err != nil {
		return err
	}
	return s.verifiers.Prefetch(ctx, scope, rule, questions)
}

// newPage returns the plans of the candidates of a page. people holds the person of each candidate. newPage reads the
// facts about required rules and chains for all of them at once, and does not prepare the steps of the plans.
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
	run := &request{scope: scope, trigger: r.eventOrRun().trigger()}
	run.in = CompleteInput{RuleID: r.Rule.Rule.ID, SkipRequired: true} // required rules are read in bulk
	preparation := 1
	if r.Verifications != nil {
		preparation = 2 // the page was prepared before
	}
	page := &PreparedPage{
		plans: make([]*plan, len(people)), maxAtOnce: maxAtOnceOf(r.Rule.Rule), verifications: Verifications{},
	}
	for i, person := range people {
		p := s.newPlan(s.resolveFor(run, r.Rule, person), preparation)
		p.PreparedFacts, p.window, p.previous = r.Candidates[i].Facts, run.trigger.Window, r.Verifications[person.UserID]
		p.PreparedFacts.RequiredMissing, p.PreparedFacts.Chains = missingRequired[person.Subject()], chainStates[i]
		page.plans[i] = p
	}
	return page, nil
}

// dropRefused drops the candidates that are sure to be refused. For all of them it keeps the results of the provider:
// those of this preparation, or else those of an earlier one.
func (p *PreparedPage) dropRefused(earlier Verifications) {
	for i, candidate := range p.plans {
		if v := cmp.Or(candidate.verification, earlier[candidate.Person.UserID]); v != nil {
			p.verifications[candidate.Person.UserID] = v
		}
		if candidate.isRefusedAnyway() {
			p.plans[i] = nil
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
	if ruletypes.KindOf(r.Type).AsksProviderOneByOne() {
		return verifiedAtOnce
	}
	return 0
}

// forEach calls read for every candidate that was not dropped, for many at once.
func (p *PreparedPage) forEach(read func(*plan) error) error {
	return worker.ForEach(p.plans, cmp.Or(p.maxAtOnce, preparedAtOnce), func(candidate *plan) error {
		if candidate == nil {
			return nil
		}
		return read(candidate)
	})
}

// isRefusedAnyway reports whether the decision refuses even if nothing was paid yet and progress is complete.
func (p *plan) isRefusedAnyway() bool {
	target := p.Rule.Target()
	const isPaid, isCurrencyLive = false, true
	f := p.factsOf(&progress.State{Progress: &target}, isPaid, isCurrencyLive)
	f.Now = p.Trigger.Moment
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
func (p *PreparedPage) MayBePaid(candidate int) bool { return p.plans[candidate] != nil }

// Chunk returns the Work that pays the candidates from one index to before another.
func (p *PreparedPage) Chunk(from, to int) *RunChunk {
	return &RunChunk{plans: p.plans[from:to]}
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

// NotReady is the error of PreparePage while the provider still reads what it needs about a page. It is the reason.
type NotReady = providers.NotReady

// PrepareRun makes sure that the provider of the rule can verify the members of a run at a moment. waitsFor says why
// the run must wait; "": it need not. It returns the refusal that every member would get, if there is one.
func (s *Service) PrepareRun(
	ctx context.Context, scope laurel.Scope, rule *catalog.Rule, at time.Time,
) (waitsFor string, err error) {
	err = s.verifiers.PrepareRun(ctx, scope, &rule.Properties, at)
	if reason := NotReady(""); errors.As(err, &reason) {
		return string(reason), nil
	}
	return "", err
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
