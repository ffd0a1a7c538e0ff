package store_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// older returns a database as the given version of the schema made it.
func older(t *testing.T, address string, version int64) *store.DB {
	t.Helper()
	db := empty(t, address)
	if err := db.MigrateTo(context.Background(), version); err != nil {
		t.Fatal(err)
	}
	return db
}

// empty returns a database in which nothing is.
func empty(t *testing.T, address string) *store.DB {
	t.Helper()
	ctx := context.Background()
	if strings.HasPrefix(address, "sqlite:") { // the file there is up to date
		address = "sqlite:" + filepath.Join(t.TempDir(), "older.db")
	}
	db, err := store.Open(ctx, store.Options{URL: address, TxLimit: storetest.TxLimit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if db.Engine() == store.Postgres { // so is the database
		execute(t, db, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
	}
	return db
}

func execute(t *testing.T, db *store.DB, statements ...string) {
	t.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(context.Background(), s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBlocksThatWereSealedEntryByEntryListThemAsTheyWere(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		ctx := context.Background()
		db := older(t, address, 13)
		org := db.NewID()
		execute(
			t,
			db,
			fmt.Sprintf("INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('%s', 'Acme', 1, 1)", org),
			fmt.Sprintf("INSERT INTO seal_heads (organization_id, number, hash) VALUES ('%s', 2, 'two')", org),
			"INSERT INTO seal_backlog (name, after_id, until_id, done_at) VALUES ('entries', NULL, NULL, 5)",
			"INSERT INTO feed_consumers (name, position, lease_owner, lease_until, updated_at) VALUES ('sealer', 7, NULL, 0, 0)",
		)
		want := map[int64][]byte{}
		ids := map[int64][]laurel.ID{}
		for block := int64(1); block <= 2; block++ {
			execute(
				t,
				db,
				fmt.Sprintf(
					`INSERT INTO seal_blocks (organization_id, number, size, root, previous_hash, created_at, public_key, hash, signature)
				VALUES ('%s', %d, 300, 'root', 'none', 1, 'key', 'hash', 'signature')`,
					org,
					block,
				),
			)
			var statements []string
			for position := range 300 {
				id, leaf := laurel.ID{
					byte(position * 7),
					byte(position >> 8),
					byte(block),
				}, bytes.Repeat(
					[]byte{byte(position), 0},
					16,
				)
				want[block] = append(append(want[block], id[:]...), leaf...)
				ids[block] = append(ids[block], id)
				literal := fmt.Sprintf("X'%x'", leaf)
				if db.Engine() == store.Postgres {
					literal = fmt.Sprintf("'\\x%x'::bytea", leaf)
				}
				statements = append(
					statements,
					fmt.Sprintf(
						"INSERT INTO sealed_entries (entry_id, organization_id, block, position, leaf) VALUES ('%s', '%s', %d, %d, %s)",
						id,
						org,
						block,
						position,
						literal,
					),
				)
			}
			slices.Reverse(statements)
			execute(t, db, statements...)
		}
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		for block, list := range want {
			var got struct {
				Members []byte    `db:"members"`
				First   laurel.ID `db:"first_id"`
				Last    laurel.ID `db:"last_id"`
				Hash    string    `db:"hash"`
			}
			if err := db.Get(
				ctx,
				&got,
				"SELECT members, first_id, last_id, hash FROM seal_blocks WHERE number = ?",
				block,
			); err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(ids[block], laurel.ID.Compare)
			if !bytes.Equal(got.Members, list) || got.First != ids[block][0] || got.Last != ids[block][299] ||
				got.Hash != "hash" {
				t.Errorf("block %d from %s to %s lists %d bytes", block, got.First, got.Last, len(got.Members))
			}
		}
		var open int64
		if err := db.Get(
			ctx,
			&open,
			"SELECT position FROM seal_backlog WHERE done_at IS NULL AND after_id IS NULL",
		); err != nil ||
			open != 7*64+63 {
			t.Errorf("position %d: %v", open, err)
		}
	})
}

func TestOfWhatWasThereBeforeOnlyWhatRunsMayHaveFoundCanBeClaimed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		ctx := context.Background()
		db := older(t, address, 36)
		org, website := db.NewID(), db.NewID()
		want := map[laurel.ID]bool{}
		execute(
			t,
			db,
			fmt.Sprintf("INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('%s', 'Acme', 1, 1)", org),
			fmt.Sprintf(
				"INSERT INTO websites (id, organization_id, name, trust_client_users, created_at, updated_at) VALUES ('%s', '%s', 'w', false, 1, 1)",
				website,
				org,
			),
		)
		for _, c := range []struct {
			record, progress, paid string
			found                  bool
		}{
			{`{"frequency":"daily","claimType":"manual"}`, "5", "NULL", true},
			{`{"frequency":"once","claimType":"manual"}`, "5", "8", true}, // found again after it was paid
			{`{"frequency":"daily","claimType":"manual"}`, "5", "9", false},
			{`{"frequency":"daily","claimType":"manual"}`, "NULL", "9", false},
			{`{"frequency":"none","claimType":"manual"}`, "5", "NULL", false},
			{`{"frequency":"daily","claimType":"auto"}`, "5", "NULL", false},
		} {
			rule, subject := db.NewID(), db.NewID()
			execute(
				t,
				db,
				fmt.Sprintf(
					`INSERT INTO loyalty_rules (id, organization_id, website_id, name, description, type, hide_in_ui, show_before_start, is_required, is_special,
				metadata, record, version, created_at, updated_at) VALUES ('%s', '%s', '%s', 'r', '', 'token_hold', false, false, false, false, '{}', '%s', 1, 1, 1)`,
					rule,
					org,
					website,
					c.record,
				),
				fmt.Sprintf(
					`INSERT INTO rule_subjects (loyalty_rule_id, subject_id, id, organization_id, website_id, progress, last_paid_at, completed_at, created_at, updated_at)
				VALUES ('%s', '%s', '%s', '%s', '%s', %s, %s, %s, 1, 9)`,
					rule,
					subject,
					db.NewID(),
					org,
					website,
					c.progress,
					c.paid,
					c.paid,
				),
			)
			want[rule] = c.found
		}
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		for rule, claimable := range want {
			var found int64
			if err := db.Get(
				ctx,
				&found,
				"SELECT COUNT(found_at) FROM rule_subjects WHERE loyalty_rule_id = ?",
				rule,
			); err != nil ||
				found == 1 != claimable {
				t.Errorf("rule %s: %d found, claimable: %v, %v", rule, found, claimable, err)
			}
		}
	})
}

