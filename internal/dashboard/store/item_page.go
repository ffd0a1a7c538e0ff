package store

import (
	"fmt"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
)

// itemData is the data of the page of an item, and of the question before it is deleted.
type itemData struct {
	Contract   contractRow
	Item       itemRow
	Mints      []mintRow
	Pager      web.Pager
	Unpaid     bool // some mints are not paid in full
	UnpaidOnly bool // the list has no others
	Auctions   int  // how often it is, or was, an item of one
}

// mintRow is a mint as lists show it.
type mintRow struct {
	minting.Mint
	Who          parts.Person
	Cost         string
	UnpaidPoints string // of the cost; empty: none
	UnpaidItems  int64  // that the stock did not have
}

// getItem returns the minting contract and the item whose ids are in the path. An item of another contract is not
// found.
func (c *call) getItem() (d itemData, err error) {
	if d.Contract, err = c.getContract(); err != nil {
		return d, err
	}
	id, err := c.PathID("item", "Asset")
	if err != nil {
		return d, err
	}
	item, err := c.Minting.Asset(c.Context(), c.Scope, id)
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
func itemPage(c *call) (web.View, error) {
	d, err := c.getItem()
	if err != nil {
		return web.View{}, err
	}
	if err := c.readAuctionsOf(&d); err != nil {
		return web.View{}, err
	}
	if c.May(admins.SeeMembers) {
		page, err := c.PageRequest()
		if err != nil {
			return web.View{}, err
		}
		d.UnpaidOnly = c.URL.Query().Has("unpaid")
		list, err := c.itemMints(d.Item.ID, d.UnpaidOnly)(page)
		if err != nil {
			return web.View{}, err
		}
		unpaidOnly := true
		unpaid, err := c.itemMints(d.Item.ID, unpaidOnly)(laurel.PageRequest{Limit: 1})
		if err != nil {
			return web.View{}, err
		}
		d.Unpaid = len(unpaid.Data) > 0
		d.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, mintID))
		if d.Mints, err = c.mintRows(list.Data); err != nil {
			return web.View{}, err
		}
	}
	return web.Show("store-item", d.Item.Name+", item", d)
}

// readAuctionsOf counts the auctions that sell or sold the item.
func (c *call) readAuctionsOf(d *itemData) error {
	byAsset, err := c.Auctions.ItemsOfAssets(c.Context(), c.Scope, []laurel.ID{d.Item.ID})
	d.Auctions = len(byAsset[d.Item.ID])
	return err
}

func mintID(m minting.Mint) laurel.ID { return m.ID }

// itemMints returns a function that lists a page of the mints of an item, newest first. If unpaid is true, it lists
// only those that are not paid in full.
func (c *call) itemMints(asset laurel.ID, unpaid bool) func(laurel.PageRequest) (laurel.Page[minting.Mint], error) {
	f := report.MintFilter{AssetIDs: []laurel.ID{asset}, Unpaid: unpaid}
	return func(page laurel.PageRequest) (laurel.Page[minting.Mint], error) {
		return c.Report.Mints(c.Context(), c.Scope, f, page)
	}
}

// mintRows returns a table row for each mint: the mint, its member and its cost. A mint that was first reported as
// failed and later as done may be unpaid: then the row also has the points and items that could not be taken from the
// member's balance and the stock any more.
func (c *call) mintRows(list []minting.Mint) ([]mintRow, error) {
	people, err := c.ReadPeople(web.UniqueIDs(list, func(mint minting.Mint) laurel.ID { return mint.UserID }))
	if err != nil {
		return nil, err
	}
	names, err := c.CurrencyNames(web.UniqueIDs(list, func(mint minting.Mint) laurel.ID { return mint.CurrencyID.ID }))
	if err != nil {
		return nil, err
	}
	out := make([]mintRow, len(list))
	for i, mint := range list {
		row := mintRow{Mint: mint, Who: people[mint.UserID], Cost: "Free", UnpaidItems: mint.UnpaidQuantity}
		format := func(a laurel.Amount) string {
			return strings.TrimSpace(web.Number(a) + " " + names[mint.CurrencyID.ID])
		}
		amount := mint.Paid.Sum() + mint.UnpaidAmount // the cost of a mint that was won in an auction and has no price
		if mint.Price != nil {
			amount = *mint.Price
		}
		if amount != 0 {
			row.Cost = format(amount)
		}
		if mint.UnpaidAmount != 0 {
			row.UnpaidPoints = format(mint.UnpaidAmount)
		}
		out[i] = row
	}
	return out, nil
}

// exportMints exports all mints of an item as CSV, newest first, with the members who bought them.
func exportMints(c *call) (web.View, error) {
	d, err := c.getItem()
	if err != nil {
		return web.View{}, err
	}
	rows := func(list []minting.Mint) ([][]string, error) {
		found, err := c.mintRows(list)
		return web.CellRows(found, func(m mintRow) []string {
			return []string{
				web.IdCell(m.ID), web.IdCell(m.UserID), m.Who.Name, m.Who.Wallet, strconv.FormatInt(m.Quantity, 10), m.Status,
				form.AmountText(m.Price), m.Paid.Sum().String(), web.IdCell(m.CurrencyID.ID), web.IdCell(m.AuctionID.ID),
				web.TextCell(m.TxHash),
				web.TextCell(m.ErrorMessage), web.TimeCell(m.CreatedAt), web.TimeCell(m.UpdatedAt), m.UnpaidAmount.String(),
				strconv.FormatInt(m.UnpaidItems, 10),
			}
		}), err
	}
	head := []string{
		"id", "member", "name", "walletAddress", "quantity", "status", "price", "paid", "loyaltyCurrencyId", "auctionId", "txHash",
		"message", "made", "changed", "unpaid", "unpaidQuantity",
	}
	unpaidOnly := false
	list := web.PagedRows(c.itemMints(d.Item.ID, unpaidOnly), mintID, rows)
	return web.ExportCSV("mints-"+d.Item.ID.String()+".csv", head, list)
}

