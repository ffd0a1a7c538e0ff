package dashboard

import (
	"math/big"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/evm"
)

var claimRoutes = []route{
	get("/claims", admins.SeeProgram, "claims", claimsPage),
	get("/claims/claims.csv", admins.SeeProgram, "claims", exportClaims),
	get("/claims/new", admins.ChangeProgram, "claims", newClaimPage),
	post("/claims", admins.ChangeProgram, "claims", "created a token claim", idempotent(createClaim)),
	post("/claims/contracts", admins.ChangeProgram, "claims", "registered a token", registerContract),
	get("/claims/{claim}", admins.SeeProgram, "claims", claimPage),
	get("/claims/{claim}/wallets.csv", admins.SeeMembers, "claims", exportClaimWallets),
	get("/claims/{claim}/settings", admins.ChangeProgram, "claims", claimSettingsPage),
	post("/claims/{claim}/settings", admins.ChangeProgram, "claims", "changed a token claim", saveClaim),
	post("/claims/{claim}/list", admins.ChangeProgram, "claims",
		"uploaded the list of a token claim", uploadClaimList),
	post("/claims/{claim}/list/read", admins.ChangeProgram, "claims",
		"reimported the list of a token claim", readClaimListAgain),
	get("/claims/{claim}/delete", admins.ChangeProgram, "claims", confirmDeleteClaim),
	post("/claims/{claim}/delete", admins.ChangeProgram, "claims", "deleted a token claim", deleteClaim),
}

// claimRow is a token claim as pages show it.
type claimRow struct {
	claims.TokenClaim
	Token contracts.Contract
	State string // one of claimStates
}

// The states of a token claim, as members meet them.
const (
	claimDraft     = "draft"
	claimEmpty     = "empty" // no list counts
	claimScheduled = "scheduled"
	claimOpen      = "open"
	claimEnded     = "ended"
)

// claimState returns the state of a token claim at a moment, such as claimOpen.
func claimState(claim claims.TokenClaim, now time.Time) string {
	switch {
	case claim.IsDraft:
		return claimDraft
	case !claim.EndsAt.IsZero() && !now.Before(claim.EndsAt):
		return claimEnded
	case claim.MerkleRoot == nil:
		return claimEmpty
	case now.Before(claim.StartsAt):
		return claimScheduled
	}
	return claimOpen
}

// Network returns the name of the token's blockchain.
func (r claimRow) Network() string { return networkName(r.Token) }

// Symbol returns the name of the token.
func (r claimRow) Symbol() string { return contractName(r.Token) }

// AllocatedText returns the amount allocated to all wallets.
func (r claimRow) AllocatedText() string { return r.Amount(r.Allocated) }

// ClaimedText returns the amount claimed by all wallets.
func (r claimRow) ClaimedText() string { return r.Amount(r.Claimed) }

// Share returns how much of the allocated amount was claimed, in percent, rounded down.
func (r claimRow) Share() int64 {
	if r.Allocated.Sign() == 0 {
		return 0
	}
	percent := new(big.Int).Mul(r.Claimed, big.NewInt(100))
	return percent.Quo(percent, r.Allocated).Int64()
}

// networkName returns the name of the blockchain that a contract is on, such as "polygon". An unknown blockchain is
// named by its number, and "no chain" stands for none.
func networkName(contract contracts.Contract) string {
	if contract.ChainID == nil {
		return "no chain"
	}
	for _, name := range evm.Networks() {
		if *contract.ChainID > 0 && evm.ChainID(name) == uint64(*contract.ChainID) {
			return name
		}
	}
	return "chain " + strconv.FormatInt(*contract.ChainID, 10)
}

// contractName returns the name of a contract; without one, its shortened address.
func contractName(contract contracts.Contract) string {
	if contract.Name != nil && *contract.Name != "" {
		return *contract.Name
	}
	return shorten(contract.Address)
}

type claimsData struct {
	Claims []claimRow
	Pager  pager
}

func claimID(t claims.TokenClaim) laurel.ID { return t.ID }

// listClaims lists a page of the website's token claims.
func (c *request) listClaims(page laurel.PageRequest) (laurel.Page[claims.TokenClaim], error) {
	return c.d.Claims.List(c.Context(), c.scope.At(c.site.ID), laurel.ID{}, page)
}

// claimRows adds to each token claim its token's contract and its state.
func (c *request) claimRows(list []claims.TokenClaim) ([]claimRow, error) {
	ids := uniqueIDs(list, func(claim claims.TokenClaim) laurel.ID { return claim.ContractID })
	tokens, err := c.d.Contracts.ByID(c.Context(), c.scope.At(c.site.ID), ids)
	out := make([]claimRow, len(list))
	for i, claim := range list {
		out[i] = claimRow{claim, tokens[claim.ContractID], claimState(claim, c.d.Now())}
	}
	return out, err
}

// claimsPage shows a page of the website's token claims.
func claimsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.listClaims(page)
	if err != nil {
		return view{}, err
	}
	data := claimsData{Pager: c.pager(page, list.HasNextPage, lastID(list, claimID))}
	if data.Claims, err = c.claimRows(list.Data); err != nil {
		return view{}, err
	}
	return pageView("claims", "Token claims", data)
}

// exportClaims exports the website's token claims with their allocated and claimed amounts as CSV.
func exportClaims(c *request) (view, error) {
	rows := func(list []claims.TokenClaim) ([][]string, error) {
		found, err := c.claimRows(list)
		return cellRows(found, func(r claimRow) []string {
			return []string{
				idCell(r.ID), r.Name, r.State, r.Symbol(), r.Network(), r.Token.Address, strconv.FormatInt(r.Wallets, 10),
				r.AllocatedText(), strconv.FormatInt(r.ClaimedWallets, 10), r.ClaimedText(), textCell(r.MerkleRoot),
				timeCell(r.StartsAt), timeCell(r.EndsAt), timeCell(r.CreatedAt), timeCell(r.UpdatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "state", "token", "network", "address", "wallets", "allocated", "claimedWallets", "claimed",
		"merkleRoot", "start", "end", "made", "changed",
	}
	return exportCSV("claims.csv", head, pagedRows(c.listClaims, claimID, rows))
}

// getClaim returns the token claim whose id is in the path. A malformed or unknown id is not found.
func (c *request) getClaim() (claimRow, error) {
	id, err := c.pathID("claim", "Token claim")
	if err != nil {
		return claimRow{}, err
	}
	claim, err := c.d.Claims.Get(c.Context(), c.scope.At(c.site.ID), id)
	if err != nil {
		return claimRow{}, err
	}
	rows, err := c.claimRows([]claims.TokenClaim{claim})
	return rows[0], err
}

// confirmDeleteClaim shows the page that asks before a token claim is deleted.
func confirmDeleteClaim(c *request) (view, error) {
	t, err := c.getClaim()
	if err != nil {
		return view{}, err
	}
	return pageView("claim-delete", "Delete "+t.Name+"?", t)
}

// deleteClaim deletes a token claim. What was claimed on the blockchain is not affected.
func deleteClaim(c *request) (view, error) {
	t, err := c.getClaim()
	if err == nil {
		_, err = c.d.Claims.Delete(c.Context(), c.scope.At(c.site.ID), t.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("claims"), "Token claim "+t.Name+" deleted. Tokens claimed on the blockchain aren’t affected.")
}
