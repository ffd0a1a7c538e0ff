package collections

import (
	"laurel"
	"laurel/internal/evm"
	"laurel/internal/weburl"
)

const (
	maxName = 1000 // characters
)

// maxFee is 100 percent, in millionths.
const maxFee laurel.Amount = 100 * 1_000_000

// Input is a collection as a caller writes it. Address and Network are ignored on update.
type Input struct {
	Address               laurel.Optional[string]        `json:"collectionAddress,omitzero"`
	Name                  laurel.Optional[string]        `json:"name,omitzero"`
	Network               laurel.Optional[string]        `json:"network,omitzero"`
	SortID                laurel.Optional[int64]         `json:"sortId,omitzero" doc:"Lists go by it, the lowest first"`
	HomeURL               laurel.Optional[string]        `json:"homeUrl,omitzero"`
	ImageURL              laurel.Optional[string]        `json:"imageUrl,omitzero"`
	ChatServerURL         laurel.Optional[string]        `json:"chatServerUrl,omitzero"`
	MessengerURL          laurel.Optional[string]        `json:"messengerUrl,omitzero"`
	MicroblogUsername     laurel.Optional[string]        `json:"microblogUsername,omitzero"`
	PhotoPlatformUsername laurel.Optional[string]        `json:"photoPlatformUsername,omitzero"`
	StakingAddress        laurel.Optional[string]        `json:"stakingAddress,omitzero" doc:"The contract that locks its tokens"`
	RoyaltyFeeAddress     laurel.Optional[string]        `json:"royaltyFeeAddress,omitzero"`
	RoyaltyFee            laurel.Optional[laurel.Amount] `json:"royaltyFee,omitzero" doc:"Percent, 0 to 100"`
	ThemeID               laurel.Optional[laurel.ID]     `json:"themeId,omitzero"`
}

// Bounds returns the limits of the properties, for validation and the OpenAPI document.
func (Input) Bounds() laurel.Bounds {
	url := laurel.Keywords{"format": "uri", "maxLength": weburl.MaxLength}
	return laurel.Bounds{
		Required: []string{"collectionAddress", "name", "network", "sortId"},
		NotNull:  []string{"collectionAddress", "name", "network", "sortId"},
		Keywords: map[string]laurel.Keywords{
			"collectionAddress":     laurel.RequiredIdentifierKeywords(),
			"name":                  {"minLength": 1, "maxLength": maxName},
			"network":               {"enum": evm.Networks()},
			"homeUrl":               url,
			"imageUrl":              {"format": "uri-reference", "maxLength": weburl.MaxLength},
			"chatServerUrl":         url,
			"messengerUrl":          url,
			"microblogUsername":     {"maxLength": maxName},
			"photoPlatformUsername": {"maxLength": maxName},
			"stakingAddress":        laurel.IdentifierKeywords(),
			"royaltyFeeAddress":     laurel.IdentifierKeywords(),
		},
	}
}

// applyToNew checks the input of a new collection and writes it into c. Errors: Invalid.
func (in Input) applyToNew(c *Collection) error {
	var f laurel.Faults
	f.Identifier("collectionAddress", in.Address.Value)
	c.Address = evm.Normalize(in.Address.Value)
	if !in.Name.Set {
		f.Add("name", "is required")
	}
	switch c.Network = in.Network.Value; {
	case c.Network == "":
		f.Add("network", "is required")
	case !evm.IsKnownNetwork(c.Network):
		f.Add("network", "must be a known network")
	}
	if !in.SortID.Set {
		f.Add("sortId", "is required")
	}
	in.assign(c, &f)
	return f.Err()
}

// applyToExisting checks the properties that the input sets and writes them into c. Errors: Invalid.
func (in Input) applyToExisting(c *Collection) error {
	var f laurel.Faults
	in.assign(c, &f)
	return f.Err()
}

// assign writes the properties that the input sets into c, except address and network, and adds what is invalid to f.
func (in Input) assign(c *Collection, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		c.Name = in.Name.Value
	}
	if in.SortID.Set && in.SortID.Null {
		f.Add("sortId", "is required")
	}
	if in.SortID.Set {
		c.SortID = in.SortID.Value
	}
	weburl.Assign(f, "homeUrl", in.HomeURL, weburl.Valid, &c.HomeURL)
	weburl.Assign(f, "imageUrl", in.ImageURL, weburl.ValidOrFile, &c.ImageURL)
	weburl.Assign(f, "chatServerUrl", in.ChatServerURL, weburl.Valid, &c.ChatServerURL)
	weburl.Assign(f, "messengerUrl", in.MessengerURL, weburl.Valid, &c.MessengerURL)
	laurel.AssignText(f, "microblogUsername", in.MicroblogUsername, maxName, &c.MicroblogUsername)
	laurel.AssignText(f, "photoPlatformUsername", in.PhotoPlatformUsername, maxName, &c.PhotoPlatformUsername)
	assignAddress(f, "stakingAddress", in.StakingAddress, &c.StakingAddress)
	assignAddress(f, "royaltyFeeAddress", in.RoyaltyFeeAddress, &c.RoyaltyFeeAddress)
	if in.RoyaltyFee.Set {
		if in.RoyaltyFee.Value < 0 || in.RoyaltyFee.Value > maxFee {
			f.Add("royaltyFee", "must be between 0 and 100")
		}
		c.RoyaltyFee = in.RoyaltyFee.Ptr()
	}
	if in.ThemeID.Set {
		c.ThemeID = laurel.NullableID(in.ThemeID.Value)
	}
}

// assignAddress checks an optional address and writes its normalized form to a property; null clears the property.
func assignAddress(f *laurel.Faults, path string, in laurel.Optional[string], to **string) {
	laurel.AssignIdentifier(f, path, in, to)
	if in.Set && *to != nil {
		normalized := evm.Normalize(**to)
		*to = &normalized
	}
}
