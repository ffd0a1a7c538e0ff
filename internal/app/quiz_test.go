package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const wrongChoice, noChoice, noQuestion, paidAlready = "Invalid choice selected", "No choice selected", "Question not found", "You have already been rewarded"

// chooses is the body of a completion by choice.
func chooses(wallet, choice string) object {
	return object{"walletAddress": wallet, "loyaltyQuestionChoiceId": choice}
}

// given counts the answers to a question.
func (s *server) given(q asked) int {
	s.t.Helper()
	return len(s.get(responsesPath + "?questionsId=" + q.id).data())
}

func TestQuizzesPayForTheCorrectChoice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q, other := s.ask("quiz", nil, nil), s.ask("quiz", nil, nil)
		empty := s.rule("quiz", nil)
		s.complete(empty, object{"walletAddress": "w"}).refused(400, noChoice)
		s.complete(empty, chooses("w", q.choices["b"])).refused(400, noQuestion)
		s.complete(q.rule, object{"walletAddress": "w"}).refused(400, noChoice)
		s.complete(q.rule, chooses("w", other.choices["b"])).refused(400, wrongChoice)
		s.complete(q.rule, chooses("w", unknownID)).refused(400, wrongChoice)
		if n := s.given(q) + s.given(other); n != 0 || s.balance("w") != "" {
			t.Errorf("%d answers were kept that are no choices of the question", n)
		}
		if list := s.get("/api/users?walletAddress=w").data(); len(list) != 0 {
			t.Errorf("a refusal that keeps nothing left a user: %v", list)
		}
		s.complete(q.rule, chooses("w", q.choices["b"])).ok()
		s.complete(q.rule, chooses("w", q.choices["b"])).refused(400, paidAlready)
		if s.balance("w") != "10" || s.given(q) != 1 {
			t.Errorf("balance %s, %d answers", s.balance("w"), s.given(q))
		}
		s.complete(q.rule, chooses("v", q.choices["a"])).refused(400, wrongChoice)
		// the one attempt is used up
		for _, body := range []object{chooses("v", q.choices["b"]), {"walletAddress": "v"}, chooses("v", q.choices["a"])} {
			s.complete(q.rule, body).refused(400, wrongChoice)
		}
		if got := s.respond("v", q.choices["b"]).
			ok(); got["alreadySubmitted"] != true || got["isCorrect"] != false || s.given(q) != 2 ||
			s.balance("v") != "" {
			t.Errorf("after a wrong choice: %v, balance %q", got, s.balance("v"))
		}
		s.respond("u", q.choices["b"]).ok()
		s.complete(q.rule, object{"walletAddress": "u"}).ok() // the stored answer counts
		s.respond("x", q.choices["b"]).ok()
		s.complete(q.rule, chooses("x", q.choices["a"])).ok() // and is not changed by another choice
		if s.balance("u") != "10" || s.balance("x") != "10" || s.given(q) != 4 {
			t.Errorf("balances %s and %s, %d answers", s.balance("u"), s.balance("x"), s.given(q))
		}
	})
}

func TestPollsPayForAnyChoice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("poll", object{"interval": "daily"}, nil)
		s.complete(q.rule, object{"walletAddress": "w"}).refused(400, noChoice)
		s.complete(q.rule, chooses("w", unknownID)).refused(400, wrongChoice)
		s.complete(q.rule, chooses("w", q.choices["a"])).ok()
		s.complete(q.rule, chooses("w", q.choices["c"])).refused(400, paidAlready)
		s.clock.advance(24 * time.Hour)
		s.complete(q.rule, object{"walletAddress": "w"}).ok() // the next window is paid for the same answer
		if s.balance("w") != "20" || s.given(q) != 1 {
			t.Errorf("balance %s, %d answers", s.balance("w"), s.given(q))
		}
	})
}

