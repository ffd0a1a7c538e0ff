package engagement_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAQuestionTellsItsChoicesAndNotWhichAreCorrect(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("quiz", nil)
		made := s.Post(apptest.QuestionsPath, object{"loyaltyRuleId": rule, "questionText": "What is 6 x 7?", "loyaltyQuestionAnswers": []object{
			{
				"text":           "last",
				"sortIdentifier": "z",
				"id":             apptest.UnknownID,
			},
			{"text": "third", "sortIdentifier": "10"},
			{"text": "second", "isCorrect": true, "sortIdentifier": 9.5},
			{"text": "first", "sortIdentifier": -1},
		}}).
			OK()
		var texts []string
		for _, c := range made["loyaltyQuestionChoices"].([]any) {
			texts = append(texts, c.(object)["text"].(string))
			if c.(object)["id"] == apptest.UnknownID {
				t.Errorf("the caller's id was taken: %v", c)
			}
		}
		if !slices.Equal(texts, []string{"first", "second", "third", "last"}) || made["text"] != "What is 6 x 7?" ||
			made["loyaltyRuleId"] != rule ||
			made["allowMultipleAttempts"] != false {
			t.Errorf("made %v", made)
		}
		list := s.Get(apptest.QuestionsPath + "?loyaltyRuleIds=" + rule)
		if len(list.Data()) != 1 || fmt.Sprint(list.Data()[0]) != fmt.Sprint(made) {
			t.Errorf("listed %s, made %v", list.Body, made)
		}
		s.User("w", nil)
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			if got := s.Call(
				key,
				"GET",
				apptest.QuestionsPath+"?loyaltyRuleIds="+rule+"&userId="+apptest.UnknownID,
				nil,
			); len(got.Data()) != 1 ||
				strings.Contains(got.Body, "orrect") {
				t.Errorf("shown %s", got.Body)
			}
		}
		if strings.Contains(fmt.Sprint(made), "orrect") {
			t.Errorf("made %v", made)
		}
	})
}

func TestBadQuestionsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		quiz, poll, other, gone := s.Rule("quiz", nil), s.Rule("poll", nil), s.Rule("check_in", nil), s.Rule("quiz", nil)
		s.Remove("/api/loyalty/rules/" + gone)
		two := []object{apptest.Choice("a", true), apptest.Choice("b", false)}
		many := slices.Repeat(two, 11)
		for _, c := range []struct {
			body    object
			status  int
			message string
		}{
			{object{"loyaltyRuleId": nil}, 400, "loyaltyRuleId is required"}, {object{"loyaltyRuleId": "x"}, 400, "loyaltyRuleId must be a uuid"},
			{object{"loyaltyRuleId": apptest.UnknownID}, 404, "Loyalty rule not found"}, {object{"loyaltyRuleId": gone}, 404, "Loyalty rule not found"},
			{object{"loyaltyRuleId": other}, 400, "Loyalty rule must be of type quiz or poll"},
			{object{"questionText": nil}, 400, "questionText is required"}, {object{"questionText": " "}, 400, "questionText is required"},
			{object{"questionText": strings.Repeat("x", 2001)}, 400, "questionText must be at most 2000 characters"},
			{object{"loyaltyQuestionAnswers": nil}, 400, "loyaltyQuestionAnswers is required"},
			{object{"loyaltyQuestionAnswers": two[:1]}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
			{object{"loyaltyQuestionAnswers": many[:21]}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
			{object{"loyaltyQuestionAnswers": []object{apptest.Choice("", true), two[1]}}, 400, "loyaltyQuestionAnswers.0.text is required"},
			{object{"loyaltyQuestionAnswers": []object{{"isCorrect": true}, two[1]}}, 400, "loyaltyQuestionAnswers.0.text is required"},
			{object{"loyaltyQuestionAnswers": []object{two[0], apptest.Choice(strings.Repeat("x", 1001), true)}}, 400, "loyaltyQuestionAnswers.1.text must be at most 1000 characters"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "isCorrect": "yes"}}}, 400, "loyaltyQuestionAnswers.1.isCorrect must be a boolean"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "id": "x"}}}, 400, "loyaltyQuestionAnswers.1.id must be a uuid"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "sortIdentifier": strings.Repeat("x", 256)}}}, 400,
				"loyaltyQuestionAnswers.1.sortIdentifier must be a number or a string of at most 255 characters"},
			{object{"loyaltyQuestionAnswers": []object{two[1], two[1]}}, 400, "loyaltyQuestionAnswers must have at least one correct answer"},
			{object{"allowMultipleAttempts": "yes"}, 400, "allowMultipleAttempts must be a boolean"},
		} {
			s.Post(apptest.QuestionsPath, apptest.Over(object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": two}, c.body)).
				Refused(c.status, c.message)
		}
		if list := s.Questions(quiz, poll, other, gone); len(list) != 0 {
			t.Errorf("kept %v", list)
		}
		s.Post(
			apptest.QuestionsPath,
			object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": many[:20]},
		).OK()
		s.Post(apptest.QuestionsPath, object{"loyaltyRuleId": poll, "questionText": "Why?", "loyaltyQuestionAnswers": []object{two[1], two[1]}}).
			OK()
		s.Post(apptest.QuestionsPath, object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": two}).
			Refused(400, "Question already exists")
		s.Call(s.ReadOnlyAPIKey, "GET", apptest.QuestionsPath, nil).Refused(400, "loyaltyRuleIds is required")
		s.Remove("/api/loyalty/rules/" + quiz)
		if list := s.Questions(quiz); len(list) != 0 {
			t.Errorf("the question of a deleted rule is listed: %v", list)
		}
	})
}

