package rules

import (
	"fmt"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/schema"
)

var questionRoutes = []route{
	web.Get("/questions", admins.SeeProgram, "questions", questionsPage),
	web.Get("/questions/questions.csv", admins.SeeProgram, "questions", exportQuestions),
	web.Get("/rules/{rule}/question", admins.SeeProgram, "rules", questionPage),
	web.Get("/rules/{rule}/question/answers.csv", admins.SeeMembers, "rules", exportAnswers),
	web.Post("/rules/{rule}/question", admins.ChangeProgram, "rules",
		"changed a question", web.Idempotent(saveQuestion)),
	web.Get("/rules/{rule}/question/delete", admins.ChangeProgram, "rules", confirmDeleteQuestion),
	web.Post("/rules/{rule}/question/delete", admins.ChangeProgram, "rules", "deleted a question", deleteQuestion),
}

// emptyChoiceRows is how many rows an empty form has, maxChoices how many a form has at most.
const (
	emptyChoiceRows = 4
	maxChoices      = 20
)

// questionRow is a question of the list.
type questionRow struct {
	engagement.Question
	Rule     string
	Answered int64
}

type questionsData struct {
	Questions []questionRow
	Pager     web.Pager
}

// questionsPage shows a page of the website's questions.
func questionsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Report.Questions(c.Context(), c.Scope, report.QuestionFilter{}, page)
	if err != nil {
		return web.View{}, err
	}
	rows, err := c.questionRows(list.Data)
	if err != nil {
		return web.View{}, err
	}
	data := questionsData{rows, c.Pager(page, list.HasNextPage, web.LastID(list, questionID))}
	return web.Show("questions", "Questions", data)
}

func questionID(q engagement.Question) laurel.ID { return q.ID }

// questionRows adds to each question the name of its rule and the number of its answers.
func (c *call) questionRows(list []engagement.Question) ([]questionRow, error) {
	names, err := c.RuleNames(web.UniqueIDs(list, func(question engagement.Question) laurel.ID { return question.RuleID }))
	if err != nil {
		return nil, err
	}
	counts, err := c.Report.CountChosen(c.Context(), c.Scope, web.UniqueIDs(list, questionID))
	if err != nil {
		return nil, err
	}
	rows := make([]questionRow, len(list))
	for i, question := range list {
		rows[i] = questionRow{Question: question, Rule: parts.NameOrID(names, question.RuleID)}
		for _, choice := range question.Choices {
			rows[i].Answered += counts[choice.ID]
		}
	}
	return rows, nil
}

// exportQuestions exports the questions with their numbers of choices and answers as CSV.
func exportQuestions(c *call) (web.View, error) {
	list := func(page laurel.PageRequest) (laurel.Page[engagement.Question], error) {
		return c.Report.Questions(c.Context(), c.Scope, report.QuestionFilter{}, page)
	}
	head := []string{"id", "question", "ruleId", "rule", "choices", "answers", "changed"}
	return web.ExportCSV("questions.csv", head, web.PagedRows(list, questionID, func(list []engagement.Question) ([][]string, error) {
		rows, err := c.questionRows(list)
		out := make([][]string, len(rows))
		for i, q := range rows {
			out[i] = []string{
				web.IdCell(q.ID), q.Text, web.IdCell(q.RuleID), q.Rule, strconv.Itoa(len(q.Choices)),
				strconv.FormatInt(q.Answered, 10), web.TimeCell(q.UpdatedAt),
			}
		}
		return out, err
	}))
}

// choiceLine is a choice in the form of a question, with how often it was chosen.
type choiceLine struct {
	ID, Text string
	Correct  bool
	N        int64
	Share    int64 // of all answers, in percent
}

type questionData struct {
	web.Refusal
	form.Base
	ruleHead
	Question  engagement.Question // zero: there is none yet
	Text      string
	Multiple  bool
	Choices   []choiceLine
	Answered  int64
	Responses []report.Response
	Who       map[laurel.ID]parts.Person
	Pager     web.Pager
}

// questionFields are the fields of a question that are compared.
var questionFields = form.Fields("questionText", "Question", "choices", "Choices")

// texts returns the question and its choices as texts by field, to find changes and conflicts.
func (d questionData) texts() map[string]string {
	var choices []string
	for _, line := range d.Choices {
		text := line.Text
		if d.Quiz() && line.Correct {
			text += " (right)"
		}
		if text != "" {
			choices = append(choices, text)
		}
	}
	return map[string]string{"questionText": strings.TrimSpace(d.Text), "choices": strings.Join(choices, ", ")}
}

