package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/referrals"
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
	caller.NamedUser
	rest.TenantBody
	LoyaltyRuleID      laurel.ID               `json:"loyaltyRuleId" doc:"A rule of type referred_user"`
	CustomReferralCode laurel.Optional[string] `json:"customReferralCode,omitzero" doc:"Without it a code is generated"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createReferralCodeBody) Bounds() laurel.Bounds { return referrals.CodeInput{}.Bounds() }

// createReferralCode returns the referral code of a user for a rule, and creates it if there is none.
func (h *handlers) createReferralCode(
	ctx context.Context,
	in *createReferralCodeInput,
) (*rest.Response[referralCode], error) {
	ref := in.Body.Ref()
	scope, err := h.Caller.NarrowForUsers(ctx, in.Body.Tenant(), ref)
	if err != nil {
		return nil, err
	}
	c, err := h.Referrals.CreateCode(
		ctx,
		scope,
		referrals.CodeInput{
			RuleID: rest.OptionalID(&in.Body.LoyaltyRuleID), User: ref, Custom: in.Body.CustomReferralCode.Value,
		},
	)
	return rest.ResponseOf(c, err, func(c referrals.Code) referralCode {
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
	rest.TenantBody
	UserIDs        []laurel.ID                `json:"userIds" doc:"The users who came by the code"`
	ReferralCode   laurel.Optional[string]    `json:"referralCode,omitzero" doc:"In any case; this or referralCodeId"`
	ReferralCodeID laurel.Optional[laurel.ID] `json:"referralCodeId,omitzero"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (referUsersBody) Bounds() laurel.Bounds { return referrals.ReferInput{}.Bounds() }

// referUsers records that users came by a referral code. A client key needs the member token of each.
func (h *handlers) referUsers(ctx context.Context, in *referUsersInput) (*rest.Response[success], error) {
	input := referrals.ReferInput{Code: in.Body.ReferralCode.Value, CodeID: rest.OptionalID(in.Body.ReferralCodeID.Ptr())}
	refs := make([]identity.Ref, len(in.Body.UserIDs))
	for i, id := range in.Body.UserIDs {
		refs[i].UserID = rest.OptionalID(&id)
		input.UserIDs = append(input.UserIDs, refs[i].UserID)
	}
	scope, err := h.Caller.NarrowForUsers(ctx, in.Body.Tenant(), refs...)
	if err != nil {
		return nil, err
	}
	err = h.Referrals.Refer(ctx, scope, input)
	return rest.ResponseOf(success{Message: "Success"}, err, func(s success) success { return s })
}

type listReferralsInput struct {
	rest.Paging
	LoyaltyRuleID rest.IDs       `query:"loyaltyRuleId"`
	UserID        rest.IDs       `query:"userId" doc:"The referrer"`
	WalletAddress rest.Addresses `query:"walletAddress" doc:"The wallet of the referrer"`
}

// referralItem is contract 3.22.
type referralItem struct {
	ID           laurel.ID        `json:"id"`
	Amount       laurel.Amount    `json:"amount" doc:"The amount that the referrer got for this referee, in the rule's currency"`
	Tier1Amount  laurel.Amount    `json:"tier1Amount" doc:"The part of amount that is shares of the referee's earnings"`
	Tier2Amount  laurel.Amount    `json:"tier2Amount" doc:"The part of amount that is shares of the earnings of users whom the referee referred"`
	Eligible     bool             `json:"eligible" doc:"The rule's requirements have held"`
	User         caller.ShortUser `json:"user"`
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

// listReferrals returns a page of referrals. A client key gets the referrals of one referrer: the one
// that it names and may act for, or the member of its token.
func (h *handlers) listReferrals(ctx context.Context, in *listReferralsInput) (*rest.Page[referralItem], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	users := caller.Users{UserID: in.UserID, WalletAddress: in.WalletAddress}
	if err := h.Caller.RestrictToOwn(ctx, scope, &users); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Referrals(
		ctx,
		scope,
		report.ReferralFilter{Users: users.Filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.Page(),
	)
	return rest.ListOf(page, err, func(r report.Referral) referralItem {
		out := referralItem{
			ID:          r.ID,
			Amount:      r.ReferrerBonus + r.Tier1 + r.Tier2,
			Tier1Amount: r.Tier1,
			Tier2Amount: r.Tier2,
			Eligible:    !r.EligibleAt.IsZero(),
			User:        caller.ShortUserOf(viewer, r.RefereeID, r.Wallet),
		}
		c := &out.ReferralCode
		c.ID, c.ReferralCode, c.UserID, c.LoyaltyRuleID = r.CodeID, r.Code, r.ReferrerID, r.RuleID
		c.CreatedAt, c.UpdatedAt = r.CodeCreatedAt, r.CodeUpdatedAt
		return out
	})
}

// referrer is the user whose code brought another one (contract 3.4).
type referrer struct {
	Eligible     bool `json:"eligible"`
	ReferralCode struct {
		User caller.ShortUser `json:"user"`
	} `json:"referralCode"`
	User caller.ShortUser `json:"user"`
}

// shapeReferrers returns the referrers of a user as responses show them to the viewer.
func shapeReferrers(v identity.Viewer, u report.User, referrers []report.Referrer) []referrer {
	out := make([]referrer, len(referrers))
	for i, r := range referrers {
		out[i].Eligible, out[i].User = !r.EligibleAt.IsZero(), caller.ShortUserOf(v, u.ID, u.Wallet)
		out[i].ReferralCode.User = caller.ShortUserOf(v, r.ReferrerID, r.Wallet)
	}
	return out
}