// confirmDeleteItem shows the page that asks before an item is deleted.
func confirmDeleteItem(c *call) (web.View, error) {
	d, err := c.getItem()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("store-item-delete", "Delete "+d.Item.Name+"?", d)
}

// deleteItem deletes an item. Members keep what they have minted.
func deleteItem(c *call) (web.View, error) {
	d, err := c.getItem()
	if err == nil {
		_, err = c.Minting.DeleteAsset(c.Context(), c.Scope, d.Item.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("store", d.Contract.ID),
		fmt.Sprintf("%s was deleted. Members keep the ones they have.", d.Item.Name))
}

// allowlistData is the data of the page of an item's allowlist.
type allowlistData struct {
	itemData
	form.State
	Entries []minting.AllowEntry
	Pager   web.Pager
}

// readAllowlist reads the item whose id is in the path, with a page of its allowlist.
func (c *call) readAllowlist() (*allowlistData, error) {
	item, err := c.getItem()
	if err != nil {
		return nil, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return nil, err
	}
	list, err := c.allowlistEntries(item.Item.ID)(page)
	if err != nil {
		return nil, err
	}
	pager := c.Pager(page, list.HasNextPage, web.LastID(list, entryID))
	return &allowlistData{itemData: item, Entries: list.Data, Pager: pager}, nil
}

func entryID(e minting.AllowEntry) laurel.ID { return e.ID }

// allowlistEntries returns a function that lists a page of an item's allowlist. Wallets that the role may not see are
// empty.
func (c *call) allowlistEntries(asset laurel.ID) func(laurel.PageRequest) (laurel.Page[minting.AllowEntry], error) {
	return func(page laurel.PageRequest) (laurel.Page[minting.AllowEntry], error) {
		list, err := c.Minting.Allowlist(c.Context(), c.Scope, asset, "", page)
		for i := range list.Data {
			list.Data[i].Wallet = c.VisibleWallet(list.Data[i].Wallet)
		}
		return list, err
	}
}

// exportAllowlist exports the allowlist of an item as CSV.
func exportAllowlist(c *call) (web.View, error) {
	d, err := c.getItem()
	if err != nil {
		return web.View{}, err
	}
	head := []string{"id", "walletAddress", "quantity", "minted"}
	return web.ExportCSV("allowlist-"+d.Item.ID.String()+".csv", head, web.PagedRows(c.allowlistEntries(d.Item.ID), entryID,
		web.CellsOfEach(func(e minting.AllowEntry) []string {
			return []string{
				web.IdCell(e.ID), e.Wallet, strconv.FormatInt(e.Quantity, 10), strconv.FormatInt(e.Minted, 10),
			}
		})))
}

// allowlistPage shows a page of the allowlist of an item, and the form that adds a wallet.
func allowlistPage(c *call) (web.View, error) {
	d, err := c.readAllowlist()
	if err != nil {
		return web.View{}, err
	}
	d.Input = map[string]string{"quantity": "1"}
	return web.Show("store-allowlist", "Allowlist for "+d.Item.Name, d)
}

// allowFields are the fields of an allowlist entry.
var allowFields = form.Fields("walletAddress", "Wallet", "quantity", "Limit")

// allowWallet adds a wallet to the allowlist of an item with the quantity that it may mint. If it is on the list
// already, its quantity is changed.
func allowWallet(c *call) (web.View, error) {
	d, err := c.readAllowlist()
	if err != nil {
		return web.View{}, err
	}
	d.Input = form.Typed(c.PostForm, allowFields)
	var faults laurel.Faults
	quantity := form.Changes{Saved: nil, Typed: d.Input, Faults: &faults}.Integer("quantity")
	added := int64(0)
	if err = faults.Err(); err == nil {
		entry := minting.AllowEntryInput{Wallet: d.Input["walletAddress"], Quantity: quantity.Ptr()}
		added, err = c.Minting.AddToAllowlist(c.Context(), c.Scope, d.Item.ID, []minting.AllowEntryInput{entry})
	}
	if err != nil {
		title := "Allowlist for " + d.Item.Name
		return c.ShowRefused(err, "store-allowlist", title, func(refusal web.Refusal) any {
			d.Refusal = web.Refusal{Faults: map[string]string{}, Error: refusal.Error}
			for path, fault := range refusal.Faults {
				d.Faults[strings.TrimPrefix(path, "entries.0.")] = fault
			}
			return d
		})
	}
	notice := "Wallet added to the allowlist."
	if added == 0 {
		notice = "The wallet’s limit was updated."
	}
	return c.Redirect(c.SitePath("store", d.Contract.ID, "items", d.Item.ID, "allowlist"), notice)
}
