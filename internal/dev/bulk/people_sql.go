package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"laurel.example/laurel"
)

// writer inserts rows into a database by statements over series of numbers, at the speed of the disk.
type writer struct {
	db     *sql.DB
	sqlite bool
	site   Site
}

// Target is a database that rows are inserted into.
type Target struct {
	Database string // its address: sqlite:PATH or postgres://…
	Site     Site
}

// InsertMembers inserts the first n members of the site, with an empty account each.
func (t Target) InsertMembers(ctx context.Context, n int) error {
	return t.open(ctx, func(w writer) error {
		return w.execute(
			ctx,
			w.insertUsers(0, n),
			w.insertMembers(0, n),
			w.insertAccounts(accountRange{until: n, kind: KindAccount, amount: "0", version: "0"}),
			w.analyzeStatement(),
		)
	})
}

// InsertAccounts inserts an empty account in the currency for each of the first n members. i is the number of the
// currency, which sets the ids of the accounts apart; the site's own currency has the number 0.
func (t Target) InsertAccounts(ctx context.Context, n int, currency laurel.ID, i int) error {
	t.Site.CurrencyID = currency
	return t.open(ctx, func(w writer) error {
		return w.execute(
			ctx,
			w.insertAccounts(accountRange{until: n, kind: KindAccount + i*kinds, amount: "0", version: "0"}),
			w.analyzeStatement(),
		)
	})
}

// open opens the database with the drivers of the service, calls f with a writer to it, and closes the database.
func (t Target) open(ctx context.Context, f func(writer) error) error {
	driver, address, sqlite := "pgx", t.Database, false
	if path, ok := strings.CutPrefix(t.Database, "sqlite:"); ok {
		driver, sqlite = "sqlite", true
		address = "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // the settings are those of one connection
	if err := db.PingContext(ctx); err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(f(writer{db, sqlite, t.Site}), db.Close())
}

// analyzeStatement returns the statement that prepares the database for measurements: PostgreSQL updates the planner's
// statistics, SQLite moves the write-ahead log into the database file.
func (w writer) analyzeStatement() string {
	if w.sqlite {
		return "PRAGMA wal_checkpoint(TRUNCATE)"
	}
	return "VACUUM (ANALYZE)"
}

// execute executes statements one after the other. The error has the beginning of the one that failed.
func (w writer) execute(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := w.db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s…: %w", s, err)
		}
	}
	return nil
}

// numberTable returns SQL for a table g with one column n, which holds the integers from the first argument up to the
// second, exclusive.
func (w writer) numberTable(from, until int) string {
	if w.sqlite {
		return fmt.Sprintf(
			"(WITH RECURSIVE g(n) AS (VALUES(%d) UNION ALL SELECT n + 1 FROM g WHERE n + 1 < %d) SELECT n FROM g) g",
			from,
			until,
		)
	}
	return fmt.Sprintf("generate_series(%d::bigint, %d::bigint) g(n)", from, until-1)
}

// bulkID returns SQL for IDOf of the SQL expression n.
func (w writer) bulkID(kind int, n string) string {
	if w.sqlite {
		return fmt.Sprintf("printf('0190c0de-%04x-7000-8000-%%012x', %s)", kind, n)
	}
	return fmt.Sprintf("('0190c0de-%04x-7000-8000-' || lpad(to_hex(%s), 12, '0'))::uuid", kind, n)
}

// bulkWallet returns SQL for WalletOf of the number g.n.
func (w writer) bulkWallet() string {
	scattered := fmt.Sprintf("(g.n * %d %% 4294967296)", scatter)
	if w.sqlite {
		return "printf('0x%08x%032x', " + scattered + ", g.n)"
	}
	return "'0x' || lpad(to_hex(" + scattered + "), 8, '0') || lpad(to_hex(g.n), 32, '0')"
}

// uuid returns an id as a literal of SQL.
func (w writer) uuid(id fmt.Stringer) string {
	if w.sqlite {
		return "'" + id.String() + "'"
	}
	return "'" + id.String() + "'::uuid"
}

// joinedAt is when the first member joined, before every entry, in microseconds.
const joinedAt = int64(1_700_000_000_000_000)

// insertUsers returns the statement that inserts the users from to until-1.
func (w writer) insertUsers(from, until int) string {
	return fmt.Sprintf(
		`INSERT INTO users (id, organization_id, wallet_address, wallet_type, is_platform_super_admin, temporary_loyalty_user, is_service, created_at, updated_at)
		SELECT %s, %s, %s, 'evm', FALSE, TRUE, FALSE, %d + g.n, %d + g.n FROM %s`,
		w.bulkID(KindUser, "g.n"),
		w.uuid(w.site.OrganizationID),
		w.bulkWallet(),
		joinedAt,
		joinedAt,
		w.numberTable(from, until),
	)
}

// insertMembers returns the statement that inserts the members from to until-1.
func (w writer) insertMembers(from, until int) string {
	return fmt.Sprintf(
		`INSERT INTO members (website_id, user_id, organization_id, first_seen_at, is_blocked, is_block_exempt, tokens_valid_from)
		SELECT %s, %s, %s, %d + g.n, FALSE, FALSE, 0 FROM %s`,
		w.uuid(w.site.WebsiteID),
		w.bulkID(KindUser, "g.n"),
		w.uuid(w.site.OrganizationID),
		joinedAt,
		w.numberTable(from, until),
	)
}

// accountRange describes accounts to insert: those with the numbers from to until-1 and the ids of a kind. Their
// balance and version are SQL expressions of g.n.
type accountRange struct {
	from, until     int
	kind            int
	amount, version string
}

// insertAccounts returns the statement that inserts the accounts, as accountRange describes them.
func (w writer) insertAccounts(accounts accountRange) string {
	return fmt.Sprintf(
		`INSERT INTO loyalty_accounts (id, organization_id, website_id, loyalty_currency_id, user_id, amount, lock_version, ranked, created_at, updated_at)
		SELECT %s, %s, %s, %s, %s, %s, %s, TRUE, %d + g.n, %d + g.n FROM %s`,
		w.bulkID(
			accounts.kind,
			"g.n",
		),
		w.uuid(w.site.OrganizationID),
		w.uuid(w.site.WebsiteID),
		w.uuid(w.site.CurrencyID),
		w.bulkID(KindUser, "g.n"),
		accounts.amount,
		accounts.version,
		joinedAt,
		joinedAt,
		w.numberTable(accounts.from, accounts.until),
	)
}
