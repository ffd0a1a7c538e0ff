package api

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/codes"
)

// ruleEdit is contract 3.15.
type ruleEdit struct {
	ID             laurel.ID        `json:"id"`
	LoyaltyRuleID  laurel.ID        `json:"loyaltyRuleId"`
	WebsiteID      laurel.ID        `json:"websiteId"`
	OrganizationID laurel.ID        `json:"organizationId"`
	EditedByUserID laurel.ID        `json:"editedByUserId"`
	EditedAt       laurel.Timestamp `json:"editedAt"`
	Action         string           `json:"action" enum:"create,update,delete,restore"`
	Data           Object           `json:"data"`
	PreviousData   Object           `json:"previousData,omitempty"`
	Comment        string           `json:"comment,omitempty"`
}

func (a *API) shapeEdit(scope laurel.Scope) func(catalog.Edit) ruleEdit {
	return func(e catalog.Edit) ruleEdit {
		return ruleEdit{
			ID:             e.ID,
			LoyaltyRuleID:  e.RuleID,
			WebsiteID:      e.WebsiteID,
			OrganizationID: e.OrganizationID,
			EditedByUserID: e.EditedByID,
			EditedAt:       laurel.Timestamp{Time: e.EditedAt},
			Action:         string(e.Action),
			Data:           a.shownEdit(scope, e.RuleID, e.Data),
			PreviousData:   a.shownEdit(scope, e.RuleID, e.PreviousData),
			Comment:        e.Comment,
		}
	}
}

// shownEdit hides from keys that are not secret what they may not see of a rule, and reveals its secrets to others.
func (a *API) shownEdit(scope laurel.Scope, rule laurel.ID, data json.RawMessage) Object {
	var properties map[string]json.RawMessage
	if len(data) == 0 || json.Unmarshal(data, &properties) != nil || scope.Secret() && properties["metadata"] == nil {
		return Object(data)
	}
	for _, name := range hiddenLists {
		if properties[name] != nil && !scope.Secret() {
			properties[name] = json.RawMessage("null")
		}
	}
	if properties["metadata"] != nil {
		properties["metadata"] = a.shownMetadata(scope, rule, properties["metadata"])
	}
	out, err := json.Marshal(properties)
	if err != nil {
		return Object("{}")
	}
	return Object(out)
}

type listEditsInput struct {
	List
	LoyaltyRuleID ID `query:"loyaltyRuleId" required:"true"`
}

func (a *API) listEdits(ctx context.Context, in *listEditsInput) (*answer[list[ruleEdit]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Rules.ListEdits(ctx, scope, in.LoyaltyRuleID.ID, in.page())
	return listOf(page, err, a.shapeEdit(scope))
}

type restoreEditInput struct {
	PathID
	Body struct {
		TenantBody
		EditComment string `json:"editComment,omitempty"`
	}
}

func (a *API) restoreEdit(ctx context.Context, in *restoreEditInput) (*answer[ruleEdit], error) {
	scope, err := a.narrow(ctx, in.Body.tenant())
	if err != nil {
		return nil, err
	}
	e, err := a.cfg.Rules.Restore(ctx, scope, in.ID.ID, in.Body.EditComment)
	return answerOf(e, err, a.shapeEdit(scope))
}

// redemptionCode is a code that is good for one redemption (contract 4.2).
type redemptionCode struct {
	ID               laurel.ID         `json:"id"`
	Code             string            `json:"code"`
	RedeemedByUserID *laurel.ID        `json:"redeemedByUserId"`
	RedeemedAt       *laurel.Timestamp `json:"redeemedAt"`
	CreatedAt        laurel.Timestamp  `json:"createdAt"`
}

// codeList is the envelope of contract 1.6, and whether more codes come.
type codeList struct {
	Data        []redemptionCode `json:"data"`
	HasNextPage bool             `json:"hasNextPage"`
	Complete    bool             `json:"complete"`
}

type listCodesInput struct {
	PathID
	List
	Redeemed Bool `query:"redeemed"`
}

func (a *API) listCodes(ctx context.Context, in *listCodesInput) (*answer[codeList], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Rules.ListCodes(ctx, scope, in.ID.ID, codes.Filter{Redeemed: in.Redeemed.Ptr()}, in.page())
	return answerOf(page, err, func(p catalog.CodePage) codeList {
		codes := laurel.MapPage(p.Page, shapeCode)
		return codeList{codes.Data, codes.HasNextPage, p.Complete}
	})
}

func shapeCode(c codes.Code) redemptionCode {
	return redemptionCode{
		ID:               c.ID,
		Code:             c.Code,
		RedeemedByUserID: c.RedeemedByID.Ptr(),
		RedeemedAt:       laurel.Stamp(c.RedeemedAt),
		CreatedAt:        laurel.Timestamp{Time: c.CreatedAt},
	}
}
