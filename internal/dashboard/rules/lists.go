package rules

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/schema"
)

var listRoutes = []route{
	web.Get("/rules/{rule}/lists", admins.SeeProgram, "rules", listsPage),
	web.Post("/rules/{rule}/lists/upload", admins.ChangeProgram, "rules", "uploaded a list for a rule", uploadList),
	web.Post("/rules/{rule}/lists/confirm", admins.ChangeProgram, "rules",
		"uploaded a list for a rule", useUploadedList),
	web.Get("/rules/{rule}/lists/{list}/remove", admins.ChangeProgram, "rules", confirmRemoveList),
	web.Post("/rules/{rule}/lists/remove", admins.ChangeProgram, "rules", "removed a list from a rule", removeList),
	web.Post("/rules/{rule}/lists/read", admins.ChangeProgram, "rules",
		"reimported the lists of a rule", readListsAgain),
}

// ruleListInfo is a list that a rule may have, with its latest import.
type ruleListInfo struct {
	Kind              lists.Kind
	Title, Help       string
	Columns           string        // of the file
	URL               string        // empty: the rule has none
	LatestImport      *lists.Import // its latest reading
	HasCompleteImport bool          // an earlier reading of the same address is complete
}

// LocksRule reports whether nobody can complete the rule, because its list of members was never imported in full.
func (l ruleListInfo) LocksRule() bool {
	return l.URL != "" && l.Kind == lists.KindAllotment && l.LatestImport != nil && l.LatestImport.Status == lists.Failed && !l.HasCompleteImport
}

// Waits reports whether the list is still to be read.
func (l ruleListInfo) Waits() bool { return l.LatestImport != nil && isImportOpen(*l.LatestImport) }

func isImportOpen(i lists.Import) bool {
	return i.Status == lists.Pending || i.Status == lists.Processing
}

type listsData struct {
	web.Refusal
	ruleHead
	Lists            []ruleListInfo
	ConditionImports []lists.Import // the latest readings of lists before the rule
	Polls            bool           // a list is being read
	RefusedList      lists.Kind     // the list that was refused
}

// possibleLists returns the lists that a rule may have, by its type, with their addresses and without their imports.
func possibleLists(properties *schema.Properties) []ruleListInfo {
	members := ruleListInfo{
		Kind: lists.KindAllotment, Title: "Members", Columns: "walletAddress", URL: web.TextCell(properties.UserAllotmentCSVURL),
		Help: "Only members on this list can complete the rule. Without a list, all members can.",
	}
	if properties.Type == schema.TypeAirdrop || properties.Type == schema.TypeUpload {
		members.Columns = "walletAddress, amount"
		members.Help = "Members to pay and their amounts. Members without an amount get the rule’s amount."
	}
	out := []ruleListInfo{members}
	if properties.Type == schema.TypeCodeEntry {
		out = []ruleListInfo{{
			Kind: lists.KindCodes, Title: "Codes", Columns: "code", URL: properties.ListAddresses().CodesURL,
			Help: "Each code works once. A new file adds codes; codes from earlier files stay valid.",
		}, members}
	}
	if properties.Type.Kind().Family == schema.FamilyOnchain || properties.CustomRewardsCSVURL != nil {
		out = append(out, ruleListInfo{
			Kind: lists.KindRewards, Title: "Rewards per token", Columns: "tokenId, reward",
			URL:  web.TextCell(properties.CustomRewardsCSVURL),
			Help: "The amount that each token pays, instead of the rule’s amount.",
		})
	}
	return out
}

// maxImportsShown is how many imports of a rule its page of lists looks at.
const maxImportsShown = 100

// readLists reads the lists of the rule whose id is in the path, with the newest import of each, and the newest imports
// of lists that conditions of the rule use. It looks at the newest maxImportsShown imports of the rule.
func (c *call) readLists() (listsData, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return listsData{}, err
	}
	data := listsData{ruleHead: head, Lists: possibleLists(&head.Rule.Properties)}
	imports, err := c.Lists.ListImports(c.Context(), c.Scope, head.Rule.ID, laurel.PageRequest{Limit: maxImportsShown})
	if err != nil {
		return data, err
	}
	isListed := map[laurel.ID]bool{}
	for _, listImport := range imports.Data { // newest first
		data.Polls = data.Polls || isImportOpen(listImport) // the page refreshes itself until all imports have ended
		if listImport.Kind == lists.KindCondition && !isListed[listImport.Condition] {
			isListed[listImport.Condition] = true
			data.ConditionImports = append(data.ConditionImports, listImport)
		}
		for i := range data.Lists {
			list := &data.Lists[i]
			if list.Kind != listImport.Kind {
				continue
			}
			if list.LatestImport == nil {
				list.LatestImport = &listImport
			}
			list.HasCompleteImport = list.HasCompleteImport || listImport.URL == list.URL && listImport.Status == lists.Complete
		}
	}
	return data, nil
}

