package tenancy

import "laurel"

// Bounds returns what the properties of a website accept (contract 3.2).
func (CreateWebsiteInput) Bounds() laurel.Bounds {
	text, link := laurel.Keywords{"maxLength": maxName}, laurel.Keywords{"format": "uri", "maxLength": maxURL}
	return laurel.Bounds{
		Filled: []string{"name"},
		Keywords: map[string]laurel.Keywords{
			"name":    {"minLength": 1, "maxLength": maxName},
			"homeUrl": link, "chatServerUrl": link, "messengerUrl": link,
			"microblogUsername": text, "photoPlatformUsername": text,
			"adminWalletAddress": {"items": laurel.Keywords{"type": "string", "minLength": 1, "maxLength": maxWallet}},
		},
	}
}
