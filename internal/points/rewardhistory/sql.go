package rewardhistory

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Payment is one payment of a rule to a user.
type Payment struct {
	EntryID    laurel.ID `db:"id"`
	AccountID  laurel.ID `db:"loyalty_account_id"`
	CurrencyID laurel.ID `db:"loyalty_currency_id"`
	UserID     laurel.ID `db:"user_id"`
}

// PaymentsOfRule returns a page of the payments of a rule, oldest first. page.StartingAfter is the entry of a payment.
func (s *Service) PaymentsOfRule(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) ([]Payment, error) {
	var w store.Where
	w.Add(
		"loyalty_rule_id = ? AND website_id = ? AND user_id IS NOT NULL AND direction = 'credit' AND amount > 0",
		rule,
		scope.WebsiteID,
	)
	if !page.StartingAfter.IsZero() {
		var at int64
		if err := q.Get(
			ctx,
			&at,
			"SELECT created_at FROM loyalty_transaction_entries WHERE id = ?",
			page.StartingAfter,
		); err != nil {
			return nil, err
		}
		w.After("created_at", "id", false, at, page.StartingAfter)
	}
	var rows []Payment
	err := q.Select(
		ctx,
		&rows,
		`SELECT id, loyalty_account_id, loyalty_currency_id, user_id FROM loyalty_transaction_entries`+w.String()+
			" ORDER BY created_at, id LIMIT ?",
		append(w.Args, page.Limit)...)
	return rows, err
}

// lastResets returns, by account, the account's version after its last reset. Points that were paid before it are no
// longer in the balance. Accounts without a reset are left out.
func (s *Service) lastResets(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	accounts []laurel.ID,
) (map[laurel.ID]int64, error) {
	var w store.Where
	store.In(&w, "e.loyalty_account_id", accounts)
	w.Add(
		"e.website_id = ? AND e.type = ? AND e.direction = 'debit' AND e.end_amount = 0 AND t.description = ?",
		scope.WebsiteID,
		string(ledger.TypeAPIKey),
		ResetDescription,
	)
	var rows []struct {
		Account laurel.ID `db:"account"`
		Version int64     `db:"version"`
	}
	err := q.Select(
		ctx,
		&rows,
		`SELECT e.loyalty_account_id AS account, MAX(e.lock_version) AS version FROM loyalty_transaction_entries e
		JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id`+w.String()+" GROUP BY e.loyalty_account_id",
		w.Args...)
	out := make(map[laurel.ID]int64, len(rows))
	for _, r := range rows {
		out[r.Account] = r.Version
	}
	return out, err
}

