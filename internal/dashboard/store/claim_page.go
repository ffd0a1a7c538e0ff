package store

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

// claimData is the data of the page of a token claim.
type claimData struct {
	web.Refusal
	claimRow
	Job         *claims.Job
	ClaimedOnly bool // the list shows those alone that have claimed
	Rows        []allocationRow
	Pager       web.Pager
	WalletQuery string // the wallet that is looked up; empty: none
	Found       *walletLookup
}

// Polls reports whether the list is being read.
func (d claimData) Polls() bool { return d.Job != nil && d.Job.IsOpen() }

// Frozen reports whether the list cannot be replaced any more.
func (d claimData) Frozen() bool { return d.ClaimedWallets > 0 }

// allocationRow is a wallet of a token claim with its member.
type allocationRow struct {
	claims.Allocation
	Text string       // the amount
	Who  parts.Person // without id: no member
}

// walletLookup is the allocation of the wallet that was looked up, with its proof.
type walletLookup struct {
	allocationRow
	Eligible bool
	Proof    []string
}

// Why returns why the wallet that was looked up cannot claim now. It is called only for wallets that cannot.
func (d claimData) Why() string {
	switch {
	case d.Found.Units.Sign() == 0:
		return "This wallet isn’t on the list."
	case !d.Found.ClaimedAt.IsZero():
		return "This wallet has already claimed."
	case d.State == claimDraft:
		return "The token claim is still a draft."
	case d.State == claimScheduled:
		return "The token claim hasn’t opened yet."
	}
	return "The token claim has closed."
}

// claimPage shows a token claim with a page of its wallets. If the query has a wallet, it also shows what that wallet
// may claim.
func claimPage(c *call) (web.View, error) {
	t, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	data, err := c.readClaimData(t)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("claim", t.Name+", token claim", data)
}

// readClaimData reads what the page of a token claim shows: its import, a page of its wallets, and the wallet that is
// looked up.
func (c *call) readClaimData(claim claimRow) (claimData, error) {
	data := claimData{claimRow: claim, ClaimedOnly: c.URL.Query().Get("tab") != "all"}
	var err error
	scope := c.Scope.At(c.Site.ID)
	if data.TokenClaim, data.Job, err = c.Claims.WithJob(c.Context(), scope, claim.TokenClaim); err != nil {
		return data, err
	}
	data.State = claimState(data.TokenClaim, c.Now())
	if err := c.readAllocations(&data); err != nil {
		return data, err
	}
	data.WalletQuery = strings.TrimSpace(c.URL.Query().Get("wallet"))
	err = c.lookUpWallet(&data)
	return data, err
}

// readAllocations reads a page of the claim's wallets: those that have claimed, or all.
func (c *call) readAllocations(d *claimData) error {
	page, err := c.PageRequest()
	if err != nil {
		return err
	}
	page.Limit = web.SideListLimit
	list, err := c.allocations(d.ID, d.ClaimedOnly)(page)
	if err != nil {
		return err
	}
	d.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, allocationID))
	d.Rows, err = c.allocationRows(d.TokenClaim, list.Data)
	return err
}

func allocationID(a claims.Allocation) laurel.ID { return a.ID }

// allocations returns a function that lists a page of a token claim's wallets: if claimed is true, those that have
// claimed, latest first; otherwise all, by amount.
func (c *call) allocations(
	claim laurel.ID, claimed bool,
) func(laurel.PageRequest) (laurel.Page[claims.Allocation], error) {
	filter := claims.UserFilter{}
	if claimed {
		filter = claims.UserFilter{SortBy: "claimedAt", ClaimedOnly: true}
	}
	return func(page laurel.PageRequest) (laurel.Page[claims.Allocation], error) {
		_, list, err := c.Claims.Users(c.Context(), c.Scope.At(c.Site.ID), claim, filter, page)
		return list, err
	}
}

