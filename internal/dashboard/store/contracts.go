package store

import (
	"fmt"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

var storeRoutes = []route{
	web.Get("/store", admins.SeeProgram, "store", contractsPage),
	web.Get("/store/contracts.csv", admins.SeeProgram, "store", exportContracts),
	web.Get("/store/new", admins.ChangeProgram, "store", contractFormPage),
	web.Post("/store", admins.ChangeProgram, "store", "created a minting contract", web.Idempotent(createContract)),
	web.Post("/store/upload", admins.ChangeProgram, "store",
		"uploaded a picture for a minting contract", uploadContractPicture),
	web.Get("/store/{contract}", admins.SeeProgram, "store", contractPage),
	web.Get("/store/{contract}/items.csv", admins.SeeProgram, "store", exportItems),
	web.Get("/store/{contract}/settings", admins.ChangeProgram, "store", contractFormPage),
	web.Post("/store/{contract}/settings", admins.ChangeProgram, "store",
		"changed a minting contract", saveContract),
	web.Post("/store/{contract}/upload", admins.ChangeProgram, "store",
		"uploaded a picture for a minting contract", uploadContractPicture),
	web.Get("/store/{contract}/delete", admins.ChangeProgram, "store", confirmDeleteContract),
	web.Post("/store/{contract}/delete", admins.ChangeProgram, "store",
		"deleted a minting contract", deleteContract),
	web.Get("/store/{contract}/items/new", admins.ChangeProgram, "store", itemFormPage),
	web.Post("/store/{contract}/items", admins.ChangeProgram, "store", "created an item", web.Idempotent(createItem)),
	web.Post("/store/{contract}/items/upload", admins.ChangeProgram, "store",
		"uploaded a picture for an item", uploadItemPicture),
	web.Get("/store/{contract}/items/{item}", admins.SeeProgram, "store", itemPage),
	web.Get("/store/{contract}/items/{item}/mints.csv", admins.SeeMembers, "store", exportMints),
	web.Get("/store/{contract}/items/{item}/settings", admins.ChangeProgram, "store", itemFormPage),
	web.Post("/store/{contract}/items/{item}/settings", admins.ChangeProgram, "store", "changed an item", saveItem),
	web.Post("/store/{contract}/items/{item}/upload", admins.ChangeProgram, "store",
		"uploaded a picture for an item", uploadItemPicture),
	web.Get("/store/{contract}/items/{item}/delete", admins.ChangeProgram, "store", confirmDeleteItem),
	web.Post("/store/{contract}/items/{item}/delete", admins.ChangeProgram, "store", "deleted an item", deleteItem),
	web.Get("/store/{contract}/items/{item}/allowlist", admins.SeeMembers, "store", allowlistPage),
	web.Get("/store/{contract}/items/{item}/allowlist.csv", admins.SeeMembers, "store", exportAllowlist),
	web.Post("/store/{contract}/items/{item}/allowlist", admins.ChangeProgram, "store",
		"changed the allowlist of an item", allowWallet),
}

// contractRow is a minting contract with the numbers of its items and mints.
type contractRow struct {
	minting.Contract
	Totals minting.AssetSummary
}

// OnChain reports whether the operator's driver mints its items on a blockchain.
func (r contractRow) OnChain() bool { return r.Kind == minting.Onchain }

type contractsData struct {
	Rows  []contractRow
	Pager web.Pager
}

func contractID(m minting.Contract) laurel.ID { return m.ID }

func (c *call) listContracts(page laurel.PageRequest) (laurel.Page[minting.Contract], error) {
	return c.Minting.Contracts(c.Context(), c.Scope, minting.ContractFilter{}, page)
}

// contractsPage shows a page of the website's minting contracts.
func contractsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.listContracts(page)
	if err != nil {
		return web.View{}, err
	}
	data := contractsData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, contractID))}
	if data.Rows, err = c.contractRows(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("store", "Catalogue", data)
}

// contractRows adds to each minting contract how many items it has, how many are listed, and how many were minted.
func (c *call) contractRows(list []minting.Contract) ([]contractRow, error) {
	summaries, err := c.Minting.AssetSummaries(c.Context(), c.Scope, web.UniqueIDs(list, contractID))
	out := make([]contractRow, len(list))
	for i, contract := range list {
		out[i] = contractRow{contract, summaries[contract.ID]}
	}
	return out, err
}

