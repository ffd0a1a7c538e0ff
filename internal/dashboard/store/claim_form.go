package store

import (
	"context"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/record"
)

// claimForm is the form of a new token claim, and of the settings of one.
type claimForm struct {
	form.State
	Claim    claimRow     // without id: a new one
	Tokens   []web.Choice // the contracts to choose from
	Networks []string     // of a contract that is registered with the form
	Staking  []string     // types of staking contracts
	// Registered says that a token was registered with the form.
	Registered string
}

// New reports whether the token claim is not made yet.
func (f *claimForm) New() bool { return f.Claim.ID.IsZero() }

// RegisterOpen reports whether the section that registers a token is unfolded: if one of its fields has a fault, or if
// there is no token to choose.
func (f *claimForm) RegisterOpen() bool {
	for _, name := range tokenFields {
		if f.Faults[name] != "" {
			return true
		}
	}
	return len(f.Tokens) == 0
}

// StakingOpen reports whether the section about staking is unfolded: if staking is on, or one of its fields has a
// fault.
func (f *claimForm) StakingOpen() bool {
	for _, name := range stakeFields {
		if f.Faults[name] != "" {
			return true
		}
	}
	return f.Input["claimAndStake"] != ""
}

// claimTable has the settings of a token claim.
var claimTable = form.NewTable[claims.TokenClaim, claims.Patch](form.Fields(
	"name", "Name", "erc20Decimals", "Decimals", "claimContractAddress", "Claim contract",
	"relayerId", "Relayer", "startTime", "Opens", "endTime", "Closes", "geoBlock", "Blocked countries",
	"isDraft", "Draft", "claimAndStake", "Stake claimed tokens", "isStakingOptional", "Staking is optional",
	"stakingContractAddress", "Staking contract", "stakingContractType", "Staking type",
	"minPercentageToStake", "Minimum stake", "minLockup", "Minimum lock period",
	"minLockupForMultiplier", "Minimum lock period for the multiplier",
	"multiplier", "Multiplier", "maxBonus", "Maximum bonus",
), form.ByHand("relayerId", "geoBlock", "isDraft"))

// Fields of the form, by topic.
var (
	stakeFields = []string{
		"claimAndStake", "isStakingOptional", "stakingContractAddress", "stakingContractType", "minPercentageToStake",
		"minLockup", "minLockupForMultiplier", "multiplier", "maxBonus",
	}
	tokenFields = []string{"contractName", "contractNetwork", "contractAddress"}
)

// claimTexts returns the settings of a token claim by field, as the inputs of its form hold them.
func claimTexts(claim claims.TokenClaim) map[string]string {
	out := claimTable.Saved(claim)
	out["relayerId"], out["geoBlock"] = "", strings.Join(claim.GeoBlock, " ")
	out["isDraft"] = form.CheckboxInput(claim.IsDraft)
	if claim.RelayerID != nil {
		out["relayerId"] = claim.RelayerID.String()
	}
	return out
}

// buildClaimForm returns the form of a token claim with its saved values. If the claim has no id, it returns that of a
// new one with defaults, and with the networks and tokens to choose from.
func (c *call) buildClaimForm(claim claimRow) (*claimForm, error) {
	f := &claimForm{Claim: claim, Staking: claims.StakingTypes()}
	if f.Input = claimTexts(claim.TokenClaim); !f.New() {
		f.BaseVersion = form.VersionOf(f.Input)
		return f, nil
	}
	f.Input["erc20Decimals"], f.Input["multiplier"], f.Input["isDraft"] = "18", "1", "on"
	for _, name := range evm.Networks() {
		if evm.ChainID(name) > 0 {
			f.Networks = append(f.Networks, name)
		}
	}
	return f, c.offerTokens(f)
}

// offerTokens adds to the form the website's ERC-20 contracts as tokens to choose from.
func (c *call) offerTokens(f *claimForm) error {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[contracts.Contract], error) {
		return c.Contracts.List(ctx, c.Scope.At(c.Site.ID), contracts.Filter{WithoutABI: true}, page)
	}
	registered, err := web.ListAll(c.Context(), list, func(contract contracts.Contract) laurel.ID { return contract.ID })
	for _, contract := range registered {
		if contract.Type == contracts.ERC20 {
			label := contractName(contract) + ", " + networkName(contract) + ", " + web.Shorten(contract.Address)
			f.Tokens = append(f.Tokens, web.Choice{Value: contract.ID.String(), Label: label})
		}
	}
	return err
}

// readPosted reads the posted form into f, with the country codes in upper case and one space between them.
func (f *claimForm) readPosted(c *call) {
	contract := c.PostFormValue("contractId")
	f.Input = claimTable.Typed(c.PostForm)
	f.Input["geoBlock"] = strings.Join(countryCodes(f.Input["geoBlock"]), " ")
	f.Input["contractId"] = contract
}

// countryCodes returns the country codes in a text, in upper case. Spaces, commas, semicolons or new lines separate
// them.
func countryCodes(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(" ,;\r\n", r) })
}

