package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
)

// reversalNote is the description of both operations.
const reversalNote = "The answer is a transaction of the same type with the opposite entries; each has metadata.reversalOf. " +
	"What a balance no longer covers stays with the member; with the policy reverse the account owes it (receivable), and later credits pay. " +
	"A reversal that a balance covers in part counts as whole. Held points are cancelled. Caps and streaks stay, and the window of a rule stays closed unless reopen is true. " +
	"With recheckBadges, badges whose conditions no longer hold are revoked, and their rewards taken back as far as balances go."

// ReversalOptions are the properties of both operations.
type ReversalOptions struct {
	Description    string         `json:"description,omitempty" maxLength:"1000" doc:"Default: that of the reversed transaction"`
	Amount         *laurel.Amount `json:"amount,omitempty" doc:"A part of a transaction with one entry, above 0; default: what is not reversed yet"`
	Policy         string         `json:"policy,omitempty" enum:"reverse_within_balance,reverse" doc:"Default reverse_within_balance"`
	IdempotencyKey *string        `json:"idempotencyKey,omitempty" minLength:"1" maxLength:"255" doc:"Of the reversal; unique on the website forever, among entries and completions together"`
	Reopen         bool           `json:"reopen,omitempty" doc:"The rule that has paid can be completed again in the same window"`
	RecheckBadges  bool           `json:"recheckBadges,omitempty" doc:"Revoke badges of the members whose conditions no longer hold"`
}

type reverseTransactionInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		ReversalOptions
	}
}

type reverseByKeyInput struct {
	Body struct {
		rest.TenantBody
		Of keyOfTransaction `json:"of"`
		ReversalOptions
	}
}

// keyOfTransaction names a transaction by an idempotency key of one of its entries, or of the completion that it paid.
type keyOfTransaction struct {
	IdempotencyKey string `json:"idempotencyKey" minLength:"1" maxLength:"255"`
}

// reverseTransaction reverses a transaction by its id.
func (h *handlers) reverseTransaction(
	ctx context.Context, in *reverseTransactionInput,
) (*rest.Response[transaction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	return h.reverse(ctx, scope, in.ID.ID, in.Body.ReversalOptions)
}

// reverseByKey reverses the transaction that an idempotency key belongs to.
func (h *handlers) reverseByKey(ctx context.Context, in *reverseByKeyInput) (*rest.Response[transaction], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	id, err := h.Reversals.TransactionOfKey(ctx, scope, in.Body.Of.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	return h.reverse(ctx, scope, id, in.Body.ReversalOptions)
}

// reverse reverses a transaction and returns the reversal with the wallets of its users.
func (h *handlers) reverse(
	ctx context.Context, scope laurel.Scope, id laurel.ID, o ReversalOptions,
) (*rest.Response[transaction], error) {
	input := reversals.Input{
		ID: id, Description: o.Description, Amount: o.Amount, Policy: o.Policy, Reopen: o.Reopen,
		RecheckBadges: o.RecheckBadges,
	}
	if o.IdempotencyKey != nil {
		input.Key = *o.IdempotencyKey
	}
	t, err := h.Reversals.Reverse(ctx, scope, input)
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
