package web

import (
	"slices"
	"strings"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/admins/sso"
)

// MenuGroup is a part of the menu.
type MenuGroup struct {
	ID, Title string
	Items     []MenuItem
	Open      bool // the items are shown; else the title unfolds them
}

// MenuItem is a link of the menu. Name is its name in the tables of routes.
type MenuItem struct {
	Group                      string // ID of its part of the menu
	Name, Label, Icon, Address string
	Right                      admins.Right
	OnChain                    bool // of use only where blockchains are read
}

// Item returns the item of a page whose address is its name.
func Item(group, name, label, icon string, right admins.Right) MenuItem {
	return MenuItem{Group: group, Name: name, Label: label, Icon: icon, Address: name, Right: right}
}

// OnlyOnChain returns the item as one that is of use only where blockchains are read.
func (i MenuItem) OnlyOnChain() MenuItem {
	i.OnChain = true
	return i
}

// groupMenu returns the groups with the items of the rooms, in their order. Where no blockchain is read, items that are
// only about them are in a group of their own at the end.
func groupMenu(groups []MenuGroup, rooms []Room, hasNetworks bool) []MenuGroup {
	out := slices.Clone(groups)
	onChain := MenuGroup{ID: "onchain", Title: "On chain"}
	for i := range out {
		for _, room := range rooms {
			for _, item := range room.Menu {
				switch {
				case item.Group != out[i].ID:
					// of another group
				case item.OnChain && !hasNetworks:
					onChain.Items = append(onChain.Items, item)
				default:
					out[i].Items = append(out[i].Items, item)
				}
			}
		}
	}
	return append(out, onChain)
}

// mainGroup is open wherever the page is in no other group.
const mainGroup = "program"

// Menu returns the menu with the items that the admin's role may see. Groups without items are left out. Only the group
// of the current page is unfolded, or mainGroup if the page is in no group with a title, so that the menu fits a window
// of 900 px.
func (s Screen) Menu() []MenuGroup {
	var out []MenuGroup
	for _, group := range s.menu {
		var items []MenuItem
		for _, item := range group.Items {
			if !s.Call.May(item.Right) {
				continue
			}
			item.Address = strings.TrimSuffix(s.SitePath()+"/"+item.Address, "/")
			items = append(items, item)
		}
		if len(items) > 0 {
			open := slices.ContainsFunc(items, func(item MenuItem) bool { return item.Name == s.Active })
			out = append(out, MenuGroup{group.ID, group.Title, items, open})
		}
	}
	if !slices.ContainsFunc(out, func(group MenuGroup) bool { return group.Open && group.ID != "" }) {
		for i := range out {
			out[i].Open = out[i].Open || out[i].ID == mainGroup
		}
	}
	return out
}

// MayCreateOrganization reports whether the admin may create an organization: owners of one may.
func (s Screen) MayCreateOrganization() bool {
	for _, access := range s.Organizations {
		if IsOwner(access.Membership) {
			return true
		}
	}
	return false
}

// SignedIn reports whether the visitor is signed in.
func (s Screen) SignedIn() bool { return !s.Admin.ID.IsZero() }

// Here returns the path of this page below /admin, to return to it; "/" if the page is the response to a form, or to a
// return from the identity provider, whose query has secrets.
func (s Screen) Here() string {
	if s.Method != "GET" || s.URL.Path == sso.CallbackPath {
		return "/"
	}
	return "/" + strings.TrimPrefix(strings.TrimPrefix(s.URL.RequestURI(), RootPath), "/")
}

// OtherTheme returns the theme that the button switches to.
func (s Screen) OtherTheme() string {
	if s.Theme == "dark" {
		return "light"
	}
	return "dark"
}
