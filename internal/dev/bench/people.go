package bench

import (
	"context"
	"os"
	"path/filepath"
)

// Bounds of the number of members in a database: fewer would compete for the same rows, more have no id in package
// bulk.
const (
	minMembers = 1000
	maxPeople  = 1 << 31
)

// createDatabase creates a database of the engine of the current row, with a program and members, and returns its
// address and the program. The members have empty accounts, so that no run measures the creation of users. The database
// is removed when the bench is closed.
func (b *bench) createDatabase(ctx context.Context, name string) (string, site, error) {
	if b.engine == SQLite {
		path := filepath.Join(b.dir, "laurel_bench_"+name+".db")
		if err := b.removeSQLite(path); err != nil {
			return "", site{}, err
		}
		database := "sqlite:" + path
		b.onClose(func() error { return b.removeSQLite(path) })
		p, err := b.populate(ctx, database)
		return database, p, err
	}
	c, err := b.postgres(ctx)
	if err != nil {
		return "", site{}, err
	}
	name = "laurel_bench_" + name
	if err := c.recreate(ctx, name); err != nil {
		return "", site{}, err
	}
	b.onClose(func() error { return c.drop(context.WithoutCancel(ctx), name) })
	p, err := b.populate(ctx, c.database(name))
	return c.database(name), p, err
}

// removeSQLite removes a SQLite database with the files beside it, if they exist.
func (b *bench) removeSQLite(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock", ".seal-key"} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// populate creates the schema, a program and its members in an empty database.
func (b *bench) populate(ctx context.Context, database string) (site, error) {
	b.logf("making %d members on %s", b.Members, b.engine)
	p, err := b.createProgram(ctx, database)
	if err != nil {
		return site{}, err
	}
	s := site{Program: p, members: b.Members}
	return s, s.target(database).InsertMembers(ctx, b.Members)
}
