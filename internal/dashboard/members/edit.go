package members

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// profileField is a text of a member's profile that people may change.
type profileField struct {
	Name, Label, Help string
	Long              bool
	get               func(p *identity.Metadata) *string
	set               func(in *identity.MetadataInput, text laurel.Optional[string])
}

// profileFields are the fields of the form, in their order.
var profileFields = []profileField{
	{
		"displayName", "Name", "", false, func(p *identity.Metadata) *string { return p.DisplayName },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.DisplayName = text },
	},
	{
		"externalIdentifier", "ID in your system", "The member’s ID in your own system.", false,
		func(p *identity.Metadata) *string { return p.ExternalIdentifier },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.ExternalIdentifier = text },
	},
	{
		"emailAddress", "E-mail", "Changing the address marks it as unverified.", false,
		func(p *identity.Metadata) *string { return p.EmailAddress },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.EmailAddress = text },
	},
	{
		"phoneNumber", "Phone", "Include the country code, such as +351210000000.", false,
		func(p *identity.Metadata) *string { return p.PhoneNumber },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.PhoneNumber = text },
	},
	{
		"location", "Location", "", false, func(p *identity.Metadata) *string { return p.Location },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.Location = text },
	},
	{
		"bio", "Bio", "", true, func(p *identity.Metadata) *string { return p.Bio },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.Bio = text },
	},
	{
		"microblogUser", "Microblog", "", false, func(p *identity.Metadata) *string { return p.MicroblogUser },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.MicroblogUser = text },
	},
	{
		"messengerUsername", "Messenger", "", false, func(p *identity.Metadata) *string { return p.MessengerUsername },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.MessengerUsername = text },
	},
	{
		"chatServerUser", "Chat", "", false, func(p *identity.Metadata) *string { return p.ChatServerUser },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.ChatServerUser = text },
	},
	{
		"codeHostUser", "Code host", "", false, func(p *identity.Metadata) *string { return p.CodeHostUser },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.CodeHostUser = text },
	},
	{
		"gameStoreUsername", "Game store", "", false, func(p *identity.Metadata) *string { return p.GameStoreUsername },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.GameStoreUsername = text },
	},
	{
		"userGroupExternalIdentifier", "Group",
		"Members of a group count as one person. To create a group, enter a new name.", false,
		func(p *identity.Metadata) *string {
			if p.UserGroup == nil {
				return nil
			}
			return p.UserGroup.ExternalIdentifier
		},
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.UserGroupExternalIdentifier = text },
	},
	{
		"internalNotes", "Notes", "Only your team sees these notes.", true,
		func(p *identity.Metadata) *string { return p.InternalNotes },
		func(in *identity.MetadataInput, text laurel.Optional[string]) { in.InternalNotes = text },
	},
}

// memberForm is the form of a member, or of a new one.
type memberForm struct {
	web.Refusal
	form.Base
	parts.Person
	New    bool
	Fields []profileField
	Input  map[string]string
}

// normalize returns a value as the form would send it back unchanged: trimmed, and without line ends if the field has
// one line. Saved and typed values are compared in this form, so that saving one field does not change the others.
func (f profileField) normalize(text string) string {
	if f.Long {
		return strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
	}
	return strings.TrimSpace(strings.NewReplacer("\r", "", "\n", "").Replace(text))
}

// profileTexts returns the profile of a member by field, as the inputs of the form hold it.
func profileTexts(p *identity.Metadata) map[string]string {
	out := map[string]string{}
	for _, f := range profileFields {
		out[f.Name] = f.normalize(web.TextCell(f.get(p)))
	}
	return out
}

// typedProfile returns the posted values of the form by field, and the wallet of a new member.
func (c *call) typedProfile() map[string]string {
	out := map[string]string{"walletAddress": strings.TrimSpace(c.PostFormValue("walletAddress"))}
	for _, f := range profileFields {
		out[f.Name] = f.normalize(c.PostFormValue(f.Name))
	}
	return out
}

