package engagement

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Response is a member's answer to a question (contract 3.18): a row of loyalty_question_responses.
type Response struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	QuestionID     laurel.ID        `db:"loyalty_question_id" json:"loyaltyQuestionId"`
	ChoiceID       laurel.ID        `db:"loyalty_question_choice_id" json:"loyaltyQuestionChoiceId"`
	UserID         laurel.ID        `db:"user_id" json:"userId"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
}

// questionVersion is the version of a question as a Work holds it: the question does not change between the decision
// and the commit.
type questionVersion struct {
	ID      laurel.ID `db:"id"`
	Version int64     `db:"version"`
}

var questionTable = &store.Table[laurel.ID, questionVersion]{
	Name: "questions", Rank: store.LockRankQuestions, Compare: laurel.ID.Compare,
	Query: selectVersion,
	Key:   store.Columns("id uuid"),
	Args:  func(id laurel.ID) []any { return []any{id} },
	KeyOf: func(q *questionVersion) laurel.ID { return q.ID },
	New:   func(laurel.ID) *questionVersion { return &questionVersion{} },
}

// answerKey identifies the current answer of a user or group.
type answerKey struct{ Question, Subject laurel.ID }

// answerRow is the current answer of a user or group. A zero ResponseID means that there is none.
type answerRow struct {
	QuestionID     laurel.ID        `db:"loyalty_question_id" update:"key"`
	SubjectID      laurel.ID        `db:"subject_id" update:"key"`
	OrganizationID laurel.ID        `db:"organization_id"`
	WebsiteID      laurel.ID        `db:"website_id"`
	ResponseID     laurel.ID        `db:"response_id"`
	ChoiceID       laurel.ID        `db:"loyalty_question_choice_id"`
	UserID         laurel.ID        `db:"user_id"` // who gave it
	AnsweredAt     laurel.Timestamp `db:"answered_at"`
	isNew          bool
}

// response returns the answer of the row as a Response, and whether the row has an answer.
func (a *answerRow) response() (Response, bool) {
	return Response{
		ID: a.ResponseID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, QuestionID: a.QuestionID,
		ChoiceID: a.ChoiceID, UserID: a.UserID, CreatedAt: a.AnsweredAt,
	}, !a.ResponseID.IsZero()
}

var answers = &store.Table[answerKey, answerRow]{
	Name: "answers", Rank: store.LockRankAnswers,
	Compare: func(a, b answerKey) int {
		return cmp.Or(a.Question.Compare(b.Question), a.Subject.Compare(b.Subject))
	},
	Query: answerTable.Query(),
	Key:   store.Columns("loyalty_question_id uuid, subject_id uuid"),
	Args:  func(k answerKey) []any { return []any{k.Question, k.Subject} },
	KeyOf: func(a *answerRow) answerKey { return answerKey{a.QuestionID, a.SubjectID} },
	New: func(k answerKey) *answerRow {
		return &answerRow{QuestionID: k.Question, SubjectID: k.Subject, isNew: true}
	},
	Save: answerTable.Saver(func(a *answerRow) bool { return a.isNew }),
}

var responseSink = &store.Sink[*Response]{
	Name: "responses", Rank: store.LockRankResponses, Write: responseTable.Write,
}

// Locks returns the locks that an answer of the person needs.
func (q Question) Locks(p identity.Person) []store.Lock {
	return []store.Lock{questionTable.Lock(q.ID), answers.Lock(answerKey{q.ID, p.Subject()})}
}

// Check returns store.ErrStale if the question has changed since it was read.
func (q Question) Check(b *store.Batch) error {
	if questionTable.Row(b, q.ID).Version != q.Version {
		return store.ErrStale
	}
	return nil
}

// CurrentAnswer returns the current answer of the person or its group; false if there is none.
func (q Question) CurrentAnswer(b *store.Batch, p identity.Person) (Response, bool) {
	return answers.Row(b, answerKey{q.ID, p.Subject()}).response()
}

// ReadCurrentAnswer reads the current answer of the person or its group, outside a batch; false if there is none.
func (s *Service) ReadCurrentAnswer(
	ctx context.Context,
	scope laurel.Scope,
	q Question,
	p identity.Person,
) (Response, bool, error) {
	key := answerKey{q.ID, p.Subject()}
	rows, err := answers.Read(ctx, s.db, []answerKey{key})
	if err != nil || rows[key] == nil || q.OrganizationID != scope.OrganizationID {
		return Response{}, false, err
	}
	r, isAnswered := rows[key].response()
	return r, isAnswered, nil
}

// AcceptsAnswer reports whether the question accepts an answer, given whether the person has answered before.
func (q Question) AcceptsAnswer(answered bool) bool { return !answered || q.AllowMultipleAttempts }

// Offers reports whether the question has a choice, and whether it is a correct one.
func (q Question) Offers(choice laurel.ID) (offered, correct bool) {
	c, offered := q.choice(choice)
	return offered, c.Correct
}

// StageAnswer stages an answer of the person, which becomes the current one, and returns it. The caller has checked
// that the question accepts it, and has called Person.Admit in the same batch.
func (q Question) StageAnswer(b *store.Batch, p identity.Person, choice laurel.ID) Response {
	a := answers.Changed(b, answerKey{q.ID, p.Subject()})
	a.OrganizationID, a.WebsiteID, a.ResponseID, a.ChoiceID, a.UserID =
		q.OrganizationID, q.WebsiteID, b.NewID(), choice, p.UserID
	a.AnsweredAt.Time = b.Now()
	r, _ := a.response()
	responseSink.Add(b, &r)
	return r
}

// ResponseInput is an answer to a question: one of its choices.
type ResponseInput struct {
	ChoiceID laurel.ID
	User     identity.Ref
}

// ResponseResult is the result of Respond.
type ResponseResult struct {
	Response         Response
	AlreadySubmitted bool // Response is an earlier one: the question accepts no further answer
	Correct          bool // always true for polls
}

// Respond stores an answer. If the question accepts one answer only, a second one changes nothing, and the result has
// the first. Errors: Invalid; NotFound "User", "Question choice".
func (s *Service) Respond(ctx context.Context, scope laurel.Scope, in ResponseInput) (ResponseResult, error) {
	var f laurel.Faults
	in.User.Validate(&f)
	if err := f.Err(); err != nil {
		return ResponseResult{}, err
	}
	w := &respondWork{in: in}
	err := s.committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		var found bool
		var err error
		if w.question, found, err = selectQuestionOfChoice(ctx, s.db, scope, in.ChoiceID); err != nil {
			return nil, err
		}
		if !found {
			return nil, laurel.Missing("Question choice")
		}
		w.scope = scope.At(w.question.WebsiteID)
		rule, err := s.readQuestionRule(ctx, s.db, w.scope, w.question.RuleID)
		if err != nil {
			return nil, asChoiceNotFound(err)
		}
		w.isPoll = rule.Type == typePoll
		w.person, err = s.people.Person(ctx, w.scope, in.User)
		return w, err
	})
	return w.result, err
}

// asChoiceNotFound returns NotFound "Question choice" for a NotFound error of the question's rule, and other errors as
// they are.
func asChoiceNotFound(err error) error {
	if laurel.CodeOf(err) == laurel.NotFound {
		return laurel.Missing("Question choice")
	}
	return err
}

// respondWork stores an answer. It is a store.Work.
type respondWork struct {
	in       ResponseInput
	scope    laurel.Scope
	question Question
	isPoll   bool
	person   identity.Person
	result   ResponseResult
}

func (w *respondWork) String() string {
	return "answer to question " + w.question.ID.String() + " of website " + w.scope.WebsiteID.String() + " by user " + w.person.UserID.String()
}

// Locks returns the locks of the person and of its answer.
func (w *respondWork) Locks() []store.Lock {
	return append(w.person.Locks(), w.question.Locks(w.person)...)
}

// Judge stages the answer if the question accepts it; otherwise the result has the earlier answer, and AlreadySubmitted
// is true. Each answer to a poll counts as correct.
func (w *respondWork) Judge(b *store.Batch) error {
	w.result = ResponseResult{}
	if err := w.person.Check(b); err != nil {
		return err
	}
	if err := w.question.Check(b); err != nil {
		return err
	}
	answer, answered := w.question.CurrentAnswer(b, w.person)
	if w.question.AcceptsAnswer(answered) {
		if err := w.person.Admit(b, w.scope); err != nil {
			return err
		}
		answer = w.question.StageAnswer(b, w.person, w.in.ChoiceID)
		answered = false
	}
	_, correct := w.question.Offers(answer.ChoiceID)
	w.result = ResponseResult{Response: answer, AlreadySubmitted: answered, Correct: correct || w.isPoll}
	return nil
}
