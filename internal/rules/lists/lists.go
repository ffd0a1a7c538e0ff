// Package lists owns the lists that rules and badges refer to: wallets (contract 5.13, 5.17), codes (5.11) and rewards
// per token (5.14), from files and feeds. It owns their imports, which resume where they stopped and take effect as a
// whole or not at all, and looks up what the lists contain. What a rule or badge does with a list is up to other
// packages; codes themselves belong to package codes.
package lists

import (
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// Kind is what a list is for.
type Kind string

// The kinds.
const (
	KindAllotment Kind = "allotment" // the wallets that may complete a rule, with an amount for each
	KindCodes     Kind = "codes"     // codes that can be redeemed once each
	KindRewards   Kind = "rewards"   // the reward of each token
	KindCondition Kind = "condition" // the wallets for which a condition of a chain or a badge holds
)

// ConditionKind returns the kind of a condition's list. A rule or badge may have several conditions.
func ConditionKind(condition laurel.ID) Kind { return KindCondition + " " + Kind(condition.String()) }

// FileKind returns the kind of a further list of a badge's condition.
func FileKind(condition, file laurel.ID) Kind {
	return ConditionKind(condition) + " " + Kind(file.String())
}

// split returns the kind without ids, and the condition of a condition's list, else the zero id.
func (k Kind) split() (Kind, laurel.ID) {
	base, rest, _ := strings.Cut(string(k), " ")
	condition, _, _ := strings.Cut(rest, " ")
	id, _ := laurel.ParseID(condition) // zero for other lists; valid otherwise, as this package wrote it
	return Kind(base), id
}

// form returns the description of the list's rows.
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
	maxErrors = 100 // of bad rows that an import stores
)

// reimportInterval is the time after which a rule's list is imported again (contract 5.13). Lists of codes and of
// badges are imported once.
const reimportInterval = time.Hour

// Config holds what a Service is made from.
type Config struct {
	DB       *store.DB
	Outbound *outbound.Client
	Files    *content.Service
	Vault    *vault.Vault // decrypts the keys of feeds
	Logger   *slog.Logger
	Folder   string // the folder for downloaded copies
	// MaxTryTime bounds one try to download a file; 0: 2 minutes (contract 5.11).
	MaxTryTime time.Duration
}

// Service implements the operations on lists.
type Service struct {
	db         *store.DB
	outbound   *outbound.Client
	files      *content.Service
	vault      *vault.Vault
	log        *slog.Logger
	folder     string
	maxTryTime time.Duration
	wakeup     worker.Wakeup // of Run
	slots      chan struct{} // holds a token for each slot that is taken
	queue      worker.Runner
}

// New returns a Service.
func New(c Config) *Service {
	s := &Service{
		db:         c.DB,
		outbound:   c.Outbound,
		files:      c.Files,
		vault:      c.Vault,
		log:        c.Logger,
		folder:     c.Folder,
		maxTryTime: c.MaxTryTime,
		wakeup:     worker.NewWakeup(),
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
	Condition  laurel.ID // the condition of a condition's list, else zero
	URL        string
	Status     string
	Message    string
	Total      *int64 // rows of the file; nil while unknown
	Read       int64  // rows read so far
	Skipped    int64  // of the rows read: bad rows, and rows whose key is in the list already
	Added      int64  // of the rows read: new rows
	Errors     []RowError
	CreatedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt time.Time // zero until the import has ended
}

// RowError says what is wrong with a row.
type RowError struct {
	Line    int64  `json:"line" doc:"In the file, from 1; in a feed the number of the result"`
	Message string `json:"message"`
}
