// Package functions owns the functions of websites: their code with its versions, their secrets, their runs with logs,
// the schedule of cron expressions, and the transactions that runs request from the payout driver (contract 3.34 and
// 7.6). Package sandbox executes the code. Rules and subscriptions decide when a function runs.
package functions

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// Function is a function of a website (contract 3.34): a row of functions, and what the API returns.
type Function struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	Name           string               `db:"name" json:"name"`
	Code           string               `db:"code" json:"code"`
	Version        int64                `db:"version" json:"version" doc:"From 1; each change of the code raises it"`
	Cron           laurel.NullText      `db:"cron" json:"cron"`
	SealedSecrets  laurel.NullText      `db:"secrets_sealed" json:"-"`
	Disabled       bool                 `db:"disabled" json:"disabled"`
	TickAt         laurel.NullTimestamp `db:"tick_at" json:"-"` // when the cron expression is due next
	DueAt          laurel.NullTimestamp `db:"due_at" json:"-"`  // when the queue takes it up: at the tick, or after a lease
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// Driver hands a transaction to the operator's payout driver. It may be called again with the same id, which must not
// pay twice. ErrRefused means that another call would not help.
type Driver func(ctx context.Context, t Transaction) (txHash string, err error)

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB      *store.DB
	Vault   *vault.Vault
	Sandbox *sandbox.Sandbox
	Caps    laurel.Caps // of live functions
	Driver  Driver      // nil: handlers cannot add transactions
	// Serves reports whether the driver carries out transactions for an organization; nil: for none.
	Serves func(organization laurel.ID) bool
	Logger *slog.Logger
}

// Service stores and runs functions.
type Service struct {
	Config
	tickQueue        worker.Runner
	transactionQueue worker.Runner
	detachedRuns     sync.WaitGroup // runs that RunRuleWithin started
}

// New returns a Service. Its workers start with Run.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.tickQueue = s.newTickQueue()
	s.transactionQueue = s.newTransactionQueue()
	return s
}

// canRequestTransactions reports whether the payout driver takes transactions of an organization's functions.
func (s *Service) canRequestTransactions(organization laurel.ID) bool {
	return s.Driver != nil && s.Serves != nil && s.Serves(organization)
}

// secretsPlace binds the sealed secrets of a function to its row.
func secretsPlace(function laurel.ID) string { return vault.Place("function", function, "secrets") }

// errFunctionNotFound is the refusal of an id that is no live function of the scope.
func errFunctionNotFound() error { return laurel.Missing("Function") }

// Create stores a new function as version 1. Errors: Invalid, such as "Function code is invalid: <reason>"; Refused if
// the caps allow no further function; Unavailable while no child of the sandbox is free to check the code.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Input) (Function, error) {
	if err := s.validateInput(ctx, scope, in, true); err != nil {
		return Function{}, err
	}
	f := Function{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Version: 1}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := s.checkCaps(ctx, tx, scope); err != nil {
			return err
		}
		f.ID, f.CreatedAt.Time, f.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if err := s.applyInput(&f, in, tx.Now()); err != nil {
			return err
		}
		if _, err := table.Insert(ctx, tx, &f, ""); err != nil {
			return err
		}
		return insertVersion(ctx, tx, f)
	})
	return f, err
}

// checkCaps returns Refused if the website or the organization has as many functions as it may (contract 1.9). Until
// the transaction ends, no other transaction can add a function to the organization.
func (s *Service) checkCaps(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
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

// Update changes a function; absent properties keep their values. Changed code makes a new version. Errors: NotFound
// "Function", and those of Create.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Input) (Function, error) {
	found, err := s.Get(ctx, scope, id, 0)
	if err != nil {
		return Function{}, err
	}
	if err := s.validateInput(ctx, scope.At(found.WebsiteID), in, false); err != nil {
		return Function{}, err
	}
	return table.EditLive(ctx, s.DB, scope, id, func(tx *store.Tx, f *Function) error {
		isOtherCode := in.Code.Set && in.Code.Value != f.Code
		if err := s.applyInput(f, in, tx.Now()); err != nil || !isOtherCode {
			return err
		}
		f.Version++
		return insertVersion(ctx, tx, *f)
	})
}

// Delete marks a function as deleted, so that it does not run again. Its runs are stored as long as those of others.
// Errors: NotFound "Function".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Function, error) {
	return table.EditLive(ctx, s.DB, scope, id, func(tx *store.Tx, f *Function) error {
		f.DeletedAt.Time = tx.Now()
		return nil
	})
}

// Get returns a live function. version selects older code; 0 means the present one. Errors: NotFound "Function",
// "Function version".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID, version int64) (Function, error) {
	f, err := table.Get(ctx, s.DB, store.LiveByID(scope, id), "")
	if err != nil {
		return Function{}, err
	}
	if version != 0 && version != f.Version {
		f.Version = version
		f.Code, err = findCode(ctx, s.DB, f)
		if store.IsNoRows(err) {
			return Function{}, laurel.Missing("Function version")
		}
	}
	return f, err
}

// List returns a page of live functions, newest first; with ids, only these. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Function], error) {
	return listFunctions(ctx, s.DB, scope, ids, page)
}

// FirstMissing returns the first of the ids that is no live function of the scope, or zero if all are live functions.
func (s *Service) FirstMissing(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID,
) (missing laurel.ID, err error) {
	found, err := selectLiveFunctions(ctx, s.DB, scope, ids)
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

// IsRunnable reports whether the scope has a live function with this id that is not disabled.
func (s *Service) IsRunnable(ctx context.Context, scope laurel.Scope, id laurel.ID) (bool, error) {
	list, err := table.Select(ctx, s.DB, store.LiveByID(scope, id), "")
	return len(list) == 1 && !list[0].Disabled, err
}

// secrets returns the secrets of a function by name, in plain text, as its handler gets them.
func (s *Service) secrets(f Function) (map[string]string, error) {
	text, err := s.Vault.Reveal(vault.StoredSecret(string(f.SealedSecrets), secretsPlace(f.ID)))
	out := map[string]string{}
	if err != nil || text == "" {
		return out, err
	}
	err = json.Unmarshal([]byte(text), &out)
	return out, err
}
