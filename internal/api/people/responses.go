package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// questionResponse is contract 3.18.
type questionResponse struct {
	ID                      laurel.ID        `json:"id"`
	UserID                  laurel.ID        `json:"userId"`
	LoyaltyQuestionID       laurel.ID        `json:"loyaltyQuestionId"`
	LoyaltyQuestionChoiceID laurel.ID        `json:"loyaltyQuestionChoiceId"`
	IsCorrect               bool             `json:"isCorrect" doc:"Always true for polls"`
	Question                answeredQuestion `json:"question"`
	CreatedAt               laurel.Timestamp `json:"createdAt"`
}

type answeredQuestion struct {
	Text    string           `json:"text"`
	Choices []answeredChoice `json:"loyaltyQuestionChoices"`
}

type answeredChoice struct {
	ID        laurel.ID `json:"id"`
	Text      string    `json:"text"`
	IsCorrect *bool     `json:"isCorrect,omitempty" doc:"Only if the user can no longer answer"`
}

// shapeResponse returns the answer to a question as responses show it. It shows which choices are correct only if the
// user can no longer answer.
func shapeResponse(r report.Response) questionResponse {
	out := questionResponse{
		ID:                      r.ID,
		UserID:                  r.UserID,
		LoyaltyQuestionID:       r.QuestionID,
		LoyaltyQuestionChoiceID: r.ChoiceID,
		IsCorrect:               r.IsCorrect(),
		Question:                answeredQuestion{Text: r.Text, Choices: []answeredChoice{}},
		CreatedAt:               rest.StampOf(r.CreatedMicros),
	}
	for _, c := range r.Choices {
		choice := answeredChoice{ID: c.ID, Text: c.Text}
		if r.IsClosed() {
			isCorrect := r.CountsAsCorrect(c)
			choice.IsCorrect = &isCorrect
		}
		out.Question.Choices = append(out.Question.Choices, choice)
	}
	return out
}

type listResponsesInput struct {
	rest.Paging
	QuestionsID rest.IDs `query:"questionsId"`
	UserID      rest.ID  `query:"userId"`
}

// listResponses returns a page of responses. A client key must name a user that it may act for.
func (h *handlers) listResponses(ctx context.Context, in *listResponsesInput) (*rest.Page[questionResponse], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient {
		if in.UserID.IsZero() {
			return nil, caller.ErrNameUser
		}
		if err := h.Caller.CheckActsFor(ctx, scope, identity.Ref{UserID: in.UserID.ID}); err != nil {
			return nil, err
		}
	}
	page, err := h.Report.Responses(
		ctx,
		scope,
		report.ResponseFilter{QuestionIDs: in.QuestionsID.Values, UserID: in.UserID.ID},
		in.Page(),
	)
	return rest.ListOf(page, err, shapeResponse)
}

type respondInput struct {
	Body struct {
		caller.NamedUser
		rest.TenantBody
		LoyaltyQuestionChoiceID laurel.ID `json:"loyaltyQuestionChoiceId"`
	}
}

type givenBody struct {
	AlreadySubmitted bool          `json:"alreadySubmitted" doc:"The response is an earlier one, and the question takes no further"`
	IsCorrect        bool          `json:"isCorrect"`
	Response         givenResponse `json:"response"`
}

type givenResponse struct {
	ID                      laurel.ID `json:"id"`
	LoyaltyQuestionID       laurel.ID `json:"loyaltyQuestionId"`
	LoyaltyQuestionChoiceID laurel.ID `json:"loyaltyQuestionChoiceId"`
	UserID                  laurel.ID `json:"userId"`
}

// respond records the answer of a user. A client key must name the user and be allowed to act for that user. If the
// question takes no second answer, the result is the first one.
func (h *handlers) respond(ctx context.Context, in *respondInput) (*rest.Response[givenBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	ref := in.Body.Ref()
	if scope.Role == laurel.RoleClient {
		if ref == (identity.Ref{}) {
			return nil, caller.ErrNameUser
		}
		if err := h.Caller.CheckActsFor(ctx, scope, ref); err != nil {
			return nil, err
		}
	}
	result, err := h.Engagement.Respond(
		ctx,
		scope,
		engagement.ResponseInput{ChoiceID: rest.OptionalID(&in.Body.LoyaltyQuestionChoiceID), User: ref},
	)
	return rest.ResponseOf(result, err, func(result engagement.ResponseResult) givenBody {
		return givenBody{
			AlreadySubmitted: result.AlreadySubmitted,
			IsCorrect:        result.Correct,
			Response: givenResponse{
				ID:                      result.Response.ID,
				LoyaltyQuestionID:       result.Response.QuestionID,
				LoyaltyQuestionChoiceID: result.Response.ChoiceID,
				UserID:                  result.Response.UserID,
			},
		}
	})
}
