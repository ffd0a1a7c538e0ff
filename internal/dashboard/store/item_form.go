package store

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
)

// itemForm is the form of a new item, and of the settings of one.
type itemForm struct {
	form.State
	Contract   contractRow
	Item       minting.Asset // without id: a new one
	Currencies []web.Choice
	InfoTypes  []web.Choice // what buyers may be asked for
}

// New reports whether the item is not made yet.
func (f *itemForm) New() bool { return f.Item.ID.IsZero() }

// QuantityHelp returns the help text of the quantity. It says how many minted and reserved items the quantity includes.
func (f *itemForm) QuantityHelp() string {
	if f.Item.Minted+f.Item.Reserved == 0 {
		return "How many of this item will ever be available."
	}
	help := "How many of this item will ever be available, including " + web.Number(f.Item.Minted) + " minted"
	if f.Item.Reserved > 0 {
		help += " and " + web.Number(f.Item.Reserved) + " reserved"
	}
	return help + "."
}

// itemTable has the settings of an item.
var itemTable = form.NewTable[minting.Asset, minting.AssetPatch](form.Fields(
	"name", "Name", "description", "Description", "imageUrl", "Picture", "price", "Price",
	"loyaltyCurrencyId", "Currency", "quantity", "Quantity", "unlimitedQty", "No limit", "isListed", "Listed",
	"isHidden", "Hidden", "listingStartsAt", "Listed from", "listingEndsAt", "Listed until",
	"isAllowlisted", "Allowlist only", "isPhygitalItem", "Shipped to buyers",
	"shouldCollectUserInfo", "Ask buyers for information", "collectInfoType", "Information to ask for",
	"tokenId", "Token ID",
))

// infoLabels are the labels of the information that buyers may be asked for.
var infoLabels = map[string]string{
	"customInput": "A short answer", "freeText": "A text", "shippingDetails": "Shipping address",
}

// buildItemForm returns the form of an item with its saved values, or the form of a new item, with defaults, if item
// has no id. A currency of the item that is no longer available stays among the choices.
func (c *call) buildItemForm(contract contractRow, item minting.Asset) (*itemForm, error) {
	f := &itemForm{Contract: contract, Item: item}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return nil, err
	}
	isChoice := item.CurrencyID.IsZero() // whether the choices include the item's currency, if it has one
	for _, currency := range currencies.Live {
		if currency.API.PostURL == nil { // items cannot be paid in points of an external ledger
			f.Currencies = append(f.Currencies, web.Choice{Value: currency.ID.String(), Label: currency.Name})
			isChoice = isChoice || currency.ID == item.CurrencyID.ID
		}
	}
	if !isChoice {
		label := currencies.Name(item.CurrencyID.ID) + ", no longer available"
		f.Currencies = append(f.Currencies, web.Choice{Value: item.CurrencyID.String(), Label: label})
	}
	for _, kind := range minting.InfoTypes() {
		f.InfoTypes = append(f.InfoTypes, web.Choice{Value: kind, Label: infoLabels[kind]})
	}
	if f.Input = itemTable.Saved(item); !f.New() {
		f.BaseVersion = form.VersionOf(f.Input)
		return f, nil
	}
	f.Input["price"], f.Input["quantity"], f.Input["isListed"] = "", "", "on"
	if !contract.OnChain() && len(f.Currencies) > 0 {
		f.Input["loyaltyCurrencyId"] = f.Currencies[0].Value
	}
	return f, nil
}

// readPosted reads the posted form into f. The token id keeps its saved value if the contract is not on a blockchain,
// as the form does not show it.
func (f *itemForm) readPosted(c *call) {
	f.Input = itemTable.Typed(c.PostForm)
	if !f.Contract.OnChain() {
		f.Input["tokenId"] = form.IntegerInput(f.Item.TokenID)
	}
}

