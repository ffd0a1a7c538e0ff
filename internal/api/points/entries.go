package points

import (
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/schema"
)

// entry is contract 3.11.
type entry struct {
	ID                        laurel.ID        `json:"id"`
	OrganizationID            laurel.ID        `json:"organizationId"`
	WebsiteID                 laurel.ID        `json:"websiteId"`
	LoyaltyAccountID          laurel.ID        `json:"loyaltyAccountId"`
	Direction                 string           `json:"direction" enum:"credit,debit"`
	Type                      string           `json:"type" enum:"auction_bid,direct_mint,loyalty_rule,api_key,order"`
	CreatedAt                 laurel.Timestamp `json:"createdAt"`
	UpdatedAt                 laurel.Timestamp `json:"updatedAt"`
	Amount                    laurel.Amount    `json:"amount"`
	Metadata                  laurel.Object    `json:"metadata,omitempty"`
	LoyaltyTransaction        entryTransaction `json:"loyaltyTransaction"`
	LoyaltyTransactionID      laurel.ID        `json:"loyaltyTransactionId"`
	LoyaltyCurrencyID         laurel.ID        `json:"loyaltyCurrencyId"`
	LoyaltyAccountLockVersion *int64           `json:"loyaltyAccountLockVersion"`
	LoyaltyAccountStartAmount *laurel.Amount   `json:"loyaltyAccountStartAmount"`
	LoyaltyAccountEndAmount   *laurel.Amount   `json:"loyaltyAccountEndAmount"`
	LoyaltyAccount            entryAccount     `json:"loyaltyAccount"`
	IdempotencyKey            *string          `json:"idempotencyKey"`
}

type entryAccount struct {
	ID   laurel.ID         `json:"id"`
	User *caller.ShortUser `json:"user"`
}

type entryTransaction struct {
	ID          laurel.ID  `json:"id"`
	Type        string     `json:"type"`
	Description string     `json:"description"`
	LoyaltyRule *entryRule `json:"loyaltyRule,omitempty"`
}

type entryRule struct {
	ID          laurel.ID       `json:"id"`
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Metadata    laurel.Object   `json:"metadata"`
	GroupItem   *entryGroupItem `json:"loyaltyRuleGroupItem,omitempty"`
}

type entryGroupItem struct {
	LoyaltyRuleGroupID laurel.ID `json:"loyaltyRuleGroupId"`
}

// entryShaper returns the function that converts one entry for responses, with its transaction and rule, as the viewer
// may see it.
func (h *handlers) entryShaper(v identity.Viewer, scope laurel.Scope) func(report.Entry) entry {
	return func(e report.Entry) entry {
		at := laurel.Timestamp{Time: e.CreatedAt()}
		out := entry{
			ID:                        e.ID,
			OrganizationID:            e.OrganizationID,
			WebsiteID:                 e.WebsiteID,
			LoyaltyAccountID:          e.AccountID,
			Direction:                 e.Direction,
			Type:                      e.Type,
			CreatedAt:                 at,
			UpdatedAt:                 laurel.Timestamp{Time: e.UpdatedAt()},
			Amount:                    e.Amount,
			Metadata:                  laurel.Object(e.Metadata()),
			LoyaltyTransactionID:      e.TransactionID,
			LoyaltyCurrencyID:         e.CurrencyID,
			LoyaltyAccountLockVersion: e.LockVersion,
			LoyaltyAccountStartAmount: e.StartAmount,
			LoyaltyAccountEndAmount:   e.EndAmount,
			LoyaltyAccount:            entryAccount{ID: e.AccountID},
			IdempotencyKey:            e.Key,
			LoyaltyTransaction:        entryTransaction{ID: e.TransactionID, Type: e.Type, Description: e.Description},
		}
		if !e.UserID.IsZero() {
			member := caller.ShortUserOf(v, e.UserID, e.Wallet)
			out.LoyaltyAccount.User = &member
		}
		if e.RuleName != nil {
			rule := &entryRule{ID: e.RuleID, Type: *e.RuleType, Name: *e.RuleName, Description: *e.RuleText,
				Metadata: laurel.Object(h.RuleMetadata(scope, e.RuleID, []byte(*e.RuleMetadata)))}
			if !e.RuleGroupID.IsZero() {
				rule.GroupItem = &entryGroupItem{LoyaltyRuleGroupID: e.RuleGroupID}
			}
			out.LoyaltyTransaction.LoyaltyRule = rule
		}
		return out
	}
}

