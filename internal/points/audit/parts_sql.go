package audit

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// selectPaymentsWithParts returns the query for all holds, bids and mints, with their parts and the amounts that these
// must sum to.
func selectPaymentsWithParts(engine store.Engine) string {
	return `SELECT organization_id AS organization, 'hold ' || CAST(id AS TEXT) AS what, amount, parts FROM loyalty_holds
		UNION ALL SELECT organization_id, 'auction ' || CAST(auction_id AS TEXT) || ', user ' || CAST(user_id AS TEXT), amount, parts FROM auction_bidders
		UNION ALL SELECT t.organization_id, 'mint ' || CAST(t.id AS TEXT), CAST(` + pricePaidInPoints + ` + COALESCE(p.total, 0) - t.unpaid_amount AS BIGINT), t.paid
			FROM minting_mints t LEFT JOIN ` + paidInAuctions(engine) + ` p ON p.auction_id = t.auction_id AND p.user_id = t.user_id`
}

// paidRecord is a hold or a mint, which one transaction has paid.
type paidRecord struct {
	ID            lenientID `db:"id"`
	Organization  lenientID `db:"organization_id"`
	TransactionID lenientID `db:"loyalty_transaction_id"`
	What          string    `db:"what"`
	Parts         string    `db:"parts"`
}

const (
	selectHoldsWithDebit = "SELECT id, organization_id, loyalty_transaction_id, 'hold ' || CAST(id AS TEXT) AS what, parts FROM loyalty_holds"
	selectMintsWithDebit = "SELECT id, organization_id, loyalty_transaction_id, 'mint ' || CAST(id AS TEXT) AS what, paid AS parts FROM minting_mints"
)

// selectPaidRecords runs selectHoldsWithDebit or selectMintsWithDebit for the next rows after an id (zero: from the
// first), at most maxIDsPerQuery of them.
func selectPaidRecords(
	ctx context.Context, q store.Queryer, query string, after laurel.ID,
) (out []paidRecord, err error) {
	var w store.Where
	w.Add("loyalty_transaction_id IS NOT NULL")
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	err = q.Select(ctx, &out, query+w.String()+" ORDER BY id LIMIT ?", append(w.Args, maxIDsPerQuery)...)
	return out, err
}

// debitsOf returns how much each user was debited by each of the transactions.
func debitsOf(
	ctx context.Context, q store.Queryer, transactions []laurel.ID,
) (map[laurel.ID]map[laurel.ID]laurel.Amount, error) {
	var w store.Where
	w.Add("user_id IS NOT NULL AND direction = 'debit'")
	store.In(&w, "loyalty_transaction_id", transactions)
	var rows []struct {
		TransactionID lenientID  `db:"loyalty_transaction_id"`
		UserID        lenientID  `db:"user_id"`
		Amount        lenientInt `db:"amount"`
	}
	err := q.Select(ctx, &rows,
		"SELECT loyalty_transaction_id, user_id, amount FROM loyalty_transaction_entries"+w.String(), w.Args...)
	out := map[laurel.ID]map[laurel.ID]laurel.Amount{}
	for _, r := range rows {
		if out[r.TransactionID.ID] == nil {
			out[r.TransactionID.ID] = map[laurel.ID]laurel.Amount{}
		}
		out[r.TransactionID.ID][r.UserID.ID] += laurel.Amount(r.Amount)
	}
	return out, err
}
