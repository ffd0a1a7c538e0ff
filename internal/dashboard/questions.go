package dashboard

import (
	"fmt"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/engagement"
	"laurel/internal/report"
	"laurel/internal/rules/schema"
)

var questionRoutes = []route{
	get("/questions", admins.SeeProgram, "questions", questionsPage),
	get("/questions/questions.csv", admins.SeeProgram, "questions", exportQuestions),
	get("/rules/{rule}/question", admins.SeeProgram, "rules", questionPage),
	get("/rules/{rule}/question/answers.csv", admins.SeeMembers, "rules", exportAnswers),
	post("/rules/{rule}/question", admins.ChangeProgram, "rules",
		"changed a question", idempotent(saveQuestion)),
	get("/rules/{rule}/question/delete", admins.ChangeProgram, "rules", confirmDeleteQuestion),
	post("/rules/{rule}/question/delete", admins.ChangeProgram, "rules", "deleted a question", deleteQuestion),
}

// emptyChoiceRows is how many rows an empty form has, maxChoices how many a form has at most.
const (
	emptyChoiceRows = 4
	maxChoices      = 20
)

// questionRow is a question of the list.
type questionRow struct {
	report.Question
	Rule     string
	Answered int64
}

type questionsData struct {
	Questions []questionRow
	Pager     pager
}

// questionsPage shows a page of the website's questions.
func questionsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Report.Questions(c.Context(), c.scope, report.QuestionFilter{}, page)
	if err != nil {
		return view{}, err
	}
	rows, err := c.questionRows(list.Data)
	if err != nil {
		return view{}, err
	}
	data := questionsData{rows, c.pager(page, list.HasNextPage, lastID(list, questionID))}
	return pageView("questions", "Questions", data)
}

func questionID(q report.Question) laurel.ID { return q.ID }

// questionRows adds to each question the name of its rule and the number of its answers.
func (c *request) questionRows(list []report.Question) ([]questionRow, error) {
	names, err := c.ruleNames(uniqueIDs(list, func(question report.Question) laurel.ID { return question.RuleID }))
	if err != nil {
		return nil, err
	}
	counts, err := c.d.Report.CountChosen(c.Context(), c.scope, uniqueIDs(list, questionID))
	if err != nil {
		return nil, err
	}
	rows := make([]questionRow, len(list))
	for i, question := range list {
		rows[i] = questionRow{Question: question, Rule: nameOrID(names, question.RuleID)}
		for _, choice := range question.Choices {
			rows[i].Answered += counts[choice.ID]
		}
	}
	return rows, nil
}

