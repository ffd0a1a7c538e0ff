// Package functions owns the functions of websites: their code and its versions, their secrets, their runs with what
// these logged, when a cron expression is due, and what runs have asked the payout driver for (contract 3.34 and 7.6).
// How code is run is the business of package sandbox; rules and subscriptions decide when one is run.
package functions

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/functions/sandbox"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/worker"
)

// Function is a function of a website (contract 3.34).
type Function struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Name           string
	Code           string
	Version        int64
	Cron           string // "": none
	Secrets        vault.Secret
	Disabled       bool
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      time.Time // zero while live
}

// Driver hands a transaction over to the operator's payout driver. It may be called again with the same id, which must
// carry out nothing twice. ErrRefused tells that another call would change nothing.
type Driver func(ctx context.Context, t Transaction) (txHash string, err error)

// Config is what a Service is made of.
type Config struct {
	DB      *store.DB
	Vault   *vault.Vault
	Sandbox *sandbox.Sandbox
	Caps    laurel.Caps // of live functions
	Driver  Driver      // nil: there is none, and handlers cannot add transactions
	// Serves reports whether the driver carries out transactions for an organization; nil: for none.
	Serves func(organization laurel.ID) bool
	Logger *slog.Logger
}

// Service keeps and runs functions.
type Service struct {
	Config
	ticks    worker.Runner
	payments worker.Runner
	begun    sync.WaitGroup // runs that nobody waits for any more
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.ticks = s.cron()
	s.payments = s.paying()
	return s
}

// isPayable reports whether functions of an organization may ask the payout driver for transactions.
func (s *Service) isPayable(organization laurel.ID) bool {
	return s.Driver != nil && s.Serves != nil && s.Serves(organization)
}

func placeOf(function laurel.ID) string { return vault.Place("function", function, "secrets") }

// errFunction refuses what names a function that does not exist for the caller.
func errFunction() error { return laurel.Missing("Function") }

// Create makes a function. Errors: Invalid, such as "Function code is invalid: <reason>"; Refused for more than there
// may be; Unavailable while no place is free to check it.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Input) (Function, error) {
	if err := s.check(ctx, scope, in, true); err != nil {
		return Function{}, err
	}
	var made functionRow
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := s.room(ctx, tx, scope); err != nil {
			return err
		}
		now := store.Micros(tx.Now())
		made = functionRow{
			ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Version: 1,
			CreatedAt: now, UpdatedAt: now,
		}
		if err := s.apply(&made, in, tx.Now()); err != nil {
			return err
		}
		if err := insertFunction(ctx, tx, made); err != nil {
			return err
		}
		return insertVersion(ctx, tx, made)
	})
	return made.function(), err
}

// room refuses another function where the website or the organization has as many as it may (contract 1.9).
func (s *Service) room(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	if s.Caps.IsUnlimited() {
		return nil
	}
	if err := tx.AdvisoryLock(ctx, "functions of "+scope.OrganizationID.String()); err != nil {
		return err
	}
	ofWebsite, ofOrganization, err := countFunctions(ctx, tx, scope)
	if err != nil {
		return err
	}
	return s.Caps.Check("functions", ofWebsite, ofOrganization)
}

// Update changes a function; what the input leaves out stays. A changed code raises the version. Errors: NotFound
// "Function", and those of Create.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Input) (Function, error) {
	return s.update(ctx, scope, id, in, nil)
}

// ErrChanged is the error of UpdateFrom for a function that is not as it was any more.
var ErrChanged = errors.New("functions: somebody else has changed the function")

// UpdateFrom is Update for a caller who has seen the function: it changes nothing where another change came between.
// Errors: ErrChanged, and those of Update.
func (s *Service) UpdateFrom(ctx context.Context, scope laurel.Scope, seen Function, in Input) (Function, error) {
	return s.update(ctx, scope, seen.ID, in, &seen)
}

func (s *Service) update(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	in Input,
	seen *Function,
) (Function, error) {
	found, err := s.Get(ctx, scope, id, 0)
	if err != nil {
		return Function{}, err
	}
	if err := s.check(ctx, scope.At(found.WebsiteID), in, false); err != nil {
		return Function{}, err
	}
	var row functionRow
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if row, err = lockFunction(ctx, tx, scope, id); err != nil {
			return missing(err)
		}
		if seen != nil && row.function() != *seen {
			return ErrChanged
		}
		version := row.Version
		row.UpdatedAt = store.Micros(tx.Now())
		if in.Code.Set && in.Code.Value != row.Code {
			row.Version++
		}
		if err := s.apply(&row, in, tx.Now()); err != nil {
			return err
		}
		if err := updateFunction(ctx, tx, row); err != nil || row.Version == version {
			return err
		}
		return insertVersion(ctx, tx, row)
	})
	return row.function(), err
}

// Delete ends a function: it runs no more. Its runs stay as long as others. Errors: NotFound "Function".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Function, error) {
	var row functionRow
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if row, err = lockFunction(ctx, tx, scope, id); err != nil {
			return missing(err)
		}
		now := store.Micros(tx.Now())
		row.DeletedAt, row.UpdatedAt = &now, now
		return updateFunction(ctx, tx, row)
	})
	return row.function(), err
}

// Get returns a live function; with a version the code as it was then, 0: as it is. Errors: NotFound "Function",
// "Function version".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID, version int64) (Function, error) {
	row, err := findFunction(ctx, s.DB, scope, id)
	if err != nil {
		return Function{}, missing(err)
	}
	if version != 0 && version != row.Version {
		row.Version = version
		row.Code, err = findCode(ctx, s.DB, row)
		if store.NoRows(err) {
			return Function{}, laurel.Missing("Function version")
		}
	}
	return row.function(), err
}

// List returns live functions, newest first; ids narrow the list. Errors: Invalid for a cursor that is none.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Function], error) {
	rows, err := listFunctions(ctx, s.DB, scope, ids, page)
	return laurel.MapPage(rows, functionRow.function), err
}

// Exists returns the first of the ids that names no live function of the scope; zero where all do.
func (s *Service) Exists(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (missing laurel.ID, err error) {
	found, err := liveFunctions(ctx, s.DB, scope, ids)
	if err != nil {
		return laurel.ID{}, err
	}
	for _, id := range ids {
		if !found[id] {
			return id, nil
		}
	}
	return laurel.ID{}, nil
}

// Able reports whether a function can be run: it is live and not disabled.
func (s *Service) Able(ctx context.Context, scope laurel.Scope, id laurel.ID) (bool, error) {
	row, err := findFunction(ctx, s.DB, scope, id)
	if store.NoRows(err) {
		return false, nil
	}
	return err == nil && !row.Disabled, err
}

// missing makes the refusal of a function that was not found.
func missing(err error) error {
	if store.NoRows(err) {
		return errFunction()
	}
	return err
}

// secrets opens the secrets of a function, as the handler gets them.
func (s *Service) secrets(f Function) (map[string]string, error) {
	text, err := s.Vault.Reveal(f.Secrets)
	out := map[string]string{}
	if err != nil || text == "" {
		return out, err
	}
	err = json.Unmarshal([]byte(text), &out)
	return out, err
}