// Building an index over a large table takes longer than any request may.
func TestMigrationsHaveAllTheTimeTheyNeed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.Postgres {
			return // statements have no limit of time
		}
		pool, err := db.OpenMigrationPool()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = pool.Close() }()
		var limit string
		if err := pool.QueryRowContext(context.Background(), "SHOW statement_timeout").
			Scan(&limit); err != nil ||
			limit != "0" {
			t.Errorf("a statement of a migration may take %q: %v", limit, err)
		}
	})
}

func TestFilesOfAnEarlierVersionAreCountedAndTheirHostsKept(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		ctx := context.Background()
		db := older(t, address, 43)
		org, website, user := db.NewID(), db.NewID(), db.NewID()
		execute(t, db,
			fmt.Sprintf("INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('%s', 'Acme', 1, 1)", org),
			fmt.Sprintf(`INSERT INTO websites (id, organization_id, name, trust_client_users, created_at, updated_at)
				VALUES ('%s', '%s', 'w', false, 1, 1)`, website, org),
			fmt.Sprintf(`INSERT INTO users (id, organization_id, is_platform_super_admin, temporary_loyalty_user, is_service,
				created_at, updated_at) VALUES ('%s', '%s', false, false, false, 1, 1)`, user, org))
		for i, of := range []struct {
			user, host string
			size       int
		}{{"NULL", "points.example", 10_000}, {"'" + user.String() + "'", strings.Repeat("x", 200_000), 1}} {
			execute(t, db, fmt.Sprintf(`INSERT INTO assets (id, organization_id, website_id, user_id, file_path, file_key,
				file_name, file_size, host, token_hash, expires_at, created_at)
				VALUES ('%s', '%s', '%s', %s, 'posts', 'k%d', 'a.png', %d, '%s', 't%d', 1, 1)`,
				db.NewID(), org, website, of.user, i, of.size, of.host, i))
		}
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		var hosts []string
		err := db.Select(ctx, &hosts, "SELECT host FROM assets ORDER BY file_key")
		if err != nil || !slices.Equal(hosts, []string{"points.example", ""}) {
			t.Errorf("%.100v: %v", hosts, err)
		}
		site, member := website.String(), website.String()+"/"+user.String()
		for name, want := range map[string]int64{"instance": 14_096, site: 14_096, member: 4096} {
			var bytes int64
			err := db.Get(ctx, &bytes, "SELECT bytes FROM asset_usage WHERE name = ?", name)
			if err != nil || bytes != want {
				t.Errorf("%s: %d bytes, want %d: %v", name, bytes, want, err)
			}
		}
	})
}

