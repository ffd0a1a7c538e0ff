package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

var keyRoutes = []route{
	get("/keys", admins.SeeKeys, "keys", keysPage),
	get("/keys/keys.csv", admins.SeeKeys, "keys", exportKeys),
	get("/keys/new", admins.ChangeKeys, "keys", newKeyPage),
	post("/keys", admins.ChangeKeys, "keys", "created an API key", idempotent(createKey)),
	get("/keys/{key}/revoke", admins.ChangeKeys, "keys", confirmRevokeKey),
	post("/keys/{key}/revoke", admins.ChangeKeys, "keys", "revoked an API key", revokeKey),
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
	Keys   laurel.Page[tenancy.APIKey]
	Pager  pager
	Made   *tenancy.NewAPIKey
	Kinds  []keyKind
	In     tenancy.CreateKeyInput
	Input  map[string]string
	Faults map[string]string
	Error  string
	Key    tenancy.APIKey
}

const pageSize = 50

// keysPage shows a page of the website's API keys.
func keysPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Tenancy.ListKeys(c.Context(), c.scope.At(c.site.ID), page)
	if err != nil {
		return view{}, err
	}
	last := lastID(list, func(k tenancy.APIKey) laurel.ID { return k.ID })
	data := keysData{Keys: list, Pager: c.pager(page, list.HasNextPage, last)}
	return pageView("keys", "API keys", data)
}

// exportKeys exports the records of API keys as CSV: their prefixes, never the keys.
func exportKeys(c *request) (view, error) {
	list := func(page laurel.PageRequest) (laurel.Page[tenancy.APIKey], error) {
		return c.d.Tenancy.ListKeys(c.Context(), c.scope.At(c.site.ID), page)
	}
	head := []string{"id", "name", "kind", "prefix", "origins", "made", "lastUsed", "expires", "revoked"}
	return exportCSV("keys.csv", head, pagedRows(list, func(k tenancy.APIKey) laurel.ID { return k.ID },
		cellsOfEach(func(k tenancy.APIKey) []string {
			return []string{
				idCell(k.ID), k.Name, keyKindName(k.Role), k.Prefix, strings.Join(k.AllowedOrigins, " "), timeCell(k.CreatedAt),
				timeCell(k.LastUsedAt), timeCell(k.ExpiresAt), timeCell(k.RevokedAt),
			}
		})))
}

func newKeyPage(c *request) (view, error) {
	return pageView("key-new", "New API key", keysData{Kinds: keyKinds, In: tenancy.CreateKeyInput{Role: laurel.RoleWebsite}})
}

// createKey creates an API key after the password was confirmed, and shows the key, which is never shown again.
func createKey(c *request) (view, error) {
	in := tenancy.CreateKeyInput{
		Role: laurel.Role(c.PostFormValue("roleType")), WebsiteID: c.site.ID, Name: c.PostFormValue("name"),
		AllowedOrigins: strings.Fields(c.PostFormValue("allowedOrigins")),
	}
	var faults laurel.Faults
	in.ExpiresAt = readTime(c.PostForm, &faults, "expiresAt")
	err := faults.Err()
	if err == nil {
		err = in.Validate(c.d.Now())
	}
	if err == nil {
		err = c.d.Admins.CheckPassword(c.Context(), c.admin.ID, c.PostFormValue("confirm"))
	}
	var made tenancy.NewAPIKey
	if err == nil {
		made, err = c.d.Tenancy.CreateKey(c.Context(), c.scope, in)
	}
	if err != nil {
		return c.showRefused(err, "key-new", "New API key", func(faults map[string]string, text string) any {
			return keysData{
				Kinds: keyKinds, In: in, Faults: faults, Error: text,
				Input: typedFieldsOf(c.PostForm, "expiresAt", "allowedOrigins"),
			}
		})
	}
	return view{template: "key-made", title: "Your new API key", data: keysData{Made: &made}, formDone: true}, nil
}

// getKey returns the API key whose id is in the path. It searches the list of keys page by page, as there is no other
// way to read one.
func (c *request) getKey() (tenancy.APIKey, error) {
	id, err := c.pathID("key", "API key")
	if err != nil {
		return tenancy.APIKey{}, err
	}
	for page := (laurel.PageRequest{Limit: pageSize}); ; {
		list, err := c.d.Tenancy.ListKeys(c.Context(), c.scope.At(c.site.ID), page)
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
func confirmRevokeKey(c *request) (view, error) {
	key, err := c.getKey()
	if err != nil {
		return view{}, err
	}
	return pageView("key-revoke", "Revoke "+key.Name+"?", keysData{Key: key})
}

// revokeKey revokes an API key, which no request can use from then on.
func revokeKey(c *request) (view, error) {
	id, err := c.pathID("key", "API key")
	if err != nil {
		return view{}, err
	}
	if _, _, err := c.d.Tenancy.RevokeKey(c.Context(), c.scope.At(c.site.ID), id); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("keys"), "Key revoked. Requests with this key no longer work.")
}
