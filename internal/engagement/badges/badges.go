// Package badges owns badges and badge holders: their records, granting a badge with its rewards, and revoking it
// (contract 3.21, 4.4, 5.17). It does not own who has earned a badge (rules/awards), conditions (conditions),
// multipliers (engagement), or points (ledger).
package badges

import (
	"context"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Badge is a badge that members get once they meet its conditions.
type Badge struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Name           string
	Description    string
	ImageURL       string
	HideInUI       bool
	Conditions     []conditions.Condition
	Rewards        []Reward
	CSVFiles       []CSVFile
	Version        int64 // raised by every update
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      time.Time // zero while live
}

// The types of rewards (contract 2).
const (
	Points       = "points"
	Multiplier   = "multiplier"
	FurtherBadge = "badge" // a further badge
	Token        = "token"
)

var rewardTypes = []string{Points, Multiplier, FurtherBadge, Token}

// Reward is something that a member gets together with a badge.
type Reward struct {
	ID          laurel.ID     `json:"id"`
	Type        string        `json:"rewardType"`
	BadgeID     laurel.ID     `json:"loyaltyBadgeId,omitzero"`     // badge
	CurrencyID  laurel.ID     `json:"loyaltyCurrencyId,omitzero"`  // points, token
	CurrencyIDs []laurel.ID   `json:"loyaltyCurrencyIds,omitzero"` // multiplier; empty: all
	Amount      laurel.Amount `json:"amount,omitzero"`             // points, token
	Multiplier  laurel.Amount `json:"multiplier,omitzero"`
	Retroactive bool          `json:"isRetroactive,omitzero"`
}

// CSVFile is a further list for the badge's conditions of type csv.
type CSVFile struct {
	ID          laurel.ID `json:"id"`
	URL         string    `json:"url"`
	Name        *string   `json:"name"`
	Description *string   `json:"description"`
}

// The statuses of a BadgeUser (contract 2).
const (
	Active   = "active"
	Inactive = "inactive" // not granted yet, or taken back because the conditions no longer hold
	Revoked  = "revoked"
)

var statuses = []string{Active, Inactive, Revoked}

// Statuses returns every status of a BadgeUser.
func Statuses() []string { return append([]string{}, statuses...) }

// BadgeUser is the record of a badge and a member: the member's progress, and whether the badge is granted.
type BadgeUser struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	BadgeID        laurel.ID
	UserID         laurel.ID
	Status         string
	HideInUI       bool
	DismissedInUI  bool
	Progress       []conditions.State
	Share          int64     // the progress in percent
	RewardedAt     time.Time // when the rewards were paid; zero: not yet
	RuleID         laurel.ID // the rule that granted it; zero: its conditions, or a caller
	Dynamic        bool      // a dynamic reward: granted while the rule's conditions hold
	CompletedAt    time.Time // when it was granted; zero: not yet
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      time.Time
}

// LiveFinder returns the ids of the records that are live and belong to the scope's website.
type LiveFinder func(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error)

// Config holds what a Service is made from.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Logger    *slog.Logger
	// Rules and Groups find live rules and rule groups.
	Rules, Groups LiveFinder
	// CheckListURL adds a fault if no list may be read from an address.
	CheckListURL func(ctx context.Context, scope laurel.Scope, f *laurel.Faults, path, address string) error
	Follower     Follower // nil: members are not judged, and no lists are read
}

// Follower judges members and reads lists for badges, in the transactions that change badges.
type Follower interface {
	// CancelJobs cancels the jobs of a badge before its csvFiles change or it is deleted, and before it is locked.
	CancelJobs(ctx context.Context, tx *store.Tx, scope laurel.Scope, badge laurel.ID) error
	// EnqueueJobs judges the members, and reads the lists, of a badge that was created or whose csvFiles were set.
	EnqueueJobs(ctx context.Context, tx *store.Tx, scope laurel.Scope, b Badge) error
	// RemoveLists removes the lists of a deleted badge.
	RemoveLists(ctx context.Context, tx *store.Tx, scope laurel.Scope, b Badge) error
}

// Service implements the operations on badges.
type Service struct{ Config }

// New returns a Service.
func New(c Config) *Service { return &Service{c} }
