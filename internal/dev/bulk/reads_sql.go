package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"laurel.example/laurel"
)

// Contents are the ids in a loaded database that do not follow from numbers.
type Contents struct {
	Site          Site
	Rules, Groups []laurel.ID // those of the completions
}

// ReadContents reads the ids of the program, of the rules and of their groups in a loaded database.
func (t Target) ReadContents(ctx context.Context) (contents Contents, err error) {
	err = t.open(ctx, func(w writer) error {
		err := w.db.QueryRowContext(ctx, "SELECT organization_id, website_id, id FROM loyalty_currencies ORDER BY created_at, id LIMIT 1").
			Scan(&contents.Site.OrganizationID, &contents.Site.WebsiteID, &contents.Site.CurrencyID)
		if err != nil {
			return err
		}
		if contents.Rules, err = selectIDs(
			ctx,
			w.db,
			"SELECT id FROM loyalty_rules WHERE name = $1 ORDER BY created_at, id",
			RuleName,
		); err != nil {
			return err
		}
		contents.Groups, err = selectIDs(ctx, w.db, "SELECT id FROM loyalty_rule_groups ORDER BY created_at, id")
		return err
	})
	return contents, err
}

// selectIDs returns the ids that a query returns in its only column.
func selectIDs(ctx context.Context, db *sql.DB, query string, arguments ...any) ([]laurel.ID, error) {
	rows, err := db.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []laurel.ID
	for rows.Next() {
		var id laurel.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// EachBalance calls each with the number and the balance of each of the first n accounts, in no order. PostgreSQL only.
func (t Target) EachBalance(ctx context.Context, n int, each func(account int, amount int64) error) error {
	return t.open(ctx, func(w writer) error {
		rows, err := w.db.QueryContext(
			ctx,
			"SELECT right(id::text, 12), amount FROM loyalty_accounts WHERE id BETWEEN $1 AND $2",
			IDOf(KindAccount, 0),
			IDOf(KindAccount, n-1),
		)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var digits string
			var amount int64
			if err := rows.Scan(&digits, &amount); err != nil {
				return err
			}
			account, err := strconv.ParseInt(digits, 16, 64) // an id of IDOf ends with the number
			if err != nil {
				return err
			}
			if err := each(int(account), amount); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// TopAccounts returns the ids of the 5000 accounts with the most points, in the order of their ranks.
func (t Target) TopAccounts(ctx context.Context) (ids []laurel.ID, err error) {
	err = t.open(ctx, func(w writer) (err error) {
		ids, err = selectIDs(
			ctx,
			w.db,
			"SELECT id FROM loyalty_accounts WHERE loyalty_currency_id = $1 AND ranked ORDER BY amount DESC LIMIT 5000",
			t.Site.CurrencyID,
		)
		return err
	})
	return ids, err
}

const groupSize = 3

// ExternalGroup returns the external identifier of the i-th group.
func ExternalGroup(i int) string { return fmt.Sprintf("bench-group-%d", i) }

// InsertGroups inserts n groups, and puts three members with few completions into each, unless that was done before.
// Their ids are those of KindGroup. PostgreSQL only.
func (t Target) InsertGroups(ctx context.Context, shape Shape, n int) error {
	from := shape.Busy + shape.Others/2 // accounts that are not busy
	return t.open(ctx, func(w writer) error {
		group := w.bulkID(KindGroup, "g.n")
		return w.execute(ctx,
			fmt.Sprintf(`INSERT INTO user_groups (id, organization_id, website_id, external_identifier, created_at, updated_at)
				SELECT %s, %s, %s, 'bench-group-' || g.n, %d, %d FROM %s ON CONFLICT DO NOTHING`,
				group, w.uuid(t.Site.OrganizationID), w.uuid(t.Site.WebsiteID), joinedAt, joinedAt, w.numberTable(0, n)),
			fmt.Sprintf(
				`UPDATE members m SET user_group_id = %s, joined_group_at = %d FROM %s, generate_series(0, %d) i(n)
				WHERE m.website_id = %s AND m.user_id = %s AND m.user_group_id IS NULL`,
				group,
				joinedAt,
				w.numberTable(0, n),
				groupSize-1,
				w.uuid(t.Site.WebsiteID),
				w.bulkID(KindUser, fmt.Sprintf("%d + g.n * %d + i.n", from, groupSize)),
			),
		)
	})
}
