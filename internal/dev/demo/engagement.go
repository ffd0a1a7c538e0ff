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

// How many days after joining members do what they do once. Those who joined last have not begun any of it.
const (
	quizAfter     = 1
	pollAfter     = 2
	tutorialAfter = 3
	codeAfter     = 4
	referredAfter = 5
)

const (
	referrers = 8  // members with a code
	referees  = 24 // the first member that may come by a code
	halfWay   = 1  // a member that has half of the tutorial
)

// engage is what a member does on a day beside its habits. Each thing leaves members in every state: not begun,
// half-way, done, refused.
func (t *teller) engage(i, since int) []act {
	switch since {
	case quizAfter:
		return t.takeQuiz(i)
	case pollAfter:
		return t.takePoll(i)
	case tutorialAfter:
		return t.learn(i)
	case codeAfter:
		if i < referrers {
			return []act{t.makeCode(i)}
		}
	case referredAfter:
		return t.comeByCode(i)
	case codeUsedAfter:
		return t.useCode(i)
	}
	return nil
}

// takeQuiz: one in four does not, one answers without claiming, one is right and one wrong.
func (t *teller) takeQuiz(i int) []act {
	in := completion.CompleteInput{
		RuleID:           t.story.QuizID,
		User:             identity.Ref{Wallet: wallet(i)},
		QuestionChoiceID: t.quiz.Choices[0].ID,
	}
	switch i % 4 {
	case 0:
		return []act{t.call(in)}
	case 1:
		return []act{t.answer(i, in.QuestionChoiceID)}
	case 2:
		in.QuestionChoiceID = t.quiz.Choices[1].ID
		return []act{t.call(in)}
	}
	return nil
}

// takePoll: of four, one does not, one answers without claiming, one takes part, and one calls without a choice.
func (t *teller) takePoll(i int) []act {
	in := completion.CompleteInput{RuleID: t.story.PollID, User: identity.Ref{Wallet: wallet(i)}}
	choice := t.poll.Choices[i/4%len(t.poll.Choices)].ID
	switch i % 4 {
	case 0:
		in.QuestionChoiceID = choice
		return []act{t.call(in)}
	case 1:
		return []act{t.call(in)}
	case 2:
		return []act{t.answer(i, choice)}
	}
	return nil
}

func (t *teller) answer(i int, choice laurel.ID) act {
	return func(ctx context.Context) error {
		_, err := t.Engagement.Respond(
			ctx,
			t.scope,
			engagement.ResponseInput{ChoiceID: choice, User: identity.Ref{Wallet: wallet(i)}},
		)
		return unlessRefused(err)
	}
}

// learn: of eight, one does not, one gets to the end and has not claimed its reward yet, two get half-way, two to the
// end and the reward, and two ask for it too early.
func (t *teller) learn(i int) []act {
	switch i % 4 {
	case 0:
		return []act{t.progress(i, 100, true)}
	case halfWay:
		return []act{t.progress(i, 50, false)}
	case 2:
		return []act{t.progress(i, 80, true)}
	case 3:
		if i%8 == 3 {
			return []act{t.progress(i, 100, false)}
		}
	}
	return nil
}

func (t *teller) progress(i int, percent laurel.Amount, claim bool) act {
	return func(ctx context.Context) error {
		to := percent * laurel.One
		_, err := t.Completions.WriteStatus(
			ctx,
			t.scope,
			completion.StatusInput{RuleID: t.story.TutorialID, User: identity.Ref{Wallet: wallet(i)}, Progress: &to},
		)
		if err != nil || !claim {
			return err
		}
		return t.complete(i, t.story.TutorialID, nil)(ctx)
	}
}

func code(i int) string { return fmt.Sprintf("FRIEND-%d", i) }

func (t *teller) makeCode(i int) act {
	return func(ctx context.Context) error {
		_, err := t.Referrals.CreateCode(
			ctx,
			t.scope,
			referrals.CodeInput{RuleID: t.story.ReferralID, User: identity.Ref{Wallet: wallet(i)}, Custom: code(i)},
		)
		return err
	}
}

// comeByCode: of the later members every third was brought by somebody; those with few points are not eligible. The
// first members try their own code, which is refused.
func (t *teller) comeByCode(i int) []act {
	switch {
	case i < referrers:
		return []act{t.refer(i, i)}
	case i >= referees && i%3 == 0:
		return []act{t.refer(i/3%referrers, i)}
	}
	return nil
}

func (t *teller) refer(by, i int) act {
	return func(ctx context.Context) error {
		person, err := t.Identity.Person(ctx, t.scope, identity.Ref{Wallet: wallet(i)})
		if err != nil {
			return err
		}
		return unlessRefused(
			t.Referrals.Refer(ctx, t.scope, referrals.ReferInput{Code: code(by), UserIDs: []laurel.ID{person.UserID}}),
		)
	}
}
