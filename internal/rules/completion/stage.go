package completion

import (
	"encoding/json"

	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// stage stages what follows from a judgment: a payment, a post that asks an external ledger for it, a note that the
// member may claim it, a job, or what a refusal leaves. It returns the refusal.
func (p *plan) stage(b *store.Batch, j judgment) (outcome, error) {
	switch {
	case j.refusal != nil:
		return p.stageRefusal(b, j)
	case j.reward.IsDeferred:
		return p.stageJob(b, j.reward)
	case p.Trigger.Kind == decision.TriggerRun && p.Rule.IsClaimedByCall():
		return outcome{}, p.noteEligible(b)
	}
	posting := p.finalPosting(b, j)
	if p.post != nil {
		return p.stagePost(b, posting, j.reward)
	}
	result, err := p.stagePayment(b, posting, j.reward)
	if err == nil {
		p.stageCheckIns(b)
	}
	return outcome{result: result}, err
}

// stageRefusal stages what the steps leave of a refused completion, such as the answer of a quiz. It returns the
// refusal.
func (p *plan) stageRefusal(b *store.Batch, j judgment) (outcome, error) {
	var o outcome
	if p.Trigger.CountsRefusals {
		o.failedCheck = decision.FailedCheck(*j.facts)
	}
	for _, s := range p.steps {
		if s.ApplyRefusal != nil {
			if err := s.ApplyRefusal(b, &p.Case, *j.facts); err != nil {
				return o, err
			}
		}
	}
	return o, j.refusal
}

// stageJob stages the completion as a job, which is decided later, by means of the step of the rule type.
func (p *plan) stageJob(b *store.Batch, reward decision.Reward) (outcome, error) {
	if err := p.Person.Admit(b, p.Scope); err != nil {
		return outcome{}, err
	}
	result := Completion{Status: completionjobs.Pending, Rewards: []Paid{}}
	for _, s := range p.steps {
		if s.Defer != nil {
			result.Message = s.Defer(b, &p.Case, reward)
		}
	}
	return outcome{result: result}, nil
}

// noteEligible stages complete progress and the time of the run, which show that the run found the member eligible.
func (p *plan) noteEligible(b *store.Batch) error {
	target, at := p.Rule.Target(), store.Micros(p.Trigger.Moment)
	in := StatusInput{Progress: &target}
	return (&statusWork{scope: p.Scope, in: in, rule: p.Rule, person: p.Person, eligibleAt: &at}).Judge(b)
}

// stagePayment stages everything that one completion writes: the entries of its posting, the rule state, what the steps
// add, and the use of the caller's key, unless it was used meanwhile. It returns the result.
func (p *plan) stagePayment(b *store.Batch, posting ledger.Posting, reward decision.Reward) (Completion, error) {
	result := Completion{Message: decision.MsgQueued, Status: "completed", Rewards: p.paidRewards(reward)}
	payment := ruletypes.Payment{Reward: reward}
	usesKey := p.In.Key != "" && !p.keyIsUsed(b)
	if len(posting.Lines) > 0 {
		var err error
		if payment.Transaction, err = posting.Stage(b); err != nil {
			return Completion{}, err
		}
		markHeld(result.Rewards, posting, payment.Transaction)
		result.TransactionID = &payment.Transaction.ID
	}
	if err := p.Person.Admit(b, p.Scope); err != nil { // the entries may all be those of others, such as the referrer
		return Completion{}, err
	}
	p.updateRuleState(b, reward.Amount, payment.Transaction.ID)
	for _, s := range p.steps {
		if s.Apply != nil {
			if err := s.Apply(b, &p.Case, &payment); err != nil {
				return Completion{}, err
			}
		}
	}
	if p.verification != nil && payment.GivesReward() {
		p.verification.answer.StagePayouts(b, p.Scope) // that a function requests (contract 7.6)
	}
	if usesKey {
		p.stageKeyUse(b, result)
	}
	return result, nil
}

// finalPosting returns the posting of the reward with the facts of the decision, after the steps have edited it.
func (p *plan) finalPosting(b *store.Batch, j judgment) ledger.Posting {
	posting := p.posting(j.reward, j.facts.CurrencyLive)
	if len(posting.Lines) > 0 {
		posting.Facts = p.decisionRecord(progress.States.Row(b, p.StateKey()), *j.facts)
	}
	for _, s := range p.steps {
		if s.EditPosting != nil {
			s.EditPosting(&p.Case, &posting)
		}
	}
	if p.verification != nil && p.verification.answer.Data != "" && len(posting.Lines) > 0 {
		posting.Lines[0].Metadata = mergeObjects(json.RawMessage(p.verification.answer.Data), posting.Lines[0].Metadata)
	}
	return posting
}

// mergeObjects returns the values of two JSON objects as one. The later values win: those of the entry over those that
// a function has set.
func mergeObjects(objects ...json.RawMessage) json.RawMessage {
	merged := map[string]json.RawMessage{}
	for _, object := range objects {
		if len(object) > 0 {
			_ = json.Unmarshal(object, &merged) // all are valid: checked before, or encoded here
		}
	}
	return store.JSON(merged)
}

// decisionRecord encodes the facts of the decision, which the payment stores so that it can be decided again.
func (p *plan) decisionRecord(state *progress.State, facts decision.Facts) json.RawMessage {
	r := decision.Record{RuleVersion: p.Rule.Version, SubjectID: p.Person.Subject(), Facts: facts}
	if state.WindowPaidAt != nil {
		r.WindowPaidAt = store.Time(*state.WindowPaidAt)
	}
	return r.Encode()
}
