package people

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/report"
)

// question is contract 3.18. It never says which choices are correct.
type question struct {
	ID                    laurel.ID        `json:"id"`
	OrganizationID        laurel.ID        `json:"organizationId"`
	WebsiteID             laurel.ID        `json:"websiteId"`
	LoyaltyRuleID         laurel.ID        `json:"loyaltyRuleId"`
	Text                  string           `json:"text"`
	AllowMultipleAttempts bool             `json:"allowMultipleAttempts"`
	Choices               []questionChoice `json:"loyaltyQuestionChoices"`
	CreatedAt             laurel.Timestamp `json:"createdAt"`
	UpdatedAt             laurel.Timestamp `json:"updatedAt"`
}

type questionChoice struct {
	ID             laurel.ID      `json:"id"`
	Text           string         `json:"text"`
	SortIdentifier sortIdentifier `json:"sortIdentifier" doc:"As it was sent; without one the place in the list, from 0"`
}

// shapeQuestion returns a question as responses show it: they do not say which choices are correct.
func shapeQuestion(q engagement.Question) question {
	out := question{
		ID:                    q.ID,
		OrganizationID:        q.OrganizationID,
		WebsiteID:             q.WebsiteID,
		LoyaltyRuleID:         q.RuleID,
		Text:                  q.Text,
		AllowMultipleAttempts: q.AllowMultipleAttempts,
		Choices:               []questionChoice{},
		CreatedAt:             q.CreatedAt,
		UpdatedAt:             q.UpdatedAt,
	}
	for _, c := range q.Choices {
		out.Choices = append(
			out.Choices,
			questionChoice{ID: c.ID, Text: c.Text, SortIdentifier: sortIdentifier(c.SortIdentifier)},
		)
	}
	return out
}

type listQuestionsInput struct {
	rest.Paging
	LoyaltyRuleIDs rest.IDs `query:"loyaltyRuleIds" required:"true"`
	UserID         rest.ID  `query:"userId" doc:"No effect: a question is the same for every user"`
}

// listQuestions returns a page of the questions of rules.
func (h *handlers) listQuestions(ctx context.Context, in *listQuestionsInput) (*rest.Page[question], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Questions(
		ctx,
		scope,
		report.QuestionFilter{RuleIDs: in.LoyaltyRuleIDs.Values, Client: scope.Role == laurel.RoleClient},
		in.Page(),
	)
	return rest.ListOf(page, err, shapeQuestion)
}

// sortIdentifier is a number or a text, returned as it was sent.
type sortIdentifier json.RawMessage

// MarshalJSON writes the stored value.
func (s sortIdentifier) MarshalJSON() ([]byte, error) { return s, nil }

// UnmarshalJSON keeps the value.
func (s *sortIdentifier) UnmarshalJSON(b []byte) error {
	*s = append((*s)[:0], b...)
	return nil
}

// Schema documents a number or a text.
func (sortIdentifier) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber}, {Type: huma.TypeString}}}
}

// choiceBody is a choice in a request.
type choiceBody struct {
	ID             *laurel.ID      `json:"id,omitempty" doc:"The id of an existing choice; ignored on creation"`
	Text           string          `json:"text"`
	IsCorrect      *bool           `json:"isCorrect,omitempty" doc:"Absent: as it was, of a new choice false. Polls take any choice"`
	SortIdentifier *sortIdentifier `json:"sortIdentifier,omitempty" doc:"A number or a text to sort by, numbers first"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (choiceBody) Bounds() laurel.Bounds { return engagement.ChoiceInput{}.Bounds() }

// choiceInputs converts the choices in a request body to the input of package engagement. A sortIdentifier of null
// counts as absent.
func choiceInputs(bodies []choiceBody) []engagement.ChoiceInput {
	out := make([]engagement.ChoiceInput, len(bodies))
	for i, b := range bodies {
		out[i] = engagement.ChoiceInput{ID: rest.OptionalID(b.ID), Text: b.Text, Correct: b.IsCorrect}
		if b.SortIdentifier != nil && string(*b.SortIdentifier) != "null" {
			out[i].SortIdentifier = json.RawMessage(*b.SortIdentifier)
		}
	}
	return out
}

type createQuestionInput struct {
	Body createQuestionBody
}

type createQuestionBody struct {
	rest.TenantBody
	QuestionText           string                `json:"questionText"`
	LoyaltyRuleID          laurel.ID             `json:"loyaltyRuleId" doc:"A quiz or poll, which has one question"`
	AllowMultipleAttempts  laurel.Optional[bool] `json:"allowMultipleAttempts,omitzero" doc:"Default false; cannot be changed"`
	LoyaltyQuestionAnswers []choiceBody          `json:"loyaltyQuestionAnswers"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createQuestionBody) Bounds() laurel.Bounds { return engagement.QuestionInput{}.Bounds() }

// createQuestion creates the question of a rule.
func (h *handlers) createQuestion(ctx context.Context, in *createQuestionInput) (*rest.Response[question], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	q, err := h.Engagement.CreateQuestion(
		ctx,
		scope,
		engagement.QuestionInput{RuleID: rest.OptionalID(&in.Body.LoyaltyRuleID), Text: in.Body.QuestionText,
			AllowMultipleAttempts: in.Body.AllowMultipleAttempts.Value, Choices: choiceInputs(in.Body.LoyaltyQuestionAnswers)},
	)
	return rest.ResponseOf(q, err, shapeQuestion)
}

type updateQuestionInput struct {
	rest.PathID
	Body updateQuestionBody
}

type updateQuestionBody struct {
	rest.TenantBody
	QuestionText           string       `json:"questionText"`
	LoyaltyQuestionAnswers []choiceBody `json:"loyaltyQuestionAnswers" doc:"The choices that the question has from now on"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (updateQuestionBody) Bounds() laurel.Bounds { return engagement.QuestionInput{}.Bounds() }

// updateQuestion replaces the text and the choices of a question.
func (h *handlers) updateQuestion(ctx context.Context, in *updateQuestionInput) (*rest.Response[question], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	q, err := h.Engagement.UpdateQuestion(
		ctx,
		scope,
		in.ID.ID,
		engagement.QuestionInput{Text: in.Body.QuestionText, Choices: choiceInputs(in.Body.LoyaltyQuestionAnswers)},
	)
	return rest.ResponseOf(q, err, shapeQuestion)
}

// getQuestion returns a question, to show what it is now.
func (h *handlers) getQuestion(ctx context.Context, in *rest.PathID) (*rest.Response[question], error) {
	q, err := h.Engagement.Question(ctx, rest.ScopeOf(ctx), in.ID.ID)
	return rest.ResponseOf(q, err, shapeQuestion)
}