func TestSeveralAttemptsCountTheLast(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", object{"interval": "unlimited"}, object{"allowMultipleAttempts": true})
		s.complete(q.rule, chooses("w", q.choices["a"])).refused(400, wrongChoice)
		s.complete(q.rule, object{"walletAddress": "w"}).refused(400, wrongChoice)
		s.complete(q.rule, chooses("w", q.choices["b"])).ok()
		s.complete(q.rule, object{"walletAddress": "w"}).ok()
		s.complete(q.rule, chooses("w", q.choices["c"])).refused(400, wrongChoice)
		s.complete(q.rule, object{"walletAddress": "w"}).refused(400, wrongChoice)
		if s.balance("w") != "20" || s.given(q) != 3 {
			t.Errorf("balance %s, %d answers", s.balance("w"), s.given(q))
		}
	})
}

// TestARefusalBeforeTheChoiceKeepsAndTellsNothing: what is refused earlier leaves the attempt unused, so that nobody
// loses it, or learns from it.
func TestARefusalBeforeTheChoiceKeepsAndTellsNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask(
			"quiz",
			object{"startTime": "2026-01-14T13:00:00Z", "endTime": "2026-01-14T15:00:00Z", "trackProgress": true,
				"metadata": object{"range": []object{{"startRange": 500, "endRange": 600, "amount": 5}}}},
			nil,
		)
		first := s.rule("check_in", object{"isRequired": true})
		s.user("w", object{"isBlocked": true})
		refused := func(message string) {
			t.Helper()
			for _, c := range []string{"a", "b"} {
				s.complete(q.rule, chooses("w", q.choices[c])).refused(400, message)
			}
			if n := s.given(q); n != 0 {
				t.Fatalf("%q kept %d answers", message, n)
			}
		}
		refused("Loyalty rule A quiz has not started yet")
		s.clock.set(noon.Add(4 * time.Hour))
		refused("Loyalty rule has expired")
		s.clock.set(noon.Add(2 * time.Hour))
		refused("Access restricted. Your account is blocked.")
		s.user("w", object{"isBlocked": false})
		refused(locked)
		s.complete(first, object{"walletAddress": "w"}).ok()
		refused("Quest not completed")
		s.progress(q.rule, "w", object{"progress": 100}).ok()
		s.complete(q.rule, chooses("w", q.choices["b"])).refused(400, "Quest not achieved, please try again.")
		if n := s.given(q); n != 1 { // the refusal told that the choice was correct
			t.Errorf("%d answers", n)
		}
		if got := s.respond("w", q.choices["a"]).ok(); got["alreadySubmitted"] != true || got["isCorrect"] != true {
			t.Errorf("kept %v", got)
		}
	})
}

func TestAskingOnlyTellsBrowsersNotWhichChoiceIsCorrect(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q, again := s.ask("quiz", nil, nil), s.ask("quiz", nil, object{"allowMultipleAttempts": true})
		user := s.user("w", nil)
		token := s.speak(user)
		asks := func(key string, q asked, choice string) answer {
			return s.call(
				key,
				"POST",
				"/api/loyalty/rules/"+q.rule+"/complete",
				over(chooses("w", choice), object{"verifyOnly": true}),
				token...)
		}
		asks(s.WebsiteAPIKey, q, q.choices["a"]).refused(400, wrongChoice)
		asks(s.WebsiteAPIKey, q, q.choices["b"]).ok()
		asks(s.ClientAPIKey, q, q.choices["a"]).ok()
		asks(s.ClientAPIKey, q, q.choices["b"]).ok()
		asks(s.ClientAPIKey, q, unknownID).refused(400, wrongChoice)
		asks(s.ClientAPIKey, again, again.choices["a"]).refused(400, wrongChoice)
		asks(s.ClientAPIKey, again, again.choices["b"]).ok()
		if n := s.given(q) + s.given(again); n != 0 || s.balance("w") != "" {
			t.Errorf("asking only kept %d answers, paid %q", n, s.balance("w"))
		}
		s.call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+q.rule+"/complete", chooses("w", q.choices["a"]), token...).
			refused(400, wrongChoice)
		asks(s.ClientAPIKey, q, q.choices["b"]).refused(400, wrongChoice)
		asks(s.ClientAPIKey, q, "").refused(400, "Invalid request")
	})
}

func TestAGroupSolvesAQuizOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, w := range []string{"w", "v"} {
			s.user(w, object{"userGroupExternalIdentifier": "family"})
		}
		right, wrong := s.ask("quiz", nil, nil), s.ask("quiz", nil, nil)
		s.respond("w", right.choices["b"]).ok()
		s.complete(right.rule, object{"walletAddress": "v"}).ok()
		s.complete(right.rule, object{"walletAddress": "w"}).refused(400, paidAlready)
		s.complete(wrong.rule, chooses("v", wrong.choices["a"])).refused(400, wrongChoice)
		s.complete(wrong.rule, chooses("w", wrong.choices["b"])).refused(400, wrongChoice)
		if s.balance("v") != "10" || s.balance("w") != "" || s.given(wrong) != 1 {
			t.Errorf("balances %q and %q, %d answers", s.balance("v"), s.balance("w"), s.given(wrong))
		}
	})
}

// TestACrowdOfChoicesIsOneAttempt: whoever sends all choices at once has one of them judged, in as many orders as
// chance makes.
func TestACrowdOfChoicesIsOneAttempt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", nil, nil)
		paid := 0
		for i := range 12 {
			wallet := fmt.Sprint("w", i)
			var ok atomic.Int64
			var wg sync.WaitGroup
			for j := range 6 {
				wg.Go(func() {
					a := s.complete(q.rule, chooses(wallet, q.choices[[]string{"a", "b", "c"}[(i+j)%3]]))
					if message := a.json()["message"]; a.status == 200 {
						ok.Add(1)
					} else if message != wrongChoice && message != paidAlready {
						t.Errorf("%d %s", a.status, a.body)
					}
				})
			}
			wg.Wait()
			paid += int(ok.Load())
			if balance := s.balance(wallet); ok.Load() > 1 || (balance == "10") != (ok.Load() == 1) {
				t.Errorf("%s: %d paid, balance %q", wallet, ok.Load(), balance)
			}
		}
		correct := 0
		for _, r := range s.get(responsesPath + "?questionsId=" + q.id).data() {
			if r["isCorrect"] == true {
				correct++
			}
		}
		if n := s.given(q); n != 12 || correct != paid {
			t.Errorf("%d answers of 12 members, %d correct, %d paid", n, correct, paid)
		}
		s.sound()
	})
}

// TestARefusedChoiceLeavesTheRequestsKeyFree: a refusal is not stored, so the repetition is judged again, and meets the
// kept answer.
func TestARefusedChoiceLeavesTheRequestsKeyFree(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", nil, nil)
		for range 3 {
			a := s.call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/rules/"+q.rule+"/complete",
				chooses("w", q.choices["a"]),
				"Idempotency-Key",
				"k",
			)
			a.refused(400, wrongChoice)
		}
		if n := s.given(q); n != 1 {
			t.Errorf("%d answers", n)
		}
	})
}

// TestAnAnswerIsJudgedByTheQuestionAsItIs: a change of what is correct that is answered is seen by every later call,
// and no answer is lost to it.
func TestAnAnswerIsJudgedByTheQuestionAsItIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", nil, nil)
		s.complete(q.rule, chooses("w", q.choices["c"])).refused(400, wrongChoice)
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				s.post(questionsPath+"/"+q.id, object{"questionText": fmt.Sprint(i), "loyaltyQuestionAnswers": []object{{"id": q.choices["a"], "text": "a"},
					{"id": q.choices["b"], "text": "b"}, {"id": q.choices["c"], "text": "c", "isCorrect": true}}}).
					ok()
			})
			wg.Go(func() {
				if a := s.complete(
					q.rule,
					chooses(fmt.Sprint("v", i), q.choices["a"]),
				); a.status != 200 &&
					a.json()["message"] != wrongChoice {
					t.Errorf("%d %s", a.status, a.body)
				}
			})
		}
		wg.Wait()
		if n := s.given(q); n != 11 {
			t.Errorf("%d answers of 11", n)
		}
		s.complete(q.rule, object{"walletAddress": "w"}).ok()
	})
}
