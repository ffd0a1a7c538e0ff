package rules

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/lists"
)

// listConfirmation is the data of the page that confirms before a list is replaced or removed.
type listConfirmation struct {
	ruleHead
	List    ruleListInfo
	Address string // of the file; empty: the list is removed
	Head    lists.Head
}

// confirmUploadedList shows the first rows of a stored file that has no clear header, and asks before the file at that
// address becomes the list of the rule.
func (c *call) confirmUploadedList(kind lists.Kind, address string, head lists.Head) (web.View, error) {
	data, err := c.readListConfirmation(kind)
	data.Address, data.Head = address, head
	return web.View{Template: "rule-list-ask", Title: "Use this file? " + data.Rule.Name, Data: data}, err
}

// readListConfirmation reads the rule whose id is in the path, and its list of a kind. A kind that the rule cannot have
// is not found.
func (c *call) readListConfirmation(kind lists.Kind) (listConfirmation, error) {
	head, err := c.readRuleHead()
	if err != nil {
		return listConfirmation{}, err
	}
	list, ok := findList(&head.Rule.Properties, kind)
	if !ok {
		return listConfirmation{}, laurel.Missing("List")
	}
	return listConfirmation{ruleHead: head, List: list}, nil
}

// useUploadedList makes a stored file the list of the rule. The form in which the admin confirmed that has the file's
// address. The import of the list begins at once.
func useUploadedList(c *call) (web.View, error) {
	kind := lists.Kind(c.PostFormValue("kind"))
	data, err := c.readListConfirmation(kind)
	if err != nil {
		return web.View{}, err
	}
	address := c.PostFormValue("address")
	if address == "" {
		return web.View{}, laurel.Errorf(laurel.Invalid, "The file is missing: upload it again.")
	}
	if err := c.setListAddress(kind, address); err != nil {
		return c.showListRefused(err, kind)
	}
	return c.Redirect(c.SitePath("rules", data.Rule.ID, "lists"), "File uploaded. The list is being imported.")
}

// confirmRemoveList shows the page that asks before a list is removed: afterwards all members can complete the rule, or
// none.
func confirmRemoveList(c *call) (web.View, error) {
	data, err := c.readListConfirmation(lists.Kind(c.PathValue("list")))
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-list-ask", "Remove the list? "+data.Rule.Name, data)
}
