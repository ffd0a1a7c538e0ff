package tenancy

import "laurel.example/laurel"

// Bounds returns what the properties of a new website accept, for the API's schema (contract 3.2).
func (CreateWebsiteInput) Bounds() laurel.Bounds {
	text, link := laurel.Keywords{"maxLength": maxName}, laurel.Keywords{"format": "uri", "maxLength": maxURL}
	return laurel.Bounds{
		NotNull: []string{"name"},
		Keywords: map[string]laurel.Keywords{
			"name":    {"minLength": 1, "maxLength": maxName},
			"homeUrl": link, "chatServerUrl": link, "messengerUrl": link,
			"microblogUsername": text, "photoPlatformUsername": text,
			"adminWalletAddress": laurel.IdentifierListKeywords(maxAdminWallets),
		},
	}
}

// Bounds returns what the properties of a new key accept, for the API's schema (contract 4.6).
func (CreateKeyInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		NotNull: []string{"roleType", "name", "allowedOrigins"},
		Keywords: map[string]laurel.Keywords{
			"roleType":       {"enum": roles},
			"name":           {"minLength": 1, "maxLength": maxName},
			"allowedOrigins": {"maxItems": maxOrigins},
		},
	}
}

// Bounds returns what the properties of a change of a role accept, for the API's schema (contract 4.6).
func (RoleChange) Bounds() laurel.Bounds {
	return laurel.Bounds{
		NotNull: []string{"roleType", "walletAddress"},
		Keywords: map[string]laurel.Keywords{
			"roleType":      {"enum": userRoles},
			"walletAddress": laurel.RequiredIdentifierKeywords(),
		},
	}
}
