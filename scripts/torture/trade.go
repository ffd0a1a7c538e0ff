package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
)

const (
	traders      = 500
	shortTraders = 60
	richFunds    = 20_000
	poorFunds    = 20
	userLimit    = 4 // items of an asset per member, if there is a limit
)

// trade is the step in which members spend points: they bid, buy, hold and claim while servers are killed. Each member
// does one thing after the other, and repeats it under its Idempotency-Key until the outcome is known, so that the
// model knows the outcome of everything.
type trade struct {
	*world
	isLong            bool
	members           []*trader
	unlimitedContract string // the minting contract whose assets are auctioned, and sold without limit
	limitedContract   string // the minting contract with a limit per user
	prizeAsset        string // the asset that auctions sell
	tokenClaim        string
	stopped           atomic.Bool
	acknowledgements  atomic.Int64
	repeats           atomic.Int64
	wg                sync.WaitGroup

	mu            sync.Mutex
	assetsForSale []*assetForSale
	auctions      []*auction
	placedHolds   []*placedHold
	purchases     []*purchase
	placedBids    []*bid
	claimed       map[string]bool // wallets whose claim was acknowledged
	findings      []string
}

// trader is a member. The two members of a house spend their points together.
type trader struct {
	*trade
	number        int
	wallet, house string
	rng           *rand.Rand
	idCount       int
	openHolds     []*placedHold // holds that may still be captured or released
	bestBids      map[*auction]laurel.Amount
	hasClaimed    bool
}

// keyedRequest is one request that is repeated under its Idempotency-Key until its outcome is known, and that outcome.
type keyedRequest struct {
	op      string // the id that its record shows, and its Idempotency-Key
	request request
	outcome outcome
	refusal string
	body    []byte // of the response; that of a replay may have less
}

// assetForSale is an asset that is sold.
type assetForSale struct {
	id, contract string
	price        laurel.Amount
	quantity     int
	limit        int // per user; 0: none
}

// purchase is a mint that a member requested.
type purchase struct {
	*keyedRequest
	house, wallet string
	asset         *assetForSale
	quantity      int
}

// newTrade returns a trade with its members, fewer in the short form. The first tenth of them are in houses of two, the
// others alone. Each has random numbers of its own.
func newTrade(w *world, o options) *trade {
	t := &trade{world: w, isLong: !o.short, claimed: map[string]bool{}}
	count := traders
	if o.short {
		count = shortTraders
	}
	for i := range count {
		m := &trader{
			trade: t, number: i, wallet: walletOf(bank, i), bestBids: map[*auction]laurel.Amount{},
			rng: rand.New(rand.NewPCG(w.seed, 1<<32|uint64(i))), //nolint:gosec // chance that can be replayed
		}
		if m.house = m.wallet; i < count/10 {
			m.house = fmt.Sprintf("house-%d", i/2)
		}
		t.members = append(t.members, m)
	}
	return t
}

// funds returns the points that a member has in the beginning: every twentieth has few.
func (m *trader) funds() laurel.Amount {
	if m.number%20 == 19 {
		return points(poorFunds)
	}
	return points(richFunds)
}

// createTradeProgram credits the members' points, puts houses into groups, and creates the minting contracts, the prize
// and the token claim.
func (t *trade) createTradeProgram(ctx context.Context) error {
	for from := 0; from < len(t.members); from += 100 {
		var entries []map[string]any
		for _, m := range t.members[from:min(from+100, len(t.members))] {
			entries = append(entries, map[string]any{"walletAddress": m.wallet, "amount": m.funds(), "direction": "credit"})
		}
		if err := t.sendOK(ctx, post("/api/loyalty/transactions", map[string]any{
			"description": "Funds", "loyaltyCurrencyId": t.created.LoyaltyCurrencyID, "entries": entries,
		}), &struct{}{}); err != nil {
			return err
		}
	}
	for _, m := range t.members {
		if m.house == m.wallet {
			continue
		}
		if err := t.sendOK(ctx, post("/api/users/metadatas", map[string]any{
			"walletAddress": m.wallet, "userGroupExternalIdentifier": m.house,
		}), &struct{}{}); err != nil {
			return err
		}
	}
	for limit, id := range map[int]*string{0: &t.unlimitedContract, userLimit: &t.limitedContract} {
		var made struct{ ID string }
		if err := t.sendOK(ctx, post("/api/minting/contracts", map[string]any{
			"name": "Shop", "contractKind": "OFFCHAIN", "isListed": true, "perUserMintLimit": limit, "isPerAssetMintLimit": true,
		}), &made); err != nil {
			return err
		}
		*id = made.ID
	}
	var prize struct{ ID string }
	if err := t.sendOK(ctx, post("/api/minting/assets", map[string]any{
		"mintingContractId": t.unlimitedContract, "name": "Prize", "price": 1, "quantity": 1_000_000, "isListed": false,
		"loyaltyCurrencyId": t.created.LoyaltyCurrencyID,
	}), &prize); err != nil {
		return err
	}
	t.prizeAsset = prize.ID
	return t.uploadAllocations(ctx)
}

