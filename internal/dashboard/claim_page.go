package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/commerce/claims"
)

// claimData is the data of the page of a token claim.
type claimData struct {
	claimRow
	Job    *claims.Job
	Only   bool // the list shows those alone that have claimed
	Rows   []allocationRow
	Pager  pager
	Asked  string // the wallet that is looked up; empty: none
	Found  *walletLookup
	Faults map[string]string
	Error  string
}

// Polls reports whether the list is being read.
func (d claimData) Polls() bool { return d.Job != nil && d.Job.IsOpen() }

// Frozen reports whether the list cannot be replaced any more.
func (d claimData) Frozen() bool { return d.ClaimedWallets > 0 }

// allocationRow is a wallet of a token claim with its member.
type allocationRow struct {
	claims.Allocation
	Text string // the amount
	Who  person // without id: no member
}

// walletLookup is the allocation of the wallet that was looked up, with its proof.
type walletLookup struct {
	allocationRow
	Eligible bool
	Proof    []string
}

// Why returns why the wallet that was looked up cannot claim now.
func (d claimData) Why() string {
	switch {
	case d.Found.Units.Sign() == 0:
		return "This wallet is not on the list."
	case !d.Found.ClaimedAt.IsZero():
		return "This wallet has already claimed."
	case d.State == claimDraft:
		return "The token claim is still a draft."
	case d.State == claimScheduled:
		return "The token claim has not opened yet."
	}
	return "The token claim has closed."
}

// claimPage shows a token claim with its wallets, and looks one up.
func claimPage(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	data, err := c.readClaimData(t)
	if err != nil {
		return view{}, err
	}
	return pageView("claim", t.Name+", token claim", data)
}

// readClaimData reads what the page of a token claim shows.
func (c *request) readClaimData(t claimRow) (claimData, error) {
	data := claimData{claimRow: t, Only: c.URL.Query().Get("tab") != "all"}
	var err error
	if data.Job, err = c.d.Claims.Job(c.Context(), c.scope.At(c.site.ID), t.TokenClaim); err != nil {
		return data, err
	}
	if err := c.readAllocations(&data); err != nil {
		return data, err
	}
	data.Asked = strings.TrimSpace(c.URL.Query().Get("wallet"))
	err = c.lookUpWallet(&data)
	return data, err
}

// readAllocations reads the page of wallets that the address names.
func (c *request) readAllocations(d *claimData) error {
	page, err := c.pageRequest()
	if err != nil {
		return err
	}
	page.Limit = sideListLimit
	list, err := c.allocations(d.ID, d.Only)(page)
	if err != nil {
		return err
	}
	d.Pager = c.pager(page, list.HasNextPage, lastID(list, allocationID))
	d.Rows, err = c.allocationRows(d.TokenClaim, list.Data)
	return err
}

func allocationID(a claims.Allocation) laurel.ID { return a.ID }

// allocations returns a function that lists the wallets of a token claim: those that have claimed, latest first, or
// all, by amount.
func (c *request) allocations(
	claim laurel.ID, claimed bool,
) func(laurel.PageRequest) (laurel.Page[claims.Allocation], error) {
	filter := claims.UserFilter{}
	if claimed {
		filter = claims.UserFilter{SortBy: "claimedAt", ClaimedOnly: true}
	}
	return func(page laurel.PageRequest) (laurel.Page[claims.Allocation], error) {
		_, list, err := c.d.Claims.Users(c.Context(), c.scope.At(c.site.ID), claim, filter, page)
		return list, err
	}
}

// allocationRows adds to each wallet the amount in units of the token, and its member.
func (c *request) allocationRows(t claims.TokenClaim, list []claims.Allocation) ([]allocationRow, error) {
	wallets := make([]string, len(list))
	for i, a := range list {
		wallets[i] = a.Wallet
	}
	users, err := c.d.Identity.UsersOfWallets(c.Context(), c.scope.At(c.site.ID), wallets)
	if err != nil {
		return nil, err
	}
	var ids []laurel.ID
	for _, id := range users {
		ids = append(ids, id)
	}
	people, err := c.readPeople(ids)
	out := make([]allocationRow, len(list))
	for i, a := range list {
		out[i] = allocationRow{a, t.Amount(a.Units), people[users[a.Wallet]]}
	}
	return out, err
}

// lookUpWallet reads the allocation and the proof of the wallet that the address names.
func (c *request) lookUpWallet(d *claimData) error {
	if d.Asked == "" {
		return nil
	}
	scope := c.scope.At(c.site.ID)
	t, a, err := c.d.Claims.Allocation(c.Context(), scope, d.ID, d.Asked)
	if err != nil {
		return err
	}
	found := walletLookup{Eligible: c.d.Claims.Eligible(c.Context(), scope, t, a, "")}
	if a.Units.Sign() > 0 {
		if found.Proof, err = c.d.Claims.Proof(c.Context(), scope, t, a); err != nil {
			return err
		}
	}
	rows, err := c.allocationRows(t, []claims.Allocation{a})
	if err != nil {
		return err
	}
	found.allocationRow, d.Found = rows[0], &found
	return nil
}

// exportClaimWallets exports the wallets of a token claim with their amounts and claims as CSV.
func exportClaimWallets(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	head := []string{"walletAddress", "member", "name", "amount", "claimed", "txHash"}
	rows := func(list []claims.Allocation) ([][]string, error) {
		found, err := c.allocationRows(t.TokenClaim, list)
		return cellRows(found, func(a allocationRow) []string {
			return []string{a.Wallet, idCell(a.Who.ID), a.Who.Name, a.Text, timeCell(a.ClaimedAt), a.TxHash}
		}), err
	}
	claimed := c.URL.Query().Get("tab") != "all"
	list := pagedRows(c.allocations(t.ID, claimed), allocationID, rows)
	return c.exportCSV(sheet{"claim-" + t.ID.String() + ".csv", head, list})
}

// uploadClaimList stores an uploaded file and makes it the list of the token claim. It is imported at once.
func uploadClaimList(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	f, err := c.receiveFile("file")
	notice := "File uploaded. The list is being imported."
	if err == nil {
		defer func() { _ = f.Close() }()
		var note, address string
		if note, err = c.listWarning(f); err == nil {
			address, err = c.storeFile(f, ".csv", "tokenClaims")
		}
		if err == nil {
			_, err = c.d.Claims.Update(
				c.Context(), c.scope.At(c.site.ID), t.ID, claims.Input{CSVURL: laurel.Some(address)})
		}
		notice += note
	}
	if err != nil {
		data, readErr := c.readClaimData(t)
		if readErr != nil {
			return view{}, readErr
		}
		return c.showRefused(err, "claim", t.Name+", token claim", func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("claims", t.ID), notice)
}

// readClaimListAgain imports the list of a token claim again.
func readClaimListAgain(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	if t.CSVURL == nil {
		return view{}, laurel.Missing("List")
	}
	in := claims.Input{CSVURL: laurel.Some(*t.CSVURL)}
	if _, err := c.d.Claims.Update(c.Context(), c.scope.At(c.site.ID), t.ID, in); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("claims", t.ID), "The list is being imported again.")
}
