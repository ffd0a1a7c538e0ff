package rules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/chains"
)

// ruleChain is contract 3.17.
type ruleChain struct {
	chains.Chain
	Conditions []chainCondition `json:"loyaltyConditions"`
}

type chainCondition struct {
	ID            laurel.ID      `json:"id"`
	Type          string         `json:"type" enum:"rule,rules,section,points,level,api,badge,badges,csv"`
	Amount        laurel.Amount  `json:"amount"`
	CSVURL        *string        `json:"csvUrl" doc:"Shown to secret keys only"`
	Description   string         `json:"description"`
	RepeatCount   int64          `json:"repeatCount"`
	RequiredCount *int64         `json:"requiredCount" doc:"null: all"`
	Association   []chainNeedful `json:"association"`
}

// chainNeedful is a record that a condition refers to.
type chainNeedful struct {
	ID                 laurel.ID  `json:"id"`
	LoyaltyBadgeID     *laurel.ID `json:"loyaltyBadgeId"`
	LoyaltyCurrencyID  *laurel.ID `json:"loyaltyCurrencyId"`
	LoyaltyRuleGroupID *laurel.ID `json:"loyaltyRuleGroupId"`
	LoyaltyRuleID      *laurel.ID `json:"loyaltyRuleId"`
	LoyaltyCurrency    *named     `json:"loyaltyCurrency"`
	LoyaltyRule        *named     `json:"loyaltyRule"`
}

type named struct {
	Name string `json:"name"`
}

// shapeName returns the name of a record; nil for an unknown id.
func shapeName(names map[laurel.ID]string, id laurel.ID) *named {
	if name, ok := names[id]; ok {
		return &named{name}
	}
	return nil
}

// chainShaper returns the function that converts one chain for responses, with the names of the records that its
// conditions refer to. Only secret keys see the address of a list, since its content can be read there.
func chainShaper(scope laurel.Scope, names report.Names) func(chains.Chain) ruleChain {
	return func(c chains.Chain) ruleChain {
		out := ruleChain{Chain: c, Conditions: []chainCondition{}}
		for _, k := range c.Conditions {
			condition := chainCondition{
				ID:            k.ID,
				Type:          string(k.Type),
				Amount:        k.Amount,
				CSVURL:        k.CSVURL,
				Description:   k.Description,
				RepeatCount:   k.RepeatCount,
				RequiredCount: k.RequiredCount,
				Association:   []chainNeedful{},
			}
			if !scope.HasSecretKey() {
				condition.CSVURL = nil
			}
			for _, t := range k.Targets {
				condition.Association = append(
					condition.Association,
					chainNeedful{
						ID:                 t.ID,
						LoyaltyBadgeID:     t.BadgeID.Ptr(),
						LoyaltyCurrencyID:  t.CurrencyID.Ptr(),
						LoyaltyRuleGroupID: t.GroupID.Ptr(),
						LoyaltyRuleID:      t.RuleID.Ptr(),
						LoyaltyCurrency:    shapeName(names.Currencies, t.CurrencyID),
						LoyaltyRule:        shapeName(names.Rules, t.RuleID),
					},
				)
			}
			out.Conditions = append(out.Conditions, condition)
		}
		return out
	}
}

// conditionsOfChains returns the conditions of all chains.
func conditionsOfChains(list []chains.Chain) []conditions.Condition {
	var all []conditions.Condition
	for _, c := range list {
		all = append(all, c.Conditions...)
	}
	return all
}

// loadChains returns the chains of rules as responses show them, by rule; nil if the rules have none.
func (h *handlers) loadChains(
	ctx context.Context,
	scope laurel.Scope,
	rules []laurel.ID,
) (map[laurel.ID][]ruleChain, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	found, err := h.Report.ChainsOfRules(ctx, scope, rules)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var conditions []conditions.Condition
	for _, list := range found {
		conditions = append(conditions, conditionsOfChains(list)...)
	}
	names, err := h.Report.NamesOf(ctx, scope, conditions)
	out := map[laurel.ID][]ruleChain{}
	for rule, list := range found {
		for _, c := range list {
			out[rule] = append(out[rule], chainShaper(scope, names)(c))
		}
	}
	return out, err
}

type listChainsInput struct {
	rest.Paging
	LoyaltyRuleID rest.IDs `query:"loyaltyRuleId"`
}

// listChains returns a page of rule chains.
func (h *handlers) listChains(ctx context.Context, in *listChainsInput) (*rest.Page[ruleChain], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Chains(
		ctx,
		scope,
		report.ChainFilter{RuleIDs: in.LoyaltyRuleID.Values, Client: scope.Role == laurel.RoleClient},
		in.Page(),
	)
	if err != nil {
		return nil, err
	}
	names, err := h.Report.NamesOf(ctx, scope, conditionsOfChains(page.Data))
	return rest.ListOf(page, err, chainShaper(scope, names))
}

// chainBody is the response to a write of a chain.
type chainBody struct {
	Data ruleChain `json:"data"`
}

// chainResponse returns the response with one chain that was written. If err is not nil, it only returns err.
func (h *handlers) chainResponse(
	ctx context.Context,
	scope laurel.Scope,
	c chains.Chain,
	err error,
) (*rest.Response[chainBody], error) {
	if err != nil {
		return nil, err
	}
	names, err := h.Report.NamesOf(ctx, scope, c.Conditions)
	return rest.ResponseOf(c, err, func(c chains.Chain) chainBody { return chainBody{chainShaper(scope, names)(c)} })
}

type createChainBody struct {
	rest.TenantBody
	rest.RecordBody[chains.Chain]
	chains.Conditions
}

func (createChainBody) Creates() {}

type createChainInput struct {
	rest.Tenant
	Body createChainBody
}

// createChain creates a chain that locks a rule.
func (h *handlers) createChain(ctx context.Context, in *createChainInput) (*rest.Response[chainBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Or(in.Body.Tenant()))
	if err != nil {
		return nil, err
	}
	c, err := h.Chains.Create(ctx, scope, in.Body.Patch, in.Body.Conditions)
	return h.chainResponse(ctx, scope, c, err)
}

// getChain returns a chain, to show what it is now.
func (h *handlers) getChain(ctx context.Context, in *rest.PathID) (*rest.Response[ruleChain], error) {
	scope := rest.ScopeOf(ctx)
	c, err := h.Chains.Get(ctx, scope, in.ID.ID)
	if err != nil {
		return nil, err
	}
	names, err := h.Report.NamesOf(ctx, scope, c.Conditions)
	return rest.ResponseOf(c, err, chainShaper(scope, names))
}
