package completion_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// chooses is the body of a completion by choice.
func chooses(wallet, choice string) object {
	return object{"walletAddress": wallet, "loyaltyQuestionChoiceId": choice}
}

// given counts the answers to a question.
func given(s *apptest.Server, q apptest.CreatedQuestion) int {
	s.T.Helper()
	return len(s.Get(apptest.ResponsesPath + "?questionsId=" + q.ID).Data())
}

func TestQuizzesPayForTheCorrectChoice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q, other := s.CreateQuestionRule("quiz", nil, nil), s.CreateQuestionRule("quiz", nil, nil)
		empty := s.Rule("quiz", nil)
		s.Complete(empty, object{"walletAddress": "w"}).Refused(400, apptest.NoChoice)
		s.Complete(empty, chooses("w", q.Choices["b"])).Refused(400, apptest.NoQuestion)
		s.Complete(q.Rule, object{"walletAddress": "w"}).Refused(400, apptest.NoChoice)
		s.Complete(q.Rule, chooses("w", other.Choices["b"])).Refused(400, apptest.WrongChoice)
		s.Complete(q.Rule, chooses("w", apptest.UnknownID)).Refused(400, apptest.WrongChoice)
		if n := given(s, q) + given(s, other); n != 0 || s.Balance("w") != "" {
			t.Errorf("%d answers were kept that are no choices of the question", n)
		}
		if list := s.Get("/api/users?walletAddress=w").Data(); len(list) != 0 {
			t.Errorf("a refusal that keeps nothing left a user: %v", list)
		}
		s.Complete(q.Rule, chooses("w", q.Choices["b"])).OK()
		s.Complete(q.Rule, chooses("w", q.Choices["b"])).Refused(400, apptest.PaidAlready)
		if s.Balance("w") != "10" || given(s, q) != 1 {
			t.Errorf("balance %s, %d answers", s.Balance("w"), given(s, q))
		}
		s.Complete(q.Rule, chooses("v", q.Choices["a"])).Refused(400, apptest.WrongChoice)
		// the one attempt is used up
		for _, body := range []object{chooses("v", q.Choices["b"]), {"walletAddress": "v"}, chooses("v", q.Choices["a"])} {
			s.Complete(q.Rule, body).Refused(400, apptest.WrongChoice)
		}
		if got := s.Respond("v", q.Choices["b"]).
			OK(); got["alreadySubmitted"] != true || got["isCorrect"] != false || given(s, q) != 2 ||
			s.Balance("v") != "" {
			t.Errorf("after a wrong choice: %v, balance %q", got, s.Balance("v"))
		}
		s.Respond("u", q.Choices["b"]).OK()
		s.Complete(q.Rule, object{"walletAddress": "u"}).OK() // the stored answer counts
		s.Respond("x", q.Choices["b"]).OK()
		s.Complete(q.Rule, chooses("x", q.Choices["a"])).OK() // and is not changed by another choice
		if s.Balance("u") != "10" || s.Balance("x") != "10" || given(s, q) != 4 {
			t.Errorf("balances %s and %s, %d answers", s.Balance("u"), s.Balance("x"), given(s, q))
		}
	})
}

func TestPollsPayForAnyChoice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("poll", object{"interval": "daily"}, nil)
		s.Complete(q.Rule, object{"walletAddress": "w"}).Refused(400, apptest.NoChoice)
		s.Complete(q.Rule, chooses("w", apptest.UnknownID)).Refused(400, apptest.WrongChoice)
		s.Complete(q.Rule, chooses("w", q.Choices["a"])).OK()
		s.Complete(q.Rule, chooses("w", q.Choices["c"])).Refused(400, apptest.PaidAlready)
		s.Clock.Advance(24 * time.Hour)
		s.Complete(q.Rule, object{"walletAddress": "w"}).OK() // the next window is paid for the same answer
		if s.Balance("w") != "20" || given(s, q) != 1 {
			t.Errorf("balance %s, %d answers", s.Balance("w"), given(s, q))
		}
	})
}

