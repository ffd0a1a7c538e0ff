package dashboard

import (
	"slices"
	"strings"

	"laurel"
	"laurel/internal/identity"
)

// blockReasons and unblockReasons are the reasons that metadata knows, in words.
var (
	blockReasons = []choice{
		{"sybil_and_multi_account", "Several accounts of one person"}, {"abuse_manipulation", "Abuse or manipulation"},
		{"account_migration", "Moved to another account"}, {"microblog_suspended", "Microblog account suspended"},
		{"other", "Another reason"},
	}
	unblockReasons = []choice{
		{"issue_resolved", "The matter is settled"}, {"not_sybil", "One person, one account after all"},
		{"other", "Another reason"},
	}
)

type blockData struct {
	person
	Reasons []choice
	Input   map[string]string
	Faults  map[string]string
	Error   string
	Group   int // how many others are in the group, and blocked with the member
}

func (c *call) blockForm(who person) (blockData, error) {
	data := blockData{person: who, Reasons: blockReasons, Input: map[string]string{"reason": "", "note": ""}}
	if who.Profile.IsBlocked {
		data.Reasons = unblockReasons
	}
	p, err := c.d.Identity.Person(c.Context(), c.scope.At(c.site.ID), identity.Ref{UserID: who.ID})
	data.Group = max(0, len(p.Group)-1)
	return data, err
}

func askBlock(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	data, err := c.blockForm(who)
	if err != nil {
		return view{}, err
	}
	return show("member-block", blockTitle(who), data)
}

func blockTitle(who person) string {
	if who.Profile.IsBlocked {
		return "Unblock " + who.Name + "?"
	}
	return "Block " + who.Name + "?"
}

// blockMember blocks or unblocks, as the form says, with a reason. A note goes to the notes of the member.
func blockMember(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	block, reason := c.PostFormValue("do") == "block", c.PostFormValue("reason")
	var f laurel.Faults
	reasons := unblockReasons
	if block {
		reasons = blockReasons
	}
	if !offered(reasons, reason) {
		f.Add("reason", "must be one of those offered")
	}
	note := strings.TrimSpace(c.PostFormValue("note"))
	f.Text("note", note, 0, 1000)
	err = f.Err()
	if err == nil {
		in := identity.MetadataInput{
			Ref: identity.Ref{UserID: who.ID}, IsBlocked: laurel.Some(block), BlockStatusReason: laurel.Some(reason),
		}
		if note != "" {
			in.InternalNotes = laurel.Some(c.noted(who, note))
		}
		_, err = c.d.Identity.WriteMetadata(c.Context(), c.scope.At(c.site.ID), in)
	}
	if err != nil {
		data, other := c.blockForm(who)
		if other != nil {
			return view{}, other
		}
		return c.refused(err, "member-block", blockTitle(who), func(faults map[string]string, text string) any {
			data.Input, data.Faults, data.Error = c.typed("reason", "note"), faults, text
			return data
		})
	}
	did := " may take part again."
	if block {
		did = " is blocked: nothing is paid from now on."
	}
	return c.redirect(c.at("members", who.ID), who.Name+did)
}

func offered(list []choice, value string) bool {
	return slices.ContainsFunc(list, func(ch choice) bool { return ch.Value == value })
}

// noted adds a line to the notes of a member.
func (c *call) noted(who person, note string) string {
	line := c.d.Now().UTC().Format("2 Jan 2006") + ", " + c.admin.Name + ": " + note
	if old := who.Profile.InternalNotes; old != nil && *old != "" {
		return *old + "\n" + line
	}
	return line
}

// blockWords says why a member is blocked, or is no longer.
func blockWords(who person) string {
	reason := who.Profile.BlockStatusReason
	if reason == nil {
		return ""
	}
	for _, ch := range append(slices.Clone(blockReasons), unblockReasons...) {
		if ch.Value == *reason {
			return ch.Label
		}
	}
	return *reason
}
