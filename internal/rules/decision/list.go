package decision

// checkListed is the rest of step 8: the wallet must be on the rule's list.
func checkListed(f Facts) error {
	if HasList(f) && !f.Listed {
		return Refuse(MsgNotListed)
	}
	return nil
}

// HasList reports whether the rule is for the wallets of a list (contract 5.13).
func HasList(f Facts) bool { return f.Rule.UserAllotmentCSVURL != nil }

// paysByList reports whether the list sets the amount. For other rule types it only says who may complete the rule.
func (f Facts) paysByList() bool {
	return f.Allotted != nil && f.Rule.Type.Kind().PaysByList
}
