// Package feed owns the change feed: the table of changes, which every package writes to in the transaction that
// makes the change, and its named durable consumers. It does not own what a change means: whoever consumes the feed
// reads that from the owner of the entity.
package feed

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Table names a platform table (contract 2).
type Table string

// The platform tables.
const (
	TransactionEntry Table = "LoyaltyTransactionEntry"
	Account          Table = "LoyaltyAccount"
	Rule             Table = "LoyaltyRule"
	RuleStatus       Table = "LoyaltyRuleStatus"
	Badge            Table = "LoyaltyBadge"
	BadgeUser        Table = "LoyaltyBadgeUser"
	UserMetadata     Table = "UserMetadata"
	User             Table = "User"
	AuctionBid       Table = "AuctionBid"
	MintingAsset     Table = "MintingContractAsset"
	Hold             Table = "LoyaltyHold"
	TokenClaim       Table = "TokenClaim"
	Subscription     Table = "Subscription"
)

// Multiplier is no platform table: the feed tells of multipliers within the service, and nobody subscribes to them.
const Multiplier Table = "LoyaltyMultiplier"

// Member is no platform table either: the feed tells of members who joined or left a group, or whose block mark
// changed. The entity is the user.
const Member Table = "Member"

// Action says what happened to an entity. Which tables know which actions is listed in contract 7.1.
type Action string

// The actions.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Deleted   Action = "deleted"
	Restored  Action = "restored"
	Completed Action = "completed"
	Disabled  Action = "disabled"
	Enabled   Action = "enabled"
)

// Change is one change of the feed. Whoever writes it holds the lock of the entity, so the numbers of one entity's
// changes are in the order of their commits.
type Change struct {
	Seq            int64 // orders the feed; left zero by writers
	OrganizationID laurel.ID
	WebsiteID      laurel.ID // zero for what belongs to the organization, such as users
	EntityID       laurel.ID
	Table          Table
	Action         Action
	Data           json.RawMessage // an object of ids and of the values that moved; nil stands for {}
	// what is to be sealed with the change, for a consumer of leaves; a list as internal/points/seal writes it, or nil
	Leaves []byte
	At     time.Time // the time of the transaction; set by the feed
}

// Changes takes the changes of Works. It ranks behind every table: a number is taken as late as can be, so that a
// transaction keeps the feed waiting as briefly as can be.
var Changes = &store.Sink[Change]{Name: "changes", Rank: store.RankChanges, Write: insertChanges}

// Record writes changes in a transaction that holds the locks of their entities. It returns only faults of the
// database.
func Record(ctx context.Context, tx *store.Tx, changes ...Change) error {
	return insertChanges(ctx, tx, changes)
}
