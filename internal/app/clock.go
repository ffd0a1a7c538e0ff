package app

import (
	"context"
	"errors"
	"time"

	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// readClock reads the clock of a database for tests. It refuses to serve one without Config.Clock, since everything in
// it may lie in the future, and to set the clock of a database that has none.
func readClock(ctx context.Context, db *store.DB, c Config) error {
	hasClock, err := db.ReadClock(ctx)
	switch {
	case err != nil:
		return err
	case c.Clock && !hasClock:
		return errors.New("this database has no clock of its own: create one with laurel init --clock")
	case c.Exclusive && hasClock && !c.Clock:
		return errors.New("this database has a clock of its own, for tests: serve it with --dev --clock")
	}
	return nil
}

// CreateClock gives a new database a clock of its own, for tests. It refuses one with organizations, whose time would
// move without their knowledge.
func (a *App) CreateClock(ctx context.Context) error {
	found, err := a.ListOrganizations(ctx)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return errors.New("only a new database can have a clock of its own")
	}
	return a.db.CreateClock(ctx)
}

// clockSetter returns the function that sets the clock of the database; nil if callers must not.
func (a *App) clockSetter() func(ctx context.Context, at time.Time) (time.Time, error) {
	if !a.config.Clock {
		return nil
	}
	return a.db.SetClock
}

// followClock follows the clock of the database, which other nodes set, too.
func (a *App) followClock(ctx context.Context) {
	if !a.config.Clock {
		return
	}
	worker.Loop{Every: time.Second, Log: a.log, Fault: "the clock of the database could not be read"}.RunEach(
		ctx, func(ctx context.Context) error {
			_, err := a.db.ReadClock(ctx)
			return err
		})
}