func TestSeveralAttemptsCountTheLast(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", object{"interval": "unlimited"}, object{"allowMultipleAttempts": true})
		s.Complete(q.Rule, chooses("w", q.Choices["a"])).Refused(400, apptest.WrongChoice)
		s.Complete(q.Rule, object{"walletAddress": "w"}).Refused(400, apptest.WrongChoice)
		s.Complete(q.Rule, chooses("w", q.Choices["b"])).OK()
		s.Complete(q.Rule, object{"walletAddress": "w"}).OK()
		s.Complete(q.Rule, chooses("w", q.Choices["c"])).Refused(400, apptest.WrongChoice)
		s.Complete(q.Rule, object{"walletAddress": "w"}).Refused(400, apptest.WrongChoice)
		if s.Balance("w") != "20" || given(s, q) != 3 {
			t.Errorf("balance %s, %d answers", s.Balance("w"), given(s, q))
		}
	})
}

// TestARefusalBeforeTheChoiceKeepsAndTellsNothing: what is refused earlier leaves the attempt unused, so that nobody
// loses it, or learns from it.
func TestARefusalBeforeTheChoiceKeepsAndTellsNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule(
			"quiz",
			object{"startTime": "2026-01-14T13:00:00Z", "endTime": "2026-01-14T15:00:00Z", "trackProgress": true,
				"metadata": object{"range": []object{{"startRange": 500, "endRange": 600, "amount": 5}}}},
			nil,
		)
		first := s.Rule("check_in", object{"isRequired": true})
		s.User("w", object{"isBlocked": true})
		refused := func(message string) {
			t.Helper()
			for _, c := range []string{"a", "b"} {
				s.Complete(q.Rule, chooses("w", q.Choices[c])).Refused(400, message)
			}
			if n := given(s, q); n != 0 {
				t.Fatalf("%q kept %d answers", message, n)
			}
		}
		refused("Loyalty rule A quiz has not started yet")
		s.Clock.Set(apptest.Noon.Add(4 * time.Hour))
		refused("Loyalty rule has expired")
		s.Clock.Set(apptest.Noon.Add(2 * time.Hour))
		refused("Access restricted. Your account is blocked.")
		s.User("w", object{"isBlocked": false})
		refused(apptest.Locked)
		s.Complete(first, object{"walletAddress": "w"}).OK()
		refused("Quest not completed")
		s.Progress(q.Rule, "w", object{"progress": 100}).OK()
		s.Complete(q.Rule, chooses("w", q.Choices["b"])).Refused(400, "Quest not achieved, please try again.")
		if n := given(s, q); n != 1 { // the refusal revealed that the choice was correct
			t.Errorf("%d answers", n)
		}
		if got := s.Respond("w", q.Choices["a"]).OK(); got["alreadySubmitted"] != true || got["isCorrect"] != true {
			t.Errorf("kept %v", got)
		}
	})
}

func TestAskingOnlyTellsBrowsersNotWhichChoiceIsCorrect(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q, again := s.CreateQuestionRule("quiz", nil, nil), s.CreateQuestionRule("quiz", nil, object{"allowMultipleAttempts": true})
		user := s.User("w", nil)
		token := s.MemberTokenHeaders(user)
		asks := func(key string, q apptest.CreatedQuestion, choice string) apptest.Response {
			return s.Call(
				key,
				"POST",
				"/api/loyalty/rules/"+q.Rule+"/complete",
				apptest.Over(chooses("w", choice), object{"verifyOnly": true}),
				token...)
		}
		asks(s.WebsiteAPIKey, q, q.Choices["a"]).Refused(400, apptest.WrongChoice)
		asks(s.WebsiteAPIKey, q, q.Choices["b"]).OK()
		asks(s.ClientAPIKey, q, q.Choices["a"]).OK()
		asks(s.ClientAPIKey, q, q.Choices["b"]).OK()
		asks(s.ClientAPIKey, q, apptest.UnknownID).Refused(400, apptest.WrongChoice)
		asks(s.ClientAPIKey, again, again.Choices["a"]).Refused(400, apptest.WrongChoice)
		asks(s.ClientAPIKey, again, again.Choices["b"]).OK()
		if n := given(s, q) + given(s, again); n != 0 || s.Balance("w") != "" {
			t.Errorf("asking only kept %d answers, paid %q", n, s.Balance("w"))
		}
		s.Call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+q.Rule+"/complete", chooses("w", q.Choices["a"]), token...).
			Refused(400, apptest.WrongChoice)
		asks(s.ClientAPIKey, q, q.Choices["b"]).Refused(400, apptest.WrongChoice)
		asks(s.ClientAPIKey, q, "").Refused(400, "Invalid request")
	})
}

func TestAGroupSolvesAQuizOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, w := range []string{"w", "v"} {
			s.User(w, object{"userGroupExternalIdentifier": "family"})
		}
		right, wrong := s.CreateQuestionRule("quiz", nil, nil), s.CreateQuestionRule("quiz", nil, nil)
		s.Respond("w", right.Choices["b"]).OK()
		s.Complete(right.Rule, object{"walletAddress": "v"}).OK()
		s.Complete(right.Rule, object{"walletAddress": "w"}).Refused(400, apptest.PaidAlready)
		s.Complete(wrong.Rule, chooses("v", wrong.Choices["a"])).Refused(400, apptest.WrongChoice)
		s.Complete(wrong.Rule, chooses("w", wrong.Choices["b"])).Refused(400, apptest.WrongChoice)
		if s.Balance("v") != "10" || s.Balance("w") != "" || given(s, wrong) != 1 {
			t.Errorf("balances %q and %q, %d answers", s.Balance("v"), s.Balance("w"), given(s, wrong))
		}
	})
}

// TestACrowdOfChoicesIsOneAttempt: of all choices sent at once, one is judged, in as many orders as
// chance makes.
func TestACrowdOfChoicesIsOneAttempt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", nil, nil)
		paid := 0
		for i := range 12 {
			wallet := fmt.Sprint("w", i)
			var ok atomic.Int64
			var wg sync.WaitGroup
			for j := range 6 {
				wg.Go(func() {
					a := s.Complete(q.Rule, chooses(wallet, q.Choices[[]string{"a", "b", "c"}[(i+j)%3]]))
					if message := a.JSON()["message"]; a.Status == 200 {
						ok.Add(1)
					} else if message != apptest.WrongChoice && message != apptest.PaidAlready {
						t.Errorf("%d %s", a.Status, a.Body)
					}
				})
			}
			wg.Wait()
			paid += int(ok.Load())
			if balance := s.Balance(wallet); ok.Load() > 1 || (balance == "10") != (ok.Load() == 1) {
				t.Errorf("%s: %d paid, balance %q", wallet, ok.Load(), balance)
			}
		}
		correct := 0
		for _, r := range s.Get(apptest.ResponsesPath + "?questionsId=" + q.ID).Data() {
			if r["isCorrect"] == true {
				correct++
			}
		}
		if n := given(s, q); n != 12 || correct != paid {
			t.Errorf("%d answers of 12 members, %d correct, %d paid", n, correct, paid)
		}
		s.Sound()
	})
}

// TestARefusedChoiceLeavesTheRequestsKeyFree: a refusal is not stored, so the repetition is judged again, and meets the
// kept answer.
func TestARefusedChoiceLeavesTheRequestsKeyFree(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", nil, nil)
		for range 3 {
			a := s.Call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/rules/"+q.Rule+"/complete",
				chooses("w", q.Choices["a"]),
				"Idempotency-Key",
				"k",
			)
			a.Refused(400, apptest.WrongChoice)
		}
		if n := given(s, q); n != 1 {
			t.Errorf("%d answers", n)
		}
	})
}

// TestAnAnswerIsJudgedByTheQuestionAsItIs: an acknowledged change of the correct choice is seen by every later call,
// and no answer is lost to it.
func TestAnAnswerIsJudgedByTheQuestionAsItIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", nil, nil)
		s.Complete(q.Rule, chooses("w", q.Choices["c"])).Refused(400, apptest.WrongChoice)
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				s.Post(apptest.QuestionsPath+"/"+q.ID, object{"questionText": fmt.Sprint(i), "loyaltyQuestionAnswers": []object{{"id": q.Choices["a"], "text": "a"},
					{"id": q.Choices["b"], "text": "b"}, {"id": q.Choices["c"], "text": "c", "isCorrect": true}}}).
					OK()
			})
			wg.Go(func() {
				if a := s.Complete(
					q.Rule,
					chooses(fmt.Sprint("v", i), q.Choices["a"]),
				); a.Status != 200 &&
					a.JSON()["message"] != apptest.WrongChoice {
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		wg.Wait()
		if n := given(s, q); n != 11 {
			t.Errorf("%d answers of 11", n)
		}
		s.Complete(q.Rule, object{"walletAddress": "w"}).OK()
	})
}
