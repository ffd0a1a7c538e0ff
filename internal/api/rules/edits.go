package rules

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/schema"
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
	Data           laurel.Object    `json:"data"`
	PreviousData   laurel.Object    `json:"previousData,omitempty"`
	Comment        string           `json:"comment,omitempty"`
}

// editShaper returns the function that converts one edit for responses, with the properties that the key may see.
func (h *handlers) editShaper(scope laurel.Scope) func(catalog.Edit) ruleEdit {
	return func(e catalog.Edit) ruleEdit {
		return ruleEdit{
			ID:             e.ID,
			LoyaltyRuleID:  e.RuleID,
			WebsiteID:      e.WebsiteID,
			OrganizationID: e.OrganizationID,
			EditedByUserID: e.EditedByID,
			EditedAt:       e.EditedAt,
			Action:         string(e.Action),
			Data:           h.visibleEdit(scope, e.RuleID, e.Data),
			PreviousData:   h.visibleEdit(scope, e.RuleID, e.PreviousData),
			Comment:        string(e.Comment),
		}
	}
}

// visibleEdit returns the changed properties of an edit as far as the key may see them. Keys other than secret ones get
// null for confidential lists, and no confidential metadata. Secret keys get all, with secrets in plain text.
func (h *handlers) visibleEdit(scope laurel.Scope, rule laurel.ID, data laurel.RawJSON) laurel.Object {
	var properties map[string]json.RawMessage
	// Without properties there is nothing to hide, and without metadata no secret to reveal.
	if len(data) == 0 || json.Unmarshal(data, &properties) != nil ||
		scope.HasSecretKey() && properties["metadata"] == nil {
		return laurel.Object(data)
	}
	for _, name := range schema.ConfidentialLists {
		if properties[name] != nil && !scope.HasSecretKey() {
			properties[name] = json.RawMessage("null")
		}
	}
	if properties["metadata"] != nil {
		properties["metadata"] = h.visibleMetadata(scope, rule, properties["metadata"])
	}
	out, err := json.Marshal(properties)
	if err != nil {
		return laurel.Object("{}")
	}
	return laurel.Object(out)
}

type listEditsInput struct {
	rest.Paging
	LoyaltyRuleID rest.ID `query:"loyaltyRuleId" required:"true"`
}

// listEdits returns a page of the edits of a rule.
func (h *handlers) listEdits(ctx context.Context, in *listEditsInput) (*rest.Page[ruleEdit], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Rules.ListEdits(ctx, scope, in.LoyaltyRuleID.ID, in.Page())
	return rest.ListOf(page, err, h.editShaper(scope))
}

type restoreEditInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		EditComment string `json:"editComment,omitempty"`
	}
}

// restoreEdit undoes an edit of a rule. Undoing is an edit itself, which restoreEdit returns.
func (h *handlers) restoreEdit(ctx context.Context, in *restoreEditInput) (*rest.Response[ruleEdit], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	e, err := h.Rules.Restore(ctx, scope, in.ID.ID, in.Body.EditComment)
	return rest.ResponseOf(e, err, h.editShaper(scope))
}

// redemptionCode is a code for one redemption (contract 4.2).
type redemptionCode struct {
	ID               laurel.ID         `json:"id"`
	Code             string            `json:"code"`
	RedeemedByUserID *laurel.ID        `json:"redeemedByUserId"`
	RedeemedAt       *laurel.Timestamp `json:"redeemedAt"`
	CreatedAt        laurel.Timestamp  `json:"createdAt"`
}

// codeList is a page of codes. Complete is set once the list of codes is fully imported.
type codeList struct {
	Data        []redemptionCode `json:"data"`
	HasNextPage bool             `json:"hasNextPage"`
	Complete    bool             `json:"complete"`
}

type listCodesInput struct {
	rest.PathID
	rest.Paging
	Redeemed rest.Bool `query:"redeemed"`
}

// listCodes returns a page of the codes of a rule, and whether all of them are imported.
func (h *handlers) listCodes(ctx context.Context, in *listCodesInput) (*rest.Response[codeList], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Rules.ListCodes(ctx, scope, in.ID.ID, codes.Filter{Redeemed: in.Redeemed.Ptr()}, in.Page())
	return rest.ResponseOf(page, err, func(p catalog.CodePage) codeList {
		codes := laurel.MapPage(p.Page, shapeCode)
		return codeList{codes.Data, codes.HasNextPage, p.Complete}
	})
}

// shapeCode returns a redemption code as responses show it.
func shapeCode(c codes.Code) redemptionCode {
	return redemptionCode{
		ID:               c.ID,
		Code:             c.Code,
		RedeemedByUserID: c.RedeemedByID.Ptr(),
		RedeemedAt:       laurel.Stamp(c.RedeemedAt),
		CreatedAt:        laurel.Timestamp{Time: c.CreatedAt},
	}
}
