package dashboard

import (
	"fmt"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/commerce/minting"
	"laurel/internal/report"
)

// itemData is the data of the page of an item, and of the question before it is deleted.
type itemData struct {
	Contract   contractRow
	Item       itemRow
	Mints      []mintRow
	Pager      pager
	Unpaid     bool // some mints are not paid in full
	UnpaidOnly bool // the list has no others
	Auctions   int  // how often it is, or was, an item of one
}

// mintRow is a mint as lists show it.
type mintRow struct {
	minting.Mint
	Who          person
	Cost         string
	UnpaidPoints string // of the cost; empty: none
	UnpaidItems  int64  // that the stock did not have
}

// getItem returns the minting contract and the item whose ids are in the path. An item of another contract is not
// found.
func (c *request) getItem() (d itemData, err error) {
	if d.Contract, err = c.getContract(); err != nil {
		return d, err
	}
	id, err := c.pathID("item", "Asset")
	if err != nil {
		return d, err
	}
	item, err := c.d.Minting.Asset(c.Context(), c.scope, id)
	if err == nil && item.ContractID != d.Contract.ID {
		err = laurel.Missing("Asset")
	}
	if err != nil {
		return d, err
	}
	rows, err := c.itemRows(d.Contract.Contract, []minting.Asset{item})
	d.Item = rows[0]
	return d, err
}

// itemPage shows an item and, to roles that may see members, a page of its mints: all, or the unpaid ones if the query
// says so.
func itemPage(c *request) (view, error) {
	d, err := c.getItem()
	if err != nil {
		return view{}, err
	}
	if err := c.readAuctionsOf(&d); err != nil {
		return view{}, err
	}
	if c.may(admins.SeeMembers) {
		page, err := c.pageRequest()
		if err != nil {
			return view{}, err
		}
		d.UnpaidOnly = c.URL.Query().Has("unpaid")
		list, err := c.itemMints(d.Item.ID, d.UnpaidOnly)(page)
		if err != nil {
			return view{}, err
		}
		unpaidOnly := true
		unpaid, err := c.itemMints(d.Item.ID, unpaidOnly)(laurel.PageRequest{Limit: 1})
		if err != nil {
			return view{}, err
		}
		d.Unpaid = len(unpaid.Data) > 0
		d.Pager = c.pager(page, list.HasNextPage, lastID(list, mintID))
		if d.Mints, err = c.mintRows(list.Data); err != nil {
			return view{}, err
		}
	}
	return pageView("store-item", d.Item.Name+", item", d)
}

// readAuctionsOf counts the auctions that sell or sold the item.
func (c *request) readAuctionsOf(d *itemData) error {
	byAsset, err := c.d.Auctions.ItemsOfAssets(c.Context(), c.scope, []laurel.ID{d.Item.ID})
	d.Auctions = len(byAsset[d.Item.ID])
	return err
}

func mintID(m minting.Mint) laurel.ID { return m.ID }

// itemMints returns a function that lists a page of the mints of an item, newest first. If unpaid is true, it lists
// only those that are not paid in full.
func (c *request) itemMints(asset laurel.ID, unpaid bool) func(laurel.PageRequest) (laurel.Page[minting.Mint], error) {
	f := report.MintFilter{AssetIDs: []laurel.ID{asset}, Unpaid: unpaid}
	return func(page laurel.PageRequest) (laurel.Page[minting.Mint], error) {
		return c.d.Report.Mints(c.Context(), c.scope, f, page)
	}
}

// mintRows returns a table row for each mint: the mint, its member and its cost. A mint that was first reported as
// failed and later as done may be unpaid: then the row also has the points and items that could not be taken from the
// member's balance and the stock any more.
func (c *request) mintRows(list []minting.Mint) ([]mintRow, error) {
	people, err := c.readPeople(uniqueIDs(list, func(mint minting.Mint) laurel.ID { return mint.UserID }))
	if err != nil {
		return nil, err
	}
	names, err := c.currencyNames(uniqueIDs(list, func(mint minting.Mint) laurel.ID { return mint.CurrencyID }))
	if err != nil {
		return nil, err
	}
	out := make([]mintRow, len(list))
	for i, mint := range list {
		row := mintRow{Mint: mint, Who: people[mint.UserID], Cost: "Free", UnpaidItems: mint.Unpaid.Quantity}
		format := func(a laurel.Amount) string { return strings.TrimSpace(number(a) + " " + names[mint.CurrencyID]) }
		amount := mint.Paid.Sum() + mint.Unpaid.Amount // the cost of a mint that was won in an auction and has no price
		if mint.Price != nil {
			amount = *mint.Price
		}
		if amount != 0 {
			row.Cost = format(amount)
		}
		if mint.Unpaid.Amount != 0 {
			row.UnpaidPoints = format(mint.Unpaid.Amount)
		}
		out[i] = row
	}
	return out, nil
}

