package websites

import "laurel.example/laurel/internal/api/rest"

// Operations are the operations on websites and their files, for the table of routes in package api.
type Operations struct {
	ListWebsites, CreateWebsite                    rest.OperationHandler
	GetWebsite, UpdateWebsite                      rest.OperationHandler
	CreateKey, ListKeys, RevokeKey                 rest.OperationHandler
	ChangeRoles, ListRoles                         rest.OperationHandler
	CreateAsset, ListAssets, GetAsset, DeleteAsset rest.OperationHandler
	Upload, File                                   func(*rest.Exchange) error // without API key
}

// New returns the operations on websites, keys, roles and files. Each has its handler and its texts for the OpenAPI
// document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListWebsites: rest.Handle(h.listWebsites, rest.Note("Newest first. Website keys see their own only.")),
		CreateWebsite: rest.Handle(h.createWebsite,
			rest.Note("The website belongs to the key's organization. It has no keys yet: laurel keys create "+
				"creates them."),
			rest.Example(`{"name":"Acme shop","homeUrl":"https://shop.example"}`),
		),
		GetWebsite: rest.Handle(h.getWebsite, rest.Note("Website keys see their own only.")),
		UpdateWebsite: rest.Handle(h.updateWebsite, rest.IfMatch(h.getWebsite),
			rest.Note("An absent property keeps its value. Wallets of admins are roles: see website_user_roles."),
			rest.Example(`{"homeUrl":"https://shop.example"}`),
		),
		CreateKey: rest.Handle(h.createKey,
			rest.Note("The response is the only place where the key can be read. Website keys create keys of their own "+
				"website; organization keys also create keys of the organization."),
			rest.Example(`{"roleType":"WEBSITE_API_KEY","name":"Shop server"}`),
			rest.Secret("key"),
		),
		ListKeys: rest.Handle(h.listKeys,
			rest.Note("Newest first, revoked ones too. lastUsedAt is exact to a minute."),
		),
		RevokeKey: rest.Handle(h.revokeKey,
			rest.Note("This node refuses it at once, others within half a second. Revoking it again changes nothing."),
		),
		ChangeRoles: rest.Handle(h.changeRoles,
			rest.Note("All changes or none. A role that a user has already stays as it is, and an unknown wallet "+
				"becomes a user. Roles of API keys mark the users who may hold such keys; no key is created."),
			rest.Example(`{"websiteUserRoles":[{"roleType":"WEBSITE_VIEWER",`+rest.ExampleWallet+`}]}`),
		),
		ListRoles: rest.Handle(h.listRoles, rest.Note("Newest first, without revoked ones.")),
		CreateAsset: rest.Handle(h.createAsset,
			rest.Note("PUT exactly fileSize bytes to signedUrl within 15 minutes, without a key; then anyone who knows url can read the file. "+
				"If the server has no public address, both are paths, which rules and currencies accept unchanged. "+
				"Files have quotas in bytes, per user, website and service; an announced file counts until its time is over. "+
				"Client keys: filePath profiles and posts only, with a member token, whose user the file belongs to."),
			rest.Example(`{"fileName":"wallets.csv","fileSize":1024,"filePath":"loyalty"}`),
			rest.Secret("signedUrl"),
		),
		ListAssets: rest.Handle(h.listAssets,
			rest.Note("Newest first: files that were uploaded, and those that still can be."),
		),
		GetAsset: rest.Handle(h.getAsset, rest.Note("A file that was uploaded, or still can be.")),
		DeleteAsset: rest.Handle(h.deleteAsset,
			rest.Note("Its bytes are removed, and it no longer counts against quotas. Client keys delete files of their member only."),
		),
		Upload: h.upload,
		File:   h.file,
	}
}
