// Package badges owns badges and badge holders: their records, granting a badge with its rewards, and revoking it
// (contract 3.21, 4.4, 5.17). It does not own who has earned a badge (rules/awards), conditions (conditions),
// multipliers (engagement), or points (ledger).
package badges

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Badge is a badge that members get once they meet its conditions: a row of loyalty_badges.
type Badge struct {
	ID             laurel.ID                         `db:"id" json:"id"`
	OrganizationID laurel.ID                         `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID                         `db:"website_id" json:"websiteId"`
	Name           string                            `db:"name" json:"name"`
	Description    string                            `db:"description" json:"description"`
	ImageURL       string                            `db:"image_url" json:"imageUrl"`
	HideInUI       bool                              `db:"hide_in_ui" json:"hideInUi"`
	Conditions     laurel.List[conditions.Condition] `db:"conditions" json:"-" update:"no"` // they never change
	Rewards        laurel.List[Reward]               `db:"rewards" json:"-"`
	CSVFiles       laurel.List[CSVFile]              `db:"csv_files" json:"-"`
	Version        int64                             `db:"version" json:"-"` // raised by every update
	CreatedAt      laurel.Timestamp                  `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp                  `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp              `db:"deleted_at" json:"deletedAt"`
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

// BadgeUser is the record of a badge and a member: the member's progress, and whether the badge is granted. It is a row
// of loyalty_badge_users.
type BadgeUser struct {
	ID             laurel.ID                     `db:"id" json:"id"`
	OrganizationID laurel.ID                     `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID                     `db:"website_id" json:"websiteId"`
	BadgeID        laurel.ID                     `db:"loyalty_badge_id" json:"loyaltyBadgeId" update:"no"`
	UserID         laurel.ID                     `db:"user_id" json:"userId" update:"no"`
	Status         string                        `db:"status" json:"status"`
	HideInUI       bool                          `db:"hide_in_ui" json:"hideInUi"`
	DismissedInUI  bool                          `db:"dismissed_in_ui" json:"dismissedInUi"`
	Progress       laurel.List[conditions.State] `db:"progress" json:"progress"`
	Share          int64                         `db:"share" json:"-"`                  // the progress in percent
	RewardedAt     laurel.NullTimestamp          `db:"rewarded_at" json:"-"`            // when the rewards were paid; none: not yet
	RuleID         laurel.NullID                 `db:"loyalty_rule_id" json:"-"`        // the rule that granted it; none: its conditions, or a caller
	Dynamic        bool                          `db:"dynamic" json:"-"`                // a dynamic reward: granted while the rule's conditions hold
	CompletedAt    laurel.NullTimestamp          `db:"completed_at" json:"completedAt"` // when it was granted last; none: not yet
	CreatedAt      laurel.Timestamp              `db:"created_at" json:"createdAt"`     // when the member was first looked at
	UpdatedAt      laurel.Timestamp              `db:"updated_at" json:"updatedAt"`     // when its status or flags last changed
	DeletedAt      laurel.NullTimestamp          `db:"deleted_at" json:"deletedAt"`
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
