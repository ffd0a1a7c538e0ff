package app_test

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
)

const questionsPath, responsesPath = "/api/loyalty/questions", "/api/loyalty/questions_responses"

// choice is one choice of a question as a caller writes it.
func choice(text string, correct bool) object { return object{"text": text, "isCorrect": correct} }

// asked is a question with the ids of its choices by their texts.
type asked struct {
	rule, id string
	choices  map[string]string
}

// ask makes a rule of the type with a question whose choices are a, b and c; b is the correct one.
func (s *server) ask(kind string, rule, question object) asked {
	s.t.Helper()
	return s.question(s.rule(kind, rule), question)
}

// question gives a rule the question.
func (s *server) question(rule string, question object) asked {
	s.t.Helper()
	q := asked{rule: rule, choices: map[string]string{}}
	made := s.post(questionsPath, over(object{"loyaltyRuleId": q.rule, "questionText": "Which?",
		"loyaltyQuestionAnswers": []object{choice("a", false), choice("b", true), choice("c", false)}}, question)).ok()
	q.id = made["id"].(string)
	for _, c := range made["loyaltyQuestionChoices"].([]any) {
		q.choices[c.(object)["text"].(string)] = c.(object)["id"].(string)
	}
	return q
}

// respond returns a question with the website key.
func (s *server) respond(wallet, choice string) answer {
	s.t.Helper()
	return s.post(responsesPath, object{"walletAddress": wallet, "loyaltyQuestionChoiceId": choice})
}

func (s *server) questions(rules ...string) []object {
	s.t.Helper()
	return s.get(questionsPath + "?loyaltyRuleIds=" + strings.Join(rules, ",")).data()
}

// user makes a user and returns its id.
func (s *server) user(wallet string, fields object) string {
	s.t.Helper()
	return s.post("/api/users/metadatas", over(object{"walletAddress": wallet}, fields)).ok()["userId"].(string)
}

// speak returns the headers by which a publishable key acts for a user.
func (s *server) speak(user string) []string {
	s.t.Helper()
	return []string{
		"Authorization",
		"Bearer " + s.post("/api/users/tokens", object{"userId": user}).ok()["token"].(string),
	}
}

func TestAQuestionTellsItsChoicesAndNotWhichAreCorrect(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("quiz", nil)
		made := s.post(questionsPath, object{"loyaltyRuleId": rule, "questionText": "What is 6 x 7?", "loyaltyQuestionAnswers": []object{
			{
				"text":           "last",
				"sortIdentifier": "z",
				"id":             unknownID,
			},
			{"text": "third", "sortIdentifier": "10"},
			{"text": "second", "isCorrect": true, "sortIdentifier": 9.5},
			{"text": "first", "sortIdentifier": -1},
		}}).
			ok()
		var texts []string
		for _, c := range made["loyaltyQuestionChoices"].([]any) {
			texts = append(texts, c.(object)["text"].(string))
			if c.(object)["id"] == unknownID {
				t.Errorf("the caller's id was taken: %v", c)
			}
		}
		if !slices.Equal(texts, []string{"first", "second", "third", "last"}) || made["text"] != "What is 6 x 7?" ||
			made["loyaltyRuleId"] != rule ||
			made["allowMultipleAttempts"] != false {
			t.Errorf("made %v", made)
		}
		list := s.get(questionsPath + "?loyaltyRuleIds=" + rule)
		if len(list.data()) != 1 || fmt.Sprint(list.data()[0]) != fmt.Sprint(made) {
			t.Errorf("listed %s, made %v", list.body, made)
		}
		s.user("w", nil)
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			if got := s.call(
				key,
				"GET",
				questionsPath+"?loyaltyRuleIds="+rule+"&userId="+unknownID,
				nil,
			); len(got.data()) != 1 ||
				strings.Contains(got.body, "orrect") {
				t.Errorf("shown %s", got.body)
			}
		}
		if strings.Contains(fmt.Sprint(made), "orrect") {
			t.Errorf("made %v", made)
		}
	})
}

func TestBadQuestionsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		quiz, poll, other, gone := s.rule("quiz", nil), s.rule("poll", nil), s.rule("check_in", nil), s.rule("quiz", nil)
		s.remove("/api/loyalty/rules/" + gone)
		two := []object{choice("a", true), choice("b", false)}
		many := slices.Repeat(two, 11)
		for _, c := range []struct {
			body    object
			status  int
			message string
		}{
			{object{"loyaltyRuleId": nil}, 400, "loyaltyRuleId is required"}, {object{"loyaltyRuleId": "x"}, 400, "loyaltyRuleId must be a uuid"},
			{object{"loyaltyRuleId": unknownID}, 404, "Loyalty rule not found"}, {object{"loyaltyRuleId": gone}, 404, "Loyalty rule not found"},
			{object{"loyaltyRuleId": other}, 400, "Loyalty rule must be of type quiz or poll"},
			{object{"questionText": nil}, 400, "questionText is required"}, {object{"questionText": " "}, 400, "questionText is required"},
			{object{"questionText": strings.Repeat("x", 2001)}, 400, "questionText must be at most 2000 characters"},
			{object{"loyaltyQuestionAnswers": nil}, 400, "loyaltyQuestionAnswers is required"},
			{object{"loyaltyQuestionAnswers": two[:1]}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
			{object{"loyaltyQuestionAnswers": many[:21]}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
			{object{"loyaltyQuestionAnswers": []object{choice("", true), two[1]}}, 400, "loyaltyQuestionAnswers.0.text is required"},
			{object{"loyaltyQuestionAnswers": []object{{"isCorrect": true}, two[1]}}, 400, "loyaltyQuestionAnswers.0.text is required"},
			{object{"loyaltyQuestionAnswers": []object{two[0], choice(strings.Repeat("x", 1001), true)}}, 400, "loyaltyQuestionAnswers.1.text must be at most 1000 characters"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "isCorrect": "yes"}}}, 400, "loyaltyQuestionAnswers.1.isCorrect must be a boolean"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "id": "x"}}}, 400, "loyaltyQuestionAnswers.1.id must be a uuid"},
			{object{"loyaltyQuestionAnswers": []object{two[0], {"text": "b", "sortIdentifier": strings.Repeat("x", 256)}}}, 400,
				"loyaltyQuestionAnswers.1.sortIdentifier must be a number or a string of at most 255 characters"},
			{object{"loyaltyQuestionAnswers": []object{two[1], two[1]}}, 400, "loyaltyQuestionAnswers must have at least one correct answer"},
			{object{"allowMultipleAttempts": "yes"}, 400, "allowMultipleAttempts must be a boolean"},
		} {
			s.post(questionsPath, over(object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": two}, c.body)).
				refused(c.status, c.message)
		}
		if list := s.questions(quiz, poll, other, gone); len(list) != 0 {
			t.Errorf("kept %v", list)
		}
		s.post(questionsPath, object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": many[:20]}).ok()
		s.post(questionsPath, object{"loyaltyRuleId": poll, "questionText": "Why?", "loyaltyQuestionAnswers": []object{two[1], two[1]}}).
			ok()
		s.post(questionsPath, object{"loyaltyRuleId": quiz, "questionText": "Why?", "loyaltyQuestionAnswers": two}).
			refused(400, "Question already exists")
		s.call(s.ReadOnlyAPIKey, "GET", questionsPath, nil).refused(400, "loyaltyRuleIds is required")
		s.remove("/api/loyalty/rules/" + quiz)
		if list := s.questions(quiz); len(list) != 0 {
			t.Errorf("the question of a deleted rule is listed: %v", list)
		}
	})
}

func TestOneOfManyAtOnceMakesTheQuestion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("poll", nil)
		var made atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				a := s.post(
					questionsPath,
					object{
						"loyaltyRuleId":          rule,
						"questionText":           fmt.Sprint(i),
						"loyaltyQuestionAnswers": []object{choice("a", false), choice("b", false)},
					},
				)
				if a.status == 200 {
					made.Add(1)
				} else if a.json()["message"] != "Question already exists" {
					t.Errorf("%d %s", a.status, a.body)
				}
			})
		}
		wg.Wait()
		if list := s.questions(rule); made.Load() != 1 || len(list) != 1 ||
			len(list[0]["loyaltyQuestionChoices"].([]any)) != 2 {
			t.Errorf("%d made, %v", made.Load(), list)
		}
	})
}

