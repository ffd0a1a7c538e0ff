package dashboard_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestAQuestionIsWrittenAnsweredAndChanged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/questions")).Shows(200, "No questions yet", "Create quiz")
		rule := s.Rule("quiz", object{"name": "Quiz <i>", "interval": "unlimited"})
		path := b.Site("/rules/" + rule + "/question")
		page := b.Get(path).Shows(200, "Quiz <i>", "New question", "Create question", "Choice 4")
		form := with(formOn(page), "questionText", "What <b>else</b>?", "choice.0.text", "One", "choice.2.text", "<u>Two</u>")
		b.Post(path, form...).Shows(400, "Must have at least one correct answer", "What <b>else</b>?", "<u>Two</u>", "Choice 2").
			Hides("Choice 3")
		b.Post(path, with(formOn(page), "questionText", "", "choice.0.text", "One")...).Shows(400, "questionText", "choice")
		b.Post(path, append(form, "add", "choice")...).Shows(200, "Choice 3", "<u>Two</u>")
		form = append(form, "choice.2.correct", "on")
		made := b.Post(path, form...).FollowsTo(path).Shows(200, "Question saved", "No answers yet", "Save question", "Delete")
		if containsRaw(made, "<u>Two</u>") || containsRaw(made, "<b>else</b>") {
			t.Error("a text is not escaped")
		}
		b.Post(path, form...).FollowsTo(path).Shows(200, "applied only once")
		q := s.Questions(rule)[0]
		choices := q["loyaltyQuestionChoices"].([]any)
		if q["text"] != "What <b>else</b>?" || len(choices) != 2 {
			t.Fatalf("made: %v", q)
		}
		s.Respond(apptest.Alice, choices[1].(object)["id"].(string)).OK()
		s.Respond(apptest.Bob, choices[0].(object)["id"].(string)).OK()
		b.Get(b.Site("/questions")).Shows(200, "What <b>else</b>?", "Quiz <i>", `<td class="r">2</td>`)
		b.Get(b.Site("/questions/questions.csv")).Shows(200, `"id","question",`, "What <b>else</b>?", `,"2","2026-`)
		b.Get(path+"/answers.csv").Shows(200, `"id","userId","member","choice","time"`, `,"One","2026-`, `,"<u>Two</u>","2026-`)
		page = b.Get(path).Shows(200, "2 answers", "1, 50 %", "Correct", "Wrong").Hides("Delete the question")
		b.Post(path, with(formOn(page), "choice.0.text", "")...).Shows(400, "Must have between 2 and 20 items")
		b.Post(path, with(formOn(page), "choice.0.text", "", "choice.2.text", "Three")...).
			Shows(400, "An answered choice cannot be removed")
		b.Post(path, with(formOn(page), "choice.0.text", "First", "choice.2.text", "Three")...).FollowsTo(path).Shows(200, "Three")
		if q := s.Questions(rule)[0]; len(q["loyaltyQuestionChoices"].([]any)) != 3 {
			t.Errorf("changed: %v", q)
		}
		b.Post(path+"/delete").Shows(400, "An answered question cannot be deleted", "2 answers are stored with it")
		b.Get(b.Site("/rules/"+rule)).Shows(200, ">Question</a>")
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(path).Shows(200, "First", " disabled").Hides("Save question", "Add a choice")
		v.Post(path, form...).Shows(403)
		v.Post(path + "/delete").Shows(403)
		v.Get(path + "/delete").Shows(403)
	})
}

func TestAQuestionThatNobodyAnsweredIsDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		asked := s.CreateQuestionRule("poll", nil, nil)
		path := b.Site("/rules/" + asked.Rule + "/question")
		b.Get(path).Shows(200, "Which?", "Members get the reward for any answer").Hides(".correct")
		b.Get(path+"/delete").Shows(200, "Delete the question?", "“Which?”")
		b.Post(path+"/delete").FollowsTo(path).Shows(200, "Question deleted", "New question")
		b.Post(path + "/delete").Shows(404)
		if len(s.Questions(asked.Rule)) != 0 {
			t.Error("the question is there")
		}
		s.Complete(asked.Rule, object{"walletAddress": apptest.Alice, "loyaltyQuestionChoiceId": asked.Choices["a"]}).
			Refused(400, "Question not found")
		again := s.CreateQuestion(asked.Rule, nil)
		if again.ID == asked.ID || !strings.Contains(b.Get(path).Body, "Which?") {
			t.Error("the rule takes no other question")
		}
		b.Get(b.Site("/rules/" + s.Rule("bonus", nil) + "/question")).Shows(404)
		other := s.NewProgram("Other")
		foreign := s.Call(other.WebsiteAPIKey, "POST", "/api/loyalty/rules", object{"name": "Foreign", "type": "quiz",
			"amount": 1}).OK()["id"].(string)
		b.Get(b.Site("/rules/" + foreign + "/question")).Shows(404)
		b.Post(b.Site("/rules/"+foreign+"/question"), "questionText", "x").Shows(404)
	})
}

func TestAQuestionThatSomebodyElseSavedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.CreateQuestionRule("quiz", nil, object{}).Rule
		path := b.Site("/rules/" + rule + "/question")
		page := b.Get(path)
		b.Post(path, with(formOn(page), "questionText", "Theirs", "choice.3.text", "d <b>")...).FollowsTo(path)
		later := b.Post(path, with(formOn(page), "choice.0.text", "Mine", "add", "choice")...).Shows(200, "Mine")
		late := b.Post(path, with(formOn(later))...).
			Shows(400, "Someone else changed this while you were editing", "Theirs", "d <b>", "Mine", "Overwrite their changes")
		if q := s.Questions(rule)[0]; q["text"] != "Theirs" {
			t.Fatalf("saved as %v", q)
		}
		b.Post(path, with(formOn(late))...).FollowsTo(path).Shows(200, "Mine").Hides("d <b>")

		other := b.Site("/rules/" + s.Rule("poll", nil) + "/question")
		empty := b.Get(other)
		b.Post(other, with(formOn(empty), "questionText", "First", "choice.0.text", "One", "choice.1.text", "Two")...).
			FollowsTo(other)
		form := with(formOn(b.Get(other)), "questionText", "Second", "seen", hidden(empty, "seen"))
		b.Post(other, form...).Shows(400, "Someone else changed this while you were editing", "First", "Second")
	})
}
