package store

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
)

// auctionForm is the form of a new auction, and of the settings of one.
type auctionForm struct {
	form.State
	Auction    auctionRow // without id: a new one
	Contracts  []minting.Contract
	Contract   minting.Contract // of the items; zero: it is to be chosen
	Items      []auctionItem
	Offered    []minting.Asset
	Currencies []web.Choice
}

// New reports whether the auction is a new one.
func (f *auctionForm) New() bool { return f.Auction.ID.IsZero() }

// Types are the types to choose from.
func (*auctionForm) Types() []auctionType { return auctionTypes }

// Rising reports whether the fields of auctions with open bids apply.
func (f *auctionForm) Rising() bool { return f.New() || f.Auction.Rising() }

// TimesEditable reports whether start and end can be changed: only before the first bid.
func (f *auctionForm) TimesEditable() bool { return f.Auction.Bids == 0 }

// Full reports whether there is no room for another item.
func (f *auctionForm) Full() bool { return len(f.Items) >= maxWinners || len(f.Offered) == 0 }

// auctionItem is an item of a new auction in the form.
type auctionItem struct {
	At              int
	Asset, Quantity string
}

// Path is where faults of a property of the item are noted.
func (i auctionItem) Path(property string) string {
	return "auctionItems." + strconv.Itoa(i.At) + "." + property
}

// auctionTable has the settings of an auction.
var auctionTable = form.NewTable[auctions.Auction, auctions.Patch](form.Fields(
	"name", "Name", "description", "Description", "startsAt", "Starts", "endsAt", "Ends",
	"minBidAmount", "Lowest bid", "minBidIncrement", "Minimum increase", "reservePrice", "Reserve price",
	"extendedDurationInSeconds", "Extension, seconds", "hideBids", "Keep bids hidden",
))

// auctionCreationFields are those of a new auction alone.
var auctionCreationFields = form.Fields("type", "Type", "loyaltyCurrencyId", "Currency")

// newAuctionForm returns the form of a new auction with its defaults and choices. contract and item are ids from the
// request, or empty. The items of an auction come from one minting contract: that of item, else the only one of the
// website, else contract. Without any, the form's Contract stays zero and the admin has to choose one.
func (c *call) newAuctionForm(contract, item string) (*auctionForm, error) {
	f := &auctionForm{Items: []auctionItem{{Asset: item, Quantity: "1"}}}
	list, err := c.listContracts(laurel.PageRequest{Limit: maxOfferedItems})
	if err != nil {
		return nil, err
	}
	f.Contracts = list.Data
	id, _ := laurel.ParseID(contract)
	if len(list.Data) == 1 {
		id = list.Data[0].ID
	}
	itemID, _ := laurel.ParseID(item)
	if !itemID.IsZero() {
		asset, err := c.Minting.Asset(c.Context(), c.Scope, itemID)
		if err != nil {
			return nil, err
		}
		id = asset.ContractID
	}
	if id.IsZero() {
		return f, nil
	}
	if f.Contract, err = c.Minting.Contract(c.Context(), c.Scope, id); err != nil {
		return nil, err
	}
	if f.Offered, err = c.offeredItems(id, itemID); err != nil {
		return nil, err
	}
	currencies, err := c.ReadCurrencies()
	for _, currency := range currencies.Live {
		if currency.API.PostURL == nil { // bids need a balance that this server keeps
			f.Currencies = append(f.Currencies, web.Choice{Value: currency.ID.String(), Label: currency.Name})
		}
	}
	now := c.Now().UTC()
	f.Input = map[string]string{
		"type": auctions.English, "startsAt": now.Format(form.DateTimeLayout), "endsAt": now.AddDate(0, 0, 1).Format(form.DateTimeLayout),
		"extendedDurationInSeconds": "60",
	}
	if len(f.Currencies) > 0 {
		f.Input["loyaltyCurrencyId"] = f.Currencies[0].Value
	}
	return f, err
}

// newAuctionPage shows the form of a new auction. If it is not known yet which minting contract its items come from, it
// shows a page that asks for that first.
func newAuctionPage(c *call) (web.View, error) {
	query := c.URL.Query()
	f, err := c.newAuctionForm(query.Get("contract"), query.Get("item"))
	if err != nil {
		return web.View{}, err
	}
	if f.Contract.ID.IsZero() {
		return web.Show("auction-choose", newAuctionTitle, f)
	}
	return web.Show("auction-form", newAuctionTitle, f)
}

const newAuctionTitle = "New auction"

// readPosted reads the posted form into f. redraw reports whether the form was sent only to add or remove an item: it
// is then shown again and not saved.
func (f *auctionForm) readPosted(c *call) (redraw bool) {
	f.Input, f.Items = form.Typed(c.PostForm, slices.Concat(auctionTable.Fields, auctionCreationFields)), nil
	drop := c.PostFormValue("drop")
	for i := range maxWinners {
		posted := auctionItem{At: i}
		if !c.PostForm.Has(posted.Path("quantity")) || drop == strconv.Itoa(i) {
			continue
		}
		f.Items = append(f.Items, auctionItem{
			At: len(f.Items), Asset: c.PostFormValue(posted.Path("mintingContractAssetId")),
			Quantity: strings.TrimSpace(c.PostFormValue(posted.Path("quantity"))),
		})
	}
	adds := c.PostFormValue("add") == "item" && len(f.Items) < maxWinners
	if adds {
		f.Items = append(f.Items, auctionItem{At: len(f.Items), Quantity: "1"})
	}
	return adds || drop != ""
}