// serviceInput returns the token claim as the service is to save it. Except for the mark of drafts and countries,
// fields that are as in saved are left out, so that no time loses its seconds and no list is imported again. Malformed
// values are added to faults.
func (f *claimForm) serviceInput(saved map[string]string, faults *laurel.Faults) claims.Patch {
	changes := form.Changes{Saved: saved, Typed: f.Input, Faults: faults}
	in := claimTable.Input(changes).
		With("isDraft", f.Input["isDraft"] != "").With("geoBlock", countryCodes(f.Input["geoBlock"])).
		With("relayerId", form.ParseOptionalID(faults, "relayerId", changes.TextOrNull("relayerId")))
	if id, err := laurel.ParseID(f.Input["contractId"]); err == nil && f.New() {
		in = in.With("contractId", id)
	}
	return in
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. Any other error is
// returned.
func (f *claimForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "claim-form", title, func(refusal web.Refusal) any {
		f.Faults, f.Error = f.faultsAtFields(refusal.Faults), refusal.Error
		return f
	})
}

// faultsAtFields returns the faults by the fields of the form that show them. All blocked countries are one field; its
// fault says which code is wrong.
func (f *claimForm) faultsAtFields(faults map[string]string) map[string]string {
	out := map[string]string{}
	for path, fault := range faults {
		if index, isCountry := strings.CutPrefix(path, "geoBlock."); isCountry {
			codes := countryCodes(f.Input["geoBlock"])
			if i, err := strconv.Atoi(index); err == nil && i < len(codes) {
				out["geoBlock"] = codes[i] + " must be a two-letter country code, such as DE"
			}
			continue
		}
		out[path] = fault
	}
	return out
}

const newClaimTitle = "New token claim"

// newClaimPage shows the form of a new token claim.
func newClaimPage(c *call) (web.View, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return web.View{}, err
	}
	return web.Show("claim-form", newClaimTitle, f)
}

// createClaim creates a token claim from the posted form. A refused form is shown again.
func createClaim(c *call) (web.View, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return web.View{}, err
	}
	f.readPosted(c)
	var faults laurel.Faults
	in := f.serviceInput(map[string]string{}, &faults) // empty fields get their defaults
	var made claims.TokenClaim
	if err = faults.Err(); err == nil {
		made, err = c.Claims.Create(c.Context(), c.Scope.At(c.Site.ID), in)
	}
	if err != nil {
		return f.showRefused(c, err, newClaimTitle)
	}
	return c.Redirect(c.SitePath("claims", made.ID), "Token claim created. Now upload the list of wallets and amounts.")
}

// registerContract registers a token's contract and selects it in the form of a new token claim, with everything else
// as it was typed. The token claim is not saved.
func registerContract(c *call) (web.View, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return web.View{}, err
	}
	f.readPosted(c)
	chainID := int64(evm.ChainID(c.PostFormValue("contractNetwork"))) //nolint:gosec // of the registry: none is near 2^63
	in := record.All(contracts.Contract{
		Name: new(strings.TrimSpace(c.PostFormValue("contractName"))), Type: contracts.ERC20, ChainID: &chainID,
		Address: strings.TrimSpace(c.PostFormValue("contractAddress")),
	})
	if chainID == 0 {
		in = in.Without("chainId")
	}
	made, err := c.Contracts.Create(c.Context(), c.Scope.At(c.Site.ID), in)
	if err != nil {
		return f.showTokenRefused(c, err)
	}
	f.Tokens, f.Registered = nil, "Token registered and selected in the form."
	f.Input["contractId"] = made.ID.String()
	if err := c.offerTokens(f); err != nil {
		return web.View{}, err
	}
	return web.Show("claim-form", newClaimTitle, f)
}

// showTokenRefused shows the form of a new token claim again after the service has refused to register its token's
// contract. The faults stand at the fields of the section that registers the token.
func (f *claimForm) showTokenRefused(c *call, err error) (web.View, error) {
	for _, name := range tokenFields {
		f.Input[name] = c.PostFormValue(name)
	}
	return c.ShowRefused(err, "claim-form", newClaimTitle, func(refusal web.Refusal) any {
		f.Faults, f.Error = map[string]string{}, refusal.Error
		for property, field := range map[string]string{
			"name": "contractName", "chainId": "contractNetwork", "address": "contractAddress",
		} {
			if refusal.Faults[property] != "" {
				f.Faults[field] = refusal.Faults[property]
			}
		}
		return f
	})
}

// claimSettingsPage shows the form with the settings of a token claim.
func claimSettingsPage(c *call) (web.View, error) {
	t, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildClaimForm(t)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("claim-form", t.Name+", settings", f)
}

// saveClaim saves the settings of a token claim. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown. Other decimals change the amounts of the list, so it is imported
// again.
func saveClaim(c *call) (web.View, error) {
	claim, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildClaimForm(claim)
	if err != nil {
		return web.View{}, err
	}
	title, saved := claim.Name+", settings", f.Input
	f.readPosted(c)
	if f.FindConflicts(c.PostForm, saved, f.Input, claimTable.Fields) {
		return web.Refused("claim-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Claims.Update(c.Context(), c.Scope.IfUnchanged(claim.ID, claim.UpdatedAt.Time), claim.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	notice := "Changes saved."
	if in.Has("erc20Decimals") && claim.CSVURL != nil {
		notice += " The list is being imported again."
	}
	return c.Redirect(c.SitePath("claims", claim.ID), notice)
}