// TestFiguresOfAnEarlierVersionAreCorrected: what came back, expired or was taken back counted as issued and spent.
func TestFiguresOfAnEarlierVersionAreCorrected(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		ctx := context.Background()
		db := older(t, address, 94)
		book := &oldBook{t: t, db: db, org: db.NewID(), site: db.NewID(), currency: db.NewID(), rule: db.NewID()}
		book.found()
		book.post("loyalty_rule", "Visit", "credit", 45, "", false)
		held := book.post("order", "Order", "debit", 60, `{"loyaltyHoldId":"x"}`, true)
		book.hold(held)
		book.post("order", "Order", "credit", 60, `{"loyaltyHoldId":"x"}`, true)
		book.post("order", "Gift", "credit", 5, `{"note":"a"}`, true)
		book.post("auction_bid", "Bid", "debit", 20, "", true)
		book.post("auction_bid", "Refund", "credit", 20, "", true)
		book.post("direct_mint", "Mint", "debit", 6, "", true)
		book.post("api_key", "Points expired", "debit", 3, "", false)
		book.post("api_key", "Points expired", "debit", 2, "", true) // in a caller's words
		book.post("api_key", "Currency reset", "debit", 4, "", false)
		book.post("loyalty_rule", "Visit", "debit", 1, "", false)
		issued, spent := int64(45+60+5+20), int64(60+20+6+3+2+4+1)
		book.figure("issued", issued)
		book.figure("spent", spent)
		book.change()
		book.post("order", "Order", "credit", 9, `{"loyaltyHoldId":"x"}`, true) // the reader has not counted it
		if err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]int64{
			"issued": 45 + 5, "spent": 60 + 20 + 6 + 2, "returned": 60 + 20, "expired": 3, "takenBack": 4 + 1,
		} {
			var got int64
			if err := db.Get(ctx, &got, "SELECT value FROM daily_figures WHERE name = ?", name); err != nil || got != want {
				t.Errorf("%s is %d, want %d: %v", name, got, want, err)
			}
		}
		var causes []string
		if err := db.Select(ctx, &causes, `SELECT COALESCE(cause, 'reward') FROM loyalty_transactions
			ORDER BY created_at`); err != nil {
			t.Fatal(err)
		}
		want := "[reward payment refund posted payment refund payment expiry posted reset rule_deleted refund]"
		if fmt.Sprint(causes) != want {
			t.Errorf("causes are %v, want %s", causes, want)
		}
	})
}

// oldBook writes what an earlier version had in its ledger and its figures, on one day.
type oldBook struct {
	t                         *testing.T
	db                        *store.DB
	org, site, currency, rule laurel.ID
	user, account, main       laurel.ID
	at                        int64
}

