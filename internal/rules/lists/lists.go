// Package lists owns what rules and badges read from files and feeds: lists of wallets (contract 5.13, 5.17), of codes
// (5.11) and of rewards per token (5.14). It owns how they are read, in imports that go on where they stopped and count
// whole or not at all, and looking up what stands in them. What a rule or badge does with it is the business of others;
// codes themselves belong to codes.
package lists

import (
	"log/slog"
	"strings"
	"time"

	"laurel"
	"laurel/internal/content"
	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/worker"
)

// Kind says what a list is for.
type Kind string

// The kinds.
const (
	Allotment Kind = "allotment" // wallets that may complete the rule, with what each gets
	Codes     Kind = "codes"     // codes that are good for one redemption
	Rewards   Kind = "rewards"   // what each token is worth
	Condition Kind = "condition" // wallets for whom a condition before the rule, or of the badge, holds
)

// ConditionKind is the kind of the list of one condition, of which a rule may have several.
func ConditionKind(condition laurel.ID) Kind { return Condition + " " + Kind(condition.String()) }

// FileKind is the kind of the list of one file beside a condition's own list: a badge may have several.
func FileKind(condition, file laurel.ID) Kind {
	return ConditionKind(condition) + " " + Kind(file.String())
}

// split returns what the list is for, and of a condition's which.
func (k Kind) split() (Kind, laurel.ID) {
	base, rest, _ := strings.Cut(string(k), " ")
	of, _, _ := strings.Cut(rest, " ")
	id, _ := laurel.ParseID(of) // zero of lists that are no condition's; this package wrote the others
	return Kind(base), id
}

// form returns what the rows of the list are.
func (k Kind) form() form {
	base, _ := k.split()
	return forms[base]
}

// The states of an import (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
	Cancelled  = "cancelled"
)

// Limits of a file (contract 5.13).
const (
	MaxRows   = 1_000_000
	MaxBytes  = 50 << 20
	maxErrors = 100 // that an import tells of
)

// rereadInterval is after how long a list of a rule is read anew (contract 5.13). Codes and lists of badges are read
// once.
const rereadInterval = time.Hour

// Config is what a Service is made of.
type Config struct {
	DB       *store.DB
	Outbound *outbound.Client
	Files    *content.Service
	Vault    *vault.Vault // opens the keys of feeds
	Logger   *slog.Logger
	Folder   string // where files are kept while they are read
	// ReadWithin is how long one try of reading an address may take; 0: 2 min (contract 5.11).
	ReadWithin time.Duration
}

// Service carries out the operations on lists.
type Service struct {
	db         *store.DB
	outbound   *outbound.Client
	files      *content.Service
	vault      *vault.Vault
	log        *slog.Logger
	folder     string
	maxTryTime time.Duration
	wake       chan struct{} // wakes Run
	slots      chan struct{} // of shifts
	queue      worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{
		db:         c.DB,
		outbound:   c.Outbound,
		files:      c.Files,
		vault:      c.Vault,
		log:        c.Logger,
		folder:     c.Folder,
		maxTryTime: c.ReadWithin,
		wake:       make(chan struct{}, 1),
		slots:      make(chan struct{}, maxSlots),
	}
	s.queue = s.newQueue()
	if s.maxTryTime == 0 {
		s.maxTryTime = maxTryTime
	}
	return s
}

// Import is one reading of a list.
type Import struct {
	ID         laurel.ID
	Owner      Owner
	Kind       Kind
	Condition  laurel.ID // zero, unless the list is a condition's
	URL        string
	Status     string
	Message    string
	Total      *int64 // rows of the file; nil until that is known
	Read       int64  // rows that are dealt with
	Skipped    int64  // of those: bad ones, and ones that stand in the list already
	Added      int64  // of those: new ones
	Errors     []RowError
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero while it is under way
}

// RowError tells what is wrong with a row.
type RowError struct {
	Line    int64  `json:"line" doc:"In the file, from 1; in a feed the number of the result"`
	Message string `json:"message"`
}
