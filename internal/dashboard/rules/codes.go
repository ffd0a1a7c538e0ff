package rules

import (
	"context"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/schema"
)

var codeRoutes = []route{
	web.Get("/rules/{rule}/codes", admins.ChangeProgram, "rules", codesPage),
	web.Get("/rules/{rule}/codes.csv", admins.ChangeProgram, "rules", exportCodes),
	web.Post("/rules/{rule}/codes", admins.ChangeProgram, "rules",
		"created codes for a rule", web.Idempotent(createCodes)),
}

// maxCodes bounds the generated codes of a rule.
const maxCodes = 100_000

type codesData struct {
	web.Refusal
	ruleHead
	Meta       schema.Meta
	Codes      []codes.Code
	Who        map[laurel.ID]parts.Person
	More       bool // codes are being made
	Filters    []web.FilterLink
	Redemption string // used or free; empty: all
	Pager      web.Pager
	Left       int // how many can still be made
	Input      map[string]string
}

// Made reports whether codes are made here.
func (d codesData) Made() bool { return d.Meta.PromoCodeType == "generate" }

// readCodes reads what the page of a rule's codes shows: a page of codes, the members who redeemed them, and how many
// more codes can be created. A rule of a type without codes is not found.
func (c *call) readCodes() (codesData, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return codesData{}, err
	}
	if head.Rule.Type != schema.TypeCodeEntry {
		return codesData{}, laurel.Missing("Page")
	}
	data := codesData{ruleHead: head, Meta: head.Rule.Meta(), Redemption: c.URL.Query().Get("only")}
	data.Left = maxCodes - data.Meta.GeneratedCodes()
	page, err := c.PageRequest()
	if err != nil {
		return data, err
	}
	list, err := c.Rules.ListCodes(c.Context(), c.Scope, head.Rule.ID, redemptionFilter(data.Redemption), page)
	if err != nil {
		return data, err
	}
	data.Codes, data.More = list.Data, !list.Complete // more codes are still being created
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list.Page, func(code codes.Code) laurel.ID { return code.ID }))
	address := c.SitePath("rules", head.Rule.ID, "codes")
	for _, filter := range web.Choices("", "All codes", "free", "Not used", "used", "Used") {
		link := web.FilterLink{Label: filter.Label, Address: address, IsChosen: filter.Value == data.Redemption}
		if filter.Value != "" {
			link.Address += "?only=" + filter.Value
		}
		data.Filters = append(data.Filters, link)
	}
	data.Who, err = c.ReadPeople(web.UniqueIDs(list.Data, func(code codes.Code) laurel.ID { return code.RedeemedByID }))
	return data, err
}

// redemptionFilter returns the filter that matches used or free codes, or all codes for any other text.
func redemptionFilter(only string) codes.Filter {
	switch only {
	case "free", "used":
		used := only == "used"
		return codes.Filter{Redeemed: &used}
	}
	return codes.Filter{}
}

// codesPage shows a page of the codes of a rule.
func codesPage(c *call) (web.View, error) {
	data, err := c.readCodes()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-codes", data.Rule.Name+", codes", data)
}

// createCodes adds codes to a rule: it raises the number of codes in the rule's metadata, and the service generates the
// missing ones. A rule has at most maxCodes.
func createCodes(c *call) (web.View, error) {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return web.View{}, err
	}
	meta := f.Rule.Meta()
	var faults laurel.Faults
	count, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("count")), ",", ""))
	switch remaining := maxCodes - meta.GeneratedCodes(); {
	case f.Rule.Type != schema.TypeCodeEntry:
		return web.View{}, laurel.Missing("Page")
	case meta.PromoCodeType != "generate":
		return web.View{}, laurel.Errorf(laurel.Refused, "This rule doesn’t use codes created by Laurel.")
	case err != nil || count < 1:
		faults.Add("count", "must be a whole number greater than 0")
	case count > remaining:
		faults.Add("count", "must be at most %s: a rule has up to %s codes", web.Number(remaining), web.Number(maxCodes))
	}
	if err = faults.Err(); err == nil {
		f.typed.Set("metadata.promoCodeLength", strconv.Itoa(meta.GeneratedCodes()+count))
		var in schema.Input
		if in, err = f.serviceInput(); err == nil {
			_, err = c.Rules.Update(c.Context(), c.Scope.IfUnchanged(f.Rule.ID, f.Rule.UpdatedAt), f.Rule.ID, in)
		}
	}
	if err != nil {
		data, readErr := c.readCodes()
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "rule-codes", f.Rule.Name+", codes", func(refusal web.Refusal) any {
			data.Refusal, data.Input = refusal, form.TypedOf(c.PostForm, "count")
			return data
		})
	}
	return c.Redirect(
		c.PathAfterPost("rules", f.Rule.ID, "codes"),
		web.Plural(count, "code", "codes")+" being created. Large numbers of codes take a few seconds.",
	)
}

// exportCodes exports as CSV the codes of a rule that the filter of the page matches.
func exportCodes(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	filter := redemptionFilter(c.URL.Query().Get("only"))
	list := func(page laurel.PageRequest) (laurel.Page[codes.Code], error) {
		found, err := c.codePage(rule, filter, page)
		return found.Page, err
	}
	head := []string{"code", "redeemedByUserId", "redeemedAt", "createdAt"}
	name := "codes-" + c.Now().UTC().Format(time.DateOnly) + ".csv"
	return web.ExportCSV(name, head, web.PagedRows(list, func(code codes.Code) laurel.ID { return code.ID },
		web.CellsOfEach(func(code codes.Code) []string {
			return []string{
				code.Code, web.IdCell(code.RedeemedByID), web.TimeCell(code.RedeemedAt), web.TimeCell(code.CreatedAt),
			}
		})))
}

// codePage reads a page of a rule's codes within a minute.
func (c *call) codePage(r catalog.Rule, f codes.Filter, page laurel.PageRequest) (catalog.CodePage, error) {
	ctx, cancel := context.WithTimeout(c.Context(), time.Minute)
	defer cancel()
	return c.Rules.ListCodes(ctx, c.Scope, r.ID, f, page)
}
