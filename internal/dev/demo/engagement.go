package demo

import (
	"context"
	"fmt"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/referrals"
)

// The one-time actions happen so many days after joining. Members who joined last have not begun any of them.
const (
	quizAfter     = 1
	pollAfter     = 2
	tutorialAfter = 3
	codeAfter     = 4
	referredAfter = 5
)

const (
	referrers = 8  // members with a code
	referees  = 24 // the first member who may be referred
	halfWay   = 1  // a member that has half of the tutorial
)

// oneTimeActions returns what a member does once, so many days after joining: quiz, poll, course, codes. Each leaves
// members in every state: not begun, half-way, done and refused.
func (b *builder) oneTimeActions(i, since int) []action {
	switch since {
	case quizAfter:
		return b.takeQuiz(i)
	case pollAfter:
		return b.takePoll(i)
	case tutorialAfter:
		return b.takeCourse(i)
	case codeAfter:
		if i < referrers {
			return []action{b.createReferralCode(i)}
		}
	case referredAfter:
		return b.useReferralCode(i)
	case codeUsedAfter:
		return b.enterCode(i)
	}
	return nil
}

// takeQuiz returns the actions of a member in the quiz. Of four members one skips it, one answers without claiming the
// reward, one is right and one is wrong.
func (b *builder) takeQuiz(i int) []action {
	in := completion.CompleteInput{
		RuleID:           b.story.QuizID,
		User:             identity.Ref{Wallet: wallet(i)},
		QuestionChoiceID: b.quiz.Choices[0].ID,
	}
	switch i % 4 {
	case 0:
		return []action{b.call(in)}
	case 1:
		return []action{b.answer(i, in.QuestionChoiceID)}
	case 2:
		in.QuestionChoiceID = b.quiz.Choices[1].ID
		return []action{b.call(in)}
	}
	return nil
}

// takePoll returns the actions of a member in the poll. Of four members one skips it, one answers without claiming the
// reward, one takes part, and one sends no choice.
func (b *builder) takePoll(i int) []action {
	in := completion.CompleteInput{RuleID: b.story.PollID, User: identity.Ref{Wallet: wallet(i)}}
	choice := b.poll.Choices[i/4%len(b.poll.Choices)].ID
	switch i % 4 {
	case 0:
		in.QuestionChoiceID = choice
		return []action{b.call(in)}
	case 1:
		return []action{b.call(in)}
	case 2:
		return []action{b.answer(i, choice)}
	}
	return nil
}

func (b *builder) answer(i int, choice laurel.ID) action {
	return func(ctx context.Context) error {
		_, err := b.Engagement.Respond(
			ctx,
			b.scope,
			engagement.ResponseInput{ChoiceID: choice, User: identity.Ref{Wallet: wallet(i)}},
		)
		return ignoreRefusal(err)
	}
}

// takeCourse returns the actions of a member in the tutorial. Of eight members one skips it, one finishes without
// claiming the reward, two get half-way, two finish and claim, and two claim too early.
func (b *builder) takeCourse(i int) []action {
	switch i % 4 {
	case 0:
		return []action{b.progress(i, 100, true)}
	case halfWay:
		return []action{b.progress(i, 50, false)}
	case 2:
		return []action{b.progress(i, 80, true)}
	case 3:
		if i%8 == 3 {
			return []action{b.progress(i, 100, false)}
		}
	}
	return nil
}

func (b *builder) progress(i int, percent laurel.Amount, claim bool) action {
	return func(ctx context.Context) error {
		to := percent * laurel.One
		_, err := b.Completions.WriteStatus(
			ctx,
			b.scope,
			completion.StatusInput{RuleID: b.story.TutorialID, User: identity.Ref{Wallet: wallet(i)}, Progress: &to},
		)
		if err != nil || !claim {
			return err
		}
		return b.complete(i, b.story.TutorialID, nil)(ctx)
	}
}

func referralCode(i int) string { return fmt.Sprintf("FRIEND-%d", i) }

func (b *builder) createReferralCode(i int) action {
	return func(ctx context.Context) error {
		_, err := b.Referrals.CreateCode(
			ctx,
			b.scope,
			referrals.CodeInput{RuleID: b.story.ReferralID, User: identity.Ref{Wallet: wallet(i)}, Custom: referralCode(i)},
		)
		return err
	}
}

// useReferralCode returns the referral of a member. Every third of the later members was referred; those with few
// points do not meet the requirements. The first members try their own code, which is refused.
func (b *builder) useReferralCode(i int) []action {
	switch {
	case i < referrers:
		return []action{b.refer(i, i)}
	case i >= referees && i%3 == 0:
		return []action{b.refer(i/3%referrers, i)}
	}
	return nil
}

func (b *builder) refer(by, i int) action {
	return func(ctx context.Context) error {
		person, err := b.Identity.Person(ctx, b.scope, identity.Ref{Wallet: wallet(i)})
		if err != nil {
			return err
		}
		return ignoreRefusal(
			b.Referrals.Refer(ctx, b.scope, referrals.ReferInput{Code: referralCode(by), UserIDs: []laurel.ID{person.UserID}}),
		)
	}
}
