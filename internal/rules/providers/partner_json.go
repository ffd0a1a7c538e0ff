package providers

import (
	"encoding/json"
	"errors"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/jsontext"
	"laurel.example/laurel/internal/rules/schema"
)

// partnerRequest is a VerificationRequest as partners read it.
type partnerRequest struct {
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	Rule           rule              `json:"rule"`
	User           user              `json:"user"`
	Since          *laurel.Timestamp `json:"since"`
	Until          laurel.Timestamp  `json:"until"`
	Request        request           `json:"request"`
}

// rule is the part of a rule that partners see.
type rule struct {
	ID                    laurel.ID                  `json:"id"`
	Name                  string                     `json:"name"`
	Type                  schema.Type                `json:"type"`
	Metadata              map[string]json.RawMessage `json:"metadata"`
	CollectionAddress     *string                    `json:"collectionAddress"`
	Collections           []schema.Collection        `json:"collections"`
	Network               *string                    `json:"network"`
	ShopStoreURL          *string                    `json:"shopStoreUrl"`
	ExternalIntegrationID *string                    `json:"externalIntegrationId"`
}

// user holds the ids of a member and its group that partners see.
type user struct {
	ID          *laurel.ID `json:"id"`
	Wallets     []string   `json:"walletAddresses"`
	Emails      []string   `json:"emailAddresses"`
	ExternalIDs []string   `json:"externalIdentifiers"`
}

// request is a Request as partners and functions read it.
type request struct {
	ContentURL *string        `json:"contentUrl"`
	Code       *string        `json:"verificationCode"`
	RangeValue *laurel.Amount `json:"rangeValue"`
}

// partnerMetadata are the properties of a rule's metadata that partners see. The others may be secrets.
var partnerMetadata = []string{
	"link",
	"cta",
	"collection",
	"range",
	"rewardPerValue",
	"governanceProposals",
	"swap",
	"fillSource",
}

// newPartnerRequest returns the body of the request to a partner. Of the rule's metadata it contains only the
// properties in partnerMetadata. The user is the first member of q, with the wallets, emails and external ids of all
// members.
func newPartnerRequest(scope laurel.Scope, q VerificationRequest) partnerRequest {
	r := q.Rule
	out := partnerRequest{
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		Since:          laurel.Stamp(q.Since),
		Until:          laurel.Timestamp{Time: q.Until},
		Rule: rule{
			ID:                q.RuleID,
			Name:              r.Name,
			Type:              r.Type,
			Metadata:          map[string]json.RawMessage{},
			CollectionAddress: r.CollectionAddress,
			Network:           r.Network,
			Collections: append(
				[]schema.Collection{},
				r.Collections...),
			ShopStoreURL:          r.ShopStoreURL,
			ExternalIntegrationID: r.ExternalIntegrationID,
		},
		User: user{Wallets: []string{}, Emails: []string{}, ExternalIDs: []string{}},
		Request: request{
			ContentURL: orNull(q.Request.ContentURL),
			Code:       orNull(q.Request.Code),
			RangeValue: q.Request.RangeValue,
		},
	}
	var metadata map[string]json.RawMessage
	_ = json.Unmarshal(r.Metadata, &metadata) // absent, or checked when it was stored
	for _, name := range partnerMetadata {
		if value, ok := metadata[name]; ok {
			out.Rule.Metadata[name] = value
		}
	}
	for i, m := range q.Members {
		if i == 0 {
			out.User.ID = m.UserID.Ptr()
		}
		out.User.Wallets = appendText(out.User.Wallets, m.Wallet)
		out.User.Emails = appendText(out.User.Emails, m.Email)
		out.User.ExternalIDs = appendText(out.User.ExternalIDs, m.ExternalID)
	}
	return out
}

// orNull returns nil for an empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// appendText appends a text unless it is empty.
func appendText(list []string, text string) []string {
	if text == "" {
		return list
	}
	return append(list, text)
}

// readVerification decodes a partner's response: {"fulfilled": true or false, "value": number, numeric text or null}.
// Other properties are ignored. It returns an error if a property is there twice, or if fulfilled or value has another
// value.
func readVerification(text []byte) (Verification, error) {
	found, err := jsontext.Object(text)
	if err != nil {
		return Verification{}, err
	}
	var v Verification
	switch fulfilled := string(found["fulfilled"]); fulfilled {
	case "true", "false":
		v.Fulfilled = fulfilled == "true"
	default:
		return Verification{}, errors.New("fulfilled must be true or false")
	}
	if value := found["value"]; value != nil && string(value) != "null" {
		v.Value = new(laurel.Amount)
		if err := json.Unmarshal(value, v.Value); err != nil {
			return Verification{}, fmt.Errorf("value %w", err)
		}
		if *v.Value < 0 {
			return Verification{}, errors.New("value must be at least 0")
		}
	}
	return v, nil
}
