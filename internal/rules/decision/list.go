package decision

// checkListed: the rest of step 8.
func checkListed(f Facts) error {
	if HasList(f) && !f.Listed {
		return Refuse(MsgNotListed)
	}
	return nil
}

// HasList reports whether the rule is for the wallets of a list (contract 5.13).
func HasList(f Facts) bool { return f.Rule.UserAllotmentCSVURL != nil }

// paysByList reports whether the list says what the member gets, of the types that pay by it; others are only
// restricted to those who stand on it.
func (f Facts) paysByList() bool {
	return f.Allotted != nil && f.Rule.Type.Kind().PaysByList
}
