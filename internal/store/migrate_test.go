package store_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel"
	"laurel/internal/dev/storetest"
	"laurel/internal/store"
)

// older returns a database as the given version of the schema made it.
func older(t *testing.T, address string, version int64) *store.DB {
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
	if err := db.MigrateTo(ctx, version); err != nil {
		t.Fatal(err)
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
		pool, err := db.Migrator()
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
