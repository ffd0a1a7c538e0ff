// Package memberimports owns imports of members (contract 1.11): files of members that another program had, with their
// metadata and opening balances. It checks a whole file, stores its rows, and writes them in chunks, each member and
// each opening balance once. Its tables are member_imports and member_import_rows. Members belong to identity, points
// to ledger, and reading files to lists.
package memberimports

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/weburl"
	"laurel.example/laurel/internal/worker"
)

// The statuses of an import (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
	Cancelled  = "cancelled"
)

// Statuses lists the statuses of imports.
func Statuses() []string { return []string{Pending, Processing, Complete, Failed, Cancelled} }

// Import is one import of a file of members.
type Import struct {
	ID         laurel.ID
	WebsiteID  laurel.ID
	FileName   string
	CurrencyID laurel.NullID // of the opening balances; none if it is not known yet, or there are none
	Status     string
	Message    string
	Total      int64 // rows of the file; 0 until they are checked
	Written    int64 // rows that are imported
	NewMembers int64 // of these, how many were no members before
	Openings   int64 // opening balances
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero while open
}

// IsOpen reports whether the import has not ended.
func (i Import) IsOpen() bool { return i.FinishedAt.IsZero() }

// Config holds the dependencies of a Service.
type Config struct {
	DB     *store.DB
	Lists  *lists.Service
	Files  *content.Service
	People *identity.Service
	Ledger *ledger.Service
	Logger *slog.Logger
}

// Service implements imports of members.
type Service struct {
	Config
	wakeup    worker.Wakeup // of Run
	checkSlot chan struct{} // full while a file is checked: that takes about fifty bytes per row
	queue     importQueue
}

// importQueue is the worker.Queue of imports.
type importQueue interface {
	worker.Runner
	LeaseByKey(ctx context.Context, key laurel.ID, ignoreDelay bool) (*leasedImport, error)
	Process(ctx context.Context, items []*leasedImport) error
}

// leasedImport is an import that this node works on.
type leasedImport = worker.Item[importRow]

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c, wakeup: worker.NewWakeup(), checkSlot: make(chan struct{}, 1)}
	s.queue = s.newQueue()
	return s
}

// Input names a file of members: by the address of a list, or by that of an uploaded file.
type Input struct {
	CSVURL     string
	AssetURL   string
	CurrencyID laurel.ID // of the opening balances; zero: the website's only currency
}

// Bounds returns what the properties accept, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"csvUrl":   {"format": "uri-reference", "maxLength": weburl.MaxLength},
		"assetUrl": {"format": "uri-reference", "maxLength": weburl.MaxLength},
		"loyaltyCurrencyId": {
			"description": "Of the opening balances. Default: the website's only currency",
		},
	}}
}

// address returns the address of the file.
func (in Input) address() string {
	if in.AssetURL != "" {
		return in.AssetURL
	}
	return in.CSVURL
}

// validate returns an Invalid error with every fault of the form of the input.
func (in Input) validate() error {
	var f laurel.Faults
	switch {
	case in.CSVURL == "" && in.AssetURL == "":
		f.AddText("csvUrl", "csvUrl or assetUrl is required")
	case in.CSVURL != "" && in.AssetURL != "":
		f.Add("assetUrl", "cannot be set together with csvUrl")
	case in.CSVURL != "" && !weburl.ValidOrFile(in.CSVURL):
		f.Add("csvUrl", "must be a valid url")
	case in.AssetURL != "" && !weburl.ValidOrFile(in.AssetURL):
		f.Add("assetUrl", "must be a valid url")
	}
	return f.Err()
}

// Create puts an import of a file in the queue. Errors: Invalid, also for an address that may not be called, a file
// that was not uploaded to the website, and a currency that takes no opening balances.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Input) (Import, error) {
	if err := in.validate(); err != nil {
		return Import{}, err
	}
	if err := s.checkAddress(ctx, scope, in); err != nil {
		return Import{}, err
	}
	var r importRow
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if !in.CurrencyID.IsZero() {
			if err := checkCurrency(ctx, tx, scope, in.CurrencyID); err != nil {
				return err
			}
		}
		r = newRow(tx, scope, in.CurrencyID)
		r.URL, r.FileName = in.address(), fileName(in.address())
		_, err := importTable.Insert(ctx, tx, &r, "")
		return err
	})
	s.wakeup.Wake()
	return r.toImport(), err
}

// checkAddress returns an Invalid error if the file of an input may not be read.
func (s *Service) checkAddress(ctx context.Context, scope laurel.Scope, in Input) error {
	var f laurel.Faults
	if in.AssetURL == "" {
		if err := s.Lists.Check(ctx, scope, &f, "csvUrl", in.CSVURL); err != nil {
			return err
		}
		return f.Err()
	}
	file, err := s.Files.FindOwn(ctx, scope, in.AssetURL)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound:
		f.Add("assetUrl", "must be the url of a file that was uploaded for this website")
		return f.Err()
	case err != nil:
		return err
	}
	return file.Close()
}

// currencyPath is the property that names the currency of opening balances.
const currencyPath = "loyaltyCurrencyId"

// checkCurrency returns an Invalid error unless the currency takes opening balances: it is a live currency of the
// website whose balances this ledger keeps, and not the hidden one of a token. The currency stays as it is until the
// transaction ends.
func checkCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	c, isLive, err := ledger.CurrencyIn(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	if !isLive || c.IsTokenRewardCurrency {
		return laurel.Unknown(currencyPath, "Loyalty currency")
	}
	if c.PostURL != nil {
		var f laurel.Faults
		f.Add(currencyPath, "is a currency whose balances an external ledger keeps: import them there")
		return f.Err()
	}
	return nil
}

// CheckCurrencyMove returns Invalid, naming apiPostUrl, if the balances of a currency are to move to an external ledger
// while members are imported with balances of it. It does nothing if the balances stay here. It runs in the transaction
// that changes the currency.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.PostURL == nil {
		return nil
	}
	isImporting, err := hasOpenImport(ctx, tx, scope, c.ID)
	if err != nil || !isImporting {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "cannot be set while members are imported with balances")
	return f.Err()
}

// Get returns an import. Errors: NotFound "Import".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Import, error) {
	r, err := importTable.Get(ctx, s.DB, importByID(scope, id), "")
	return r.toImport(), err
}

// List returns a page of imports, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[Import], error) {
	rows, err := listImports(ctx, s.DB, scope, page)
	return laurel.MapPage(rows, importRow.toImport), err
}