// EntriesOfRule returns which of the entries are payments of a rule.
func (s *Service) EntriesOfRule(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	entries []laurel.ID,
) (map[laurel.ID]bool, error) {
	ids, err := store.SelectByIDs[laurel.ID](ctx, q, "id", entries, func(w *store.Where) string {
		w.Add("website_id = ? AND loyalty_rule_id = ?", scope.WebsiteID, rule)
		return "SELECT id FROM loyalty_transaction_entries" + w.String()
	})
	out := map[laurel.ID]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

// Origin names the transaction and the rule of an entry.
type Origin struct {
	EntryID       laurel.ID `db:"id"`
	TransactionID laurel.ID `db:"loyalty_transaction_id"`
	RuleID        laurel.ID `db:"loyalty_rule_id"` // zero if no rule has paid it
}

// Origins returns the transaction and the rule of each entry, by entry. Entries of other websites are left out.
func (s *Service) Origins(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	entries []laurel.ID,
) (map[laurel.ID]Origin, error) {
	rows, err := store.SelectByIDs[Origin](ctx, q, "id", entries, func(w *store.Where) string {
		w.Add("website_id = ?", scope.WebsiteID)
		return "SELECT id, loyalty_transaction_id, loyalty_rule_id FROM loyalty_transaction_entries" + w.String()
	})
	out := make(map[laurel.ID]Origin, len(rows))
	for _, r := range rows {
		out[r.EntryID] = r
	}
	return out, err
}

// PaymentOfBadge returns the transaction that has paid the rewards of a badge to a user, at a moment or later; the zero
// id if there is none.
func (s *Service) PaymentOfBadge(
	ctx context.Context, scope laurel.Scope, badge, user laurel.ID, since time.Time,
) (laurel.ID, error) {
	var w store.Where
	w.Add(`e.loyalty_account_id IN (SELECT a.id FROM loyalty_accounts a WHERE a.user_id = ? AND a.website_id = ?)
		AND e.created_at >= ? AND e.loyalty_rule_id IS NULL AND e.type = ? AND e.direction = 'credit' AND e.metadata LIKE ?`,
		user, scope.WebsiteID, store.Micros(since), string(ledger.TypeLoyaltyRule), `%"loyaltyBadgeId":"`+badge.String()+`"%`)
	w.Tenant("e.", scope)
	var found []laurel.ID
	err := s.db.Select(ctx, &found, `SELECT e.loyalty_transaction_id FROM loyalty_transaction_entries e`+w.String()+`
		ORDER BY e.created_at, e.id LIMIT 1`, w.Args...)
	if err != nil || len(found) == 0 {
		return laurel.ID{}, err
	}
	return found[0], nil
}

// PaidSince returns, by account, how much a rule has paid after the version that since gives for the account, less what
// was taken back since, by a reversal or because a block left its chain, and what is owed for that or was. Accounts
// without an entry after that version are left out. The caller has locked the accounts.
func (s *Service) PaidSince(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	since map[laurel.ID]int64,
) (map[laurel.ID]laurel.Amount, error) {
	sums := make(map[laurel.ID]laurel.Amount, len(since))
	byVersion := map[int64][]laurel.ID{}
	for id, version := range since {
		byVersion[version] = append(byVersion[version], id)
	}
	for _, version := range slices.Sorted(maps.Keys(byVersion)) {
		w := store.Where{Args: []any{rule}}
		store.In(&w, "loyalty_account_id", byVersion[version])
		w.Add("website_id = ? AND lock_version > ?", scope.WebsiteID, version)
		var rows []struct {
			Account laurel.ID     `db:"account"`
			Amount  laurel.Amount `db:"amount"`
		}
		// The rule is not in the WHERE clause: without statistics, the planner would scan all that it has ever paid.
		err := q.Select(
			ctx,
			&rows,
			`SELECT loyalty_account_id AS account, CAST(SUM(CASE WHEN loyalty_rule_id = ? THEN CASE
				WHEN direction = 'credit' THEN amount
				WHEN (SELECT t.cause FROM loyalty_transactions t WHERE t.id = e.loyalty_transaction_id) IN ('reorganized', 'reversed') THEN -amount
				ELSE 0 END ELSE 0 END) AS BIGINT) AS amount
			FROM loyalty_transaction_entries e`+w.String()+" GROUP BY loyalty_account_id",
			w.Args...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			sums[r.Account] = r.Amount
		}
		if err := subtractOwed(ctx, q, rule, w, sums); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// subtractOwed subtracts from the sums what the rule's entries say that an account owes, or that a reversal left to the
// member. w has the conditions for the entries; its first argument is the rule.
func subtractOwed(
	ctx context.Context, q store.Queryer, rule laurel.ID, w store.Where, sums map[laurel.ID]laurel.Amount,
) error {
	var rows []struct {
		Account  laurel.ID `db:"account"`
		Metadata string    `db:"metadata"`
	}
	w.Args = append(slices.Clone(w.Args[1:]), rule)
	err := q.Select(ctx, &rows, `SELECT loyalty_account_id AS account, metadata FROM loyalty_transaction_entries`+w.String()+`
		AND direction = 'debit' AND (metadata LIKE '%"receivable"%' OR metadata LIKE '%"uncovered"%') AND loyalty_rule_id = ?`, w.Args...)
	for _, r := range rows {
		var about struct {
			Receivable laurel.Amount `json:"receivable"`
			Uncovered  laurel.Amount `json:"uncovered"`
		}
		if json.Unmarshal([]byte(r.Metadata), &about) == nil {
			sums[r.Account] -= about.Receivable + about.Uncovered
		}
	}
	return err
}

// selectCredits returns the credits of a rule to users in a period that follow query.after, oldest first, at most
// query.limit of them.
func selectCredits(ctx context.Context, q store.Queryer, scope laurel.Scope, query creditQuery) ([]Credit, error) {
	var w store.Where
	w.Add(
		"e.loyalty_rule_id = ? AND e.website_id = ? AND e.organization_id = ? AND e.user_id IS NOT NULL AND e.direction = 'credit'",
		query.RuleID,
		scope.WebsiteID,
		scope.OrganizationID,
	)
	w.Add("e.created_at >= ? AND e.created_at < ?", store.Micros(query.From), store.Micros(query.To))
	if !query.after.EntryID.IsZero() {
		w.After("e.created_at", "e.id", false, query.after.At, query.after.EntryID)
	}
	var rows []Credit
	err := q.Select(
		ctx,
		&rows,
		`SELECT e.id, e.loyalty_transaction_id, e.user_id, e.loyalty_currency_id, e.amount, e.created_at, COALESCE(t.facts, '') AS facts,
			CASE WHEN e.amount = 0 THEN COALESCE(e.metadata, '') ELSE '' END AS metadata
		FROM loyalty_transaction_entries e JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id`+w.String()+`
		ORDER BY e.created_at, e.id LIMIT ?`,
		append(w.Args, query.limit)...)
	return rows, err
}

// selectZeroEntryMetadata returns the metadata of the zero-amount entries of transactions. For held points it describes
// their lot.
func selectZeroEntryMetadata(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	transactions []laurel.ID,
) ([]string, error) {
	if len(transactions) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "loyalty_transaction_id", transactions)
	w.Add("website_id = ? AND amount = 0 AND metadata IS NOT NULL", scope.WebsiteID)
	var rows []string
	err := q.Select(ctx, &rows, "SELECT metadata FROM loyalty_transaction_entries"+w.String(), w.Args...)
	return rows, err
}
