package referrals

import "laurel.example/laurel"

// Bounds returns what the properties of a code accept (contract 4.5).
func (CodeInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"customReferralCode": {"minLength": minCode, "maxLength": maxCode, "pattern": "^[A-Za-z0-9_-]*$"},
	}}
}

// Bounds returns what the properties of a referral accept (contract 4.5).
func (ReferInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"userIds": {"minItems": 1, "maxItems": maxReferees}, "referralCode": {"maxLength": maxCode},
	}}
}