func TestAQuestionsChoicesAreChangedAddedAndRemoved(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", nil, nil)
		path := questionsPath + "/" + q.id
		s.respond("w", q.choices["a"]).ok()
		keep := object{"id": q.choices["a"], "text": "a"}
		changed := s.post(path, object{"questionText": "Which one?", "loyaltyQuestionAnswers": []object{{"text": "d", "isCorrect": true}, {"id": q.choices["c"], "text": "C"}, keep}}).
			ok()
		if got := s.questions(q.rule)[0]; fmt.Sprint(got) != fmt.Sprint(changed) || got["text"] != "Which one?" ||
			got["id"] != q.id {
			t.Errorf("listed %v, changed %v", got, changed)
		}
		byText := map[string]string{}
		for _, c := range changed["loyaltyQuestionChoices"].([]any) {
			byText[c.(object)["text"].(string)] = c.(object)["id"].(string)
		}
		if byText["a"] != q.choices["a"] || byText["C"] != q.choices["c"] || len(byText) != 3 ||
			slices.Contains(slices.Collect(maps.Values(q.choices)), byText["d"]) {
			t.Errorf("choices %v, before %v", byText, q.choices)
		}
		for _, c := range []struct {
			choices []object
			status  int
			message string
		}{
			{[]object{choice("x", true), choice("y", true)}, 400, "An answered choice cannot be removed"},
			{[]object{keep, choice("y", false)}, 400, "loyaltyQuestionAnswers must have at least one correct answer"},
			{[]object{keep, {"id": q.choices["b"], "text": "gone", "isCorrect": true}}, 400, "Question choice not found"},
			{[]object{keep, keep, choice("y", true)}, 400, "loyaltyQuestionAnswers.1.id must be distinct"},
			{[]object{keep}, 400, "loyaltyQuestionAnswers must have between 2 and 20 items"},
		} {
			s.post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": c.choices}).refused(c.status, c.message)
		}
		s.post(questionsPath+"/"+unknownID, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{keep, choice("y", true)}}).
			refused(404, "Question not found")
		s.post(path, object{"loyaltyQuestionAnswers": []object{keep, choice("y", true)}}).
			refused(400, "questionText is required")
		if got := s.questions(q.rule)[0]; fmt.Sprint(got) != fmt.Sprint(changed) {
			t.Errorf("a refused change left %v, before %v", got, changed)
		}
		if got := s.respond("w", byText["d"]).ok(); got["alreadySubmitted"] != true || got["isCorrect"] != false {
			t.Errorf("after the change: %v", got)
		}
		s.post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{{"id": q.choices["a"], "text": "a", "isCorrect": true}, choice("y", false)}}).
			ok()
		// the key to the quiz was wrong, not the user
		if got := s.get(responsesPath + "?questionsId=" + q.id).data()[0]; got["isCorrect"] != true {
			t.Errorf("after the correction: %v", got)
		}
		s.remove("/api/loyalty/rules/" + q.rule)
		s.post(path, object{"questionText": "Which?", "loyaltyQuestionAnswers": []object{keep, choice("y", true)}}).
			refused(404, "Question not found")
		s.respond("v", q.choices["a"]).refused(404, "Question choice not found")
	})
}

func TestOneAttemptIsOneAttempt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q, again, poll := s.ask(
			"quiz",
			nil,
			nil,
		), s.ask(
			"quiz",
			nil,
			object{"allowMultipleAttempts": true},
		), s.ask(
			"poll",
			nil,
			nil,
		)
		first := s.respond("w", q.choices["a"]).ok()
		second := s.respond("w", q.choices["b"]).ok()
		if first["alreadySubmitted"] != false || first["isCorrect"] != false || second["alreadySubmitted"] != true ||
			second["isCorrect"] != false ||
			fmt.Sprint(first["response"]) != fmt.Sprint(second["response"]) ||
			first["response"].(object)["loyaltyQuestionChoiceId"] != q.choices["a"] ||
			first["response"].(object)["loyaltyQuestionId"] != q.id {
			t.Errorf("first %v, second %v", first, second)
		}
		if got := s.respond("v", q.choices["b"]).ok(); got["isCorrect"] != true {
			t.Errorf("the correct choice: %v", got)
		}
		if got := s.respond("w", poll.choices["a"]).ok(); got["isCorrect"] != true || got["alreadySubmitted"] != false {
			t.Errorf("of a poll: %v", got)
		}
		seen := map[any]bool{}
		for _, c := range []string{"a", "a", "b"} {
			got := s.respond("w", again.choices[c]).ok()
			seen[got["response"].(object)["id"]] = true
			if got["alreadySubmitted"] != false || got["isCorrect"] != (c == "b") {
				t.Errorf("attempt %s: %v", c, got)
			}
		}
		if len(seen) != 3 || len(s.get(responsesPath+"?questionsId="+again.id).data()) != 3 ||
			len(s.get(responsesPath+"?questionsId="+q.id).data()) != 2 {
			t.Errorf("responses %v", seen)
		}
		for body, message := range map[string]string{`{"walletAddress":"w"}`: "loyaltyQuestionChoiceId is required",
			`{"walletAddress":"w","loyaltyQuestionChoiceId":"x"}`:                  "loyaltyQuestionChoiceId must be a uuid",
			`{"loyaltyQuestionChoiceId":"` + q.choices["a"] + `"}`:                 "userId or walletAddress is required",
			`{"walletAddress":" w","loyaltyQuestionChoiceId":"` + unknownID + `"}`: "walletAddress must not begin or end with space or hold control characters"} {
			s.post(responsesPath, body).refused(400, message)
		}
		s.respond("w", unknownID).refused(404, "Question choice not found")
		s.post(responsesPath, object{"userId": unknownID, "loyaltyQuestionChoiceId": q.choices["a"]}).
			refused(404, "User not found")
	})
}

