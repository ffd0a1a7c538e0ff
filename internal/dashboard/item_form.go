package dashboard

import (
	"cmp"
	"slices"
	"strconv"

	"laurel"
	"laurel/internal/commerce/minting"
)

// itemForm is the form of a new item, and of the settings of one.
type itemForm struct {
	formState
	Contract   contractRow
	Item       minting.Asset // without id: a new one
	Currencies []choice
	InfoTypes  []choice // what buyers may be asked for
}

// New reports whether the item is not made yet.
func (f *itemForm) New() bool { return f.Item.ID.IsZero() }

// QuantityHelp returns the help text of the quantity. It says how many minted and reserved items the quantity includes.
func (f *itemForm) QuantityHelp() string {
	if f.Item.Minted+f.Item.Reserved == 0 {
		return "How many of this item will ever be available."
	}
	help := "How many of this item will ever be available, including " + number(f.Item.Minted) + " minted"
	if f.Item.Reserved > 0 {
		help += " and " + number(f.Item.Reserved) + " reserved"
	}
	return help + "."
}

// itemFields are the settings of an item as a comparison calls them.
var itemFields = labeledFields(
	"name", "Name", "description", "Description", "imageUrl", "Picture", "price", "Price",
	"loyaltyCurrencyId", "Currency", "quantity", "Quantity", "unlimitedQty", "No limit", "isListed", "Listed",
	"isHidden", "Hidden", "listingStartsAt", "Listed from", "listingEndsAt", "Listed until",
	"isAllowlisted", "Allowlist only", "isPhygitalItem", "Shipped to buyers",
	"shouldCollectUserInfo", "Ask buyers for information", "collectInfoType", "Information to ask for",
	"tokenId", "Token ID",
)

// infoLabels are the labels of the information that buyers may be asked for.
var infoLabels = map[string]string{
	"customInput": "A short answer", "freeText": "A text", "shippingDetails": "Shipping address",
}

// itemTexts returns the settings of an item by field, as the inputs of its form hold them.
func itemTexts(item minting.Asset) map[string]string {
	out := map[string]string{
		"name": item.Name, "description": textCell(item.Description), "imageUrl": textCell(item.ImageURL),
		"price": item.Price.String(), "loyaltyCurrencyId": idCell(item.CurrencyID),
		"quantity":        strconv.FormatInt(item.Quantity, 10),
		"listingStartsAt": timeInput(item.ListingStartsAt), "listingEndsAt": timeInput(item.ListingEndsAt),
		"collectInfoType": textCell(item.CollectInfoType), "tokenId": integerInput(item.TokenID),
	}
	for name, isSet := range map[string]bool{
		"unlimitedQty": item.Unlimited, "isListed": item.IsListed, "isHidden": item.IsHidden,
		"isAllowlisted": item.IsAllowlisted, "isPhygitalItem": item.IsPhygital,
		"shouldCollectUserInfo": item.CollectsUserInfo,
	} {
		out[name] = checkboxInput(isSet)
	}
	return normalizeLines(out)
}

