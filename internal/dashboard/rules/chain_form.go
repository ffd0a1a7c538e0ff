package rules

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/chains"
)

// maxChainLines is how many conditions the form of a chain holds: those of one that people still understand.
const maxChainLines = 10

// chainForm is the form of a new chain.
type chainForm struct {
	form.State
	Conditions parts.ConditionForm
}

// chainTable has the properties of a chain, besides its conditions.
var chainTable = form.NewTable[chains.Chain, chains.Patch](form.Fields(
	"name", "Name", "loyaltyRuleId", "Rule", "operatorType", "Operator",
))

// chainForm returns an empty form of a chain, with all rules and kinds of conditions to choose from. Conditions of the
// type api are left out: no member fulfils them without a call of the website's server.
func (c *call) chainForm() (*chainForm, error) {
	kinds := slices.DeleteFunc(slices.Clone(parts.ConditionKinds), func(k parts.ConditionKind) bool {
		return k.Type == conditions.TypeAPI
	})
	f := &chainForm{State: form.State{Input: map[string]string{"operatorType": conditions.And}}}
	var err error
	f.Conditions, err = c.ConditionForm("loyaltyConditions", maxChainLines, kinds)
	return f, err
}

// newChainPage shows the form of a new chain, with an empty condition. The query may name the rule to lock.
func newChainPage(c *call) (web.View, error) {
	f, err := c.chainForm()
	if err != nil {
		return web.View{}, err
	}
	f.Input["loyaltyRuleId"] = c.URL.Query().Get("rule")
	f.Conditions.Add(conditions.TypeRule)
	return web.Show("chain-new", "New chain", f)
}

// createChain creates a chain from the posted form. A form that was sent only to add or remove a condition, or that is
// refused, is shown again.
func createChain(c *call) (web.View, error) {
	f, err := c.chainForm()
	if err != nil {
		return web.View{}, err
	}
	f.Input = chainTable.Typed(c.PostForm)
	if f.Conditions.ReadPosted(c.PostForm) { // a condition was added or removed
		return web.Show("chain-new", "New chain", f)
	}
	var faults laurel.Faults
	in := chainTable.Input(form.Changes{Typed: f.Input, Faults: &faults})
	list := chains.Conditions{List: f.Conditions.ServiceInput(&faults)}
	if err = faults.Err(); err == nil {
		var made chains.Chain
		if made, err = c.Chains.Create(c.Context(), c.Scope.At(c.Site.ID), in, list); err == nil {
			return c.Redirect(c.SitePath("rules", made.RuleID, "chains"), "Chain created. It now locks the rule.")
		}
	}
	return c.ShowRefused(err, "chain-new", "New chain", func(refusal web.Refusal) any {
		f.Faults, f.Error = f.Conditions.FaultsAtFields(refusal.Faults), refusal.Error
		return f
	})
}

// ruleChainsPage shows a page of the chains that lock the rule whose id is in the path.
func ruleChainsPage(c *call) (web.View, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	f := report.ChainFilter{RuleIDs: []laurel.ID{head.Rule.ID}}
	list, err := c.Report.Chains(c.Context(), c.Scope, f, page)
	if err != nil {
		return web.View{}, err
	}
	data := struct {
		ruleHead
		chainsData
	}{head, chainsData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, chainID))}}
	if data.Chains, err = c.chainItems(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("rule-chains", head.Rule.Name+", chains", data)
}

// getChain returns the chain whose id is in the path, with its conditions in words. A malformed or unknown id is not
// found.
func (c *call) getChain() (chainItem, error) {
	id, err := c.PathID("chain", "Rule chain")
	if err != nil {
		return chainItem{}, err
	}
	f := report.ChainFilter{IDs: []laurel.ID{id}}
	list, err := c.Report.Chains(c.Context(), c.Scope, f, laurel.PageRequest{Limit: 1})
	if err != nil {
		return chainItem{}, err
	}
	items, err := c.chainItems(list.Data)
	if err == nil && len(items) == 0 {
		err = laurel.Missing("Rule chain")
	}
	if err != nil {
		return chainItem{}, err
	}
	return items[0], nil
}

// confirmDeleteChain shows the page that asks before a chain is deleted.
func confirmDeleteChain(c *call) (web.View, error) {
	item, err := c.getChain()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("chain-delete", "Delete the chain "+item.Name+"?", item)
}

// deleteChain deletes a chain, which unlocks its rule.
func deleteChain(c *call) (web.View, error) {
	id, err := c.PathID("chain", "Rule chain")
	if err != nil {
		return web.View{}, err
	}
	deleted, err := c.Chains.Delete(c.Context(), c.Scope.At(c.Site.ID), id)
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("rules", deleted.RuleID, "chains"), "Chain deleted. It no longer locks the rule.")
}