// post returns a POST request.
func post(path string, body any) request {
	return request{method: http.MethodPost, path: path, body: body}
}

// uploadAllocations creates a token claim whose list has every member, and waits until the list is imported.
func (t *trade) uploadAllocations(ctx context.Context) error {
	var list strings.Builder
	for i, m := range t.members {
		fmt.Fprintf(&list, "%s,%d.25\n", m.wallet, i+1)
	}
	var file struct{ SignedURL, URL string }
	if err := t.sendOK(ctx, post("/api/assets", map[string]any{
		"fileName": "list.csv", "fileSize": list.Len(), "filePath": "loyalty",
	}), &file); err != nil {
		return err
	}
	if err := t.client.upload(ctx, t.address(0), file.SignedURL, list.String()); err != nil {
		return err
	}
	var token, claim struct{ ID string }
	if err := t.sendOK(ctx, post("/api/contracts", map[string]any{
		"name": "Token", "address": walletOf(bank, 0), "chainId": 1, "type": "erc20",
	}), &token); err != nil {
		return err
	}
	if err := t.sendOK(ctx, post("/api/token_claims", map[string]any{
		"name": "Season", "contractId": token.ID, "isDraft": false, "csvUrl": file.URL,
	}), &claim); err != nil {
		return err
	}
	t.tokenClaim = claim.ID
	return waitUntil(ctx, "the list of the token claim is read", func() bool {
		var now struct{ DataJob struct{ Status string } }
		err := t.client.getJSON(ctx, t.address(0), "/api/token_claims/"+t.tokenClaim, &now)
		return err == nil && now.DataJob.Status == "complete"
	})
}

// upload sends content to the address signed, which the service has returned for an upload. It may be a path on the
// server at address.
func (c *client) upload(ctx context.Context, address, signed, content string) error {
	if strings.HasPrefix(signed, "/") {
		signed = address + signed
	}
	out, err := http.NewRequestWithContext(ctx, http.MethodPut, signed, bytes.NewReader([]byte(content)))
	if err != nil {
		return err
	}
	in, err := c.http.Do(out)
	if err != nil {
		return err
	}
	defer func() { _ = in.Body.Close() }()
	if in.StatusCode != http.StatusOK {
		return fmt.Errorf("the upload was answered %d", in.StatusCode)
	}
	return nil
}

// newID returns an id for the next thing that a member does.
func (m *trader) newID(what string) string {
	m.idCount++
	return fmt.Sprintf("%s-%d-%d", what, m.number, m.idCount)
}

// repeatUntilKnown sends a request under its Idempotency-Key until its outcome is known, sets the outcome in d, and
// returns d. number is that of a client and selects the server. If the outcome stays unknown, or a response is
// unexpected, that is a finding.
func (t *trade) repeatUntilKnown(ctx context.Context, number int, d *keyedRequest) *keyedRequest {
	d.request.idempotencyKey = d.op
	err := waitUntil(ctx, "it is answered", func() bool {
		a, err := t.client.send(ctx, t.address(number), d.request)
		switch {
		case err != nil, a.status == http.StatusServiceUnavailable, a.status == http.StatusTooManyRequests:
			t.repeats.Add(1)
			time.Sleep(50 * time.Millisecond) // the service is away for the moment
			return false
		case a.status == http.StatusOK:
			d.outcome, d.body = done, a.body
			t.acknowledgements.Add(1)
			return true
		}
		var body struct{ Message string }
		_ = json.Unmarshal(a.body, &body)
		d.outcome, d.refusal = refused, body.Message
		if a.status != http.StatusBadRequest || !tradeRefusals[strings.TrimRight(body.Message, "0123456789. ")] {
			t.addFinding("answer: %s was answered %d %s", d.op, a.status, a.body)
		}
		return true
	})
	if err != nil {
		d.outcome = unknown
		if ctx.Err() == nil {
			t.addFinding("stuck: %s: %s", d.op, err)
		}
	}
	return d
}

// addFinding records that something is wrong.
func (t *trade) addFinding(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.findings = append(t.findings, fmt.Sprintf(format, args...))
}

const (
	msgFinal   = "Hold is already final"
	msgSoldOut = "Not enough quantity left"
	msgEnded   = "Auction has ended"
	msgClaimed = "Already claimed"
)

// tradeRefusals are the refusals that members may meet, without the amount that ends some of them.
var tradeRefusals = map[string]bool{
	msgFinal:                      true,
	msgSoldOut:                    true,
	msgEnded:                      true,
	msgClaimed:                    true,
	msgOverdraft:                  true,
	"Mint limit per user reached": true,
	"Auction is cancelled":        true,
	"Bid must be at least":        true,
}
