package api

import (
	"context"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/report"
)

// questionResponse is contract 3.18.
type questionResponse struct {
	ID                      laurel.ID        `json:"id"`
	UserID                  laurel.ID        `json:"userId"`
	LoyaltyQuestionID       laurel.ID        `json:"loyaltyQuestionId"`
	LoyaltyQuestionChoiceID laurel.ID        `json:"loyaltyQuestionChoiceId"`
	IsCorrect               bool             `json:"isCorrect" doc:"Of a poll always true"`
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
	IsCorrect *bool     `json:"isCorrect,omitempty" doc:"Only where the user can no longer answer"`
}

func shapeResponse(r report.Response) questionResponse {
	out := questionResponse{
		ID:                      r.ID,
		UserID:                  r.UserID,
		LoyaltyQuestionID:       r.QuestionID,
		LoyaltyQuestionChoiceID: r.ChoiceID,
		IsCorrect:               r.Correct(),
		Question:                answeredQuestion{Text: r.Text, Choices: []answeredChoice{}},
		CreatedAt:               stampOf(r.CreatedMicros),
	}
	for _, c := range r.Choices {
		choice := answeredChoice{ID: c.ID, Text: c.Text}
		if r.Closed() {
			right := r.Right(c)
			choice.IsCorrect = &right
		}
		out.Question.Choices = append(out.Question.Choices, choice)
	}
	return out
}

type listResponsesInput struct {
	List
	QuestionsID IDs `query:"questionsId"`
	UserID      ID  `query:"userId"`
}

func (a *API) listResponses(ctx context.Context, in *listResponsesInput) (*answer[list[questionResponse]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient {
		if in.UserID.IsZero() {
			return nil, errNameUser
		}
		if err := a.speaks(ctx, scope, identity.Ref{UserID: in.UserID.ID}); err != nil {
			return nil, err
		}
	}
	page, err := a.cfg.Report.Responses(
		ctx,
		scope,
		report.ResponseFilter{QuestionIDs: in.QuestionsID.Values, UserID: in.UserID.ID},
		in.page(),
	)
	return listOf(page, err, shapeResponse)
}

type respondInput struct {
	Body struct {
		Named
		TenantBody
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

func (a *API) respond(ctx context.Context, in *respondInput) (*answer[givenBody], error) {
	scope, err := a.narrow(ctx, in.Body.tenant())
	if err != nil {
		return nil, err
	}
	ref := in.Body.ref()
	if scope.Role == laurel.RoleClient {
		if ref == (identity.Ref{}) {
			return nil, errNameUser
		}
		if err := a.speaks(ctx, scope, ref); err != nil {
			return nil, err
		}
	}
	g, err := a.cfg.Engagement.Respond(
		ctx,
		scope,
		engagement.ResponseInput{ChoiceID: given(&in.Body.LoyaltyQuestionChoiceID), User: ref},
	)
	return answerOf(g, err, func(g engagement.Given) givenBody {
		return givenBody{
			AlreadySubmitted: g.AlreadySubmitted,
			IsCorrect:        g.Correct,
			Response: givenResponse{ID: g.Response.ID,
				LoyaltyQuestionID: g.Response.QuestionID, LoyaltyQuestionChoiceID: g.Response.ChoiceID, UserID: g.Response.UserID},
		}
	})
}
