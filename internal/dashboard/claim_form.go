package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/evm"
)

// claimForm is the form of a new token claim, and of the settings of one.
type claimForm struct {
	Claim       claimRow // without id: a new one
	Input       map[string]string
	Tokens      []choice // the contracts to choose from
	Networks    []string // of a contract that is registered with the form
	Staking     []string // types of staking contracts
	BaseVersion string   // hash of the saved values when the form was opened
	Conflicts   []fieldConflict
	Faults      map[string]string
	Error       string
	// Registered says that a token was registered with the form.
	Registered string
}

// New reports whether the token claim is not made yet.
func (f *claimForm) New() bool { return f.Claim.ID.IsZero() }

// RegisterOpen reports whether the section that registers a token is unfolded: if one of its fields has a fault, or
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

// The fields of the form, by topic.
var (
	claimFields = []labeledField{
		{"name", "Name"}, {"erc20Decimals", "Decimals"}, {"claimContractAddress", "Claim contract"},
		{"relayerId", "Relayer"}, {"startTime", "Opens"}, {"endTime", "Closes"}, {"geoBlock", "Blocked countries"},
		{"isDraft", "Draft"}, {"claimAndStake", "Stake claimed tokens"}, {"isStakingOptional", "Staking is optional"},
		{"stakingContractAddress", "Staking contract"}, {"stakingContractType", "Staking type"},
		{"minPercentageToStake", "Minimum stake"}, {"minLockup", "Minimum lock period"},
		{"minLockupForMultiplier", "Lock period for the multiplier"}, {"multiplier", "Multiplier"}, {"maxBonus", "Maximum bonus"},
	}
	stakeFields = []string{
		"claimAndStake", "isStakingOptional", "stakingContractAddress", "stakingContractType", "minPercentageToStake",
		"minLockup", "minLockupForMultiplier", "multiplier", "maxBonus",
	}
	tokenFields = []string{"contractName", "contractNetwork", "contractAddress"}
)

// claimTexts returns the settings of a token claim as the inputs of its form hold them.
func claimTexts(t claims.TokenClaim) map[string]string {
	tick := func(on bool) string {
		if on {
			return "on"
		}
		return ""
	}
	out := map[string]string{
		"name": t.Name, "erc20Decimals": strconv.FormatInt(t.Decimals, 10),
		"claimContractAddress": textCell(t.ClaimContract), "stakingContractAddress": textCell(t.StakingContract),
		"relayerId": "", "startTime": formTime(t.StartsAt), "endTime": formTime(t.EndsAt),
		"geoBlock": strings.Join(t.GeoBlock, " "), "isDraft": tick(t.IsDraft), "claimAndStake": tick(t.ClaimAndStake),
		"isStakingOptional": tick(t.IsStakingOptional), "minPercentageToStake": t.MinPercentageToStake.String(),
		"minLockup": t.MinLockup.String(), "minLockupForMultiplier": t.MinLockupForMultiplier.String(),
		"maxBonus": t.MaxBonus.String(), "multiplier": t.Multiplier.String(),
		"stakingContractType": textCell(t.StakingContractType),
	}
	if t.RelayerID != nil {
		out["relayerId"] = t.RelayerID.String()
	}
	return out
}

// formTime writes a time as a date-time field has it; empty for none.
func formTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(dateTimeLayout)
}

// buildClaimForm returns the form of a token claim as it is saved, or of a new one with defaults.
func (c *request) buildClaimForm(t claimRow) (*claimForm, error) {
	f := &claimForm{Claim: t, Input: claimTexts(t.TokenClaim), Staking: claims.StakingTypes()}
	if !f.New() {
		f.BaseVersion = formVersion(f.Input)
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

// offerTokens adds the registered ERC-20 contracts that a token claim can use.
func (c *request) offerTokens(f *claimForm) error {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[contracts.Contract], error) {
		return c.d.Contracts.List(ctx, c.scope.At(c.site.ID), contracts.Filter{WithoutABI: true}, page)
	}
	all, err := listAll(c.Context(), list, func(one contracts.Contract) laurel.ID { return one.ID })
	for _, one := range all {
		if one.Type == contracts.ERC20 {
			label := contractName(one) + ", " + networkName(one) + ", " + shorten(one.Address)
			f.Tokens = append(f.Tokens, choice{one.ID.String(), label})
		}
	}
	return err
}

// readPosted reads the posted form.
func (f *claimForm) readPosted(c *request) {
	contract := c.PostFormValue("contractId")
	f.Input = map[string]string{}
	for _, field := range claimFields {
		f.Input[field.Name] = strings.TrimSpace(c.PostFormValue(field.Name))
	}
	f.Input["geoBlock"] = strings.Join(countryCodes(f.Input["geoBlock"]), " ")
	f.Input["contractId"] = contract
}

// countryCodes reads codes with spaces or commas between them.
func countryCodes(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(" ,;\r\n", r) })
}

// serviceInput returns what the service is to save: fields that differ from saved, so that no time loses its seconds
// and no list is read again. Malformed values are added to faults.
func (f *claimForm) serviceInput(c *request, saved map[string]string, faults *laurel.Faults) claims.Input {
	text := func(name string) laurel.Optional[string] { return f.changedField(saved, name) }
	moment := func(name string) (out laurel.Optional[laurel.Timestamp]) {
		if in := text(name); !in.Set || in.Null {
			return laurel.Optional[laurel.Timestamp]{Set: in.Set, Null: in.Null}
		}
		if at := c.readTime(faults, name); at != nil {
			out = laurel.Some(laurel.Timestamp{Time: *at})
		}
		return out
	}
	amount := func(name string) (out laurel.Optional[laurel.Amount]) {
		if in := text(name); !in.Set {
			return out
		}
		if read := parseAmountField(faults, name, f.Input[name]); read != nil {
			return laurel.Some(*read)
		}
		return laurel.Null[laurel.Amount]()
	}
	tick := func(name string) laurel.Optional[bool] { return laurel.Some(f.Input[name] != "") }
	in := claims.Input{
		Name: text("name"), ClaimContract: text("claimContractAddress"), StakingContract: text("stakingContractAddress"),
		StartsAt: moment("startTime"), EndsAt: moment("endTime"), IsDraft: tick("isDraft"),
		GeoBlock: laurel.Some(countryCodes(f.Input["geoBlock"])), ClaimAndStake: tick("claimAndStake"),
		IsStakingOptional: tick("isStakingOptional"), MinPercentageToStake: amount("minPercentageToStake"),
		MinLockup: amount("minLockup"), MinLockupForMultiplier: amount("minLockupForMultiplier"),
		MaxBonus: amount("maxBonus"), Multiplier: amount("multiplier"), StakingContractType: text("stakingContractType"),
	}
	if text("erc20Decimals").Set {
		in.Decimals = c.readInteger(faults, "erc20Decimals")
	}
	in.RelayerID = parseOptionalID(faults, "relayerId", text("relayerId"))
	if id, err := laurel.ParseID(f.Input["contractId"]); err == nil && f.New() {
		in.ContractID = laurel.Some(id)
	}
	return in
}

// changedField returns a field of an update: absent if it is as saved, null if it was emptied.
func (f *claimForm) changedField(saved map[string]string, name string) (out laurel.Optional[string]) {
	switch {
	case saved[name] == f.Input[name]:
		return out
	case f.Input[name] == "":
		return laurel.Null[string]()
	}
	return laurel.Some(f.Input[name])
}

// showRefused shows the form again with the faults of a refusal.
func (f *claimForm) showRefused(c *request, err error, title string) (view, error) {
	return c.showRefused(err, "claim-form", title, func(faults map[string]string, text string) any {
		f.Faults, f.Error = f.faultsAtFields(faults), text
		return f
	})
}

// faultsAtFields maps faults to the fields of the form: all blocked countries are one field.
func (f *claimForm) faultsAtFields(faults map[string]string) map[string]string {
	out := map[string]string{}
	for path, fault := range faults {
		if at, list := strings.CutPrefix(path, "geoBlock."); list {
			codes := countryCodes(f.Input["geoBlock"])
			if i, err := strconv.Atoi(at); err == nil && i < len(codes) {
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
func newClaimPage(c *request) (view, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return view{}, err
	}
	return pageView("claim-form", newClaimTitle, f)
}

// createClaim creates a token claim from the posted form.
func createClaim(c *request) (view, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return view{}, err
	}
	f.readPosted(c)
	var faults laurel.Faults
	in := f.serviceInput(c, nil, &faults)
	var made claims.TokenClaim
	if err = faults.Err(); err == nil {
		made, err = c.d.Claims.Create(c.Context(), c.scope.At(c.site.ID), in)
	}
	if err != nil {
		return f.showRefused(c, err, newClaimTitle)
	}
	return c.redirect(c.sitePath("claims", made.ID), "Token claim created. Now upload the list of wallets and amounts.")
}

// registerContract registers a token's contract and selects it in the form of a new token claim, with everything else
// as it was typed.
func registerContract(c *request) (view, error) {
	f, err := c.buildClaimForm(claimRow{})
	if err != nil {
		return view{}, err
	}
	f.readPosted(c)
	in := contracts.Input{
		Name: laurel.Some(strings.TrimSpace(c.PostFormValue("contractName"))), Type: laurel.Some(contracts.ERC20),
		Address: laurel.Some(strings.TrimSpace(c.PostFormValue("contractAddress"))),
	}
	if id := evm.ChainID(c.PostFormValue("contractNetwork")); id > 0 {
		in.ChainID = laurel.Some(int64(id)) //nolint:gosec // of the registry: none is near 2^63
	}
	made, err := c.d.Contracts.Create(c.Context(), c.scope.At(c.site.ID), in)
	if err != nil {
		return f.showTokenRefused(c, err)
	}
	f.Tokens, f.Registered = nil, "Token registered and selected in the form."
	f.Input["contractId"] = made.ID.String()
	if err := c.offerTokens(f); err != nil {
		return view{}, err
	}
	return pageView("claim-form", newClaimTitle, f)
}

// showTokenRefused shows the form with the faults of the token that was to be registered.
func (f *claimForm) showTokenRefused(c *request, err error) (view, error) {
	for _, name := range tokenFields {
		f.Input[name] = c.PostFormValue(name)
	}
	return c.showRefused(err, "claim-form", newClaimTitle, func(faults map[string]string, text string) any {
		f.Faults, f.Error = map[string]string{}, text
		for from, to := range map[string]string{
			"name": "contractName", "chainId": "contractNetwork", "address": "contractAddress",
		} {
			if faults[from] != "" {
				f.Faults[to] = faults[from]
			}
		}
		return f
	})
}

// claimSettingsPage shows the form with the settings of a token claim.
func claimSettingsPage(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	f, err := c.buildClaimForm(t)
	if err != nil {
		return view{}, err
	}
	return pageView("claim-form", t.Name+", settings", f)
}

// saveClaim saves the settings of a token claim. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown.
func saveClaim(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	f, err := c.buildClaimForm(t)
	if err != nil {
		return view{}, err
	}
	title, saved := t.Name+", settings", f.Input
	f.readPosted(c)
	if c.PostFormValue(baseVersionField) != f.BaseVersion {
		if f.Conflicts = findConflicts(saved, f.Input, claimFields); len(f.Conflicts) > 0 {
			return view{template: "claim-form", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
		}
	}
	var faults laurel.Faults
	in := f.serviceInput(c, saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.d.Claims.Update(c.Context(), c.scope.At(c.site.ID), t.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	notice := "Changes saved."
	if in.Decimals.Set && t.CSVURL != nil {
		notice += " The list is being imported again."
	}
	return c.redirect(c.sitePath("claims", t.ID), notice)
}
