package demo

import (
	"context"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/referrals"
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
	referrers = 8  // how many members, from the first on, have a code
	referees  = 24 // the first member who may be referred
	halfWay   = 1  // the number of a member who has done half of the tutorial
)

// oneTimeActions returns the actions of a member on a day after it joined, among those that members do only once: quiz,
// poll, tutorial, referral, promo code and linked accounts. On most days there are none. The members end up in every
// state: not begun, half-way, done and refused.
func (b *builder) oneTimeActions(i, daysSinceJoining int) []action {
	switch daysSinceJoining {
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
	case linksAccountsAfter:
		return b.linkAccounts(i)
	}
	return nil
}

// takeQuiz returns the actions of a member in the quiz. Of four members one is right, one answers without claiming the
// reward, one is wrong and one skips it.
func (b *builder) takeQuiz(i int) []action {
	in := completion.CompleteInput{
		RuleID:           b.result.QuizID,
		User:             identity.Ref{Wallet: memberID(i)},
		QuestionChoiceID: b.quiz.Choices[0].ID,
	}
	switch i % 4 {
	case 0:
		return []action{b.completeWith(in)}
	case 1:
		return []action{b.respond(i, in.QuestionChoiceID)}
	case 2:
		in.QuestionChoiceID = b.quiz.Choices[1].ID
		return []action{b.completeWith(in)}
	}
	return nil
}

// takePoll returns the actions of a member in the poll. Of four members one takes part, one sends no choice and is
// refused, one answers without claiming the reward, and one skips it.
func (b *builder) takePoll(i int) []action {
	in := completion.CompleteInput{RuleID: b.result.PollID, User: identity.Ref{Wallet: memberID(i)}}
	choice := b.poll.Choices[i/4%len(b.poll.Choices)].ID
	switch i % 4 {
	case 0:
		in.QuestionChoiceID = choice
		return []action{b.completeWith(in)}
	case 1:
		return []action{b.completeWith(in)}
	case 2:
		return []action{b.respond(i, choice)}
	}
	return nil
}

// respond returns the action by which a member answers a question with a choice, without a call to complete its rule.
func (b *builder) respond(i int, choice laurel.ID) action {
	return func(ctx context.Context) error {
		_, err := b.Engagement.Respond(
			ctx,
			b.scope,
			engagement.ResponseInput{ChoiceID: choice, User: identity.Ref{Wallet: memberID(i)}},
		)
		return ignoreRefusal(err)
	}
}

// takeCourse returns the actions of a member in the tutorial. Of eight members two finish and claim the reward, two get
// half-way, two claim too early and are refused, one finishes without claiming, and one skips it.
func (b *builder) takeCourse(i int) []action {
	switch i % 4 {
	case 0:
		return []action{b.progress(i, 100, true)}
	case halfWay: // the first of these members is the member halfWay
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

// progress returns the action that sets a member's progress in the tutorial, in percent, and claims its reward if claim
// is set.
func (b *builder) progress(i int, percent laurel.Amount, claim bool) action {
	return func(ctx context.Context) error {
		to := percent * laurel.One
		_, err := b.Completions.WriteStatus(
			ctx,
			b.scope,
			completion.StatusInput{RuleID: b.result.TutorialID, User: identity.Ref{Wallet: memberID(i)}, Progress: &to},
		)
		if err != nil || !claim {
			return err
		}
		return b.complete(i, b.result.TutorialID)(ctx)
	}
}

func referralCode(i int) string { return fmt.Sprintf("FRIEND-%d", i) }

// createReferralCode returns the action that creates a member's referral code.
func (b *builder) createReferralCode(i int) action {
	return func(ctx context.Context) error {
		_, err := b.Referrals.CreateCode(
			ctx,
			b.scope,
			referrals.CodeInput{RuleID: b.result.ReferralID, User: identity.Ref{Wallet: memberID(i)}, Custom: referralCode(i)},
		)
		return err
	}
}

// useReferralCode returns the action by which a member is referred, or nil for most members. Every third of the later
// members is referred; those with few points do not meet the requirements. The first members try their own code, which
// is refused.
func (b *builder) useReferralCode(i int) []action {
	switch {
	case i < referrers:
		return []action{b.refer(i, i)}
	case i >= referees && i%3 == 0:
		return []action{b.refer(i/3%referrers, i)}
	}
	return nil
}

// refer returns the action that refers a member by the code of another, both by number.
func (b *builder) refer(referrer, referee int) action {
	return func(ctx context.Context) error {
		person, err := b.Identity.Person(ctx, b.scope, identity.Ref{Wallet: memberID(referee)})
		if err != nil {
			return err
		}
		in := referrals.ReferInput{Code: referralCode(referrer), UserIDs: []laurel.ID{person.UserID}}
		return ignoreRefusal(b.Referrals.Refer(ctx, b.scope, in))
	}
}
