package claims

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/weburl"
)

const (
	defaultDecimals = 18
	maxDecimals     = 36
	maxName         = 1000 // characters
)

const maxPercent = 100 * laurel.One

// StakingTypes lists the types of staking contracts (contract 2).
func StakingTypes() []string { return []string{"linear", "timelock"} }

// Input is a token claim as a caller sends it. ContractID counts on creation only.
type Input struct {
	Name                   laurel.Optional[string]           `json:"name,omitzero"`
	ContractID             laurel.Optional[laurel.ID]        `json:"contractId,omitzero" doc:"A contract of type erc20"`
	Decimals               laurel.Optional[int64]            `json:"erc20Decimals,omitzero" doc:"Default 18"`
	CSVURL                 laurel.Optional[string]           `json:"csvUrl,omitzero" doc:"Rows of walletAddress,amount"`
	ClaimContract          laurel.Optional[string]           `json:"claimContractAddress,omitzero"`
	StakingContract        laurel.Optional[string]           `json:"stakingContractAddress,omitzero"`
	RelayerID              laurel.Optional[laurel.ID]        `json:"relayerId,omitzero"`
	StartsAt               laurel.Optional[laurel.Timestamp] `json:"startTime,omitzero"`
	EndsAt                 laurel.Optional[laurel.Timestamp] `json:"endTime,omitzero"`
	GeoBlock               laurel.Optional[[]string]         `json:"geoBlock,omitzero" doc:"Codes of countries, ISO 3166 alpha-2"`
	IsDraft                laurel.Optional[bool]             `json:"isDraft,omitzero" doc:"Default true"`
	ClaimAndStake          laurel.Optional[bool]             `json:"claimAndStake,omitzero"`
	IsStakingOptional      laurel.Optional[bool]             `json:"isStakingOptional,omitzero"`
	MinPercentageToStake   laurel.Optional[laurel.Amount]    `json:"minPercentageToStake,omitzero" doc:"0 to 100"`
	MinLockup              laurel.Optional[laurel.Amount]    `json:"minLockup,omitzero"`
	MinLockupForMultiplier laurel.Optional[laurel.Amount]    `json:"minLockupForMultiplier,omitzero"`
	MaxBonus               laurel.Optional[laurel.Amount]    `json:"maxBonus,omitzero"`
	Multiplier             laurel.Optional[laurel.Amount]    `json:"multiplier,omitzero" doc:"Default 1"`
	StakingContractType    laurel.Optional[string]           `json:"stakingContractType,omitzero"`
}

// Bounds returns what the properties accept on creation, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	address := laurel.IdentifierKeywords()
	return laurel.Bounds{
		Required: []string{"name", "contractId"},
		NotNull: []string{
			"name", "contractId", "erc20Decimals", "geoBlock", "isDraft", "claimAndStake", "isStakingOptional",
			"minPercentageToStake", "minLockup", "minLockupForMultiplier", "maxBonus", "multiplier",
		},
		Keywords: map[string]laurel.Keywords{
			"name":                   {"minLength": 1, "maxLength": maxName},
			"erc20Decimals":          {"minimum": 0, "maximum": maxDecimals, "default": defaultDecimals},
			"csvUrl":                 {"format": "uri-reference", "maxLength": weburl.MaxLength},
			"claimContractAddress":   address,
			"stakingContractAddress": address,
			"geoBlock":               {"maxItems": maxCountries},
			"stakingContractType":    {"enum": StakingTypes()},
		},
	}
}

// applyToNew sets the properties of a new token claim from the input. It returns nil or an Invalid error with every
// fault.
func (in Input) applyToNew(c *TokenClaim) error {
	var f laurel.Faults
	if !in.Name.Set {
		f.Add("name", "is required")
	}
	if c.ContractID = in.ContractID.Value; !in.ContractID.Set || in.ContractID.Null {
		f.Add("contractId", "is required")
	}
	in.apply(c, &f)
	return f.Err()
}

// applyToExisting sets the properties of a token claim that are in the input. It returns nil or an Invalid error with
// every fault.
func (in Input) applyToExisting(c *TokenClaim) error {
	var f laurel.Faults
	in.apply(c, &f)
	return f.Err()
}

// apply sets the properties of a token claim that are in the input, and adds a fault for each that is not valid.
func (in Input) apply(c *TokenClaim, f *laurel.Faults) {
	if in.Name.Set {
		f.Text("name", in.Name.Value, 1, maxName)
		c.Name = in.Name.Value
	}
	laurel.Assign(f, "erc20Decimals", in.Decimals, "an integer", &c.Decimals)
	if c.Decimals < 0 || c.Decimals > maxDecimals {
		f.Add("erc20Decimals", "must be between 0 and %d", maxDecimals)
	}
	weburl.Assign(f, "csvUrl", in.CSVURL, weburl.ValidOrFile, &c.CSVURL)
	assignAddress(f, "claimContractAddress", in.ClaimContract, &c.ClaimContract)
	assignAddress(f, "stakingContractAddress", in.StakingContract, &c.StakingContract)
	c.RelayerID = in.RelayerID.ApplyTo(c.RelayerID)
	if in.StartsAt.Set {
		c.StartsAt.Timestamp = in.StartsAt.Value // zero for null
	}
	if in.EndsAt.Set {
		c.EndsAt.Timestamp = in.EndsAt.Value
	}
	if !c.StartsAt.IsZero() && !c.EndsAt.IsZero() && !c.EndsAt.After(c.StartsAt.Time) {
		f.Add("endTime", "must be after startTime")
	}
	assignCountries(f, in.GeoBlock, &c.GeoBlock)
	laurel.Assign(f, "isDraft", in.IsDraft, "a boolean", &c.IsDraft)
	in.assignStaking(c, f)
}

// assignStaking sets the staking properties that are in the input, and adds a fault for each that is not valid. Laurel
// only stores them for the website's own code, and does not stake tokens itself.
func (in Input) assignStaking(c *TokenClaim, f *laurel.Faults) {
	laurel.Assign(f, "claimAndStake", in.ClaimAndStake, "a boolean", &c.ClaimAndStake)
	laurel.Assign(f, "isStakingOptional", in.IsStakingOptional, "a boolean", &c.IsStakingOptional)
	assignNumber(f, "minPercentageToStake", in.MinPercentageToStake, &c.MinPercentageToStake)
	if c.MinPercentageToStake > maxPercent {
		f.Add("minPercentageToStake", "must be between 0 and 100")
	}
	assignNumber(f, "minLockup", in.MinLockup, &c.MinLockup)
	assignNumber(f, "minLockupForMultiplier", in.MinLockupForMultiplier, &c.MinLockupForMultiplier)
	assignNumber(f, "maxBonus", in.MaxBonus, &c.MaxBonus)
	assignNumber(f, "multiplier", in.Multiplier, &c.Multiplier)
	if in.StakingContractType.Ptr() != nil && !slices.Contains(StakingTypes(), in.StakingContractType.Value) {
		f.Add("stakingContractType", "must be one of: %s", strings.Join(StakingTypes(), ", "))
		return
	}
	c.StakingContractType = in.StakingContractType.ApplyTo(c.StakingContractType)
}

// needsImport reports whether the list must be imported: a list is in the input, or other decimals than before.
func (in Input) needsImport(before TokenClaim) bool {
	return in.CSVURL.Set || in.Decimals.Set && in.Decimals.Value != before.Decimals
}

// assignNumber sets a number of at least 0.
func assignNumber(f *laurel.Faults, path string, in laurel.Optional[laurel.Amount], to *laurel.Amount) {
	laurel.Assign(f, path, in, "a number", to)
	if in.Set && in.Value < 0 {
		f.Add(path, "must be at least 0")
	}
}

// assignAddress sets an address in normal form; null removes it.
func assignAddress(f *laurel.Faults, path string, in laurel.Optional[string], to **string) {
	laurel.AssignIdentifier(f, path, in, to)
	if in.Ptr() != nil {
		stored := evm.Normalize(in.Value)
		*to = &stored
	}
}

// assignCountries sets the country codes in upper case, without duplicates. Null and unknown codes are faults.
func assignCountries(f *laurel.Faults, in laurel.Optional[[]string], to *laurel.List[string]) {
	switch {
	case !in.Set:
		return
	case in.Null:
		f.Add("geoBlock", "must be an array")
		return
	case len(in.Value) > maxCountries:
		f.Add("geoBlock", "must have at most %d items", maxCountries)
		return
	}
	*to = laurel.List[string]{}
	for i, code := range in.Value {
		if code = strings.ToUpper(code); !IsCountry(code) {
			f.Add("geoBlock."+strconv.Itoa(i), "must be a country code of ISO 3166 alpha-2")
		} else if !slices.Contains(*to, code) {
			*to = append(*to, code)
		}
	}
}