// profileLabels returns the fields of the form with their labels.
func profileLabels() []form.Field {
	out := make([]form.Field, len(profileFields))
	for i, f := range profileFields {
		out[i] = form.Field{Name: f.Name, Label: f.Label}
	}
	return out
}

func newMemberPage(*call) (web.View, error) {
	return web.Show("member-edit", "Add member", memberForm{New: true, Fields: profileFields, Input: map[string]string{}})
}

// addMember creates a member for a wallet, with the typed profile. A wallet that is already a member of the website is
// refused.
func addMember(c *call) (web.View, error) {
	typed := c.typedProfile()
	in := identity.MetadataInput{Ref: identity.Ref{Wallet: typed["walletAddress"]}}
	for _, field := range profileFields {
		if typed[field.Name] != "" {
			field.set(&in, laurel.Some(typed[field.Name]))
		}
	}
	var faults laurel.Faults
	in.Ref.Validate(&faults)
	err := faults.Err()
	if err == nil {
		wallets := []string{identity.NormalizeWallet(in.Ref.Wallet)}
		filter := report.UserListFilter{Users: report.UserFilter{Wallets: wallets}}
		existing, readErr := c.Report.Users(c.Context(), c.Scope.At(c.Site.ID), filter, laurel.PageRequest{Limit: 1})
		if readErr != nil {
			return web.View{}, readErr
		}
		if len(existing.Data) > 0 {
			faults.Add("walletAddress", "already belongs to a member: find the member and edit them instead")
			err = faults.Err()
		}
	}
	var made identity.Metadata
	if err == nil {
		made, err = c.Identity.WriteMetadata(c.Context(), c.Scope.At(c.Site.ID), in)
	}
	if err != nil {
		return c.ShowRefused(err, "member-edit", "Add member", func(refusal web.Refusal) any {
			return memberForm{New: true, Fields: profileFields, Input: typed, Refusal: refusal}
		})
	}
	return c.Redirect(c.SitePath("members", made.UserID), "Member added.")
}

// editMemberPage shows the form with the profile of a member.
func editMemberPage(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	texts := profileTexts(&member.Profile)
	return web.Show("member-edit", "Edit "+member.Name, memberForm{
		Person: member, Fields: profileFields, Input: texts, Base: form.BaseOf(texts),
	})
}

// saveMember saves the changed fields of a profile. The form may also ask to take the member out of its group. If
// someone else has saved other values since the form was opened, nothing is written and the conflicts are shown.
func saveMember(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	savedTexts, typed := profileTexts(&member.Profile), c.typedProfile()
	data := memberForm{Person: member, Fields: profileFields, Input: typed, Base: form.BaseOf(savedTexts)}
	title := "Edit " + member.Name
	if data.FindConflicts(c.PostForm, savedTexts, typed, profileLabels()) {
		return web.Refused("member-edit", title, data), nil
	}
	in, hasChanges := identity.MetadataInput{Ref: identity.Ref{UserID: member.ID}}, false
	for _, field := range profileFields {
		if typed[field.Name] == savedTexts[field.Name] {
			continue
		}
		text := laurel.Null[string]()
		if typed[field.Name] != "" {
			text = laurel.Some(typed[field.Name])
		}
		field.set(&in, text)
		hasChanges = true
	}
	if c.PostFormValue("leave") != "" && !in.UserGroupExternalIdentifier.Set {
		in.UserGroupID, hasChanges = laurel.Null[laurel.ID](), true
	}
	if !hasChanges {
		return c.Redirect(c.SitePath("members", member.ID), "There were no changes to save.")
	}
	scope := c.Scope.IfUnchanged(member.ID, member.Profile.UpdatedAt.Time)
	if _, err := c.Identity.WriteMetadata(c.Context(), scope, in); err != nil {
		return c.ShowRefused(err, "member-edit", title, func(r web.Refusal) any { data.Refusal = r; return data })
	}
	return c.Redirect(c.SitePath("members", member.ID), "Changes saved.")
}