func TestOneOfManyAtOnceMakesTheQuestion(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("poll", nil)
		var made atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				a := s.Post(
					apptest.QuestionsPath,
					object{
						"loyaltyRuleId":          rule,
						"questionText":           fmt.Sprint(i),
						"loyaltyQuestionAnswers": []object{apptest.Choice("a", false), apptest.Choice("b", false)},
					},
				)
				if a.Status == 200 {
					made.Add(1)
				} else if a.JSON()["message"] != "Question already exists" {
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		wg.Wait()
		if list := s.Questions(rule); made.Load() != 1 || len(list) != 1 ||
			len(list[0]["loyaltyQuestionChoices"].([]any)) != 2 {
			t.Errorf("%d made, %v", made.Load(), list)
		}
	})
}

func TestAQuestionsChoicesAreChangedAddedAndRemoved(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", nil, nil)
		path := apptest.QuestionsPath + "/" + q.ID
		s.Respond("w", q.Choices["a"]).OK()
		keep := object{"id": q.Choices["a"], "text": "a"}
		changed := s.Post(path, object{"questionText": "Which one?", "loyaltyQuestionAnswers": []object{{"text": "d", "isCorrect": true}, {"id": q.Choices["c"], "text": "C"}, keep}}).
			OK()
		if got := s.Questions(q.Rule)[0]; fmt.Sprint(got) != fmt.Sprint(changed) || got["text"] != "Which one?" ||
			got["id"] != q.ID {
			t.Errorf("listed %v, changed %v", got, changed)
		}
		byText := map[string]string{}
		for _, c := range changed["loyaltyQuestionChoices"].([]any) {
			byText[c.(object)["text"].(string)] = c.(object)["id"].(string)
		}
		if byText["a"] != q.Choices["a"] || byText["C"] != q.Choices["c"] || len(byText) != 3 ||
			slices.Contains(slices.Collect(maps.Values(q.Choices)), byText["d"]) {
			t.Errorf("choices %v, before %v", byText, q.Choices)
		}
		for _, c := range []struct {
			choices []object
			status  int
			message string
		}{
			{[]object{apptest.Choice("x", true), apptest.Choice("y", true)}, 400, "An answered choice cannot be removed"},
			{[]object{keep, apptest.Choice("y", false)}, 400, "loyaltyQuestionAnswers must have at least one correct answer"},
			{[]object{keep, {"id": q.Choices["b"], "text": "gone", "isCorrect": true}}, 400, "Question choice not found"},
			{[]object{keep, keep, apptest.Choice("y", true)}, 400, "loyaltyQuestionAnswers.1.id must be distinct"},
			{[]object{keep}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
		} {
			s.Post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": c.choices}).Refused(c.status, c.message)
		}
		s.Post(apptest.QuestionsPath+"/"+apptest.UnknownID, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{keep, apptest.Choice("y", true)}}).
			Refused(404, "Question not found")
		s.Post(path, object{"loyaltyQuestionAnswers": []object{keep, apptest.Choice("y", true)}}).
			Refused(400, "questionText is required")
		if got := s.Questions(q.Rule)[0]; fmt.Sprint(got) != fmt.Sprint(changed) {
			t.Errorf("a refused change left %v, before %v", got, changed)
		}
		if got := s.Respond("w", byText["d"]).OK(); got["alreadySubmitted"] != true || got["isCorrect"] != false {
			t.Errorf("after the change: %v", got)
		}
		s.Post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{{"id": q.Choices["a"], "text": "a", "isCorrect": true}, apptest.Choice("y", false)}}).
			OK()
		// the key to the quiz was wrong, not the user
		if got := s.Get(apptest.ResponsesPath + "?questionsId=" + q.ID).Data()[0]; got["isCorrect"] != true {
			t.Errorf("after the correction: %v", got)
		}
		s.Remove("/api/loyalty/rules/" + q.Rule)
		s.Post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{keep, apptest.Choice("y", true)}}).
			Refused(404, "Question not found")
		s.Respond("v", q.Choices["a"]).Refused(404, "Question choice not found")
	})
}

