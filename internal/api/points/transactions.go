package points

import (
	"context"
	"encoding/json"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
)

type postTransactionInput struct {
	Body struct {
		rest.TenantBody
		Description       string             `json:"description" maxLength:"1000"`
		Type              string             `json:"type,omitempty" enum:"api_key,order" doc:"Default api_key"`
		LoyaltyCurrencyID *laurel.ID         `json:"loyaltyCurrencyId,omitempty" doc:"The currency of entries without one"`
		Entries           []transactionEntry `json:"entries" minItems:"1" maxItems:"100"`
	}
}

type transactionEntry struct {
	caller.NamedUser
	Amount            laurel.Amount `json:"amount"`
	Direction         string        `json:"direction,omitempty" enum:"credit,debit" doc:"Default credit"`
	LoyaltyCurrencyID *laurel.ID    `json:"loyaltyCurrencyId,omitempty"`
	IdempotencyKey    *string       `json:"idempotencyKey,omitempty" minLength:"1" maxLength:"255" doc:"Unique on the website forever, among entries and completions together"`
	Metadata          laurel.Object `json:"metadata,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (transactionEntry) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Keywords: map[string]laurel.Keywords{
			"amount":   {"exclusiveMinimum": 0},
			"metadata": {"description": "At most " + strconv.Itoa(budget.Metadata) + " bytes"},
		},
	}
}

// transactionInput converts the body of a request to the input of package transactions.
func (in *postTransactionInput) transactionInput() transactions.Input {
	b := in.Body
	out := transactions.Input{
		Description: b.Description,
		Type:        ledger.TransactionType(b.Type),
		CurrencyID:  rest.OptionalID(b.LoyaltyCurrencyID),
	}
	for _, e := range b.Entries {
		ref := e.Ref()
		entry := transactions.Entry{
			Member:     transactions.MemberRef{UserID: ref.UserID, Wallet: ref.Wallet},
			Amount:     e.Amount,
			Direction:  ledger.Direction(e.Direction),
			CurrencyID: rest.OptionalID(e.LoyaltyCurrencyID),
			Metadata:   json.RawMessage(e.Metadata),
		}
		if e.IdempotencyKey != nil {
			entry.Key = *e.IdempotencyKey
		}
		out.Entries = append(out.Entries, entry)
	}
	return out
}

type postedEntry struct {
	ID                laurel.ID     `json:"id"`
	Amount            laurel.Amount `json:"amount"`
	Direction         string        `json:"direction"`
	WalletAddress     *string       `json:"walletAddress"`
	UserID            laurel.ID     `json:"userId"`
	LoyaltyCurrencyID laurel.ID     `json:"loyaltyCurrencyId"`
	LoyaltyAccountID  laurel.ID     `json:"loyaltyAccountId"`
	IdempotencyKey    string        `json:"idempotencyKey,omitempty"`
	Metadata          laurel.Object `json:"metadata,omitempty"`
}

// transaction is contract 3.10.
type transaction struct {
	ID             laurel.ID        `json:"id"`
	OrganizationID laurel.ID        `json:"organizationId"`
	WebsiteID      laurel.ID        `json:"websiteId"`
	Type           string           `json:"type"`
	Description    string           `json:"description"`
	CurrencyID     *laurel.ID       `json:"loyaltyCurrencyId" doc:"The currency of all entries; null if they differ"`
	Entries        []postedEntry    `json:"entries"`
	CreatedAt      laurel.Timestamp `json:"createdAt"`
	UpdatedAt      laurel.Timestamp `json:"updatedAt"`
}

// postTransaction posts a transaction of the caller and returns it with the wallets of its users.
func (h *handlers) postTransaction(ctx context.Context, in *postTransactionInput) (*rest.Response[transaction], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	input := in.transactionInput()
	var f laurel.Faults
	for i, e := range input.Entries {
		checkWallet(&f, i, identity.Ref{UserID: e.Member.UserID, Wallet: e.Member.Wallet})
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	t, err := h.Transactions.Post(ctx, scope, input)
	if err != nil {
		return nil, err
	}
	var users []laurel.ID
	for _, e := range t.Entries {
		users = append(users, e.UserID)
	}
	wallets, err := h.Identity.WalletsOf(ctx, scope, users)
	return rest.ResponseOf(t, err, func(t ledger.Transaction) transaction { return shapeTransaction(t, wallets) })
}

// checkWallet adds a fault if the wallet of the entry with index i is malformed. It accepts an entry without a wallet:
// the ledger checks that an entry names a user.
func checkWallet(f *laurel.Faults, i int, ref identity.Ref) {
	var userFaults laurel.Faults
	ref.Validate(&userFaults)
	if ref.Wallet == "" {
		return
	}
	path := "entries." + strconv.Itoa(i) + "."
	for _, fault := range userFaults {
		f.AddText(path+fault.Path, path+fault.Message)
	}
}

// shapeTransaction returns a transaction as responses show it. Its currency is null if the entries have several.
func shapeTransaction(t ledger.Transaction, wallets map[laurel.ID]string) transaction {
	at := laurel.Timestamp{Time: t.CreatedAt}
	out := transaction{
		ID:             t.ID,
		OrganizationID: t.OrganizationID,
		WebsiteID:      t.WebsiteID,
		Type:           string(t.Type),
		Description:    t.Description,
		Entries:        []postedEntry{},
		CreatedAt:      at,
		UpdatedAt:      at,
	}
	for i, e := range t.Entries {
		if i == 0 {
			out.CurrencyID = e.CurrencyID.Ptr()
		} else if out.CurrencyID != nil && *out.CurrencyID != e.CurrencyID {
			out.CurrencyID = nil
		}
		entry := postedEntry{
			ID:                e.ID,
			Amount:            e.Amount,
			Direction:         string(e.Direction),
			UserID:            e.UserID,
			LoyaltyCurrencyID: e.CurrencyID,
			LoyaltyAccountID:  e.AccountID,
			IdempotencyKey:    e.IdempotencyKey,
			Metadata:          laurel.Object(e.Metadata),
		}
		if w := wallets[e.UserID]; w != "" {
			entry.WalletAddress = &w
		}
		out.Entries = append(out.Entries, entry)
	}
	return out
}
