package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Bounds of how many people a database has: fewer would meet on the same rows, more have no id here.
const (
	minMembers = 1000
	maxPeople  = 1 << 31
)

// The kinds of rows that are made in bulk: each has ids of its own.
const (
	kindUser = iota + 1
	kindAccount
	kindOpening
	kindOpeningEntry
	kindOpeningCounter
	kindCompletion
	kindCompletionEntry
	kindCompletionCounter
	kindSubject
	kindGroup

	kinds = 0x100 // the accounts of further currencies are kinds apart
)

// idOf answers the id of the n-th row of a kind: a UUIDv7 of a fixed moment, so that rows lie in their order as they do in a real database,
// and so that a client knows whom to name without asking. bulkID is the same in SQL.
func idOf(kind, n int) string { return fmt.Sprintf("0190c0de-%04x-7000-8000-%012x", kind, n) }

// scatter is odd: multiplying by it gives each number below 2^32 another one, far from its neighbour's.
const scatter = 2654435761

// walletOf answers the wallet of the n-th user. Neighbours lie far apart in the index, as real addresses do. bulkWallet is the same in SQL.
func walletOf(n int) string { return fmt.Sprintf("0x%08x%032x", uint32(uint64(n)*scatter), n) }

// people answers the address of a fresh database with members who have empty accounts, so that completions are measured and not the making
// of users, and the program in it.
func (b *bench) people(ctx context.Context, name string) (string, site, error) {
	if b.engine == SQLite {
		path := filepath.Join(b.dir, "laurel_bench_"+name+".db")
		if err := b.forget(path); err != nil {
			return "", site{}, err
		}
		database := "sqlite:" + path
		b.atEnd(func() error { return b.forget(path) })
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
	b.atEnd(func() error { return c.drop(context.WithoutCancel(ctx), name) })
	p, err := b.populate(ctx, c.database(name))
	return c.database(name), p, err
}

// forget removes a SQLite database with the files beside it.
func (b *bench) forget(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock", ".seal-key"} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// populate makes the schema, a program and its members.
func (b *bench) populate(ctx context.Context, database string) (site, error) {
	b.say("making %d members on %s", b.Members, b.engine)
	p, err := b.create(ctx, database)
	if err != nil {
		return site{}, err
	}
	s := site{Program: p, members: b.Members}
	return s, b.fill(ctx, database, s)
}