func TestOneAttemptIsOneAttempt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q, again, poll := s.CreateQuestionRule(
			"quiz",
			nil,
			nil,
		), s.CreateQuestionRule(
			"quiz",
			nil,
			object{"allowMultipleAttempts": true},
		), s.CreateQuestionRule(
			"poll",
			nil,
			nil,
		)
		first := s.Respond("w", q.Choices["a"]).OK()
		second := s.Respond("w", q.Choices["b"]).OK()
		if first["alreadySubmitted"] != false || first["isCorrect"] != false || second["alreadySubmitted"] != true ||
			second["isCorrect"] != false ||
			fmt.Sprint(first["response"]) != fmt.Sprint(second["response"]) ||
			first["response"].(object)["loyaltyQuestionChoiceId"] != q.Choices["a"] ||
			first["response"].(object)["loyaltyQuestionId"] != q.ID {
			t.Errorf("first %v, second %v", first, second)
		}
		if got := s.Respond("v", q.Choices["b"]).OK(); got["isCorrect"] != true {
			t.Errorf("the correct choice: %v", got)
		}
		if got := s.Respond("w", poll.Choices["a"]).OK(); got["isCorrect"] != true || got["alreadySubmitted"] != false {
			t.Errorf("of a poll: %v", got)
		}
		firstIDs := map[any]bool{}
		for _, c := range []string{"a", "a", "b"} {
			got := s.Respond("w", again.Choices[c]).OK()
			firstIDs[got["response"].(object)["id"]] = true
			if got["alreadySubmitted"] != false || got["isCorrect"] != (c == "b") {
				t.Errorf("attempt %s: %v", c, got)
			}
		}
		if len(firstIDs) != 3 || len(s.Get(apptest.ResponsesPath+"?questionsId="+again.ID).Data()) != 3 ||
			len(s.Get(apptest.ResponsesPath+"?questionsId="+q.ID).Data()) != 2 {
			t.Errorf("responses %v", firstIDs)
		}
		for body, message := range map[string]string{`{"walletAddress":"w"}`: "loyaltyQuestionChoiceId is required",
			`{"walletAddress":"w","loyaltyQuestionChoiceId":"x"}`:                          "loyaltyQuestionChoiceId must be a uuid",
			`{"loyaltyQuestionChoiceId":"` + q.Choices["a"] + `"}`:                         "userId or walletAddress is required",
			`{"walletAddress":" w","loyaltyQuestionChoiceId":"` + apptest.UnknownID + `"}`: "walletAddress must not begin or end with spaces or invisible characters"} {
			s.Post(apptest.ResponsesPath, body).Refused(400, message)
		}
		s.Respond("w", apptest.UnknownID).Refused(404, "Question choice not found")
		s.Post(apptest.ResponsesPath, object{"userId": apptest.UnknownID, "loyaltyQuestionChoiceId": q.Choices["a"]}).
			Refused(404, "User not found")
	})
}

func TestManyAnswersAtOnceAreOneAttempt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q := s.CreateQuestionRule("quiz", nil, nil)
		s.User("w", object{"userGroupExternalIdentifier": "family"})
		s.User("v", object{"userGroupExternalIdentifier": "family"})
		var fresh, correct atomic.Int64
		var ids sync.Map
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				got := s.Respond([]string{"w", "v"}[i%2], q.Choices[[]string{"a", "b", "c"}[i%3]]).OK() // a group is one person
				if got["alreadySubmitted"] == false {
					fresh.Add(1)
				}
				if got["isCorrect"] == true {
					correct.Add(1)
				}
				ids.Store(got["response"].(object)["id"], true)
			})
		}
		wg.Wait()
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		if fresh.Load() != 1 || n != 1 || correct.Load() != 0 && correct.Load() != 12 ||
			len(s.Get(apptest.ResponsesPath+"?questionsId="+q.ID).Data()) != 1 {
			t.Errorf("%d kept, %d responses, %d correct", fresh.Load(), n, correct.Load())
		}
	})
}

