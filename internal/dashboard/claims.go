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
	{onWebsite, admins.SeeProgram, "claims", get, "/claims", claimsPage},
	{onWebsite, admins.SeeProgram, "claims", get, "/claims/claims.csv", exportClaims},
	{onWebsite, admins.ChangeProgram, "claims", get, "/claims/new", newClaimPage},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims", idempotent(createClaim)},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims/contracts", registerContract},
	{onWebsite, admins.SeeProgram, "claims", get, "/claims/{claim}", claimPage},
	{onWebsite, admins.SeeMembers, "claims", get, "/claims/{claim}/wallets.csv", exportClaimWallets},
	{onWebsite, admins.ChangeProgram, "claims", get, "/claims/{claim}/settings", claimSettingsPage},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims/{claim}/settings", saveClaim},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims/{claim}/list", uploadClaimList},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims/{claim}/list/read", readClaimListAgain},
	{onWebsite, admins.ChangeProgram, "claims", get, "/claims/{claim}/delete", confirmDeleteClaim},
	{onWebsite, admins.ChangeProgram, "claims", post, "/claims/{claim}/delete", deleteClaim},
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

// claimState returns the state of a token claim at a moment, one of the constants above.
func claimState(t claims.TokenClaim, now time.Time) string {
	switch {
	case t.IsDraft:
		return claimDraft
	case !t.EndsAt.IsZero() && !now.Before(t.EndsAt):
		return claimEnded
	case t.MerkleRoot == nil:
		return claimEmpty
	case now.Before(t.StartsAt):
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
	part := new(big.Int).Mul(r.Claimed, big.NewInt(100))
	return part.Quo(part, r.Allocated).Int64()
}

// networkName returns the name of a contract's blockchain, or its number if it has none.
func networkName(of contracts.Contract) string {
	if of.ChainID == nil {
		return "no chain"
	}
	for _, name := range evm.Networks() {
		if *of.ChainID > 0 && evm.ChainID(name) == uint64(*of.ChainID) {
			return name
		}
	}
	return "chain " + strconv.FormatInt(*of.ChainID, 10)
}

func contractName(of contracts.Contract) string {
	if of.Name != nil && *of.Name != "" {
		return *of.Name
	}
	return shorten(of.Address)
}

type claimsData struct {
	Claims []claimRow
	Pager  pager
}

func claimID(t claims.TokenClaim) laurel.ID { return t.ID }

func (c *request) listClaims(page laurel.PageRequest) (laurel.Page[claims.TokenClaim], error) {
	return c.d.Claims.List(c.Context(), c.scope.At(c.site.ID), laurel.ID{}, page)
}

// claimRows adds to each token claim its token and state.
func (c *request) claimRows(list []claims.TokenClaim) ([]claimRow, error) {
	ids := uniqueIDs(list, func(t claims.TokenClaim) laurel.ID { return t.ContractID })
	tokens, err := c.d.Contracts.ByID(c.Context(), c.scope.At(c.site.ID), ids)
	out := make([]claimRow, len(list))
	for i, t := range list {
		out[i] = claimRow{t, tokens[t.ContractID], claimState(t, c.d.Now())}
	}
	return out, err
}

// claimsPage lists token claims.
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

// exportClaims exports the token claims as CSV.
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
	return c.exportCSV(sheet{"claims.csv", head, pagedRows(c.listClaims, claimID, rows)})
}

// findClaim reads the token claim of the path.
func (c *request) findClaim() (claimRow, error) {
	id, err := c.pathID("claim", "Token claim")
	if err != nil {
		return claimRow{}, err
	}
	found, err := c.d.Claims.Get(c.Context(), c.scope.At(c.site.ID), id)
	if err != nil {
		return claimRow{}, err
	}
	rows, err := c.claimRows([]claims.TokenClaim{found})
	return rows[0], err
}

// confirmDeleteClaim asks before a token claim is deleted.
func confirmDeleteClaim(c *request) (view, error) {
	t, err := c.findClaim()
	if err != nil {
		return view{}, err
	}
	return pageView("claim-delete", "Delete "+t.Name+"?", t)
}

// deleteClaim deletes a token claim. Claims on the blockchain stay.
func deleteClaim(c *request) (view, error) {
	t, err := c.findClaim()
	if err == nil {
		_, err = c.d.Claims.Delete(c.Context(), c.scope.At(c.site.ID), t.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("claims"), "Token claim "+t.Name+" deleted. Tokens claimed on the blockchain are not affected.")
}
