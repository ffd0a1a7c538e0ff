package identity

import (
	"cmp"

	"laurel.example/laurel"
)

// Bounds returns what the fields of metadata accept, for the API's schema (contract 3.5).
func (in MetadataInput) Bounds() laurel.Bounds {
	b := laurel.Bounds{
		Keywords: map[string]laurel.Keywords{"userGroupExternalIdentifier": {"minLength": 1, "maxLength": maxText}},
	}
	for _, t := range textFields(&in, &Profile{}) {
		if t.in != nil {
			b.Keywords[t.name] = laurel.Keywords{"maxLength": cmp.Or(t.limit, maxText)}
		}
	}
	b.Keywords["emailAddress"]["format"] = "email"
	b.Keywords["phoneNumber"]["pattern"] = e164.String()
	b.Keywords["blockStatusReason"] = laurel.Keywords{"enum": blockReasons}
	b.Keywords["userGroupId"] = laurel.Keywords{"description": "Joins the group; null leaves it"}
	return b
}

// Bounds returns the limits of the wallet with which a body names a user (contract 1.7).
func (Ref) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"walletAddress": laurel.IdentifierKeywords()}}
}