// buildItemForm returns the form of an item with its saved values, or the form of a new item, with defaults, if item
// has no id. A currency of the item that is no longer available stays among the choices.
func (c *request) buildItemForm(contract contractRow, item minting.Asset) (*itemForm, error) {
	f := &itemForm{Contract: contract, Item: item}
	currencies, err := c.readCurrencies()
	if err != nil {
		return nil, err
	}
	isChoice := item.CurrencyID.IsZero() // whether the choices include the item's currency, if it has one
	for _, currency := range currencies.Live {
		if currency.API.PostURL == nil { // items cannot be paid in points of an external ledger
			f.Currencies = append(f.Currencies, choice{currency.ID.String(), currency.Name})
			isChoice = isChoice || currency.ID == item.CurrencyID
		}
	}
	if !isChoice {
		label := currencies.name(item.CurrencyID) + ", no longer available"
		f.Currencies = append(f.Currencies, choice{item.CurrencyID.String(), label})
	}
	for _, kind := range minting.InfoTypes() {
		f.InfoTypes = append(f.InfoTypes, choice{kind, infoLabels[kind]})
	}
	if f.Input = itemTexts(item); !f.New() {
		f.BaseVersion = formVersion(f.Input)
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
func (f *itemForm) readPosted(c *request) {
	f.Input = typedFields(c.PostForm, itemFields)
	if !f.Contract.OnChain() {
		f.Input["tokenId"] = integerInput(f.Item.TokenID)
	}
}

// serviceInput returns the item as the service is to save it: all fields of a new item, or those of an existing one
// that differ from saved. Malformed values are added to faults.
func (f *itemForm) serviceInput(saved map[string]string, faults *laurel.Faults) minting.AssetInput {
	changes := changedFields{saved, f.Input, faults}
	in := minting.AssetInput{
		Name: changes.text("name"), Description: changes.textOrNull("description"),
		ImageURL: changes.textOrNull("imageUrl"), Price: changes.amount("price"),
		CurrencyID: changes.id("loyaltyCurrencyId"), Quantity: changes.integer("quantity"),
		Unlimited: changes.bool("unlimitedQty"), IsListed: changes.bool("isListed"),
		IsHidden: changes.bool("isHidden"), IsPhygital: changes.bool("isPhygitalItem"),
		CollectsUserInfo: changes.bool("shouldCollectUserInfo"), CollectInfoType: changes.textOrNull("collectInfoType"),
		ListingStartsAt: changes.timestamp("listingStartsAt"), ListingEndsAt: changes.timestamp("listingEndsAt"),
		IsAllowlisted: changes.bool("isAllowlisted"), TokenID: changes.integer("tokenId"),
	}
	if in.Quantity.Null && f.Input["unlimitedQty"] != "" { // an unlimited item needs none
		in.Quantity = laurel.Some(int64(0))
	}
	if f.New() {
		in.ContractID = laurel.Some(f.Contract.ID)
	}
	return in
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. Any other error is
// returned.
func (f *itemForm) showRefused(c *request, err error, title string) (view, error) {
	return c.showRefused(err, "store-item-form", title, func(faults map[string]string, text string) any {
		f.setRefusal(faults, text)
		return f
	})
}

// itemFormOfPath returns the form of the item whose id is in the path. Without an id there, it returns that of a new
// item of the contract in the path.
func (c *request) itemFormOfPath() (*itemForm, error) {
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

const newItemTitle = "New item"

// newItemPage shows the form of a new item.
func newItemPage(c *request) (view, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return view{}, err
	}
	return pageView("store-item-form", newItemTitle, f)
}

// createItem creates an item of a minting contract from the posted form. A refused form is shown again.
func createItem(c *request) (view, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return view{}, err
	}
	f.readPosted(c)
	var faults laurel.Faults
	in := f.serviceInput(nil, &faults)
	var made minting.Asset
	if err = faults.Err(); err == nil {
		made, err = c.d.Minting.CreateAsset(c.Context(), c.scope, in)
	}
	if err != nil {
		return f.showRefused(c, err, newItemTitle)
	}
	return c.redirect(c.sitePath("store", f.Contract.ID, "items", made.ID), "Item created.")
}

// itemSettingsPage shows the form with the settings of an item.
func itemSettingsPage(c *request) (view, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return view{}, err
	}
	return pageView("store-item-form", f.Item.Name+", settings", f)
}

// saveItem saves the settings of an item. If someone else has saved other values since the form was opened, nothing is
// written and the conflicts are shown.
func saveItem(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	f, err := c.itemFormOfPath()
	if err != nil {
		return view{}, err
	}
	title, saved := f.Item.Name+", settings", itemTexts(f.Item)
	f.readPosted(c)
	if f.findConflicts(c.PostForm, saved, itemFields) {
		return refusedView("store-item-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.d.Minting.UpdateAsset(c.Context(), c.scope, f.Item.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	return c.redirect(c.sitePath("store", f.Contract.ID, "items", f.Item.ID),
		"Changes saved. They apply from the next purchase.")
}

// uploadItemPicture stores an uploaded picture and puts its address into the form, with everything else as it was
// typed. The item changes only when the form is saved.
func uploadItemPicture(c *request) (view, error) {
	f, err := c.itemFormOfPath()
	if err != nil {
		return view{}, err
	}
	title := newItemTitle
	if !f.New() {
		title = f.Item.Name + ", settings"
	}
	address, uploadErr := c.storePicture()
	f.readPosted(c)
	f.BaseVersion = cmp.Or(c.PostFormValue(baseVersionField), f.BaseVersion)
	if uploadErr != nil {
		return f.showRefused(c, uploadErr, title)
	}
	f.Input["imageUrl"], f.UploadNotice = address, pictureUploadedNotice
	return pageView("store-item-form", title, f)
}

// offeredItems returns the items that the form of an auction offers: the newest items of a contract, including hidden
// ones, at most maxOfferedItems, and in addition the item with the id extra if it is older. Without an extra id, or if
// its item is deleted, it adds none.
func (c *request) offeredItems(contract, extra laurel.ID) ([]minting.Asset, error) {
	f := minting.AssetFilter{ContractIDs: []laurel.ID{contract}, WithHidden: true}
	list, err := c.d.Minting.Assets(c.Context(), c.scope, f, laurel.PageRequest{Limit: maxOfferedItems})
	if err != nil {
		return nil, err
	}
	isExtra := func(a minting.Asset) bool { return a.ID == extra }
	if extra.IsZero() || slices.ContainsFunc(list.Data, isExtra) {
		return list.Data, nil
	}
	item, err := c.d.Minting.Asset(c.Context(), c.scope, extra)
	if laurel.CodeOf(err) == laurel.NotFound {
		return list.Data, nil
	}
	return append(list.Data, item), err
}

// maxOfferedItems bounds the items in the form of an auction. The page of an older item leads to an auction of it.
const maxOfferedItems = 200