// New reports whether the rule has no question yet.
func (d questionData) New() bool { return d.Question.ID.IsZero() }

// Quiz reports whether some choices are right and others wrong.
func (d questionData) Quiz() bool { return d.Rule.Type == schema.TypeQuiz }

// Full reports whether there is no room for another choice.
func (d questionData) Full() bool { return len(d.Choices) >= maxChoices }

// Chose returns the text of the choice that a response made; empty if that choice was removed.
func (d questionData) Chose(r report.Response) string {
	for _, choice := range r.Choices {
		if choice.ID == r.ChoiceID {
			return choice.Text
		}
	}
	return ""
}

// readQuestionForm reads the question of the rule whose id is in the path, with how often each choice was made and a
// page of responses. A rule that has no question yet gets empty choices. A rule of a type that asks no question is not
// found.
func (c *call) readQuestionForm() (questionData, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return questionData{}, err
	}
	data := questionData{ruleHead: head}
	if !asksQuestion(head.Rule.Type) {
		return data, laurel.Missing("Page")
	}
	question, exists, err := c.Engagement.QuestionOf(c.Context(), c.Scope, head.Rule.ID)
	if err != nil || !exists {
		data.Choices = make([]choiceLine, emptyChoiceRows)
		data.BaseVersion = form.VersionOf(data.texts())
		return data, err
	}
	data.Question, data.Text, data.Multiple = question, question.Text, question.AllowMultipleAttempts
	counts, err := c.Report.CountChosen(c.Context(), c.Scope, []laurel.ID{question.ID})
	if err != nil {
		return data, err
	}
	for _, count := range counts {
		data.Answered += count
	}
	for _, choice := range question.Choices {
		line := choiceLine{ID: choice.ID.String(), Text: choice.Text, Correct: choice.Correct, N: counts[choice.ID]}
		line.Share = line.N * 100 / max(data.Answered, 1)
		data.Choices = append(data.Choices, line)
	}
	data.BaseVersion = form.VersionOf(data.texts())
	err = c.readResponses(&data)
	return data, err
}

// readResponses reads a page of responses to the question, if the role may see members.
func (c *call) readResponses(data *questionData) error {
	if !c.May(admins.SeeMembers) {
		return nil
	}
	page, err := c.PageRequest()
	if err != nil {
		return err
	}
	page.Limit = web.SideListLimit
	filter := report.ResponseFilter{QuestionIDs: []laurel.ID{data.Question.ID}}
	list, err := c.Report.Responses(c.Context(), c.Scope, filter, page)
	if err != nil {
		return err
	}
	data.Responses = list.Data
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, func(r report.Response) laurel.ID { return r.ID }))
	data.Who, err = c.ReadPeople(web.UniqueIDs(list.Data, func(r report.Response) laurel.ID { return r.UserID }))
	return err
}

// exportAnswers exports the responses to the question of a rule as CSV. A rule without a question is not found.
func exportAnswers(c *call) (web.View, error) {
	data, err := c.readQuestionForm()
	if err != nil {
		return web.View{}, err
	}
	if data.New() {
		return web.View{}, laurel.Missing("Question")
	}
	filter := report.ResponseFilter{QuestionIDs: []laurel.ID{data.Question.ID}}
	list := func(page laurel.PageRequest) (laurel.Page[report.Response], error) {
		return c.Report.Responses(c.Context(), c.Scope, filter, page)
	}
	rows := func(list []report.Response) ([][]string, error) {
		people, err := c.ReadPeople(web.UniqueIDs(list, func(r report.Response) laurel.ID { return r.UserID }))
		out := make([][]string, len(list))
		for i, r := range list {
			out[i] = []string{
				web.IdCell(r.ID), web.IdCell(r.UserID), people[r.UserID].Name, data.Chose(r), web.MicrosCell(&r.CreatedMicros),
			}
		}
		return out, err
	}
	head := []string{"id", "userId", "member", "choice", "time"}
	return web.ExportCSV("answers.csv", head, web.PagedRows(list, func(r report.Response) laurel.ID { return r.ID }, rows))
}

// questionPage shows the question of a rule with the responses.
func questionPage(c *call) (web.View, error) {
	data, err := c.readQuestionForm()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-question", data.Rule.Name+", question", data)
}

