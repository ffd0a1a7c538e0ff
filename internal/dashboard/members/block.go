package members

import (
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
)

// blockReasons and unblockReasons are the reasons that metadata knows, in words.
var (
	blockReasons = web.Choices(
		"sybil_and_multi_account", "Several accounts for one person", "abuse_manipulation", "Abuse or manipulation",
		"account_migration", "Moved to another account", "microblog_suspended", "Microblog account suspended",
		"other", "Another reason",
	)
	unblockReasons = web.Choices(
		"issue_resolved", "Resolved", "not_sybil", "Not a duplicate account",
		"other", "Another reason",
	)
)

type blockData struct {
	web.Refusal
	form.Base
	parts.Person
	Reasons  []web.Choice
	Input    map[string]string
	Unblocks bool // the form unblocks
	Group    int  // how many others are in the group, and blocked with the member
}

// blockForm returns the form that blocks a member, or, if unblocks is true, the one that unblocks a member.
func (c *call) blockForm(member parts.Person, unblocks bool) (blockData, error) {
	data := blockData{
		Person: member, Reasons: blockReasons, Input: map[string]string{"reason": "", "note": ""}, Unblocks: unblocks,
		Base: form.BaseOf(blockTexts(member.Profile.IsBlocked, blockReasonLabel(member))),
	}
	if unblocks {
		data.Reasons = unblockReasons
	}
	group, err := c.Identity.Person(c.Context(), c.Scope.At(c.Site.ID), identity.Ref{UserID: member.ID})
	data.Group = max(0, len(group.Group)-1) // the others, without the member
	return data, err
}

// blockFields are the fields of a block that are compared.
var blockFields = form.Fields("blocked", "Blocked", "reason", "Reason")

// blockTexts returns whether a member is blocked, and why, as texts by field, to find changes and conflicts.
func blockTexts(isBlocked bool, reason string) map[string]string {
	if isBlocked {
		return map[string]string{"blocked": "yes", "reason": reason}
	}
	return map[string]string{"blocked": "no", "reason": reason}
}

// blockMemberPage shows the form that blocks a member, or unblocks a blocked one.
func blockMemberPage(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	data, err := c.blockForm(member, member.Profile.IsBlocked)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-block", blockTitle(member, data.Unblocks), data)
}

// blockTitle returns the title of the form, which asks whether to block or unblock the member.
func blockTitle(member parts.Person, unblocks bool) string {
	if unblocks {
		return "Unblock " + member.Name + "?"
	}
	return "Block " + member.Name + "?"
}

// blockMember blocks or unblocks a member with a reason, and adds a note to the member's notes. If someone else has
// blocked or unblocked the member since the form was opened, nothing is written and the conflicts are shown.
func blockMember(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	block, reason := c.PostFormValue("do") == "block", c.PostFormValue("reason")
	var faults laurel.Faults
	reasons := unblockReasons
	if block {
		reasons = blockReasons
	}
	if !web.IsOffered(reasons, reason) {
		faults.Add("reason", "must be one of the options")
	}
	note := strings.TrimSpace(c.PostFormValue("note"))
	faults.Text("note", note, 0, 1000)
	err = faults.Err()
	if err == nil {
		if conflict, isConflict := c.blockConflict(member, block, web.ChoiceLabel(reasons, reason)); isConflict {
			return conflict, nil
		}
		in := identity.MetadataInput{
			Ref: identity.Ref{UserID: member.ID}, IsBlocked: laurel.Some(block), BlockStatusReason: laurel.Some(reason),
		}
		if note != "" {
			in.InternalNotes = laurel.Some(c.appendNote(member, note))
		}
		_, err = c.Identity.WriteMetadata(c.Context(), c.Scope.IfUnchanged(member.ID, member.Profile.UpdatedAt.Time), in)
	}
	if err != nil {
		data, formErr := c.blockForm(member, !block)
		if formErr != nil {
			return web.View{}, formErr
		}
		title := blockTitle(member, !block)
		return c.ShowRefused(err, "member-block", title, func(refusal web.Refusal) any {
			data.Input, data.Refusal = form.TypedOf(c.PostForm, "reason", "note"), refusal
			data.BaseVersion = c.PostFormValue(form.BaseVersionField)
			return data
		})
	}
	result := " is unblocked and can earn rewards again."
	if block {
		result = " is blocked. Rules no longer pay this member."
	}
	return c.Redirect(c.SitePath("members", member.ID), member.Name+result)
}

// blockConflict returns the form with the conflicts if someone else has changed the block since the form was opened.
// isConflict is false if the block is unchanged, or if it already is what this form asks for.
func (c *call) blockConflict(member parts.Person, block bool, reason string) (v web.View, isConflict bool) {
	current := blockTexts(member.Profile.IsBlocked, blockReasonLabel(member))
	data := blockData{
		Person: member, Reasons: blockReasons, Input: form.TypedOf(c.PostForm, "reason", "note"), Unblocks: !block,
		Base: form.BaseOf(current),
	}
	if data.Unblocks {
		data.Reasons = unblockReasons
	}
	isConflict = data.FindConflicts(c.PostForm, current, blockTexts(block, reason), blockFields)
	return web.Refused("member-block", blockTitle(member, data.Unblocks), data), isConflict
}

// appendNote returns the notes of a member with a new line at the end: the date, the admin and the note.
func (c *call) appendNote(member parts.Person, note string) string {
	line := c.Now().UTC().Format("2 Jan 2006") + ", " + c.Admin.Name + ": " + note
	if old := member.Profile.InternalNotes; old != nil && *old != "" {
		return *old + "\n" + line
	}
	return line
}

// blockReasonLabel returns why a member was blocked or unblocked, in words; empty if no reason is stored.
func blockReasonLabel(member parts.Person) string {
	reason := member.Profile.BlockStatusReason
	if reason == nil {
		return ""
	}
	return web.ChoiceLabel(slices.Concat(blockReasons, unblockReasons), *reason)
}