type listEntriesInput struct {
	rest.Tenant
	caller.Users
	Limit                      rest.Limit10 `query:"limit"`
	StartingAfter              rest.ID      `query:"startingAfter"`
	WalletGroupIdentifier      string       `query:"walletGroupIdentifier"`
	LoyaltyTransactionID       rest.ID      `query:"loyaltyTransactionId"`
	LoyaltyAccountID           rest.ID      `query:"loyaltyAccountId"`
	LoyaltyRuleID              rest.IDs     `query:"loyaltyRuleId"`
	LoyaltyRuleType            rest.Strings `query:"loyaltyRuleType"`
	IdempotencyKey             string       `query:"idempotencyKey"`
	Type                       string       `query:"type" enum:"auction_bid,direct_mint,loyalty_rule,api_key,order"`
	Direction                  string       `query:"direction" enum:"credit,debit"`
	SortBy                     string       `query:"sortBy" enum:"createdAt,updatedAt,loyaltyAccountLockVersion"`
	SortDir                    string       `query:"sortDir" enum:"asc,desc"`
	UserCompletedLoyaltyRuleID rest.IDs     `query:"userCompletedLoyaltyRuleId" doc:"The entries that still close the windows of these rules for the named user"`
	CreatedAtStart             rest.Moment  `query:"createdAtStart" doc:"Inclusive. RFC 3339 with an offset, or a date for 00:00 UTC; the + of an offset is sent as %2B"`
	CreatedAtEnd               rest.Moment  `query:"createdAtEnd" doc:"Exclusive. Form as createdAtStart: the + of an offset is sent as %2B"`
	LoyaltyRuleGroupID         rest.ID      `query:"loyaltyRuleGroupId"`
	LoyaltyCurrencyID          rest.IDs     `query:"loyaltyCurrencyId"`
}

// validate refuses userCompletedLoyaltyRuleId without a user, an unknown rule type, and a createdAtStart after
// createdAtEnd.
func (in *listEntriesInput) validate() error {
	var f laurel.Faults
	if len(in.UserCompletedLoyaltyRuleID.Values) > 0 && len(in.UserID.Values) == 0 && len(in.WalletAddress.Values) == 0 {
		f.Add("userCompletedLoyaltyRuleId", "requires userId or walletAddress")
	}
	for _, t := range in.LoyaltyRuleType.Values {
		if !slices.Contains(schema.TypeNames(), t) {
			f.Add("loyaltyRuleType", "must be one of: %s", strings.Join(schema.TypeNames(), ", "))
			break
		}
	}
	if !in.CreatedAtStart.IsZero() && !in.CreatedAtEnd.IsZero() && in.CreatedAtStart.After(in.CreatedAtEnd.Time) {
		f.Add("createdAtStart", "must not be after createdAtEnd")
	}
	return f.Err()
}

// filter returns the filter of entries that the query parameters ask for, without the windows that close entries.
func (in *listEntriesInput) filter() report.EntryFilter {
	f := report.EntryFilter{
		Users:         in.Filter(),
		MainAccounts:  in.UserID.Null,
		AccountID:     in.LoyaltyAccountID.ID,
		TransactionID: in.LoyaltyTransactionID.ID,
		RuleIDs:       in.LoyaltyRuleID.Values,
		RuleTypes:     in.LoyaltyRuleType.Values,
		RuleGroupID:   in.LoyaltyRuleGroupID.ID,
		CurrencyIDs:   in.LoyaltyCurrencyID.Values,
		Key:           in.IdempotencyKey,
		Type:          in.Type,
		Direction:     in.Direction,
		Start:         in.CreatedAtStart.Time,
		End:           in.CreatedAtEnd.Time,
		OnlyClosed:    len(in.UserCompletedLoyaltyRuleID.Values) > 0,
		ByLockVersion: in.SortBy == "loyaltyAccountLockVersion",
		Ascending:     in.SortDir == "asc",
	}
	f.Users.WalletGroupIdentifier = in.WalletGroupIdentifier
	return f
}

// listEntries returns a page of entries. A client key gets the entries of one user: the one that it names and may act
// for, or the member of its token. With userCompletedLoyaltyRuleId it returns only entries because of which the user
// cannot complete one of these rules again in the rule's present window.
func (h *handlers) listEntries(ctx context.Context, in *listEntriesInput) (*rest.Page[entry], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	if err := in.validate(); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	f := in.filter()
	f.Visibility = laurel.Visibility{All: scope.HasSecretKey(), User: viewer.User()}
	if f.OnlyClosed {
		windows, err := h.Rules.PresentWindows(ctx, scope, in.UserCompletedLoyaltyRuleID.Values)
		if err != nil {
			return nil, err
		}
		for _, w := range windows {
			f.ClosedWindows = append(f.ClosedWindows, report.ClosedWindow(w))
		}
	}
	page, err := h.Report.Entries(ctx, scope, f, rest.PageRequest(in.Limit.Or(), in.StartingAfter))
	return rest.ListOf(page, err, h.entryShaper(viewer, scope))
}
