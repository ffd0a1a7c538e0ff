package store

import (
	"math/big"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/evm"
)

var claimRoutes = []route{
	web.Get("/claims", admins.SeeProgram, "claims", claimsPage),
	web.Get("/claims/claims.csv", admins.SeeProgram, "claims", exportClaims),
	web.Get("/claims/new", admins.ChangeProgram, "claims", newClaimPage),
	web.Post("/claims", admins.ChangeProgram, "claims", "created a token claim", web.Idempotent(createClaim)),
	web.Post("/claims/contracts", admins.ChangeProgram, "claims", "registered a token", registerContract),
	web.Get("/claims/{claim}", admins.SeeProgram, "claims", claimPage),
	web.Get("/claims/{claim}/wallets.csv", admins.SeeMembers, "claims", exportClaimWallets),
	web.Get("/claims/{claim}/settings", admins.ChangeProgram, "claims", claimSettingsPage),
	web.Post("/claims/{claim}/settings", admins.ChangeProgram, "claims", "changed a token claim", saveClaim),
	web.Post("/claims/{claim}/list", admins.ChangeProgram, "claims",
		"uploaded the list of a token claim", uploadClaimList),
	web.Post("/claims/{claim}/list/read", admins.ChangeProgram, "claims",
		"reimported the list of a token claim", readClaimListAgain),
	web.Get("/claims/{claim}/delete", admins.ChangeProgram, "claims", confirmDeleteClaim),
	web.Post("/claims/{claim}/delete", admins.ChangeProgram, "claims", "deleted a token claim", deleteClaim),
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
	case !claim.EndsAt.IsZero() && !now.Before(claim.EndsAt.Time):
		return claimEnded
	case claim.MerkleRoot == nil:
		return claimEmpty
	case now.Before(claim.StartsAt.Time):
		return claimScheduled
	}
	return claimOpen
}

// Network returns the name of the token's blockchain.
func (r claimRow) Network() string { return networkName(r.Token) }

// Symbol returns the name of the token.
func (r claimRow) Symbol() string { return contractName(r.Token) }

// AllocatedText returns the amount allocated to all wallets.
func (r claimRow) AllocatedText() string { return r.Amount(r.Allocated.Int) }

// ClaimedText returns the amount claimed by all wallets.
func (r claimRow) ClaimedText() string { return r.Amount(r.Claimed.Int) }

// Share returns how much of the allocated amount was claimed, in percent, rounded down.
func (r claimRow) Share() int64 {
	if r.Allocated.Sign() == 0 {
		return 0
	}
	percent := new(big.Int).Mul(r.Claimed.Int, big.NewInt(100))
	return percent.Quo(percent, r.Allocated.Int).Int64()
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
	return web.Shorten(contract.Address)
}

type claimsData struct {
	Claims []claimRow
	Pager  web.Pager
}

func claimID(t claims.TokenClaim) laurel.ID { return t.ID }

// listClaims lists a page of the website's token claims.
func (c *call) listClaims(page laurel.PageRequest) (laurel.Page[claims.TokenClaim], error) {
	return c.Claims.List(c.Context(), c.Scope.At(c.Site.ID), laurel.ID{}, page)
}

// claimRows adds to each token claim its token's contract and its state.
func (c *call) claimRows(list []claims.TokenClaim) ([]claimRow, error) {
	ids := web.UniqueIDs(list, func(claim claims.TokenClaim) laurel.ID { return claim.ContractID })
	tokens, err := c.Contracts.ByID(c.Context(), c.Scope.At(c.Site.ID), ids)
	out := make([]claimRow, len(list))
	for i, claim := range list {
		out[i] = claimRow{claim, tokens[claim.ContractID], claimState(claim, c.Now())}
	}
	return out, err
}

// claimsPage shows a page of the website's token claims.
func claimsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.listClaims(page)
	if err != nil {
		return web.View{}, err
	}
	data := claimsData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, claimID))}
	if data.Claims, err = c.claimRows(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("claims", "Token claims", data)
}

// exportClaims exports the website's token claims with their allocated and claimed amounts as CSV.
func exportClaims(c *call) (web.View, error) {
	rows := func(list []claims.TokenClaim) ([][]string, error) {
		found, err := c.claimRows(list)
		return web.CellRows(found, func(r claimRow) []string {
			return []string{
				web.IdCell(r.ID), r.Name, r.State, r.Symbol(), r.Network(), r.Token.Address, strconv.FormatInt(r.Wallets, 10),
				r.AllocatedText(), strconv.FormatInt(r.ClaimedWallets, 10), r.ClaimedText(), web.TextCell(r.MerkleRoot),
				web.TimeCell(r.StartsAt), web.TimeCell(r.EndsAt), web.TimeCell(r.CreatedAt), web.TimeCell(r.UpdatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "state", "token", "network", "address", "wallets", "allocated", "claimedWallets", "claimed",
		"merkleRoot", "start", "end", "made", "changed",
	}
	return web.ExportCSV("claims.csv", head, web.PagedRows(c.listClaims, claimID, rows))
}

// getClaim returns the token claim whose id is in the path. A malformed or unknown id is not found.
func (c *call) getClaim() (claimRow, error) {
	id, err := c.PathID("claim", "Token claim")
	if err != nil {
		return claimRow{}, err
	}
	claim, err := c.Claims.Get(c.Context(), c.Scope.At(c.Site.ID), id)
	if err != nil {
		return claimRow{}, err
	}
	rows, err := c.claimRows([]claims.TokenClaim{claim})
	return rows[0], err
}

// confirmDeleteClaim shows the page that asks before a token claim is deleted.
func confirmDeleteClaim(c *call) (web.View, error) {
	t, err := c.getClaim()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("claim-delete", "Delete "+t.Name+"?", t)
}

// deleteClaim deletes a token claim. What was claimed on the blockchain is not affected.
func deleteClaim(c *call) (web.View, error) {
	t, err := c.getClaim()
	if err == nil {
		_, err = c.Claims.Delete(c.Context(), c.Scope.At(c.Site.ID), t.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("claims"), "Token claim "+t.Name+" deleted. Tokens claimed on the blockchain aren’t affected.")
}