// listsPage shows the lists of a rule.
func listsPage(c *call) (web.View, error) {
	data, err := c.readLists()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-lists", data.Rule.Name+", lists", data)
}

// uploadList stores an uploaded file and makes it the list of the rule, which is imported at once. A file without a
// clear header has to be confirmed first.
func uploadList(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.ReceiveFile("file")
	kind := lists.Kind(c.PostFormValue("kind"))
	if err == nil {
		defer func() { _ = f.Close() }()
		var address string
		if _, ok := findList(&rule.Properties, kind); !ok {
			return web.View{}, laurel.Missing("List")
		}
		var head lists.Head
		if head, err = c.ReadListHead(kind, f); err == nil {
			address, err = c.StoreFile(f, ".csv", "loyalty")
		}
		if err == nil && (!head.Header || head.Problem != "") {
			return c.confirmUploadedList(kind, address, head)
		}
		if err == nil {
			err = web.Retry(func() error { return c.setListAddress(kind, address) })
		}
	}
	if err != nil {
		return c.showListRefused(err, kind)
	}
	return c.Redirect(c.SitePath("rules", rule.ID, "lists"), "File uploaded. The list is being imported.")
}

// findList returns the list of a kind that the rule may have, and false if it may not have one.
func findList(properties *schema.Properties, kind lists.Kind) (ruleListInfo, bool) {
	for _, list := range possibleLists(properties) {
		if list.Kind == kind {
			return list, true
		}
	}
	return ruleListInfo{}, false
}

// setListAddress sets the address of a list of the rule in the path. An empty address removes the list. Errors:
// laurel.ErrChanged if others have saved the rule meanwhile.
func (c *call) setListAddress(kind lists.Kind, address string) error {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return err
	}
	value := laurel.Some(address)
	if address == "" {
		value = laurel.Null[string]()
	}
	var in schema.Input
	switch kind {
	case lists.KindCodes: // in the metadata, which f.serviceInput returns as a whole
		f.typed.Set("metadata.promoCodeCsvUrl", address)
		if address != "" {
			f.typed.Set("metadata.promoCodeType", "csv")
		}
		if in, err = f.serviceInput(); err != nil {
			return err
		}
	case lists.KindRewards:
		in.CustomRewardsCSVURL = value
	default:
		in.UserAllotmentCSVURL = value
	}
	_, err = c.Rules.Update(c.Context(), c.Scope.IfUnchanged(f.Rule.ID, f.Rule.UpdatedAt), f.Rule.ID, in)
	return err
}

// showListRefused shows the lists of the rule again with what err, a refusal of the service, says about the list of a
// kind. Each list has a field of its own. Any other error is returned.
func (c *call) showListRefused(err error, kind lists.Kind) (web.View, error) {
	data, readErr := c.readLists()
	if readErr != nil {
		return web.View{}, readErr
	}
	if data.RefusedList = kind; kind == "" { // the form did not arrive whole
		data.RefusedList = data.Lists[0].Kind
	}
	return c.ShowRefused(err, "rule-lists", data.Rule.Name+", lists", func(refusal web.Refusal) any {
		data.Faults, data.Error = map[string]string{}, refusal.Error
		for name, fault := range refusal.Faults {
			data.Faults[name+"-"+string(data.RefusedList)] = fault
		}
		return data
	})
}

// removeList removes a list from the rule. Codes that were imported from it stay valid.
func removeList(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	kind := lists.Kind(c.PostFormValue("kind"))
	list, ok := findList(&rule.Properties, kind)
	if !ok {
		return web.View{}, laurel.Missing("List")
	}
	if err := c.setListAddress(kind, ""); err != nil {
		return c.showListRefused(err, kind)
	}
	notice := "List removed: " + list.Title + "."
	if kind == lists.KindCodes {
		notice += " Imported codes stay."
	}
	return c.Redirect(c.SitePath("rules", rule.ID, "lists"), notice)
}

// readListsAgain imports the lists of the rule once more. Every save of a rule does that, also one without changes.
func readListsAgain(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	if _, err := c.Rules.Update(c.Context(), c.Scope, rule.ID, schema.Input{}); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("rules", rule.ID, "lists"), "The lists are being imported again, except lists of codes.")
}
