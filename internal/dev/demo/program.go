package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/schema"
)

const (
	streakMetadata   = `{"enableStreaks":true,"streakArray":[{"streakMilestone":3,"streakAmount":5},{"streakMilestone":7,"streakAmount":20}]}`
	referralMetadata = `{"referrerReward":25,"referralRequirements":{"achievePoints":true,"points":{"amount":150}}}`
)

// builder creates the demo's program and history. Its fields are what the steps so far have created.
type builder struct {
	Services
	scope       laurel.Scope
	random      *rand.Rand
	result      Result
	pointsID    laurel.ID
	welcomeRule laurel.ID
	reviewRule  laurel.ID
	quiz, poll  engagement.Question

	accountRules []laurel.ID // for linked accounts
	completions  atomic.Int64
	program      program
	store        store
}

// setUp creates the program before its first member joins: the admin, a second currency, the rules in their groups,
// their questions and lists, and the badge of the opening.
func (b *builder) setUp(ctx context.Context, p Program) error {
	if err := b.createAdminAndGroups(ctx, p); err != nil {
		return err
	}
	gems, err := b.Ledger.CreateCurrency(
		ctx,
		b.scope,
		ledger.CurrencyPatch{}.With("name", "Gems").With("symbol", "GEM").With("decimals", int64(2)),
	)
	if err != nil {
		return err
	}
	b.result.GemsID, b.pointsID = gems.ID, p.CurrencyID
	first := ledger.CurrencyPatch{}.With("sortId", int64(1)) // points lead every page
	if _, err := b.Ledger.UpdateCurrency(ctx, b.scope, p.CurrencyID, first); err != nil {
		return err
	}
	cap500 := 500 * laurel.One
	for _, r := range []struct {
		id *laurel.ID // where to store the id of the rule
		in schema.Input
	}{
		{&b.welcomeRule, schema.Input{Name: laurel.Some("Welcome"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"), Amount: laurel.Some(100 * laurel.One)}},
		{&b.result.CheckInID, schema.Input{Name: laurel.Some("Daily check-in"), Type: laurel.Some("check_in"), Interval: laurel.Some("daily"), Amount: laurel.Some(5 * laurel.One),
			Metadata: laurel.Some(json.RawMessage(streakMetadata))}},
		{&b.result.PurchaseID, schema.Input{Name: laurel.Some("Purchase"), Type: laurel.Some("external_rule"), Interval: laurel.Some("unlimited"), Amount: laurel.Some(laurel.One),
			Description: laurel.Some("A point for each euro of an order"), Metadata: laurel.Some(json.RawMessage(`{"rewardPerValue": true}`)),
			MaxAmountInterval: laurel.Some("daily"), MaxAmountPerInterval: laurel.Some(cap500)}},
		{&b.reviewRule, schema.Input{Name: laurel.Some("Review of the week"), Type: laurel.Some("external_rule"), Interval: laurel.Some("weekly"), Amount: laurel.Some(20 * laurel.One)}},
		{&b.result.QuizID, schema.Input{Name: laurel.Some("Quiz of the month"), Type: laurel.Some("quiz"), Interval: laurel.Some("once"), Amount: laurel.Some(15 * laurel.One)}},
		{&b.result.PollID, schema.Input{Name: laurel.Some("What comes next?"), Type: laurel.Some("poll"), Interval: laurel.Some("once"), Amount: laurel.Some(5 * laurel.One)}},
		{&b.result.ReferralID, schema.Input{Name: laurel.Some("Bring a friend"), Type: laurel.Some("referred_user"), Interval: laurel.Some("unlimited"), Amount: laurel.Some(10 * laurel.One),
			Metadata: laurel.Some(json.RawMessage(referralMetadata))}},
		{&b.result.TutorialID, schema.Input{Name: laurel.Some("Tutorial"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"), Amount: laurel.Some(30 * laurel.One),
			TrackProgress: laurel.Some(true)}},
	} {
		r.in.LoyaltyCurrencyID = laurel.Some(p.CurrencyID)
		switch r.id {
		case &b.welcomeRule, &b.result.TutorialID, &b.result.QuizID:
			r.in.LoyaltyRuleGroupID = laurel.Some(b.program.startedGroup.String())
		case &b.result.CheckInID, &b.result.PurchaseID, &b.reviewRule:
			r.in.LoyaltyRuleGroupID = laurel.Some(b.program.everyDayGroup.String())
		}
		made, err := b.Rules.Create(ctx, b.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		*r.id = made.ID
	}
	if err := b.createQuestions(ctx); err != nil {
		return err
	}
	if err := b.createListRules(ctx, p); err != nil {
		return err
	}
	if err := b.createAccountRules(ctx, p); err != nil {
		return err
	}
	return b.createOpeningBadge(ctx)
}

// createQuestions creates the questions of the quiz and of the first poll.
func (b *builder) createQuestions(ctx context.Context) (err error) {
	right := true
	b.quiz, err = b.Engagement.CreateQuestion(
		ctx,
		b.scope,
		engagement.QuestionInput{RuleID: b.result.QuizID, Text: "What do members collect here?",
			Choices: []engagement.ChoiceInput{{Text: "Points", Correct: &right}, {Text: "Stamps"}, {Text: "Shells"}}},
	)
	if err != nil {
		return fmt.Errorf("quiz: %w", err)
	}
	b.poll, err = b.Engagement.CreateQuestion(
		ctx,
		b.scope,
		engagement.QuestionInput{RuleID: b.result.PollID, Text: "What should we add next?",
			Choices: []engagement.ChoiceInput{{Text: "More gems"}, {Text: "A higher daily limit"}, {Text: "Nothing"}}},
	)
	if err != nil {
		return fmt.Errorf("poll: %w", err)
	}
	return nil
}
