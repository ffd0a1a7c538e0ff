package dashboard

import (
	"slices"
	"strings"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/report"
	"laurel/internal/rules/chains"
)

// maxChainLines is how many conditions the form of a chain holds: those of one that people still understand.
const maxChainLines = 10

// chainForm is the form of a new chain.
type chainForm struct {
	Name, Rule, Operator string
	Conditions           conditionForm
	Faults               map[string]string
	Error                string
}

// Locks reports whether the rule is the one that the chain locks.
func (f chainForm) Locks(id laurel.ID) bool { return f.Rule == id.String() }

// chainForm returns an empty form of a chain, with all rules and kinds of conditions to choose from. Conditions of the
// type api are left out: no member fulfils them without a call of the website's server.
func (c *request) chainForm() (f chainForm, err error) {
	kinds := slices.DeleteFunc(slices.Clone(conditionKinds), func(k conditionKind) bool {
		return k.Type == conditions.TypeAPI
	})
	f.Operator = conditions.And
	f.Conditions, err = c.conditionForm("loyaltyConditions", maxChainLines, kinds)
	return f, err
}

// newChainPage shows the form of a new chain, with an empty condition. The query may name the rule to lock.
func newChainPage(c *request) (view, error) {
	f, err := c.chainForm()
	if err != nil {
		return view{}, err
	}
	f.Rule = c.URL.Query().Get("rule")
	f.Conditions.add(conditions.TypeRule)
	return pageView("chain-new", "New chain", f)
}

// readPostedChain reads the posted form. redraw reports whether it was sent only to add or remove a condition.
func (c *request) readPostedChain(f *chainForm) (redraw bool) {
	f.Name, f.Rule, f.Operator = c.PostFormValue("name"), c.PostFormValue("loyaltyRuleId"), c.PostFormValue("operatorType")
	return f.Conditions.readPosted(c.PostForm)
}

// serviceInput returns the chain of the form for the service. Malformed numbers are added to faults. A malformed rule
// id becomes the zero id, which the service refuses.
func (f chainForm) serviceInput(faults *laurel.Faults) chains.Input {
	in := chains.Input{
		Name: strings.TrimSpace(f.Name), Operator: f.Operator, Conditions: f.Conditions.serviceInput(faults),
	}
	in.RuleID, _ = laurel.ParseID(f.Rule) // the service refuses the zero id
	return in
}

// createChain creates a chain from the posted form. A form that was sent only to add or remove a condition, or that is
// refused, is shown again.
func createChain(c *request) (view, error) {
	f, err := c.chainForm()
	if err != nil {
		return view{}, err
	}
	if c.readPostedChain(&f) {
		return pageView("chain-new", "New chain", f)
	}
	var faults laurel.Faults
	in := f.serviceInput(&faults)
	if err = faults.Err(); err == nil {
		var made chains.Chain
		if made, err = c.d.Chains.Create(c.Context(), c.scope.At(c.site.ID), in); err == nil {
			return c.redirect(c.sitePath("rules", made.RuleID, "chains"), "Chain created. It now locks the rule.")
		}
	}
	return c.showRefused(err, "chain-new", "New chain", func(faults map[string]string, text string) any {
		f.Faults, f.Error = f.Conditions.faultsAtFields(faults), text
		return f
	})
}

// ruleChainsPage shows a page of the chains that lock the rule whose id is in the path.
func ruleChainsPage(c *request) (view, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return view{}, err
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	f := report.ChainFilter{RuleIDs: []laurel.ID{head.Rule.ID}}
	list, err := c.d.Report.Chains(c.Context(), c.scope, f, page)
	if err != nil {
		return view{}, err
	}
	data := struct {
		ruleHead
		chainsData
	}{head, chainsData{Pager: c.pager(page, list.HasNextPage, lastID(list, chainID))}}
	if data.Chains, err = c.chainItems(list.Data); err != nil {
		return view{}, err
	}
	return pageView("rule-chains", head.Rule.Name+", chains", data)
}

// getChain returns the chain whose id is in the path, with its conditions in words. A malformed or unknown id is not
// found.
func (c *request) getChain() (chainItem, error) {
	id, err := c.pathID("chain", "Rule chain")
	if err != nil {
		return chainItem{}, err
	}
	f := report.ChainFilter{IDs: []laurel.ID{id}}
	list, err := c.d.Report.Chains(c.Context(), c.scope, f, laurel.PageRequest{Limit: 1})
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
func confirmDeleteChain(c *request) (view, error) {
	item, err := c.getChain()
	if err != nil {
		return view{}, err
	}
	return pageView("chain-delete", "Delete the chain "+item.Name+"?", item)
}

// deleteChain deletes a chain, which unlocks its rule.
func deleteChain(c *request) (view, error) {
	id, err := c.pathID("chain", "Rule chain")
	if err != nil {
		return view{}, err
	}
	deleted, err := c.d.Chains.Delete(c.Context(), c.scope.At(c.site.ID), id)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("rules", deleted.RuleID, "chains"), "Chain deleted. It no longer locks the rule.")
}