// exportQuestions exports the questions with their numbers of choices and answers as CSV.
func exportQuestions(c *request) (view, error) {
	list := func(page laurel.PageRequest) (laurel.Page[report.Question], error) {
		return c.d.Report.Questions(c.Context(), c.scope, report.QuestionFilter{}, page)
	}
	head := []string{"id", "question", "ruleId", "rule", "choices", "answers", "changed"}
	return exportCSV("questions.csv", head, pagedRows(list, questionID, func(list []report.Question) ([][]string, error) {
		rows, err := c.questionRows(list)
		out := make([][]string, len(rows))
		for i, q := range rows {
			out[i] = []string{
				idCell(q.ID), q.Text, idCell(q.RuleID), q.Rule, strconv.Itoa(len(q.Choices)),
				strconv.FormatInt(q.Answered, 10), microsCell(&q.UpdatedMicros),
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
	ruleHead
	Question    engagement.Question // zero: there is none yet
	Text        string
	Multiple    bool
	Choices     []choiceLine
	Answered    int64
	Responses   []report.Response
	Who         map[laurel.ID]person
	Pager       pager
	BaseVersion string // hash of the saved values when the form was opened
	Conflicts   []fieldConflict
	Faults      map[string]string
	Error       string
}

// questionFields are the fields of a question that are compared.
var questionFields = labeledFields("questionText", "Question", "choices", "Choices")

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
func (c *request) readQuestionForm() (questionData, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return questionData{}, err
	}
	data := questionData{ruleHead: head}
	if !asksQuestion(head.Rule.Type) {
		return data, laurel.Missing("Page")
	}
	question, exists, err := c.d.Engagement.QuestionOf(c.Context(), c.scope, head.Rule.ID)
	if err != nil || !exists {
		data.Choices = make([]choiceLine, emptyChoiceRows)
		data.BaseVersion = formVersion(data.texts())
		return data, err
	}
	data.Question, data.Text, data.Multiple = question, question.Text, question.AllowMultipleAttempts
	counts, err := c.d.Report.CountChosen(c.Context(), c.scope, []laurel.ID{question.ID})
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
	data.BaseVersion = formVersion(data.texts())
	err = c.readResponses(&data)
	return data, err
}

// readResponses reads a page of responses to the question, if the role may see members.
func (c *request) readResponses(data *questionData) error {
	if !c.may(admins.SeeMembers) {
		return nil
	}
	page, err := c.pageRequest()
	if err != nil {
		return err
	}
	page.Limit = sideListLimit
	filter := report.ResponseFilter{QuestionIDs: []laurel.ID{data.Question.ID}}
	list, err := c.d.Report.Responses(c.Context(), c.scope, filter, page)
	if err != nil {
		return err
	}
	data.Responses = list.Data
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(r report.Response) laurel.ID { return r.ID }))
	data.Who, err = c.readPeople(uniqueIDs(list.Data, func(r report.Response) laurel.ID { return r.UserID }))
	return err
}

// exportAnswers exports the responses to the question of a rule as CSV. A rule without a question is not found.
func exportAnswers(c *request) (view, error) {
	data, err := c.readQuestionForm()
	if err != nil {
		return view{}, err
	}
	if data.New() {
		return view{}, laurel.Missing("Question")
	}
	filter := report.ResponseFilter{QuestionIDs: []laurel.ID{data.Question.ID}}
	list := func(page laurel.PageRequest) (laurel.Page[report.Response], error) {
		return c.d.Report.Responses(c.Context(), c.scope, filter, page)
	}
	rows := func(list []report.Response) ([][]string, error) {
		people, err := c.readPeople(uniqueIDs(list, func(r report.Response) laurel.ID { return r.UserID }))
		out := make([][]string, len(list))
		for i, r := range list {
			out[i] = []string{idCell(r.ID), idCell(r.UserID), people[r.UserID].Name, data.Chose(r), microsCell(&r.CreatedMicros)}
		}
		return out, err
	}
	head := []string{"id", "userId", "member", "choice", "time"}
	return exportCSV("answers.csv", head, pagedRows(list, func(r report.Response) laurel.ID { return r.ID }, rows))
}

// questionPage shows the question of a rule with the responses.
func questionPage(c *request) (view, error) {
	data, err := c.readQuestionForm()
	if err != nil {
		return view{}, err
	}
	return pageView("rule-question", data.Rule.Name+", question", data)
}

// readPostedQuestion reads the posted question into data and returns the service's input. Choices without a text are
// left out. A choice that someone else has removed meanwhile becomes a new one. Whether members may answer again can
// only be chosen for a new question.
func (c *request) readPostedQuestion(data *questionData) engagement.QuestionInput {
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
func saveQuestion(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	data, err := c.readQuestionForm()
	if err != nil {
		return view{}, err
	}
	title := data.Rule.Name + ", question"
	savedTexts := data.texts()
	in := c.readPostedQuestion(&data)
	if c.PostForm.Has("add") {
		data.BaseVersion = c.PostFormValue(baseVersionField)
		data.Choices = append(data.Choices, choiceLine{})
		return pageView("rule-question", title, data)
	}
	if c.PostFormValue(baseVersionField) != data.BaseVersion {
		if data.Conflicts = findConflicts(savedTexts, data.texts(), questionFields); len(data.Conflicts) > 0 {
			return refusedView("rule-question", title, data), nil
		}
	}
	if data.New() {
		_, err = c.d.Engagement.CreateQuestion(c.Context(), c.scope, in)
	} else {
		_, err = c.d.Engagement.UpdateQuestion(c.Context(), c.scope, data.Question.ID, in)
	}
	if err != nil {
		for len(data.Choices) < 2 {
			data.Choices = append(data.Choices, choiceLine{})
		}
		return c.showRefused(err, "rule-question", title, func(faults map[string]string, text string) any {
			data.Faults, data.Error = map[string]string{}, text
			for path, fault := range faults { // by the names of the inputs
				data.Faults[strings.Replace(path, "loyaltyQuestionAnswers", "choice", 1)] = fault
			}
			return data
		})
	}
	return c.redirect(c.pathAfterPost("rules", data.Rule.ID, "question"), "Question saved. It applies to new answers.")
}

// confirmDeleteQuestion shows the page that asks before a question is deleted. A rule without a question is not found.
func confirmDeleteQuestion(c *request) (view, error) {
	data, err := c.readQuestionForm()
	if err == nil && data.New() {
		err = laurel.Missing("Question")
	}
	if err != nil {
		return view{}, err
	}
	return pageView("question-delete", "Delete the question?", data)
}

// deleteQuestion deletes a question. A question that has answers is not deleted: the page says how many answers there
// are.
func deleteQuestion(c *request) (view, error) {
	data, err := c.readQuestionForm()
	if err == nil && data.New() {
		err = laurel.Missing("Question")
	}
	if err != nil {
		return view{}, err
	}
	if _, err := c.d.Engagement.DeleteQuestion(c.Context(), c.scope, data.Question.ID); err != nil {
		if refused := asRefusal(err); refused != nil {
			stored := plural(data.Answered, "answer is", "answers are")
			data.Error = fmt.Sprintf("%s. %s stored with it.", sentence(refused.Message), stored)
			page := refusedView("question-delete", "Delete the question?", data)
			return page, nil //nolint:nilerr // the page shows the refusal
		}
		return view{}, err
	}
	return c.redirect(c.sitePath("rules", data.Rule.ID, "question"),
		"Question deleted. The rule won’t pay anyone until you write another one.")
}