// exportContracts exports the minting contracts with the numbers of their items and mints as CSV.
func exportContracts(c *call) (web.View, error) {
	rows := func(list []minting.Contract) ([][]string, error) {
		found, err := c.contractRows(list)
		return web.CellRows(found, func(r contractRow) []string {
			return []string{
				web.IdCell(r.ID), r.Name, r.Kind, web.TextCell(r.Network), web.TextCell(r.Address), strconv.FormatBool(r.IsListed),
				strconv.FormatInt(r.Totals.Assets, 10), strconv.FormatInt(r.Totals.Listed, 10),
				strconv.FormatInt(r.Totals.Minted, 10),
				web.TimeCell(r.CreatedAt), web.TimeCell(r.UpdatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "kind", "network", "address", "listed", "items", "itemsListed", "minted", "made", "changed",
	}
	return web.ExportCSV("contracts.csv", head, web.PagedRows(c.listContracts, contractID, rows))
}

// getContract returns the minting contract whose id is in the path. A malformed or unknown id is not found.
func (c *call) getContract() (contractRow, error) {
	id, err := c.PathID("contract", "Minting contract")
	if err != nil {
		return contractRow{}, err
	}
	contract, err := c.Minting.Contract(c.Context(), c.Scope, id)
	if err != nil {
		return contractRow{}, err
	}
	rows, err := c.contractRows([]minting.Contract{contract})
	return rows[0], err
}

// itemTab narrows the items of a contract.
type itemTab struct {
	Name, Label string
	filter      minting.AssetFilter
}

var (
	unlisted = false
	itemTabs = []itemTab{
		{"", "All", minting.AssetFilter{}},
		{"sale", "On sale", minting.AssetFilter{Active: true}},
		{"unlisted", "Not listed", minting.AssetFilter{Listed: &unlisted}},
		{"over", "Ended", minting.AssetFilter{Past: true}},
	}
)

// contractData is the data of the page of a contract.
type contractData struct {
	Contract contractRow
	Badges   []string // that open its gate
	Tabs     []itemTab
	Tab      itemTab
	Items    []itemRow
	Pager    web.Pager
}

// itemRow is an item with its price, stock and state.
type itemRow struct {
	minting.Asset
	Unit  string // of the price
	Stock itemStock
	State string
}

func assetID(a minting.Asset) laurel.ID { return a.ID }

// contractItems returns the tab that the query names, or the first one, and a function that lists a page of its items,
// newest first. Hidden items are included.
func (c *call) contractItems(
	contract laurel.ID,
) (tab itemTab, list func(laurel.PageRequest) (laurel.Page[minting.Asset], error)) {
	tab = itemTabs[0]
	for _, candidate := range itemTabs {
		if candidate.Name == c.URL.Query().Get("tab") {
			tab = candidate
		}
	}
	filter := tab.filter
	filter.ContractIDs, filter.WithHidden = []laurel.ID{contract}, true
	return tab, func(page laurel.PageRequest) (laurel.Page[minting.Asset], error) {
		return c.Minting.Assets(c.Context(), c.Scope, filter, page)
	}
}

// contractPage shows a minting contract with a page of its items and the badges that allow buying them.
func contractPage(c *call) (web.View, error) {
	contract, err := c.getContract()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	data := contractData{Contract: contract, Tabs: itemTabs}
	tab, listItems := c.contractItems(contract.ID)
	list, err := listItems(page)
	if err != nil {
		return web.View{}, err
	}
	data.Tab, data.Pager = tab, c.Pager(page, list.HasNextPage, web.LastID(list, assetID))
	if data.Items, err = c.itemRows(contract.Contract, list.Data); err != nil {
		return web.View{}, err
	}
	names, err := c.Report.BadgeNames(c.Context(), c.Scope, contract.BadgeIDs)
	for _, id := range contract.BadgeIDs {
		data.Badges = append(data.Badges, parts.NameOrID(names, id))
	}
	if err != nil {
		return web.View{}, err
	}
	return web.Show("store-contract", contract.Name+", contract", data)
}

// itemRows adds to each item of a contract the unit of its price, its stock and its state.
func (c *call) itemRows(contract minting.Contract, list []minting.Asset) ([]itemRow, error) {
	names, err := c.CurrencyNames(web.UniqueIDs(list, func(item minting.Asset) laurel.ID { return item.CurrencyID.ID }))
	out := make([]itemRow, len(list))
	for i, item := range list {
		out[i] = itemRow{item, priceUnit(contract, item, names), newStock(item), c.itemState(contract, item)}
	}
	return out, err
}

// priceUnit returns what stands behind an item's price: the name of its currency, "of" and the address of its token, or
// "on" and the blockchain whose coin it is paid in. It is empty if none of them is set.
func priceUnit(contract minting.Contract, item minting.Asset, names map[laurel.ID]string) string {
	switch {
	case !item.CurrencyID.IsZero():
		return parts.NameOrID(names, item.CurrencyID.ID)
	case item.CurrencyAddress != nil:
		return "of " + web.Shorten(*item.CurrencyAddress)
	case contract.Network != nil:
		return "on " + *contract.Network
	}
	return ""
}

// Cost puts the price in words.
func (i itemRow) Cost() string {
	if i.Price == 0 {
		return "Free"
	}
	return strings.TrimSpace(web.Number(i.Price) + " " + i.Unit)
}

// The states of an item, as buyers see it.
const (
	itemUnlisted = "unlisted"
	itemWaiting  = "waiting"
	itemOver     = "over"
	itemSoldOut  = "sold out"
	itemOnSale   = "on sale"
)

// itemState returns whether an item can be bought now, and if not, why: itemOnSale or another of the states. The
// service decides again on each purchase.
func (c *call) itemState(contract minting.Contract, item minting.Asset) string {
	now := c.Now()
	switch {
	case !item.IsListed || !contract.IsListed:
		return itemUnlisted
	case !item.ListingStartsAt.IsZero() && now.Before(item.ListingStartsAt.Time):
		return itemWaiting
	case !item.ListingEndsAt.IsZero() && !now.Before(item.ListingEndsAt.Time):
		return itemOver
	case !item.Unlimited && newStock(item).Left <= 0:
		return itemSoldOut
	}
	return itemOnSale
}

// itemStock is the minted, reserved and remaining quantity of an item, drawn as a bar.
type itemStock struct {
	Minted, Reserved, Left int64
	Unlimited              bool
	// MintedWidth and ReservedWidth are in percent of the bar. Both parts begin at its left end, and the minted part
	// covers the reserved one, so ReservedWidth includes MintedWidth.
	MintedWidth, ReservedWidth string
}

// newStock returns the quantities of an item, with the widths of the bar that draws them.
func newStock(item minting.Asset) itemStock {
	stock := itemStock{Minted: item.Minted, Reserved: item.Reserved, Unlimited: item.Unlimited}
	stock.Left = max(0, item.Quantity-item.Minted-item.Reserved)
	total := float64(max(item.Quantity, item.Minted+item.Reserved, 1))
	stock.MintedWidth = web.Decimal(float64(item.Minted)/total*100) + "%"
	stock.ReservedWidth = web.Decimal(float64(item.Minted+item.Reserved)/total*100) + "%"
	return stock
}

// Words returns the quantities in words, such as "3 minted, 1 reserved, 6 left".
func (s itemStock) Words() string {
	text := web.Number(s.Minted) + " minted"
	if s.Reserved > 0 {
		text += ", " + web.Number(s.Reserved) + " reserved"
	}
	if s.Unlimited {
		return text + ", no limit"
	}
	return text + ", " + web.Number(s.Left) + " left"
}

// exportItems exports a contract's items as CSV: those of the tab that the query names, as on the page.
func exportItems(c *call) (web.View, error) {
	contract, err := c.getContract()
	if err != nil {
		return web.View{}, err
	}
	_, listItems := c.contractItems(contract.ID)
	rows := func(list []minting.Asset) ([][]string, error) {
		found, err := c.itemRows(contract.Contract, list)
		return web.CellRows(found, func(i itemRow) []string {
			return []string{
				web.IdCell(i.ID), strconv.FormatInt(i.Nr, 10), i.Name, i.State, i.Price.String(), web.IdCell(i.CurrencyID.ID),
				strconv.FormatInt(i.Minted, 10), strconv.FormatInt(i.Reserved, 10), strconv.FormatInt(i.Quantity, 10),
				strconv.FormatBool(i.Unlimited), strconv.FormatBool(i.IsHidden), strconv.FormatBool(i.IsAllowlisted),
				web.TimeCell(i.ListingStartsAt), web.TimeCell(i.ListingEndsAt), web.TimeCell(i.CreatedAt),
			}
		}), err
	}
	head := []string{
		"id", "number", "name", "state", "price", "loyaltyCurrencyId", "minted", "reserved", "quantity", "unlimited", "hidden",
		"allowlisted", "starts", "ends", "made",
	}
	return web.ExportCSV("items-"+contract.ID.String()+".csv", head, web.PagedRows(listItems, assetID, rows))
}

// confirmDeleteContract shows the page that asks before a minting contract is deleted.
func confirmDeleteContract(c *call) (web.View, error) {
	contract, err := c.getContract()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("store-contract-delete", "Delete "+contract.Name+"?", contract)
}

// deleteContract deletes a minting contract with its items. Members keep what they have minted.
func deleteContract(c *call) (web.View, error) {
	contract, err := c.getContract()
	if err == nil {
		_, err = c.Minting.DeleteContract(c.Context(), c.Scope, contract.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("store"),
		fmt.Sprintf("%s and its items were deleted. Members keep the items they have.", contract.Name))
}