// exportMints exports all mints of an item as CSV, newest first, with the members who bought them.
func exportMints(c *request) (view, error) {
	d, err := c.getItem()
	if err != nil {
		return view{}, err
	}
	rows := func(list []minting.Mint) ([][]string, error) {
		found, err := c.mintRows(list)
		return cellRows(found, func(m mintRow) []string {
			return []string{
				idCell(m.ID), idCell(m.UserID), m.Who.Name, m.Who.Wallet, strconv.FormatInt(m.Quantity, 10), m.Status,
				amountText(m.Price), m.Paid.Sum().String(), idCell(m.CurrencyID), idCell(m.AuctionID), textCell(m.TxHash),
				textCell(m.ErrorMessage), timeCell(m.CreatedAt), timeCell(m.UpdatedAt), m.Unpaid.Amount.String(),
				strconv.FormatInt(m.UnpaidItems, 10),
			}
		}), err
	}
	head := []string{
		"id", "member", "name", "walletAddress", "quantity", "status", "price", "paid", "loyaltyCurrencyId", "auctionId", "txHash",
		"message", "made", "changed", "unpaid", "unpaidQuantity",
	}
	unpaidOnly := false
	list := pagedRows(c.itemMints(d.Item.ID, unpaidOnly), mintID, rows)
	return exportCSV("mints-"+d.Item.ID.String()+".csv", head, list)
}

// confirmDeleteItem shows the page that asks before an item is deleted.
func confirmDeleteItem(c *request) (view, error) {
	d, err := c.getItem()
	if err != nil {
		return view{}, err
	}
	return pageView("store-item-delete", "Delete "+d.Item.Name+"?", d)
}

// deleteItem deletes an item. Members keep what they have minted.
func deleteItem(c *request) (view, error) {
	d, err := c.getItem()
	if err == nil {
		_, err = c.d.Minting.DeleteAsset(c.Context(), c.scope, d.Item.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("store", d.Contract.ID),
		fmt.Sprintf("%s was deleted. Members keep the ones they have.", d.Item.Name))
}

// allowlistData is the data of the page of an item's allowlist.
type allowlistData struct {
	itemData
	formState
	Entries []minting.AllowEntry
	Pager   pager
}

// readAllowlist reads the item whose id is in the path, with a page of its allowlist.
func (c *request) readAllowlist() (*allowlistData, error) {
	item, err := c.getItem()
	if err != nil {
		return nil, err
	}
	page, err := c.pageRequest()
	if err != nil {
		return nil, err
	}
	list, err := c.allowlistEntries(item.Item.ID)(page)
	if err != nil {
		return nil, err
	}
	pager := c.pager(page, list.HasNextPage, lastID(list, entryID))
	return &allowlistData{itemData: item, Entries: list.Data, Pager: pager}, nil
}

func entryID(e minting.AllowEntry) laurel.ID { return e.ID }

// allowlistEntries returns a function that lists a page of an item's allowlist. Wallets that the role may not see are
// empty.
func (c *request) allowlistEntries(asset laurel.ID) func(laurel.PageRequest) (laurel.Page[minting.AllowEntry], error) {
	return func(page laurel.PageRequest) (laurel.Page[minting.AllowEntry], error) {
		list, err := c.d.Minting.Allowlist(c.Context(), c.scope, asset, "", page)
		for i := range list.Data {
			list.Data[i].Wallet = c.visibleWallet(list.Data[i].Wallet)
		}
		return list, err
	}
}

// exportAllowlist exports the allowlist of an item as CSV.
func exportAllowlist(c *request) (view, error) {
	d, err := c.getItem()
	if err != nil {
		return view{}, err
	}
	head := []string{"id", "walletAddress", "quantity", "minted"}
	return exportCSV("allowlist-"+d.Item.ID.String()+".csv", head, pagedRows(c.allowlistEntries(d.Item.ID), entryID,
		cellsOfEach(func(e minting.AllowEntry) []string {
			return []string{
				idCell(e.ID), e.Wallet, strconv.FormatInt(e.Quantity, 10), strconv.FormatInt(e.Minted, 10),
			}
		})))
}

// allowlistPage shows a page of the allowlist of an item, and the form that adds a wallet.
func allowlistPage(c *request) (view, error) {
	d, err := c.readAllowlist()
	if err != nil {
		return view{}, err
	}
	d.Input = map[string]string{"quantity": "1"}
	return pageView("store-allowlist", "Allowlist for "+d.Item.Name, d)
}

// allowFields are the fields of an allowlist entry.
var allowFields = labeledFields("walletAddress", "Wallet", "quantity", "Limit")

// allowWallet adds a wallet to the allowlist of an item with the quantity that it may mint. If it is on the list
// already, its quantity is changed.
func allowWallet(c *request) (view, error) {
	d, err := c.readAllowlist()
	if err != nil {
		return view{}, err
	}
	d.Input = typedFields(c.PostForm, allowFields)
	var faults laurel.Faults
	quantity := changedFields{nil, d.Input, &faults}.integer("quantity")
	added := int64(0)
	if err = faults.Err(); err == nil {
		entry := minting.AllowEntryInput{Wallet: d.Input["walletAddress"], Quantity: quantity.Ptr()}
		added, err = c.d.Minting.AddToAllowlist(c.Context(), c.scope, d.Item.ID, []minting.AllowEntryInput{entry})
	}
	if err != nil {
		title := "Allowlist for " + d.Item.Name
		return c.showRefused(err, "store-allowlist", title, func(faults map[string]string, text string) any {
			d.setRefusal(map[string]string{}, text)
			for path, fault := range faults {
				d.Faults[strings.TrimPrefix(path, "entries.0.")] = fault
			}
			return d
		})
	}
	notice := "Wallet added to the allowlist."
	if added == 0 {
		notice = "The wallet’s limit was updated."
	}
	return c.redirect(c.sitePath("store", d.Contract.ID, "items", d.Item.ID, "allowlist"), notice)
}