// readPostedQuestion reads the posted question into data and returns the service's input. Choices without a text are
// left out. A choice that someone else has removed meanwhile becomes a new one. Whether members may answer again can
// only be chosen for a new question.
func (c *call) readPostedQuestion(data *questionData) engagement.QuestionInput {
	savedChoices := map[string]choiceLine{}
	for _, line := range data.Choices {
		savedChoices[line.ID] = line
	}
	data.Text, data.Choices = c.PostFormValue("questionText"), nil
	if data.New() {
		data.Multiple = c.PostFormValue("multiple") != ""
	}
	in := engagement.QuestionInput{
		RuleID: data.Rule.ID, Text: strings.TrimSpace(data.Text), AllowMultipleAttempts: data.Multiple,
	}
	for i := range maxChoices {
		name := "choice." + strconv.Itoa(i)
		line := choiceLine{Text: strings.TrimSpace(c.PostFormValue(name + ".text")), ID: c.PostFormValue(name + ".id")}
		line.Correct = c.PostFormValue(name+".correct") != ""
		savedChoice, exists := savedChoices[line.ID]
		if !exists {
			line.ID = ""
		}
		line.N, line.Share = savedChoice.N, savedChoice.Share
		if line.Text == "" {
			continue
		}
		choice := engagement.ChoiceInput{Text: line.Text, Correct: &line.Correct}
		choice.ID, _ = laurel.ParseID(line.ID) // an invalid id means a new choice
		data.Choices, in.Choices = append(data.Choices, line), append(in.Choices, choice)
	}
	return in
}

// saveQuestion creates the question of a rule, or changes it. A form that was sent only to add a choice is shown again.
// If someone else has saved other values since the form was opened, nothing is written and the conflicts are shown.
func saveQuestion(c *call) (web.View, error) {
	data, err := c.readQuestionForm()
	if err != nil {
		return web.View{}, err
	}
	title := data.Rule.Name + ", question"
	savedTexts := data.texts()
	in := c.readPostedQuestion(&data)
	if c.PostForm.Has("add") {
		data.BaseVersion = c.PostFormValue(form.BaseVersionField)
		data.Choices = append(data.Choices, choiceLine{})
		return web.Show("rule-question", title, data)
	}
	if data.FindConflicts(c.PostForm, savedTexts, data.texts(), questionFields) {
		return web.Refused("rule-question", title, data), nil
	}
	if data.New() {
		_, err = c.Engagement.CreateQuestion(c.Context(), c.Scope, in)
	} else {
		scope := c.Scope.IfUnchanged(data.Question.ID, data.Question.UpdatedAt.Time)
		_, err = c.Engagement.UpdateQuestion(c.Context(), scope, data.Question.ID, in)
	}
	if err != nil {
		for len(data.Choices) < 2 {
			data.Choices = append(data.Choices, choiceLine{})
		}
		return c.ShowRefused(err, "rule-question", title, func(refusal web.Refusal) any {
			data.Faults, data.Error = map[string]string{}, refusal.Error
			for path, fault := range refusal.Faults { // by the names of the inputs
				data.Faults[strings.Replace(path, "loyaltyQuestionAnswers", "choice", 1)] = fault
			}
			return data
		})
	}
	return c.Redirect(c.PathAfterPost("rules", data.Rule.ID, "question"), "Question saved. It applies to new answers.")
}

// confirmDeleteQuestion shows the page that asks before a question is deleted. A rule without a question is not found.
func confirmDeleteQuestion(c *call) (web.View, error) {
	data, err := c.readQuestionForm()
	if err == nil && data.New() {
		err = laurel.Missing("Question")
	}
	if err != nil {
		return web.View{}, err
	}
	return web.Show("question-delete", "Delete the question?", data)
}

// deleteQuestion deletes a question. A question that has answers is not deleted: the page says how many answers there
// are.
func deleteQuestion(c *call) (web.View, error) {
	data, err := c.readQuestionForm()
	if err == nil && data.New() {
		err = laurel.Missing("Question")
	}
	if err != nil {
		return web.View{}, err
	}
	if _, err := c.Engagement.DeleteQuestion(c.Context(), c.Scope, data.Question.ID); err != nil {
		if refused := web.AsRefusal(err); refused != nil {
			stored := web.Plural(data.Answered, "answer is", "answers are")
			data.Error = fmt.Sprintf("%s. %s stored with it.", web.Sentence(refused.Message), stored)
			page := web.Refused("question-delete", "Delete the question?", data)
			return page, nil //nolint:nilerr // the page shows the refusal
		}
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("rules", data.Rule.ID, "question"),
		"Question deleted. The rule won’t pay anyone until you write another one.")
}
