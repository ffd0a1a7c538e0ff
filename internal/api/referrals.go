package api

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/report"
	"laurel/internal/rules/referrals"
)

// referralCode is contract 3.22.
type referralCode struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	UserID         laurel.ID         `json:"userId"`
	LoyaltyRuleID  laurel.ID         `json:"loyaltyRuleId"`
	ReferralCode   string            `json:"referralCode"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
	DeletedAt      *laurel.Timestamp `json:"deletedAt"`
}

type createReferralCodeInput struct {
	Body createReferralCodeBody
}

type createReferralCodeBody struct {
	Named
	TenantBody
	LoyaltyRuleID      laurel.ID               `json:"loyaltyRuleId" doc:"A rule of type referred_user"`
	CustomReferralCode laurel.Optional[string] `json:"customReferralCode,omitzero" doc:"Left out: one is made"`
}

// Bounds returns what the properties accept.
func (createReferralCodeBody) Bounds() laurel.Bounds { return referrals.CodeInput{}.Bounds() }

func (a *API) createReferralCode(ctx context.Context, in *createReferralCodeInput) (*answer[referralCode], error) {
	ref := in.Body.ref()
	scope, err := a.acting(ctx, in.Body.tenant(), ref)
	if err != nil {
		return nil, err
	}
	c, err := a.cfg.Referrals.CreateCode(
		ctx,
		scope,
		referrals.CodeInput{RuleID: given(&in.Body.LoyaltyRuleID), User: ref, Custom: in.Body.CustomReferralCode.Value},
	)
	return answerOf(c, err, func(c referrals.Code) referralCode {
		return referralCode{
			ID:             c.ID,
			OrganizationID: c.OrganizationID,
			WebsiteID:      c.WebsiteID,
			UserID:         c.UserID,
			LoyaltyRuleID:  c.RuleID,
			ReferralCode:   c.Code,
			CreatedAt:      laurel.Timestamp{Time: c.CreatedAt()},
			UpdatedAt:      laurel.Timestamp{Time: c.UpdatedAt()},
		}
	})
}

type referUsersInput struct {
	Body referUsersBody
}

type referUsersBody struct {
	TenantBody
	UserIDs        []laurel.ID                `json:"userIds" doc:"Who came by the code"`
	ReferralCode   laurel.Optional[string]    `json:"referralCode,omitzero" doc:"In any case; this or referralCodeId"`
	ReferralCodeID laurel.Optional[laurel.ID] `json:"referralCodeId,omitzero"`
}

// Bounds returns what the properties accept.
func (referUsersBody) Bounds() laurel.Bounds { return referrals.ReferInput{}.Bounds() }

func (a *API) referUsers(ctx context.Context, in *referUsersInput) (*answer[success], error) {
	call := referrals.ReferInput{Code: in.Body.ReferralCode.Value, CodeID: given(in.Body.ReferralCodeID.Ptr())}
	refs := make([]identity.Ref, len(in.Body.UserIDs))
	for i, id := range in.Body.UserIDs {
		refs[i].UserID = given(&id)
		call.UserIDs = append(call.UserIDs, refs[i].UserID)
	}
	scope, err := a.acting(ctx, in.Body.tenant(), refs...)
	if err != nil {
		return nil, err
	}
	err = a.cfg.Referrals.Refer(ctx, scope, call)
	return answerOf(success{Message: "Success"}, err, func(s success) success { return s })
}

type listReferralsInput struct {
	List
	LoyaltyRuleID IDs     `query:"loyaltyRuleId"`
	UserID        IDs     `query:"userId" doc:"Of the referrer"`
	WalletAddress Strings `query:"walletAddress" doc:"Of the referrer"`
}

// referralItem is contract 3.22.
type referralItem struct {
	ID           laurel.ID     `json:"id"`
	Amount       laurel.Amount `json:"amount" doc:"What the referrer got for this referee in the rule's currency"`
	Tier1Amount  laurel.Amount `json:"tier1Amount" doc:"The part of amount that are shares of what the referee earned"`
	Tier2Amount  laurel.Amount `json:"tier2Amount" doc:"The part of amount that are shares of what those earned whom the referee brought"`
	Eligible     bool          `json:"eligible" doc:"The rule's requirements have held"`
	User         shortUser     `json:"user"`
	ReferralCode struct {
		ID            laurel.ID         `json:"id"`
		ReferralCode  string            `json:"referralCode"`
		UserID        laurel.ID         `json:"userId"`
		LoyaltyRuleID laurel.ID         `json:"loyaltyRuleId"`
		CreatedAt     laurel.Timestamp  `json:"createdAt"`
		UpdatedAt     laurel.Timestamp  `json:"updatedAt"`
		DeletedAt     *laurel.Timestamp `json:"deletedAt"`
	} `json:"referralCode"`
}

func (a *API) listReferrals(ctx context.Context, in *listReferralsInput) (*answer[list[referralItem]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	users := Users{UserID: in.UserID, WalletAddress: in.WalletAddress}
	if err := a.privateTo(ctx, scope, users); err != nil {
		return nil, err
	}
	viewer, err := a.viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Report.Referrals(
		ctx,
		scope,
		report.ReferralFilter{Users: users.filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.page(),
	)
	return listOf(page, err, func(r report.Referral) referralItem {
		out := referralItem{
			ID:          r.ID,
			Amount:      r.Lump + r.Tier1 + r.Tier2,
			Tier1Amount: r.Tier1,
			Tier2Amount: r.Tier2,
			Eligible:    r.EligibleAt != nil,
			User:        shapeName(viewer, r.RefereeID, r.Wallet),
		}
		made, edited := r.Times()
		c := &out.ReferralCode
		c.ID, c.ReferralCode, c.UserID, c.LoyaltyRuleID = r.CodeID, r.Code, r.ReferrerID, r.RuleID
		c.CreatedAt, c.UpdatedAt = laurel.Timestamp{Time: made}, laurel.Timestamp{Time: edited}
		return out
	})
}

// referrer is who brought a user (contract 3.4).
type referrer struct {
	Eligible     bool `json:"eligible"`
	ReferralCode struct {
		User shortUser `json:"user"`
	} `json:"referralCode"`
	User shortUser `json:"user"`
}

func shapeReferrers(v identity.Viewer, u report.User, list []report.Referrer) []referrer {
	out := make([]referrer, len(list))
	for i, r := range list {
		out[i].Eligible, out[i].User = r.EligibleAt != nil, shapeName(v, u.ID, u.Wallet)
		out[i].ReferralCode.User = shapeName(v, r.ReferrerID, r.Wallet)
	}
	return out
}