func (o *oldBook) found() {
	o.t.Helper()
	o.user, o.account, o.main, o.at = o.db.NewID(), o.db.NewID(), o.db.NewID(), 1_700_000_000_000_000
	account := `INSERT INTO loyalty_accounts (id, organization_id, website_id, loyalty_currency_id, user_id, amount,
		lock_version, ranked, created_at, updated_at) VALUES ('%s', '%s', '%s', '%s', %s, 0, 1, true, 1, 1)`
	execute(o.t, o.db,
		fmt.Sprintf("INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('%s', 'Acme', 1, 1)", o.org),
		fmt.Sprintf(`INSERT INTO websites (id, organization_id, name, trust_client_users, created_at, updated_at)
			VALUES ('%s', '%s', 'w', false, 1, 1)`, o.site, o.org),
		fmt.Sprintf(`INSERT INTO users (id, organization_id, is_platform_super_admin, temporary_loyalty_user, is_service,
			created_at, updated_at) VALUES ('%s', '%s', false, false, false, 1, 1)`, o.user, o.org),
		fmt.Sprintf(`INSERT INTO loyalty_currencies (id, organization_id, website_id, name, symbol, decimals,
			is_token_reward_currency, created_at, updated_at, main_account_id)
			VALUES ('%s', '%s', '%s', 'Points', 'P', 0, false, 1, 1, '%s')`, o.currency, o.org, o.site, o.main),
		fmt.Sprintf(`INSERT INTO members (website_id, user_id, organization_id, first_seen_at, is_blocked, is_block_exempt,
			tokens_valid_from) VALUES ('%s', '%s', '%s', 1, false, false, 0)`, o.site, o.user, o.org),
		fmt.Sprintf(account, o.account, o.org, o.site, o.currency, "'"+o.user.String()+"'"),
		fmt.Sprintf(account, o.main, o.org, o.site, o.currency, "NULL"),
		fmt.Sprintf(`INSERT INTO loyalty_rules (id, organization_id, website_id, name, description, type, hide_in_ui,
			show_before_start, is_required, is_special, metadata, record, version, created_at, updated_at, deleted_at)
			VALUES ('%s', '%s', '%s', 'Visit', '', 'external_rule', false, false, false, false, '{}', '{}', 1, 1, 1, 2)`,
			o.rule, o.org, o.site),
	)
}

// post writes a transaction with the entry of the member and that of the main account.
func (o *oldBook) post(kind, description, direction string, amount int, metadata string, asked bool) laurel.ID {
	o.t.Helper()
	o.at++
	id, rule, by, other := o.db.NewID(), "NULL", "NULL", "credit"
	if kind == "loyalty_rule" {
		rule = "'" + o.rule.String() + "'"
	}
	if asked {
		by = "'" + o.user.String() + "'"
	}
	if direction == "credit" {
		other = "debit"
	}
	entry := `INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id,
		loyalty_account_id, loyalty_currency_id, user_id, direction, type, loyalty_rule_id, amount, metadata, created_at)
		VALUES ('%s', '%s', '%s', '%s', '%s', '%s', %s, '%s', '%s', %s, %d, NULLIF('%s', ''), %d)`
	execute(o.t, o.db,
		fmt.Sprintf(`INSERT INTO loyalty_transactions (id, organization_id, website_id, type, description, loyalty_rule_id,
			created_by_id, created_at) VALUES ('%s', '%s', '%s', '%s', '%s', %s, %s, %d)`,
			id, o.org, o.site, kind, description, rule, by, o.at),
		fmt.Sprintf(entry, o.db.NewID(), o.org, o.site, id, o.account, o.currency, "'"+o.user.String()+"'", direction, kind,
			rule, amount, metadata, o.at),
		fmt.Sprintf(entry, o.db.NewID(), o.org, o.site, id, o.main, o.currency, "NULL", other, kind, rule, amount, "", o.at),
	)
	return id
}

func (o *oldBook) hold(transaction laurel.ID) {
	o.t.Helper()
	execute(o.t, o.db, fmt.Sprintf(`INSERT INTO loyalty_holds (id, organization_id, website_id, user_id, loyalty_currency_id,
		amount, captured_amount, status, metadata, parts, loyalty_transaction_id, expires_at, due_at, created_at, updated_at)
		VALUES ('%s', '%s', '%s', '%s', '%s', 60, 0, 'released', '{}', '[]', '%s', 9, 9, 1, 1)`,
		o.db.NewID(), o.org, o.site, o.user, o.currency, transaction))
}

func (o *oldBook) figure(name string, value int64) {
	o.t.Helper()
	execute(o.t, o.db, fmt.Sprintf(`INSERT INTO daily_figures (website_id, name, subject, day, detail, organization_id, value)
		VALUES ('%s', '%s', '%s', %d, '', '%s', %d)`, o.site, name, o.currency, o.at/86_400_000_000, o.org, value))
}

// change writes the first change that the reader of the figures has not handled.
func (o *oldBook) change() {
	o.t.Helper()
	o.at++
	execute(o.t, o.db,
		fmt.Sprintf(`INSERT INTO changes (organization_id, website_id, size, tables, changes, created_at)
			VALUES ('%s', '%s', 1, 1, '[]', %d)`, o.org, o.site, o.at),
		"INSERT INTO feed_consumers (name, position, lease_until, updated_at) VALUES ('figures', 0, 0, 0)")
}
