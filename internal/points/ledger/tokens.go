package ledger

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Token is what a token reward pays: a contract's token, or a network's own (contract 5.5).
type Token struct {
	ContractID laurel.ID // zero: the network's own
	Network    string    // "" if the rule names none
}

// key returns the text that names the token in the database, which tokenOf parses.
func (t Token) key() string {
	if t.ContractID.IsZero() {
		return "native " + t.Network
	}
	return "contract " + t.ContractID.String() + " " + t.Network
}

// tokenOf returns the token that a key names. A key is "native NETWORK" or "contract ID NETWORK". ok is false for any
// other text.
func tokenOf(key string) (t Token, ok bool) {
	kind, rest, _ := strings.Cut(key, " ")
	switch kind {
	case "native":
		return Token{Network: rest}, true
	case "contract":
		contract, network, _ := strings.Cut(rest, " ")
		id, err := laurel.ParseID(contract)
		return Token{ContractID: id, Network: network}, err == nil
	}
	return Token{}, false
}

// TokensOf returns, by currency, the token that each hidden currency stands for; other currencies are left out.
func TokensOf(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currencies []laurel.ID,
) (map[laurel.ID]Token, error) {
	keys, err := selectTokenKeys(ctx, q, scope, currencies)
	out := make(map[laurel.ID]Token, len(keys))
	for _, k := range keys {
		if t, ok := tokenOf(k.Key); ok {
			out[k.ID] = t
		}
	}
	return out, err
}

// tokenDecimals is how many decimal places tokens have (contract 5.5). Amounts in the ledger have 6 of them.
const tokenDecimals = 18

// TokenCurrency returns the id of the hidden currency in which rewards in a token are booked, and creates it if there
// is none. A token has one per website, whichever rules and relayers pay it.
func (s *Service) TokenCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, t Token) (laurel.ID, error) {
	known, err := findCurrencyOfToken(ctx, tx, scope, t.key())
	if err != nil || !known.IsZero() {
		return known, err
	}
	c := Currency{
		ID:                    tx.NewID(),
		OrganizationID:        scope.OrganizationID,
		WebsiteID:             scope.WebsiteID,
		Name:                  "Token " + t.ContractID.String(),
		Symbol:                "TOKEN",
		Decimals:              tokenDecimals,
		IsTokenRewardCurrency: true,
		CreatedByID:           laurel.NullableID(scope.ActorID),
		MainAccountID:         tx.NewID(),
		CreatedAt:             laurel.Timestamp{Time: tx.Now()},
		UpdatedAt:             laurel.Timestamp{Time: tx.Now()},
		TokenKey:              laurel.NullText(t.key()),
	}
	if t.ContractID.IsZero() {
		c.Name, c.Symbol = "Native token", "NATIVE"
	}
	if t.Network != "" {
		c.Name += " on " + t.Network
	}
	if err := insertCurrency(ctx, tx, c); err != nil {
		return laurel.ID{}, err
	}
	return c.ID, insertCurrencyRows(ctx, tx, c)
}

// ErrTokenCurrency refuses to change or reset the hidden currency of a token, whose entries record what is owed.
func ErrTokenCurrency() error {
	return laurel.Errorf(laurel.Refused, "Currencies of token rewards cannot be changed")
}
