package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"laurel"
)

// bulk is a database that rows are made in by statements over numbers, at the speed of the disk.
type bulk struct {
	db     *sql.DB
	sqlite bool
	site   Site
}

// Target is an open database that rows are made in.
type Target struct {
	Database string // its address: sqlite:PATH or postgres://…
	Site     Site
}

// Members makes the first n members of the site with an empty account each.
func (t Target) Members(ctx context.Context, n int) error {
	return t.open(ctx, func(w bulk) error {
		return w.execute(
			ctx,
			w.users(0, n),
			w.members(0, n),
			w.accounts(holding{until: n, kind: KindAccount, amount: "0", version: "0"}),
			w.analyzeStatement(),
		)
	})
}

// Accounts makes an empty account for each of the first n members in a further currency, the i-th one.
func (t Target) Accounts(ctx context.Context, n int, currency laurel.ID, i int) error {
	t.Site.CurrencyID = currency
	return t.open(ctx, func(w bulk) error {
		return w.execute(
			ctx,
			w.accounts(holding{until: n, kind: KindAccount + i*kinds, amount: "0", version: "0"}),
			w.analyzeStatement(),
		)
	})
}

// open connects with the drivers that the service links.
func (t Target) open(ctx context.Context, f func(bulk) error) error {
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
	return errors.Join(f(bulk{db, sqlite, t.Site}), db.Close())
}

// analyzeStatement tells the planner what there is, and puts everything in the database's own file.
func (w bulk) analyzeStatement() string {
	if w.sqlite {
		return "PRAGMA wal_checkpoint(TRUNCATE)"
	}
	return "VACUUM (ANALYZE)"
}

func (w bulk) execute(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := w.db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s…: %w", s, err)
		}
	}
	return nil
}

// numbers is a table of the numbers n with from <= n < until.
func (w bulk) numbers(from, until int) string {
	if w.sqlite {
		return fmt.Sprintf(
			"(WITH RECURSIVE g(n) AS (VALUES(%d) UNION ALL SELECT n + 1 FROM g WHERE n + 1 < %d) SELECT n FROM g) g",
			from,
			until,
		)
	}
	return fmt.Sprintf("generate_series(%d::bigint, %d::bigint) g(n)", from, until-1)
}

// bulkID is IDOf in SQL, of an expression.
func (w bulk) bulkID(kind int, n string) string {
	if w.sqlite {
		return fmt.Sprintf("printf('0190c0de-%04x-7000-8000-%%012x', %s)", kind, n)
	}
	return fmt.Sprintf("('0190c0de-%04x-7000-8000-' || lpad(to_hex(%s), 12, '0'))::uuid", kind, n)
}

// bulkWallet is WalletOf in SQL.
func (w bulk) bulkWallet() string {
	scattered := fmt.Sprintf("(g.n * %d %% 4294967296)", scatter)
	if w.sqlite {
		return "printf('0x%08x%032x', " + scattered + ", g.n)"
	}
	return "'0x' || lpad(to_hex(" + scattered + "), 8, '0') || lpad(to_hex(g.n), 32, '0')"
}

// uuid is an id as a literal.
func (w bulk) uuid(id fmt.Stringer) string {
	if w.sqlite {
		return "'" + id.String() + "'"
	}
	return "'" + id.String() + "'::uuid"
}

// early is when everybody joined: before every entry, in microseconds.
const early = int64(1_700_000_000_000_000)

func (w bulk) users(from, until int) string {
	return fmt.Sprintf(
		`INSERT INTO users (id, organization_id, wallet_address, wallet_type, is_platform_super_admin, temporary_loyalty_user, is_service, created_at, updated_at)
		SELECT %s, %s, %s, 'evm', FALSE, TRUE, FALSE, %d + g.n, %d + g.n FROM %s`,
		w.bulkID(KindUser, "g.n"),
		w.uuid(w.site.OrganizationID),
		w.bulkWallet(),
		early,
		early,
		w.numbers(from, until),
	)
}

func (w bulk) members(from, until int) string {
	return fmt.Sprintf(
		`INSERT INTO members (website_id, user_id, organization_id, first_seen_at, is_blocked, is_block_exempt, tokens_valid_from)
		SELECT %s, %s, %s, %d + g.n, FALSE, FALSE, 0 FROM %s`,
		w.uuid(w.site.WebsiteID),
		w.bulkID(KindUser, "g.n"),
		w.uuid(w.site.OrganizationID),
		early,
		w.numbers(from, until),
	)
}

// holding describes accounts: numbers from <= n < until, with balance and version as expressions of g.n.
type holding struct {
	from, until     int
	kind            int
	amount, version string
}

func (w bulk) accounts(h holding) string {
	return fmt.Sprintf(
		`INSERT INTO loyalty_accounts (id, organization_id, website_id, loyalty_currency_id, user_id, amount, lock_version, ranked, created_at, updated_at)
		SELECT %s, %s, %s, %s, %s, %s, %s, TRUE, %d + g.n, %d + g.n FROM %s`,
		w.bulkID(
			h.kind,
			"g.n",
		),
		w.uuid(w.site.OrganizationID),
		w.uuid(w.site.WebsiteID),
		w.uuid(w.site.CurrencyID),
		w.bulkID(KindUser, "g.n"),
		h.amount,
		h.version,
		early,
		early,
		w.numbers(h.from, h.until),
	)
}