// allocationRows adds to each wallet its amount in units of the token, and the member whose wallet it is.
func (c *call) allocationRows(claim claims.TokenClaim, list []claims.Allocation) ([]allocationRow, error) {
	wallets := make([]string, len(list))
	for i, a := range list {
		wallets[i] = a.Wallet
	}
	users, err := c.Identity.UsersOfWallets(c.Context(), c.Scope.At(c.Site.ID), wallets)
	if err != nil {
		return nil, err
	}
	var ids []laurel.ID
	for _, id := range users {
		ids = append(ids, id)
	}
	people, err := c.ReadPeople(ids)
	out := make([]allocationRow, len(list))
	for i, a := range list {
		out[i] = allocationRow{a, claim.Amount(a.Units), people[users[a.Wallet]]}
	}
	return out, err
}

// lookUpWallet reads the allocation and the proof of the wallet in the query. Without one it reads nothing. A wallet
// that is not on the list has no proof.
func (c *call) lookUpWallet(d *claimData) error {
	if d.WalletQuery == "" {
		return nil
	}
	scope := c.Scope.At(c.Site.ID)
	claim, allocation, err := c.Claims.Allocation(c.Context(), scope, d.ID, d.WalletQuery)
	if err != nil {
		return err
	}
	const country = "" // unknown, so that blocked countries do not count
	found := walletLookup{Eligible: c.Claims.IsEligible(c.Context(), scope, claim, allocation, country)}
	if allocation.Units.Sign() > 0 {
		if found.Proof, err = c.Claims.Proof(c.Context(), scope, claim, allocation); err != nil {
			return err
		}
	}
	rows, err := c.allocationRows(claim, []claims.Allocation{allocation})
	if err != nil {
		return err
	}
	found.allocationRow, d.Found = rows[0], &found
	return nil
}

// exportClaimWallets exports the wallets of the page's tab with their amounts and claims as CSV.
func exportClaimWallets(c *call) (web.View, error) {
	claim, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	head := []string{"walletAddress", "member", "name", "amount", "claimed", "txHash"}
	rows := func(list []claims.Allocation) ([][]string, error) {
		found, err := c.allocationRows(claim.TokenClaim, list)
		return web.CellRows(found, func(a allocationRow) []string {
			return []string{a.Wallet, web.IdCell(a.Who.ID), a.Who.Name, a.Text, web.TimeCell(a.ClaimedAt), a.TxHash}
		}), err
	}
	claimed := c.URL.Query().Get("tab") != "all"
	list := web.PagedRows(c.allocations(claim.ID, claimed), allocationID, rows)
	return web.ExportCSV("claim-"+claim.ID.String()+".csv", head, list)
}

// uploadClaimList stores an uploaded file and makes it the list of the token claim. Its import begins at once. If the
// file is refused, the page of the claim is shown with the faults.
func uploadClaimList(c *call) (web.View, error) {
	claim, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.ReceiveFile("file")
	notice := "File uploaded. The list is being imported."
	if err == nil {
		defer func() { _ = f.Close() }()
		var warning, address string
		if warning, err = c.ListWarning(f); err == nil {
			address, err = c.StoreFile(f, ".csv", "tokenClaims")
		}
		if err == nil {
			_, err = c.Claims.Update(
				c.Context(), c.Scope.At(c.Site.ID), claim.ID, claims.Patch{}.With("csvUrl", address))
		}
		notice += warning
	}
	if err != nil {
		data, readErr := c.readClaimData(claim)
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "claim", claim.Name+", token claim", func(refusal web.Refusal) any {
			data.Refusal = refusal
			return data
		})
	}
	return c.Redirect(c.SitePath("claims", claim.ID), notice)
}

// readClaimListAgain imports the list of a token claim once more from its address. A claim without a list is not found.
func readClaimListAgain(c *call) (web.View, error) {
	claim, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	if claim.CSVURL == nil {
		return web.View{}, laurel.Missing("List")
	}
	in := claims.Patch{}.With("csvUrl", claim.CSVURL)
	if _, err := c.Claims.Update(c.Context(), c.Scope.At(c.Site.ID), claim.ID, in); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("claims", claim.ID), "The list is being imported again.")
}
