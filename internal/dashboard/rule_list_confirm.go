package dashboard

import (
	"errors"
	"strings"

	"laurel"
	"laurel/internal/rules/lists"
)

// listConfirmation is the data of the page that confirms before a list is replaced or removed.
type listConfirmation struct {
	ruleHead
	List    ruleListInfo
	Address string // of the file; empty: the list is removed
	Head    lists.Head
}

// readListHead reads the first rows of an uploaded file. If a list of the kind cannot have such rows, the service
// refuses the file; the refusal is then returned as a fault of the field "file".
func (c *request) readListHead(kind lists.Kind, f *uploadedFile) (lists.Head, error) {
	head, err := c.d.Lists.ReadHead(c.Context(), c.scope, kind, f.File)
	var refused *laurel.Error
	if errors.As(err, &refused) && len(refused.Faults) == 0 {
		var faults laurel.Faults
		// the form shows the fault behind its label, "File", which the message begins with as well
		faults.AddText("file", strings.TrimPrefix(refused.Message, "File ")+". The list was not changed.")
		err = faults.Err()
	}
	return head, err
}

// confirmUploadedList shows the first rows of a stored file that has no clear header, and asks before the file at that
// address becomes the list of the rule.
func (c *request) confirmUploadedList(kind lists.Kind, address string, head lists.Head) (view, error) {
	data, err := c.readListConfirmation(kind)
	data.Address, data.Head = address, head
	return view{template: "rule-list-ask", title: "Use this file? " + data.Rule.Name, data: data}, err
}

// readListConfirmation reads the rule whose id is in the path, and its list of a kind. A kind that the rule cannot have
// is not found.
func (c *request) readListConfirmation(kind lists.Kind) (listConfirmation, error) {
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
func useUploadedList(c *request) (view, error) {
	kind := lists.Kind(c.PostFormValue("kind"))
	data, err := c.readListConfirmation(kind)
	if err != nil {
		return view{}, err
	}
	address := c.PostFormValue("address")
	if address == "" {
		return view{}, laurel.Errorf(laurel.Invalid, "The file is missing: upload it again.")
	}
	if err := c.setListAddress(kind, address); err != nil {
		return c.showListRefused(err, kind)
	}
	return c.redirect(c.sitePath("rules", data.Rule.ID, "lists"), "File uploaded. The list is being imported.")
}

// confirmRemoveList shows the page that asks before a list is removed: afterwards all members can complete the rule, or
// none.
func confirmRemoveList(c *request) (view, error) {
	data, err := c.readListConfirmation(lists.Kind(c.PathValue("list")))
	if err != nil {
		return view{}, err
	}
	return pageView("rule-list-ask", "Remove the list? "+data.Rule.Name, data)
}