func TestAnswersFollowTheirUserThroughGroups(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		joiner, there := s.CreateQuestionRule("poll", nil, nil), s.CreateQuestionRule("poll", nil, nil)
		answered := func(wallet string, q apptest.CreatedQuestion) bool {
			t.Helper()
			return s.Respond(wallet, q.Choices["c"]).OK()["alreadySubmitted"] == true
		}
		s.Respond("w", joiner.Choices["a"]).OK()
		s.User("v", object{"userGroupExternalIdentifier": "family"})
		s.User("w", object{"userGroupExternalIdentifier": "family"})
		if !answered("v", joiner) {
			t.Error("the group did not take over the answer of its new member")
		}
		s.Respond("w", there.Choices["a"]).OK()
		s.User("w", object{"userGroupExternalIdentifier": nil})
		if !answered("w", joiner) || !answered("w", there) || !answered("v", there) {
			t.Error("who leaves answers anew, or the group does")
		}
		s.Respond("x", there.Choices["b"]).OK()
		s.User("x", object{"userGroupExternalIdentifier": "family"})
		s.User("x", object{"userGroupExternalIdentifier": nil})
		if got := s.Respond("x", there.Choices["c"]).OK()["response"].(object); got["loyaltyQuestionChoiceId"] != there.Choices["b"] {
			t.Errorf("after leaving, x's answer is %v", got)
		}
	})
}

func TestResponsesAreListedAndTellWhatIsCorrectOnlyAfterTheLastAttempt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q, again, poll := s.CreateQuestionRule(
			"quiz",
			nil,
			nil,
		), s.CreateQuestionRule(
			"quiz",
			nil,
			object{"allowMultipleAttempts": true},
		), s.CreateQuestionRule(
			"poll",
			nil,
			nil,
		)
		user, other := s.User("w", nil), s.User("v", nil)
		s.Respond("w", q.Choices["a"]).OK()
		s.Respond("w", again.Choices["b"]).OK()
		s.Respond("v", q.Choices["b"]).OK()
		s.Respond("w", poll.Choices["a"]).OK()
		token := s.MemberTokenHeaders(user)
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			list := s.Call(key, "GET", apptest.ResponsesPath+"?userId="+user, nil, token...).Data()
			if len(list) != 3 || list[0]["loyaltyQuestionId"] != poll.ID || list[1]["loyaltyQuestionId"] != again.ID ||
				list[2]["loyaltyQuestionId"] != q.ID {
				t.Fatalf("listed %v", list)
			}
			responseText := func(i int) string {
				var out []string
				for _, c := range list[i]["question"].(object)["loyaltyQuestionChoices"].([]any) {
					out = append(out, fmt.Sprint(c.(object)["text"], c.(object)["isCorrect"]))
				}
				return strings.Join(out, " ")
			}
			if responseText(0) != "atrue btrue ctrue" || responseText(1) != "a<nil> b<nil> c<nil>" || responseText(2) != "afalse btrue cfalse" {
				t.Errorf("got %s; %s; %s", responseText(0), responseText(1), responseText(2))
			}
			if list[0]["isCorrect"] != true || list[1]["isCorrect"] != true || list[2]["isCorrect"] != false ||
				list[2]["userId"] != user ||
				list[2]["loyaltyQuestionChoiceId"] != q.Choices["a"] ||
				list[2]["question"].(object)["text"] != "Which?" {
				t.Errorf("listed %v", list)
			}
		}
		if list := s.Get(apptest.ResponsesPath + "?questionsId=" + q.ID + "," + poll.ID).Data(); len(list) != 3 {
			t.Errorf("of two questions: %v", list)
		}
		if list := s.Get(apptest.ResponsesPath + "?questionsId=" + q.ID + "&userId=" + other).
			Data(); len(list) != 1 ||
			list[0]["userId"] != other {
			t.Errorf("of one question and user: %v", list)
		}
		s.Call(
			s.ClientAPIKey,
			"GET",
			apptest.ResponsesPath,
			nil,
			token...,
		).Refused(400, "userId or walletAddress is required")
		s.Call(s.ClientAPIKey, "GET", apptest.ResponsesPath+"?userId="+user, nil).Refused(403, "Member token is required")
		s.Call(s.ClientAPIKey, "GET", apptest.ResponsesPath+"?userId="+other, nil, token...).
			Refused(403, "Member token does not belong to this user")
	})
}