// serviceInput returns the item as the service is to save it: all fields of a new item, or those of an existing one
// that differ from saved. Malformed values are added to faults.
func (f *itemForm) serviceInput(saved map[string]string, faults *laurel.Faults) minting.AssetPatch {
	in := itemTable.Input(form.Changes{Saved: saved, Typed: f.Input, Faults: faults})
	if in.Has("quantity") && f.Input["quantity"] == "" && f.Input["unlimitedQty"] != "" { // an unlimited item needs none
		in = in.With("quantity", int64(0))
	}
	if f.New() {
		in = in.With("mintingContractId", f.Contract.ID)
	}
	return in
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. Any other error is
// returned.
func (f *itemForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "store-item-form", title, func(r web.Refusal) any { f.Refusal = r; return f })
}

// itemFormOfPath returns the form of the item whose id is in the path. Without an id there, it returns that of a new
// item of the contract in the path.
func (c *call) itemFormOfPath() (*itemForm, error) {
	var data itemData
	var err error
	if c.PathValue("item") == "" {
		data.Contract, err = c.getContract()
	} else {
		data, err = c.getItem()
	}
	if err != nil {
		return nil, err
	}
	f, err := c.buildItemForm(data.Contract, data.Item.Asset)
	return f, err
}

// itemFormPage shows the form of a new item, or that with the settings of an item.
func itemFormPage(c *call) (web.View, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("store-item-form", f.title(), f)
}

// createItem creates an item of a minting contract from the posted form. A refused form is shown again.
func createItem(c *call) (web.View, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	f.readPosted(c)
	var faults laurel.Faults
	in := f.serviceInput(nil, &faults)
	var made minting.Asset
	if err = faults.Err(); err == nil {
		made, err = c.Minting.CreateAsset(c.Context(), c.Scope, in)
	}
	if err != nil {
		return f.showRefused(c, err, f.title())
	}
	return c.Redirect(c.SitePath("store", f.Contract.ID, "items", made.ID), "Item created.")
}

// saveItem saves the settings of an item. If someone else has saved other values since the form was opened, nothing is
// written and the conflicts are shown.
func saveItem(c *call) (web.View, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	title, saved := f.title(), itemTable.Saved(f.Item)
	f.readPosted(c)
	if f.FindConflicts(c.PostForm, saved, f.Input, itemTable.Fields) {
		return web.Refused("store-item-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Minting.UpdateAsset(c.Context(), c.Scope.IfUnchanged(f.Item.ID, f.Item.UpdatedAt.Time), f.Item.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	return c.Redirect(c.SitePath("store", f.Contract.ID, "items", f.Item.ID),
		"Changes saved. They apply from the next purchase.")
}

// title returns the title of the form.
func (f *itemForm) title() string {
	if f.New() {
		return "New item"
	}
	return f.Item.Name + ", settings"
}

// uploadItemPicture stores a picture for the form. The item changes only when the form is saved.
func uploadItemPicture(c *call) (web.View, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return c.uploadPicture(f, &f.State, "store-item-form", f.title())
}

// offeredItems returns the items that the form of an auction offers: the newest items of a contract, including hidden
// ones, at most maxOfferedItems, and in addition the item with the id extra if it is older. Without an extra id, or if
// its item is deleted, it adds none.
func (c *call) offeredItems(contract, extra laurel.ID) ([]minting.Asset, error) {
	f := minting.AssetFilter{ContractIDs: []laurel.ID{contract}, WithHidden: true}
	list, err := c.Minting.Assets(c.Context(), c.Scope, f, laurel.PageRequest{Limit: maxOfferedItems})
	if err != nil {
		return nil, err
	}
	isExtra := func(a minting.Asset) bool { return a.ID == extra }
	if extra.IsZero() || slices.ContainsFunc(list.Data, isExtra) {
		return list.Data, nil
	}
	item, err := c.Minting.Asset(c.Context(), c.Scope, extra)
	if laurel.CodeOf(err) == laurel.NotFound {
		return list.Data, nil
	}
	return append(list.Data, item), err
}

// maxOfferedItems bounds the items in the form of an auction. The page of an older item leads to an auction of it.
const maxOfferedItems = 200