func TestManyAnswersAtOnceAreOneAttempt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q := s.ask("quiz", nil, nil)
		s.user("w", object{"userGroupExternalIdentifier": "family"})
		s.user("v", object{"userGroupExternalIdentifier": "family"})
		var fresh, correct atomic.Int64
		var ids sync.Map
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				got := s.respond([]string{"w", "v"}[i%2], q.choices[[]string{"a", "b", "c"}[i%3]]).ok() // a group is one person
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
			len(s.get(responsesPath+"?questionsId="+q.id).data()) != 1 {
			t.Errorf("%d kept, %d responses, %d correct", fresh.Load(), n, correct.Load())
		}
	})
}

func TestAnswersFollowTheirUserThroughGroups(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		brought, there := s.ask("poll", nil, nil), s.ask("poll", nil, nil)
		answered := func(wallet string, q asked) bool {
			t.Helper()
			return s.respond(wallet, q.choices["c"]).ok()["alreadySubmitted"] == true
		}
		s.respond("w", brought.choices["a"]).ok()
		s.user("v", object{"userGroupExternalIdentifier": "family"})
		s.user("w", object{"userGroupExternalIdentifier": "family"})
		if !answered("v", brought) {
			t.Error("the group did not take over the answer of its new member")
		}
		s.respond("w", there.choices["a"]).ok()
		s.user("w", object{"userGroupExternalIdentifier": nil})
		if !answered("w", brought) || !answered("w", there) || !answered("v", there) {
			t.Error("who leaves answers anew, or the group does")
		}
		s.respond("x", there.choices["b"]).ok()
		s.user("x", object{"userGroupExternalIdentifier": "family"})
		s.user("x", object{"userGroupExternalIdentifier": nil})
		if got := s.respond("x", there.choices["c"]).ok()["response"].(object); got["loyaltyQuestionChoiceId"] != there.choices["b"] {
			t.Errorf("after leaving, x's answer is %v", got)
		}
	})
}

func TestResponsesAreListedAndTellWhatIsCorrectOnlyAfterTheLastAttempt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q, again, poll := s.ask(
			"quiz",
			nil,
			nil,
		), s.ask(
			"quiz",
			nil,
			object{"allowMultipleAttempts": true},
		), s.ask(
			"poll",
			nil,
			nil,
		)
		user, other := s.user("w", nil), s.user("v", nil)
		s.respond("w", q.choices["a"]).ok()
		s.respond("w", again.choices["b"]).ok()
		s.respond("v", q.choices["b"]).ok()
		s.respond("w", poll.choices["a"]).ok()
		token := s.speak(user)
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			list := s.call(key, "GET", responsesPath+"?userId="+user, nil, token...).data()
			if len(list) != 3 || list[0]["loyaltyQuestionId"] != poll.id || list[1]["loyaltyQuestionId"] != again.id ||
				list[2]["loyaltyQuestionId"] != q.id {
				t.Fatalf("listed %v", list)
			}
			told := func(i int) string {
				var out []string
				for _, c := range list[i]["question"].(object)["loyaltyQuestionChoices"].([]any) {
					out = append(out, fmt.Sprint(c.(object)["text"], c.(object)["isCorrect"]))
				}
				return strings.Join(out, " ")
			}
			if told(0) != "atrue btrue ctrue" || told(1) != "a<nil> b<nil> c<nil>" || told(2) != "afalse btrue cfalse" {
				t.Errorf("told %s; %s; %s", told(0), told(1), told(2))
			}
			if list[0]["isCorrect"] != true || list[1]["isCorrect"] != true || list[2]["isCorrect"] != false ||
				list[2]["userId"] != user ||
				list[2]["loyaltyQuestionChoiceId"] != q.choices["a"] ||
				list[2]["question"].(object)["text"] != "Which?" {
				t.Errorf("listed %v", list)
			}
		}
		if list := s.get(responsesPath + "?questionsId=" + q.id + "," + poll.id).data(); len(list) != 3 {
			t.Errorf("of two questions: %v", list)
		}
		if list := s.get(responsesPath + "?questionsId=" + q.id + "&userId=" + other).
			data(); len(list) != 1 ||
			list[0]["userId"] != other {
			t.Errorf("of one question and user: %v", list)
		}
		s.call(s.ClientAPIKey, "GET", responsesPath, nil, token...).refused(400, "userId or walletAddress is required")
		s.call(s.ClientAPIKey, "GET", responsesPath+"?userId="+user, nil).refused(403, "Member token is required")
		s.call(s.ClientAPIKey, "GET", responsesPath+"?userId="+other, nil, token...).
			refused(403, "Member token does not belong to this user")
	})
}

func TestPublishableKeysAnswerForTheirUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		q, hidden, later := s.ask(
			"quiz",
			nil,
			nil,
		), s.ask(
			"quiz",
			object{"hideInUi": true},
			nil,
		), s.ask(
			"quiz",
			object{"startTime": "2026-02-01T00:00:00Z"},
			nil,
		)
		shown := s.ask("quiz", object{"startTime": "2026-02-01T00:00:00Z", "showBeforeStart": true}, nil)
		user, other := s.user("w", nil), s.user("v", nil)
		token := s.speak(user)
		call := func(body object, headers ...string) answer {
			return s.call(
				s.ClientAPIKey,
				"POST",
				responsesPath,
				over(object{"loyaltyQuestionChoiceId": q.choices["b"]}, body),
				headers...)
		}
		call(object{"userId": user}).refused(403, "Member token is required")
		call(object{"userId": other}, token...).refused(403, "Member token does not belong to this user")
		call(object{"walletAddress": "stranger"}).refused(403, "Member token is required")
		call(nil, token...).refused(400, "userId or walletAddress is required")
		if got := call(
			object{"walletAddress": "w"},
			token...).ok(); got["isCorrect"] != true ||
			got["response"].(object)["userId"] != user {
			t.Errorf("answered %v", got)
		}
		var rules []any
		for _, one := range s.call(s.ClientAPIKey, "GET", questionsPath+"?loyaltyRuleIds="+strings.Join([]string{q.rule, hidden.rule, later.rule, shown.rule}, ","), nil).data() {
			rules = append(rules, one["loyaltyRuleId"])
		}
		if !slices.Equal(rules, []any{shown.rule, q.rule}) {
			t.Errorf("a publishable key sees the questions of %v", rules)
		}
	})
}

func TestQuestionsAndResponsesArePaged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var rules, asked, given []string
		for i := range 7 {
			q := s.ask("poll", nil, nil)
			rules, asked = append([]string{q.rule}, rules...), append([]string{q.id}, asked...)
			given = append([]string{s.respond("w", q.choices["a"]).ok()["response"].(object)["id"].(string)}, given...)
			if i == 3 {
				s.clock.set(noon) // two questions of one moment are told apart by their ids
			}
		}
		for path, want := range map[string][]string{questionsPath + "?loyaltyRuleIds=" + strings.Join(rules, ","): asked, responsesPath + "?": given} {
			for _, limit := range []int{1, 2, 3, 7, 100} {
				var got []string
				for after := ""; ; {
					page := s.get(fmt.Sprintf("%s&limit=%d&startingAfter=%s", path, limit, url.QueryEscape(after))).ok()
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
			s.get(path+"&limit=0").refused(400, "limit must be between 1 and 1000")
			s.get(path+"&limit=1001").refused(400, "limit must be between 1 and 1000")
			s.get(path+"&startingAfter="+unknownID).refused(400, "startingAfter not found")
		}
		s.clock.advance(time.Hour)
		last := s.ask("poll", nil, nil)
		if got := s.get(questionsPath + "?limit=1&loyaltyRuleIds=" + strings.Join(append(rules, last.rule), ",")).data()[0]["id"]; got != last.id {
			t.Errorf("the newest is %v, want %s", got, last.id)
		}
	})
}
