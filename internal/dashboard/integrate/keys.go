package integrate

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/tenancy"
)

var keyRoutes = []route{
	web.Get("/keys", admins.SeeKeys, "keys", keysPage),
	web.Get("/keys/keys.csv", admins.SeeKeys, "keys", exportKeys),
	web.Get("/keys/new", admins.ChangeKeys, "keys", newKeyPage),
	web.Post("/keys", admins.ChangeKeys, "keys", "created an API key", web.Idempotent(createKey)),
	web.Get("/keys/{key}/revoke", admins.ChangeKeys, "keys", confirmRevokeKey),
	web.Post("/keys/{key}/revoke", admins.ChangeKeys, "keys", "revoked an API key", revokeKey),
}

// keyKind is a kind of API key in plain words.
type keyKind struct {
	Role              laurel.Role
	Name, For, Prefix string
}

// keyKinds are the kinds that websites have.
var keyKinds = []keyKind{
	{laurel.RoleWebsite, "Server", "For your server. Full access to this website.", "website"},
	{laurel.RoleReadOnly, "Read-only", "For reports. Can read everything, but can’t change anything.", "readonly"},
	{
		laurel.RoleClient, "Browser",
		"For web pages and apps. Safe to publish: it can do only what members are allowed to do.", "client",
	},
	{laurel.RoleFunction, "Functions", "Can run functions, but nothing else.", "stratus"},
}

// keyKindName returns the name of a kind of API key. A kind that websites do not have is that of an organization.
func keyKindName(role laurel.Role) string {
	for _, kind := range keyKinds {
		if kind.Role == role {
			return kind.Name
		}
	}
	return "Organization"
}

type keysData struct {
	web.Refusal
	Keys  laurel.Page[tenancy.APIKey]
	Pager web.Pager
	Made  *tenancy.NewAPIKey
	Kinds []keyKind
	In    tenancy.CreateKeyInput
	Input map[string]string
	Key   tenancy.APIKey
}

// keysPage shows a page of the website's API keys.
func keysPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Tenancy.ListKeys(c.Context(), c.Scope.At(c.Site.ID), page)
	if err != nil {
		return web.View{}, err
	}
	last := web.LastID(list, func(k tenancy.APIKey) laurel.ID { return k.ID })
	data := keysData{Keys: list, Pager: c.Pager(page, list.HasNextPage, last)}
	return web.Show("keys", "API keys", data)
}

// exportKeys exports the records of API keys as CSV: their prefixes, never the keys.
func exportKeys(c *call) (web.View, error) {
	list := func(page laurel.PageRequest) (laurel.Page[tenancy.APIKey], error) {
		return c.Tenancy.ListKeys(c.Context(), c.Scope.At(c.Site.ID), page)
	}
	head := []string{"id", "name", "kind", "prefix", "origins", "made", "lastUsed", "expires", "revoked"}
	return web.ExportCSV("keys.csv", head, web.PagedRows(list, func(k tenancy.APIKey) laurel.ID { return k.ID },
		web.CellsOfEach(func(k tenancy.APIKey) []string {
			return []string{
				web.IdCell(k.ID), k.Name, keyKindName(k.Role), k.Prefix, strings.Join(k.AllowedOrigins, " "), web.TimeCell(k.CreatedAt),
				web.TimeCell(k.LastUsedAt), web.TimeCell(k.ExpiresAt), web.TimeCell(k.RevokedAt),
			}
		})))
}

func newKeyPage(c *call) (web.View, error) {
	return web.Show("key-new", "New API key", keysData{Kinds: keyKinds, In: tenancy.CreateKeyInput{Role: laurel.RoleWebsite}})
}

// createKey creates an API key after the admin has confirmed to be there, and shows the key, which is never shown
// again.
func createKey(c *call) (web.View, error) {
	in := tenancy.CreateKeyInput{
		Role: laurel.Role(c.PostFormValue("roleType")), WebsiteID: c.Site.ID, Name: c.PostFormValue("name"),
		AllowedOrigins: strings.Fields(c.PostFormValue("allowedOrigins")),
	}
	var faults laurel.Faults
	in.ExpiresAt = form.ReadTime(c.PostForm, &faults, "expiresAt")
	err := faults.Err()
	if err == nil {
		err = in.Validate(c.Now())
	}
	if err == nil {
		err = c.Confirm()
	}
	var made tenancy.NewAPIKey
	if err == nil {
		made, err = c.Tenancy.CreateKey(c.Context(), c.Scope, in)
	}
	if err != nil {
		return c.ShowRefused(err, "key-new", "New API key", func(refusal web.Refusal) any {
			return keysData{
				Kinds: keyKinds, In: in, Refusal: refusal,
				Input: form.TypedOf(c.PostForm, "expiresAt", "allowedOrigins"),
			}
		})
	}
	return web.View{Template: "key-made", Title: "Your new API key", Data: keysData{Made: &made}, FormDone: true}, nil
}

// getKey returns the API key whose id is in the path. It searches the list of keys page by page, as there is no other
// way to read one.
func (c *call) getKey() (tenancy.APIKey, error) {
	id, err := c.PathID("key", "API key")
	if err != nil {
		return tenancy.APIKey{}, err
	}
	for page := (laurel.PageRequest{Limit: web.PageSize}); ; {
		list, err := c.Tenancy.ListKeys(c.Context(), c.Scope.At(c.Site.ID), page)
		if err != nil {
			return tenancy.APIKey{}, err
		}
		for _, key := range list.Data {
			if key.ID == id {
				return key, nil
			}
		}
		if !list.HasNextPage {
			return tenancy.APIKey{}, laurel.Missing("API key")
		}
		page.StartingAfter = list.Data[len(list.Data)-1].ID
	}
}

// confirmRevokeKey shows the page that asks before an API key is revoked.
func confirmRevokeKey(c *call) (web.View, error) {
	key, err := c.getKey()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("key-revoke", "Revoke "+key.Name+"?", keysData{Key: key})
}

// revokeKey revokes an API key, which no request can use from then on.
func revokeKey(c *call) (web.View, error) {
	id, err := c.PathID("key", "API key")
	if err != nil {
		return web.View{}, err
	}
	if _, _, err := c.Tenancy.RevokeKey(c.Context(), c.Scope.At(c.Site.ID), id); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("keys"), "Key revoked. Requests with this key no longer work.")
}