func TestPublishableKeysAnswerForTheirUser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		q, hidden, later := s.CreateQuestionRule(
			"quiz",
			nil,
			nil,
		), s.CreateQuestionRule(
			"quiz",
			object{"hideInUi": true},
			nil,
		), s.CreateQuestionRule(
			"quiz",
			object{"startTime": "2026-02-01T00:00:00Z"},
			nil,
		)
		shown := s.CreateQuestionRule("quiz", object{"startTime": "2026-02-01T00:00:00Z", "showBeforeStart": true}, nil)
		user, other := s.User("w", nil), s.User("v", nil)
		token := s.MemberTokenHeaders(user)
		call := func(body object, headers ...string) apptest.Response {
			return s.Call(
				s.ClientAPIKey,
				"POST",
				apptest.ResponsesPath,
				apptest.Over(object{"loyaltyQuestionChoiceId": q.Choices["b"]}, body),
				headers...)
		}
		call(object{"userId": user}).Refused(403, "Member token is required")
		call(object{"userId": other}, token...).Refused(403, "Member token does not belong to this user")
		call(object{"walletAddress": "stranger"}).Refused(403, "Member token is required")
		call(nil, token...).Refused(400, "userId or walletAddress is required")
		if got := call(
			object{"walletAddress": "w"},
			token...).OK(); got["isCorrect"] != true ||
			got["response"].(object)["userId"] != user {
			t.Errorf("answered %v", got)
		}
		var rules []any
		for _, one := range s.Call(s.ClientAPIKey, "GET", apptest.QuestionsPath+"?loyaltyRuleIds="+strings.Join([]string{q.Rule, hidden.Rule, later.Rule, shown.Rule}, ","), nil).Data() {
			rules = append(rules, one["loyaltyRuleId"])
		}
		if !slices.Equal(rules, []any{shown.Rule, q.Rule}) {
			t.Errorf("a publishable key sees the questions of %v", rules)
		}
	})
}

func TestQuestionsAndResponsesArePaged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var rules, asked, given []string
		for i := range 7 {
			q := s.CreateQuestionRule("poll", nil, nil)
			rules, asked = append([]string{q.Rule}, rules...), append([]string{q.ID}, asked...)
			given = append([]string{s.Respond("w", q.Choices["a"]).OK()["response"].(object)["id"].(string)}, given...)
			if i == 3 {
				s.Clock.Set(apptest.Noon) // two questions of one moment are ordered by their ids
			}
		}
		for path, want := range map[string][]string{apptest.QuestionsPath + "?loyaltyRuleIds=" + strings.Join(rules, ","): asked, apptest.ResponsesPath + "?": given} {
			for _, limit := range []int{1, 2, 3, 7, 100} {
				var got []string
				for after := ""; ; {
					page := s.Get(fmt.Sprintf("%s&limit=%d&startingAfter=%s", path, limit, url.QueryEscape(after))).OK()
					for _, item := range page["data"].([]any) {
						got = append(got, item.(object)["id"].(string))
					}
					if page["hasNextPage"] == false {
						break
					}
					after = got[len(got)-1]
				}
				slices.Sort(got)
				if all := slices.Sorted(slices.Values(want)); !slices.Equal(got, all) {
					t.Errorf("%s by %d: %v, want %v", path, limit, got, all)
				}
			}
			s.Get(path+"&limit=0").Refused(400, "limit must be between 1 and 1000")
			s.Get(path+"&limit=1001").Refused(400, "limit must be between 1 and 1000")
			s.Get(path+"&startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		}
		s.Clock.Advance(time.Hour)
		last := s.CreateQuestionRule("poll", nil, nil)
		if got := s.Get(apptest.QuestionsPath + "?limit=1&loyaltyRuleIds=" + strings.Join(append(rules, last.Rule), ",")).Data()[0]["id"]; got != last.ID {
			t.Errorf("the newest is %v, want %s", got, last.ID)
		}
	})
}
