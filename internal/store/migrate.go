package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

const lockTries = 720 // of 5 seconds: nodes that start while another one migrates have an hour for it

// MigrationState is one line of Status.
type MigrationState struct {
	Name    string
	Applied bool
}

// Migrate brings the schema up to date. Nodes that start together take turns.
func (db *DB) Migrate(ctx context.Context) error {
	provider, done, err := db.migrations()
	if err != nil {
		return err
	}
	defer done()
	results, err := provider.Up(ctx)
	for _, r := range results {
		db.log.Info("migrated", slog.String("migration", migrationName(r.Source)), slog.Duration("took", r.Duration))
	}
	return err
}

// MigrationStatus lists every migration and whether it is applied. It writes nothing.
func (db *DB) MigrationStatus(ctx context.Context) ([]MigrationState, error) {
	provider, done, err := db.migrations()
	if err != nil {
		return nil, err
	}
	defer done()
	applied, err := db.appliedVersions(ctx)
	if err != nil {
		return nil, err
	}
	sources := provider.ListSources()
	out := make([]MigrationState, len(sources))
	for i, s := range sources {
		out[i] = MigrationState{Name: migrationName(s), Applied: slices.Contains(applied, s.Version)}
	}
	return out, nil
}

// UpToDate errs where a migration is not applied, for programs that must not migrate.
func (db *DB) UpToDate(ctx context.Context) error {
	states, err := db.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(states, func(s MigrationState) bool { return !s.Applied }) {
		return errors.New("the schema is not up to date; run laurel migrate up")
	}
	return nil
}

// appliedVersions reads the table of the migrations, which the library itself would make where it is missing.
func (db *DB) appliedVersions(ctx context.Context) ([]int64, error) {
	query := "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
	if db.engine == Postgres {
		query = "SELECT COUNT(to_regclass(?))"
	}
	var tables int
	if err := db.Get(ctx, &tables, query, goose.DefaultTablename); err != nil || tables == 0 {
		return nil, err
	}
	var versions []int64
	err := db.Select(ctx, &versions, "SELECT version_id FROM "+goose.DefaultTablename)
	return versions, err
}

// migrationName is the file of a step, or the number of one that is written in Go and has none.
func migrationName(s *goose.Source) string {
	if s.Path == "" {
		return fmt.Sprintf("%05d (engine step)", s.Version)
	}
	return s.Path
}

func (db *DB) migrations() (*goose.Provider, func(), error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, nil, err
	}
	options := []goose.ProviderOption{goose.WithGoMigrations(engineSteps(db.engine)...)}
	pool, err := db.migrator()
	if err != nil {
		return nil, nil, err
	}
	done := func() { _ = pool.Close() }
	dialect := goose.DialectSQLite3
	if db.engine == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(5, lockTries))
		if err != nil {
			done()
			return nil, nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, pool, files, options...)
	if err != nil {
		done()
		return nil, nil, err
	}
	return provider, done, nil
}

// engineSteps are the migrations whose text differs between the engines. Their versions continue the numbering of the files.
func engineSteps(engine Engine) []*goose.Migration {
	step := func(version int64, sqlite, postgres string) *goose.Migration {
		text := sqlite
		if engine == Postgres {
			text = postgres
		}
		return goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, text)
			return err
		}}, nil)
	}
	return []*goose.Migration{
		// The number of a change orders the feed. PostgreSQL takes it from a sequence, SQLite from the row number.
		step(2, `CREATE TABLE changes (`+changesColumns("INTEGER PRIMARY KEY AUTOINCREMENT")+`)`,
			`CREATE TABLE changes (`+changesColumns("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")+`)`),
		// Accounts change all the time: rows keep room for their next version, and index-only counts need fresh visibility maps.
		step(3, `SELECT 1`, `ALTER TABLE loyalty_accounts SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01,
			autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`),
		step(10, `SELECT 1`, lightenHotRows),
		step(13, `SELECT 1`, sweepHotTables),
		step(18, listMembers(`MIN(entry_id)`, `MAX(entry_id)`, `unhex(group_concat(replace(entry_id, '-', '') || hex(leaf), '' ORDER BY position))`),
			listMembers(`(array_agg(entry_id ORDER BY entry_id))[1]`,
				`(array_agg(entry_id ORDER BY entry_id DESC))[1]`, `string_agg(uuid_send(entry_id) || leaf, ''::bytea ORDER BY position)`)+
				`;
			ALTER TABLE seal_blocks ALTER COLUMN members SET STORAGE EXTERNAL; ALTER TABLE changes ALTER COLUMN leaves SET STORAGE EXTERNAL`), // hashes cannot be packed
		step(20, bundleChanges("json_array(json_object('t', table_name, 'a', action, 'e', entity_id, 'd', json(data)))"),
			bundleChanges("json_build_array(json_build_object('t', table_name, 'a', action, 'e', entity_id, 'd', CAST(data AS json)))::text")+`;
			ALTER TABLE changes ALTER COLUMN changes SET STORAGE EXTERNAL`), // it is read once: PostgreSQL's own packing costs more than room
		step(21, "SELECT 1", fewerIndexes),
		step(23, "SELECT 1", packChanges),
	}
}

// lightenHotRows takes from PostgreSQL what costs more than half of a completion and proves nothing that is not proven otherwise: foreign keys of
// rows that are written with every completion, and indexes that only those keys needed. SQLite keeps them, so the same statements are tested
// with them, and the verification of the books looks for orphans and strangers (docs/decisions/0013).
const lightenHotRows = `
	ALTER TABLE loyalty_transaction_entries DROP CONSTRAINT loyalty_transaction_entries_loyalty_transaction_id_fkey,
		DROP CONSTRAINT loyalty_transaction_entries_website_id_loyalty_account_id_fkey;
	ALTER TABLE loyalty_transactions DROP CONSTRAINT loyalty_transactions_organization_id_website_id_fkey;
	ALTER TABLE ledger_keys DROP CONSTRAINT ledger_keys_organization_id_website_id_fkey;
	ALTER TABLE rule_claims DROP CONSTRAINT rule_claims_website_id_loyalty_rule_id_fkey;
	ALTER TABLE rule_subjects DROP CONSTRAINT rule_subjects_website_id_loyalty_rule_id_fkey;
	-- Every change of an amount writes every index of its account anew.
	CREATE UNIQUE INDEX loyalty_accounts_of_user_in_currency ON loyalty_accounts (user_id, loyalty_currency_id);
	ALTER TABLE loyalty_accounts DROP CONSTRAINT loyalty_accounts_loyalty_currency_id_user_id_key, DROP CONSTRAINT loyalty_accounts_website_id_id_key;
	DROP INDEX loyalty_accounts_of_user;
	-- Subjects and rules change in place: room for the next version keeps such changes out of the indexes.
	ALTER TABLE rule_subjects SET (fillfactor = 85)`

// sweepHotTables has PostgreSQL clean up and look anew at tables that are written all the time, by their own measure: its general one, a fifth of
// the rows, is rare where a table only grows, and useless where it is emptied as fast as it fills.
const sweepHotTables = `
	-- Emptied every two seconds: what the planner knows of it is always wrong, and dead rows are read by every sum until they are swept.
	ALTER TABLE main_account_deltas SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_threshold = -1,
		autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
	-- Grows at one end and is pruned at the other, so a fifth is too many; the newest rows are read the most and never change.
	ALTER TABLE changes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
	-- Every job changes twice and is removed an hour later: few live rows among many dead ones.
	ALTER TABLE rule_jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
		autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 200);
	-- Each is changed once, when its answer is known, and removed a day later.
	ALTER TABLE request_keys SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
	-- A handful of rows, each changed many times a second: room for the versions keeps them on their page, and out of the index.
	ALTER TABLE feed_consumers SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
	-- Changed with every completion, as many as accounts.
	ALTER TABLE rule_subjects SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
	-- One row per organization, changed with every block.
	ALTER TABLE seal_heads SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500)`

// fewerIndexes has every row of a completion written into fewer of them: what a subject's rules are is found by the key itself, and its claims by its rules.
const fewerIndexes = `
	ALTER TABLE rule_subjects DROP CONSTRAINT rule_subjects_pkey, ADD PRIMARY KEY (subject_id, loyalty_rule_id);
	DROP INDEX rule_subjects_of_subject;
	DROP INDEX rule_claims_of_subject`

// packChanges packs long rows of the feed where PostgreSQL was built with lz4, which is fast enough to pay for itself in pages not written.
const packChanges = `DO $$ BEGIN
	IF EXISTS (SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
		ALTER TABLE changes ALTER COLUMN changes SET STORAGE EXTENDED, ALTER COLUMN changes SET COMPRESSION lz4;
	END IF;
END $$`

// bundleChanges makes a row of the feed hold several changes (docs/decisions/0020-bundled-changes.md). What was there becomes rows of one change each,
// marked as telling of any table.
func bundleChanges(alone string) string {
	return `ALTER TABLE changes ADD COLUMN size BIGINT NOT NULL DEFAULT 1;
		ALTER TABLE changes ADD COLUMN tables BIGINT NOT NULL DEFAULT -1;
		ALTER TABLE changes ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';
		UPDATE changes SET changes = ` + alone + `;
		ALTER TABLE changes DROP COLUMN table_name;
		ALTER TABLE changes DROP COLUMN entity_id;
		ALTER TABLE changes DROP COLUMN action;
		ALTER TABLE changes DROP COLUMN data`
}

// listMembers puts the entries of a block into the block itself, as one value of an id and a leaf each, in their order: a row per entry cost more than all else
// that sealing does (docs/decisions/0018). Blocks keep their hashes. What the change feed still tells of carries no leaf, so the entries of this
// moment are looked through again: what no block lists is sealed as what was there before.
func listMembers(first, last, members string) string {
	return `ALTER TABLE seal_blocks ADD COLUMN first_id UUID;
	ALTER TABLE seal_blocks ADD COLUMN last_id UUID;
	ALTER TABLE seal_blocks ADD COLUMN members BYTEA NOT NULL DEFAULT '';
	UPDATE seal_blocks SET first_id = m.first_id, last_id = m.last_id, members = m.members
		FROM (SELECT organization_id, block, ` + first + ` AS first_id, ` + last + ` AS last_id, ` + members + ` AS members
			FROM sealed_entries GROUP BY organization_id, block) m
		WHERE m.organization_id = seal_blocks.organization_id AND m.block = seal_blocks.number;
	DROP TABLE sealed_entries;
	CREATE INDEX seal_blocks_of_ids ON seal_blocks (organization_id, first_id, last_id);
	ALTER TABLE changes ADD COLUMN leaves BYTEA;
	ALTER TABLE seal_backlog ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
	UPDATE seal_backlog SET position = (SELECT COALESCE(MAX(position), 0) * 64 + 63 FROM feed_consumers WHERE name = 'sealer'),
		after_id = NULL, done_at = NULL, until_id = (SELECT id FROM loyalty_transaction_entries ORDER BY id DESC LIMIT 1)`
}

func changesColumns(number string) string {
	return `seq ` + number + `, organization_id UUID NOT NULL, website_id UUID, table_name TEXT NOT NULL,
		entity_id UUID NOT NULL, action TEXT NOT NULL, data TEXT NOT NULL, created_at BIGINT NOT NULL`
}
