package bench

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// withDatabase opens a connection pool, calls f with it and closes it. The drivers are those of the service.
func withDatabase(ctx context.Context, driver, address string, f func(*sql.DB) error) error {
	db, err := sql.Open(driver, address)
	if err != nil {
		return err
	}
	if err := db.PingContext(ctx); err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(f(db), db.Close())
}

func withPostgres(ctx context.Context, address string, f func(*sql.DB) error) error {
	return withDatabase(ctx, "pgx", address, f)
}

// readSettings returns the version of the server and the settings that decide what a commit costs, as a text.
func (c *cluster) readSettings(ctx context.Context) (string, error) {
	var text []string
	err := withPostgres(ctx, c.address, func(db *sql.DB) error {
		for _, name := range []string{"server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers", "max_wal_size"} {
			var value string
			if err := db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
				return err
			}
			text = append(text, name+" "+value)
		}
		return nil
	})
	return strings.Join(text, ", "), err
}

// recreate creates an empty database, and drops one of that name before.
func (c *cluster) recreate(ctx context.Context, name string) error {
	if err := c.drop(ctx, name); err != nil {
		return err
	}
	return c.execute(ctx, "CREATE DATABASE "+name)
}

func (c *cluster) drop(ctx context.Context, name string) error {
	return c.execute(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
}

func (c *cluster) checkpoint(ctx context.Context) error { return c.execute(ctx, "CHECKPOINT") }

func (c *cluster) execute(ctx context.Context, statement string) error {
	return withPostgres(ctx, c.address, func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, statement)
		return err
	})
}

// exists reports whether the server has a database.
func (c *cluster) exists(ctx context.Context, name string) (bool, error) {
	n := 0
	err := withPostgres(ctx, c.address, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT COUNT(*) FROM pg_database WHERE datname = $1", name).Scan(&n)
	})
	return n > 0, err
}

// pgbenchScale returns the scale that pgbench's tables were filled at; 0 if there are none.
func (c *cluster) pgbenchScale(ctx context.Context) (int, error) {
	exists, err := c.exists(ctx, pgbenchDatabase)
	if err != nil || !exists {
		return 0, err
	}
	n := 0
	err = withPostgres(ctx, c.database(pgbenchDatabase), func(db *sql.DB) error {
		if err := db.QueryRowContext(ctx, "SELECT COUNT(to_regclass('pgbench_branches'))").Scan(&n); err != nil || n == 0 {
			return err
		}
		return db.QueryRowContext(ctx, "SELECT COUNT(*) FROM pgbench_branches").Scan(&n)
	})
	return n, err
}
