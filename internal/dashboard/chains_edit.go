package dashboard

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
)

// maxChainLines is how many conditions the form of a chain holds: those of one that people still understand.
const maxChainLines = 10

// chainKind is a type of condition that the form offers, with the parts of its line.
type chainKind struct {
	Type        conditions.Type
	Label, Help string
	Rules       bool   // names several rules
	Number      string // the property of the number; empty: none
	NumberLabel string
	NumberHelp  string
	Optional    bool // the number
}

// Of is the property by which a condition of the kind names things; empty for a list.
func (k chainKind) Of() string {
	switch k.Type {
	case conditions.Rule, conditions.Rules:
		return "loyaltyRuleIds"
	case conditions.Section:
		return "loyaltyRuleGroupIds"
	case conditions.Points, conditions.Level:
		return "loyaltyCurrencyIds"
	default:
		return ""
	}
}

// chainKinds are the types of the form. What your server decides is made over the API.
var chainKinds = []chainKind{
	{
		Type: conditions.Rule, Label: "Completed one rule", Number: "repeatCount", NumberLabel: "Times",
		NumberHelp: "Empty: once.", Optional: true,
	},
	{
		Type: conditions.Rules, Label: "Completed some of several rules", Rules: true, Number: "requiredCount",
		NumberLabel: "How many of them", NumberHelp: "Empty: all.", Optional: true,
	},
	{
		Type: conditions.Section, Label: "Completed rules of a group", Number: "requiredCount",
		NumberLabel: "How many of them", NumberHelp: "Empty: all.", Optional: true,
	},
	{Type: conditions.Points, Label: "Holds points", Number: "amount", NumberLabel: "At least"},
	{
		Type: conditions.Level, Label: "Has a rank", Number: "amount", NumberLabel: "This rank or better",
		NumberHelp: "1 is the highest balance.",
	},
	{Type: conditions.CSV, Label: "Stands on a list"},
}

// lineOfChain is a condition in the form, as it is typed.
type lineOfChain struct {
	chainKind
	At     int // its place
	Chosen []string
	Amount string
	URL    string
	Note   string
}

// Path is where faults of a property of the line are noted.
func (l lineOfChain) Path(property string) string {
	return "loyaltyConditions." + strconv.Itoa(l.At) + "." + property
}

// Has reports whether the line names a thing.
func (l lineOfChain) Has(id laurel.ID) bool { return slices.Contains(l.Chosen, id.String()) }

// chainForm is the form of a new chain.
type chainForm struct {
	Name, Rule, Operator string
	Lines                []lineOfChain
	Kinds                []chainKind
	Rules                []catalog.Rule
	Names                *named
	Faults               map[string]string
	Error                string
}

// Locks reports whether the rule is the one that the chain locks.
func (f chainForm) Locks(id laurel.ID) bool { return f.Rule == id.String() }

// Full reports whether there is no room for another condition.
func (f chainForm) Full() bool { return len(f.Lines) >= maxChainLines }

// chainForm reads what the form lets choose from.
func (c *call) chainForm() (chainForm, error) {
	f := chainForm{Kinds: chainKinds, Operator: conditions.And}
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Rule], error) {
		return c.d.Rules.List(ctx, c.scope.At(c.site.ID), catalog.Filter{}, page)
	}
	var err error
	if f.Rules, err = everything(c.Context(), list, func(r catalog.Rule) laurel.ID { return r.ID }); err != nil {
		return f, err
	}
	f.Names, err = c.named()
	return f, err
}

func newChain(c *call) (view, error) {
	f, err := c.chainForm()
	if err != nil {
		return view{}, err
	}
	f.Rule = c.URL.Query().Get("rule")
	f.Lines = []lineOfChain{{chainKind: chainKinds[0]}}
	return show("chain-new", "New chain", f)
}

