// Package badges owns badges and who has them: their records, what granting one sets off, and revoking it (contract
// 3.21, 4.4, 5.17). Who has earned a badge is worked out above (rules/awards); conditions and their judgement belong to
// conditions, multipliers to engagement, points to ledger.
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

// Badge is what members are given who have met its conditions.
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
	Version        int64 // raised by every saving
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

// Reward is something that whoever is granted a badge gets with it.
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

// CSVFile is a further list of the badge's csv conditions.
type CSVFile struct {
	ID          laurel.ID `json:"id"`
	URL         string    `json:"url"`
	Name        *string   `json:"name"`
	Description *string   `json:"description"`
}

// The statuses of a member's badge (contract 2).
const (
	Active   = "active"
	Inactive = "inactive" // not granted yet, or what gave it no longer holds
	Revoked  = "revoked"
)

var statuses = []string{Active, Inactive, Revoked}

// Statuses lists every status of a member's badge.
func Statuses() []string { return append([]string{}, statuses...) }

// BadgeUser is a badge of a member.
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
	Share          int64     // how far the member is, 0 to 100
	RewardedAt     time.Time // its rewards were paid; zero: not yet
	RuleID         laurel.ID // the rule that gave it; zero: its conditions, or a caller
	Dynamic        bool      // given for as long as what the rule asks for holds
	CompletedAt    time.Time // zero until granted
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      time.Time
}

// LiveFinder returns those of the named things that are live and of the scope's one website.
type LiveFinder func(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error)

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Logger    *slog.Logger
	// Rules and Groups tell which rules and rule groups there are.
	Rules, Groups LiveFinder
	// CheckListURL notes a fault for an address from which no list may be read.
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

// Service carries out the operations on badges.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }
