package store

import (
	"cmp"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/evm"
)

// contractForm is the form of a new minting contract, and of the settings of one.
type contractForm struct {
	form.State
	Contract minting.Contract // without id: a new one
	Badges   []web.Choice     // to choose from, and those that it names already
	Networks []string
	Tokens   []string // types of tokens
}

// New reports whether the contract is not made yet.
func (f *contractForm) New() bool { return f.Contract.ID.IsZero() }

// OnChain reports whether the fields of blockchains apply.
func (f *contractForm) OnChain() bool { return f.New() || f.Contract.Kind == minting.Onchain }

// Has reports whether a badge is chosen.
func (f *contractForm) Has(badge string) bool {
	return slices.Contains(strings.Fields(f.Input["loyaltyBadgeIds"]), badge)
}

// contractTable has the settings of a contract.
var contractTable = form.NewTable[minting.Contract, minting.ContractPatch](form.Fields(
	"name", "Name", "description", "Description", "imageUrl", "Picture", "isListed", "Listed",
	"showOnMarketplace", "On the marketplace", "hideInactiveListings", "Hide ended items",
	"perUserMintLimit", "Limit per member", "isPerAssetMintLimit", "Limit applies to each item separately",
	"loyaltyBadgeIds", "Badges", "mustOwnCollections", "Collections",
	"requireHoldingAllGatedItems", "Require all of these badges and collections",
	"isFreeClaimForBadgeHolders", "Free for badge holders", "isFreeClaimForTokenHolders", "Free for token owners",
	"shouldCollectEmail", "Ask buyers for an e-mail address", "sortId", "Position in lists", "externalLinkUrl", "Link",
	"symbol", "Symbol", "address", "Address", "network", "Network",
	"primarySaleRecipientAddress", "Sales recipient", "royaltyFee", "Royalty, percent",
	"royaltyFeeAddress", "Royalty recipient", "enableGasless", "Gasless", "isSoulbound", "Soulbound",
), form.ByHand("loyaltyBadgeIds", "mustOwnCollections"), form.EmptyZero("perUserMintLimit", "royaltyFee"))

// contractCreationFields are those of a new contract alone.
var contractCreationFields = form.Fields("contractKind", "Kind", "tokenType", "Token type")

// contractTexts returns the settings of a minting contract by field, as the inputs of its form hold them. Badges are
// one text of ids with spaces between them; collections have one line each.
func contractTexts(m minting.Contract) map[string]string {
	out := contractTable.Saved(m)
	var badges, gates []string
	for _, id := range m.BadgeIDs {
		badges = append(badges, id.String())
	}
	slices.Sort(badges)
	for _, gate := range m.Collections {
		gates = append(gates, gate.Network+" "+gate.Address)
	}
	out["loyaltyBadgeIds"], out["mustOwnCollections"] = strings.Join(badges, " "), strings.Join(gates, "\n")
	return out
}

// buildContractForm returns the form of a minting contract with its saved values, or the form of a new contract, with
// defaults, if contract has no id. Deleted badges that the contract refers to stay among the choices.
func (c *call) buildContractForm(contract minting.Contract) (*contractForm, error) {
	f := &contractForm{Contract: contract, Networks: evm.Networks(), Tokens: minting.TokenTypes()}
	if f.Input = contractTexts(contract); f.New() {
		f.Input["contractKind"], f.Input["tokenType"], f.Input["isListed"] = minting.Offchain, f.Tokens[0], "on"
	} else {
		f.BaseVersion = form.VersionOf(f.Input)
	}
	names, err := c.ReadNames()
	if err != nil {
		return nil, err
	}
	for _, b := range names.Badges {
		f.Badges = append(f.Badges, web.Choice{Value: b.ID.String(), Label: b.Name})
	}
	for _, id := range contract.BadgeIDs {
		if _, exists := names.BadgeNames[id]; !exists {
			f.Badges = append(f.Badges, web.Choice{Value: id.String(), Label: "A deleted badge"})
		}
	}
	return f, nil
}

// readPosted reads the posted form into f. If the contract is not on a blockchain, the form does not show the fields
// about blockchains, so these keep their saved values.
func (f *contractForm) readPosted(c *call) {
	f.Input = form.Typed(c.PostForm, slices.Concat(contractTable.Fields, contractCreationFields))
	badges := strings.Fields(f.Input["loyaltyBadgeIds"])
	slices.Sort(badges)
	f.Input["loyaltyBadgeIds"] = strings.Join(badges, " ")
	if !f.OnChain() {
		for name, text := range contractTexts(f.Contract) {
			if slices.Contains(chainFields, name) {
				f.Input[name] = text
			}
		}
	}
}

// chainFields are those that only contracts on blockchains have.
var chainFields = []string{
	"symbol", "address", "network", "primarySaleRecipientAddress", "royaltyFee", "royaltyFeeAddress", "enableGasless",
	"isSoulbound",
}

// serviceInput returns the contract as the service is to save it: all fields of a new contract, or those of an existing
// one that differ from saved. Malformed values are added to faults.
func (f *contractForm) serviceInput(saved map[string]string, faults *laurel.Faults) minting.ContractPatch {
	e := form.Changes{Saved: saved, Typed: f.Input, Faults: faults}
	in := contractTable.Input(e)
	if f.New() {
		in = in.With("contractKind", e.TextOrNull("contractKind")).With("tokenType", e.TextOrNull("tokenType"))
	}
	if e.Changed("loyaltyBadgeIds") {
		in = in.With("loyaltyBadgeIds", form.ParseIDs(f.Input["loyaltyBadgeIds"]))
	}
	if e.Changed("mustOwnCollections") {
		in = in.With("mustOwnCollections", parseGates(f.Input["mustOwnCollections"], faults))
	}
	return in
}

// parseGates parses the collections of which a buyer must own an item, each on a line as a network and an address.
// Empty lines are skipped; malformed ones are added to faults.
func parseGates(text string, faults *laurel.Faults) []minting.GatingCollection {
	var out []minting.GatingCollection
	for line := range strings.Lines(text) {
		parts := strings.Fields(line)
		switch len(parts) {
		case 0:
			// an empty line
		case 2:
			out = append(out, minting.GatingCollection{Network: parts[0], Address: parts[1]})
		default:
			faults.Add("mustOwnCollections", "must have a network and an address on each line, such as base 0x…")
		}
	}
	return out
}

// showRefused shows the form again if err is a refusal of the service, with its faults at their fields. A fault of one
// badge or collection is shown at the field of all of them. Any other error is returned.
func (f *contractForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "store-form", title, func(refusal web.Refusal) any {
		for path, fault := range refusal.Faults {
			for _, list := range []string{"loyaltyBadgeIds", "mustOwnCollections"} {
				if strings.HasPrefix(path, list+".") {
					delete(refusal.Faults, path)
					refusal.Faults[list] = fault
				}
			}
		}
		f.Refusal = refusal
		return f
	})
}

// contractFormOfPath returns the form of the minting contract whose id is in the path. Without an id there, it returns
// that of a new contract.
func (c *call) contractFormOfPath() (*contractForm, error) {
	var row contractRow
	if c.PathValue("contract") != "" {
		var err error
		if row, err = c.getContract(); err != nil {
			return nil, err
		}
	}
	f, err := c.buildContractForm(row.Contract)
	return f, err
}

// contractFormPage shows the form of a new minting contract, or that with the settings of one.
func contractFormPage(c *call) (web.View, error) {
	f, err := c.contractFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("store-form", f.title(), f)
}

// createContract creates a minting contract from the posted form. A refused form is shown again.
func createContract(c *call) (web.View, error) {
	f, err := c.buildContractForm(minting.Contract{})
	if err != nil {
		return web.View{}, err
	}
	f.readPosted(c)
	var faults laurel.Faults
	in := f.serviceInput(nil, &faults)
	var made minting.Contract
	if err = faults.Err(); err == nil {
		made, err = c.Minting.CreateContract(c.Context(), c.Scope, in)
	}
	if err != nil {
		return f.showRefused(c, err, f.title())
	}
	return c.Redirect(c.SitePath("store", made.ID), "Minting contract created. Now add items to it.")
}

// saveContract saves the settings of a minting contract. If someone else has saved other values since the form was
// opened, nothing is written and the conflicts are shown.
func saveContract(c *call) (web.View, error) {
	row, err := c.getContract()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildContractForm(row.Contract)
	if err != nil {
		return web.View{}, err
	}
	title, saved := f.title(), f.Input
	f.readPosted(c)
	if f.FindConflicts(c.PostForm, saved, f.Input, contractTable.Fields) {
		return web.Refused("store-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Minting.UpdateContract(c.Context(), c.Scope.IfUnchanged(row.ID, row.UpdatedAt.Time), row.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	return c.Redirect(c.SitePath("store", row.ID), "Changes saved. They apply from the next purchase.")
}

// title returns the title of the form.
func (f *contractForm) title() string {
	if f.New() {
		return "New minting contract"
	}
	return f.Contract.Name + ", settings"
}

// uploadContractPicture stores a picture for the form. The contract changes only when the form is saved.
func uploadContractPicture(c *call) (web.View, error) {
	f, err := c.contractFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return c.uploadPicture(f, &f.State, "store-form", f.title())
}

// pictureForm is a form with a picture.
type pictureForm interface {
	readPosted(c *call)
	showRefused(c *call, err error, title string) (web.View, error)
}

// uploadPicture stores an uploaded picture and puts its address into the form, with everything else as it was typed.
func (c *call) uploadPicture(f pictureForm, state *form.State, page, title string) (web.View, error) {
	address, err := c.StorePicture()
	f.readPosted(c)
	state.BaseVersion = cmp.Or(c.PostFormValue(form.BaseVersionField), state.BaseVersion)
	if err != nil {
		return f.showRefused(c, err, title)
	}
	state.Input["imageUrl"], state.UploadNotice = address, "Picture uploaded. Save the form to use it."
	return web.Show(page, title, f)
}