// takeChain takes what was typed, without the line that is to go, and with another one that is asked for. asked
// reports whether the form was sent for that alone.
func (c *call) takeChain(f *chainForm) (asked bool) {
	f.Name, f.Rule, f.Operator = c.PostFormValue("name"), c.PostFormValue("loyaltyRuleId"), c.PostFormValue("operatorType")
	gone := c.PostFormValue("remove")
	for i := range maxChainLines {
		typed := lineOfChain{At: i}
		kind := slices.IndexFunc(chainKinds, func(k chainKind) bool {
			return string(k.Type) == c.PostFormValue(typed.Path("type"))
		})
		if kind < 0 || gone == strconv.Itoa(i) {
			continue
		}
		typed.chainKind = chainKinds[kind]
		typed.Chosen, typed.URL = c.PostForm[typed.Path(typed.Of())], c.PostFormValue(typed.Path("csvUrl"))
		typed.Amount, typed.Note = c.PostFormValue(typed.Path(typed.Number)), c.PostFormValue(typed.Path("description"))
		typed.At = len(f.Lines)
		f.Lines = append(f.Lines, typed)
	}
	if c.PostForm.Has("add") && !f.Full() {
		for _, k := range chainKinds {
			if string(k.Type) == c.PostFormValue("kind") {
				f.Lines = append(f.Lines, lineOfChain{chainKind: k, At: len(f.Lines)})
			}
		}
	}
	return c.PostForm.Has("add") || gone != ""
}

// input is the chain of the form. What is no number is noted.
func (f chainForm) input(faults *laurel.Faults) chains.Input {
	in := chains.Input{Name: strings.TrimSpace(f.Name), Operator: f.Operator}
	in.RuleID, _ = laurel.ParseID(f.Rule) // the service says that it is required
	for _, line := range f.Lines {
		note := line.Note
		condition := conditions.Input{Type: line.Type, Description: &note}
		ids := idList(strings.Join(line.Chosen, " "))
		switch line.Type {
		case conditions.Rule, conditions.Rules:
			condition.RuleIDs = ids
		case conditions.Section:
			condition.GroupIDs = ids
		case conditions.Points, conditions.Level:
			condition.CurrencyIDs = ids
		default:
			condition.CSVURL = &line.URL
		}
		line.number(faults, &condition)
		in.Conditions = append(in.Conditions, condition)
	}
	return in
}

// number takes the number of the line; an empty one is none.
func (l lineOfChain) number(faults *laurel.Faults, to *conditions.Input) {
	text := strings.ReplaceAll(strings.TrimSpace(l.Amount), ",", "")
	if l.Number == "" || text == "" {
		return
	}
	amount, err := laurel.ParseAmount(text)
	whole := int64(amount / laurel.One)
	switch {
	case err != nil || l.Number != "amount" && amount%laurel.One != 0:
		faults.Add(l.Path(l.Number), "must be a number such as 3")
	case l.Number == "amount":
		to.Amount = &amount
	case l.Number == "repeatCount":
		to.RepeatCount = &whole
	default:
		to.RequiredCount = &whole
	}
}

func createChain(c *call) (view, error) {
	f, err := c.chainForm()
	if err != nil {
		return view{}, err
	}
	if c.takeChain(&f) {
		return show("chain-new", "New chain", f)
	}
	var faults laurel.Faults
	in := f.input(&faults)
	if err = faults.Err(); err == nil {
		var made chains.Chain
		if made, err = c.d.Chains.Create(c.Context(), c.scope.At(c.site.ID), in); err == nil {
			return c.redirect(c.at("rules", made.RuleID, "chains"), "Chain made. The rule is locked by it from now on.")
		}
	}
	return c.refused(err, "chain-new", "New chain", func(faults map[string]string, text string) any {
		f.Faults, f.Error = map[string]string{}, text
		for path, fault := range faults {
			if parts := strings.Split(path, "."); len(parts) > 3 { // of one thing that a condition names
				path = strings.Join(parts[:3], ".")
			}
			f.Faults[path] = fault
		}
		return f
	})
}

// ruleChains shows the chains that lock the rule of the path.
func ruleChains(c *call) (view, error) {
	head, err := c.ruleHead()
	if err != nil {
		return view{}, err
	}
	page, err := c.page()
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
	return show("rule-chains", head.Rule.Name+", chains", data)
}

// chain reads the chain of the path with its conditions in words.
func (c *call) chain() (chainItem, error) {
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

func askDeleteChain(c *call) (view, error) {
	item, err := c.chain()
	if err != nil {
		return view{}, err
	}
	return show("chain-delete", "Delete the chain "+item.Name+"?", item)
}

func deleteChain(c *call) (view, error) {
	id, err := c.pathID("chain", "Rule chain")
	if err != nil {
		return view{}, err
	}
	gone, err := c.d.Chains.Delete(c.Context(), c.scope.At(c.site.ID), id)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.at("rules", gone.RuleID, "chains"), "Chain deleted. It locks the rule no longer.")
}