// serviceInput returns the auction as the service is to save it: all fields of a new auction, or those of an existing
// one that differ from saved. Malformed values are added to faults.
func (f *auctionForm) serviceInput(saved map[string]string, faults *laurel.Faults) auctions.Patch {
	changes := form.Changes{Saved: saved, Typed: f.Input, Faults: faults}
	in := auctionTable.Input(changes)
	if f.New() {
		in = in.With("type", changes.TextOrNull("type")).With("loyaltyCurrencyId", changes.ID("loyaltyCurrencyId")).
			With("mintingContractId", f.Contract.ID)
		if f.Input["type"] != auctions.English { // only auctions with open bids have these
			in = in.With("minBidIncrement", nil).With("extendedDurationInSeconds", nil)
		}
	}
	return in
}

// itemInputs returns the items of the form for the service. Malformed quantities are added to faults. A malformed item
// id becomes the zero id, which the service refuses.
func itemInputs(lines []auctionItem, faults *laurel.Faults) []auctions.NewAuctionItem {
	out := make([]auctions.NewAuctionItem, len(lines))
	for i, l := range lines {
		id, _ := laurel.ParseID(l.Asset) // the service refuses the zero id
		out[i] = auctions.NewAuctionItem{AssetID: id, Quantity: parseQuantity(l.Quantity, l.Path("quantity"), faults)}
	}
	return out
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. Any other error is
// returned.
func (f *auctionForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "auction-form", title, func(r web.Refusal) any { f.Refusal = r; return f })
}

// createAuction creates an auction from the posted form. A form that was sent only to add or remove an item, or that is
// refused, is shown again.
func createAuction(c *call) (web.View, error) {
	f, err := c.newAuctionForm(c.PostFormValue("contract"), "")
	if err == nil && f.Contract.ID.IsZero() {
		err = laurel.Missing("Minting contract")
	}
	if err != nil {
		return web.View{}, err
	}
	if f.readPosted(c) {
		return web.Show("auction-form", newAuctionTitle, f)
	}
	if err := c.offerChosenItems(f); err != nil {
		return web.View{}, err
	}
	var faults laurel.Faults
	in, items := f.serviceInput(nil, &faults), itemInputs(f.Items, &faults)
	var made auctions.Auction
	if err = faults.Err(); err == nil {
		made, err = c.Auctions.Create(c.Context(), c.Scope.At(c.Site.ID), in, items)
	}
	if err != nil {
		return f.showRefused(c, err, newAuctionTitle)
	}
	notice := "Auction created."
	if made.StartsAt.After(c.Now()) {
		notice += " Members can bid from its start time."
	} else {
		notice += " Members can bid now."
	}
	return c.Redirect(c.SitePath("auctions", made.ID), notice)
}

// offerChosenItems adds to f.Offered the chosen items that it does not list yet, so that a form that is shown again
// still offers them.
func (c *call) offerChosenItems(f *auctionForm) error {
	for _, line := range f.Items {
		id, err := laurel.ParseID(line.Asset)
		if err != nil || slices.ContainsFunc(f.Offered, func(a minting.Asset) bool { return a.ID == id }) {
			continue
		}
		found, err := c.Minting.AssetsByID(c.Context(), c.Scope.At(c.Site.ID), []laurel.ID{id})
		if err != nil {
			return err
		}
		for _, a := range found {
			if a.DeletedAt.IsZero() && a.ContractID == f.Contract.ID {
				f.Offered = append(f.Offered, a)
			}
		}
	}
	return nil
}

// getOpenAuction returns the auction of the path. It is refused if the auction is over.
func (c *call) getOpenAuction() (auctionRow, error) {
	a, err := c.getAuction()
	if err == nil && !a.Open() {
		err = laurel.Errorf(laurel.Refused, "The auction has ended. You can no longer change its settings.")
	}
	return a, err
}

// auctionSettingsPage shows the form with the settings of an auction.
func auctionSettingsPage(c *call) (web.View, error) {
	a, err := c.getOpenAuction()
	if err != nil {
		return web.View{}, err
	}
	f := buildAuctionForm(a)
	return web.Show("auction-form", a.Name+", settings", f)
}

// buildAuctionForm returns the settings form of an auction, filled with the saved values.
func buildAuctionForm(a auctionRow) *auctionForm {
	f := &auctionForm{Auction: a}
	f.Input = auctionTable.Saved(a.Auction)
	f.BaseVersion = form.VersionOf(f.Input)
	return f
}

// saveAuction saves the settings of an auction. Fields that the form did not show keep their values. If someone else
// has saved other values since the form was opened, nothing is written and the conflicts are shown.
func saveAuction(c *call) (web.View, error) {
	a, err := c.getOpenAuction()
	if err != nil {
		return web.View{}, err
	}
	f := buildAuctionForm(a)
	title, saved := a.Name+", settings", f.Input
	f.readPosted(c)
	for _, name := range []string{"startsAt", "endsAt", "minBidIncrement", "extendedDurationInSeconds"} {
		if !c.PostForm.Has(name) { // the form did not show this field
			f.Input[name] = saved[name]
		}
	}
	if f.FindConflicts(c.PostForm, saved, f.Input, auctionTable.Fields) {
		return web.Refused("auction-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Auctions.Update(c.Context(), c.Scope.IfUnchanged(a.ID, a.UpdatedAt.Time), a.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	return c.Redirect(c.SitePath("auctions", a.ID), "Changes saved.")
}
