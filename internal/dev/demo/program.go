package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/schema"
)

const (
	streakMetadata   = `{"enableStreaks":true,"streakArray":[{"streakMilestone":3,"streakAmount":5},{"streakMilestone":7,"streakAmount":20}]}`
	referralMetadata = `{"referrerReward":25,"referralRequirements":{"achievePoints":true,"points":{"amount":150}}}`
)

type teller struct {
	Services
	scope       laurel.Scope
	random      *rand.Rand
	story       Story
	points      laurel.ID
	welcome     laurel.ID
	review      laurel.ID
	quiz, poll  engagement.Question
	completions atomic.Int64
	office      office
	store       store
}

func (t *teller) setUp(ctx context.Context, p Program) error {
	if err := t.open(ctx, p); err != nil {
		return err
	}
	gems, err := t.Ledger.CreateCurrency(
		ctx,
		t.scope,
		ledger.CurrencyInput{Name: laurel.Some("Gems"), Symbol: laurel.Some("GEM"), Decimals: laurel.Some(int64(2))},
	)
	if err != nil {
		return err
	}
	t.story.GemsID, t.points = gems.ID, p.CurrencyID
	first := ledger.CurrencyInput{SortID: laurel.Some(int64(1))} // points lead every page
	if _, err := t.Ledger.UpdateCurrency(ctx, t.scope, p.CurrencyID, first); err != nil {
		return err
	}
	cap500 := 500 * laurel.One
	for _, r := range []struct {
		id *laurel.ID
		in schema.Input
	}{
		{&t.welcome, schema.Input{Name: laurel.Some("Welcome"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"), Amount: laurel.Some(100 * laurel.One)}},
		{&t.story.CheckInID, schema.Input{Name: laurel.Some("Daily check-in"), Type: laurel.Some("check_in"), Interval: laurel.Some("daily"), Amount: laurel.Some(5 * laurel.One),
			Metadata: laurel.Some(json.RawMessage(streakMetadata))}},
		{&t.story.PurchaseID, schema.Input{Name: laurel.Some("Purchase"), Type: laurel.Some("external_rule"), Interval: laurel.Some("unlimited"), Amount: laurel.Some(10 * laurel.One),
			MaxAmountInterval: laurel.Some("daily"), MaxAmountPerInterval: laurel.Some(cap500)}},
		{&t.review, schema.Input{Name: laurel.Some("Review of the week"), Type: laurel.Some("external_rule"), Interval: laurel.Some("weekly"), Amount: laurel.Some(20 * laurel.One)}},
		{&t.story.QuizID, schema.Input{Name: laurel.Some("Quiz of the month"), Type: laurel.Some("quiz"), Interval: laurel.Some("once"), Amount: laurel.Some(15 * laurel.One)}},
		{&t.story.PollID, schema.Input{Name: laurel.Some("What comes next?"), Type: laurel.Some("poll"), Interval: laurel.Some("once"), Amount: laurel.Some(5 * laurel.One)}},
		{&t.story.ReferralID, schema.Input{Name: laurel.Some("Bring a friend"), Type: laurel.Some("referred_user"), Interval: laurel.Some("unlimited"), Amount: laurel.Some(10 * laurel.One),
			Metadata: laurel.Some(json.RawMessage(referralMetadata))}},
		{&t.story.TutorialID, schema.Input{Name: laurel.Some("Tutorial"), Type: laurel.Some("external_rule"), Interval: laurel.Some("once"), Amount: laurel.Some(30 * laurel.One),
			TrackProgress: laurel.Some(true)}},
	} {
		r.in.LoyaltyCurrencyID = laurel.Some(p.CurrencyID)
		switch r.id {
		case &t.welcome, &t.story.TutorialID, &t.story.QuizID:
			r.in.LoyaltyRuleGroupID = laurel.Some(t.office.started.String())
		case &t.story.CheckInID, &t.story.PurchaseID, &t.review:
			r.in.LoyaltyRuleGroupID = laurel.Some(t.office.everyDay.String())
		}
		made, err := t.Rules.Create(ctx, t.scope, r.in)
		if err != nil {
			return fmt.Errorf("rule %s: %w", r.in.Name.Value, err)
		}
		*r.id = made.ID
	}
	if err := t.ask(ctx); err != nil {
		return err
	}
	if err := t.furnish(ctx, p); err != nil {
		return err
	}
	return t.found(ctx)
}

// ask gives quiz and poll their questions.
func (t *teller) ask(ctx context.Context) (err error) {
	right := true
	t.quiz, err = t.Engagement.CreateQuestion(
		ctx,
		t.scope,
		engagement.QuestionInput{RuleID: t.story.QuizID, Text: "What do members collect here?",
			Choices: []engagement.ChoiceInput{{Text: "Points", Correct: &right}, {Text: "Stamps"}, {Text: "Shells"}}},
	)
	if err != nil {
		return fmt.Errorf("quiz: %w", err)
	}
	t.poll, err = t.Engagement.CreateQuestion(
		ctx,
		t.scope,
		engagement.QuestionInput{RuleID: t.story.PollID, Text: "What shall we add next?",
			Choices: []engagement.ChoiceInput{{Text: "More gems"}, {Text: "A higher cap"}, {Text: "Nothing"}}},
	)
	if err != nil {
		return fmt.Errorf("poll: %w", err)
	}
	return nil
}
