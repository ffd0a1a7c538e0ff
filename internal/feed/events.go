// Package feed owns the change feed: the table of changes, into which every package writes in the transaction that
// makes the change, and the named durable consumers that read it. It does not know what a change means: a consumer
// reads that from the owner of the entity.
package feed

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Table is the name of a platform table (contract 2).
type Table string

// The platform tables.
const (
	TableTransactionEntry Table = "LoyaltyTransactionEntry"
	TableAccount          Table = "LoyaltyAccount"
	TableRule             Table = "LoyaltyRule"
	TableRuleStatus       Table = "LoyaltyRuleStatus"
	TableBadge            Table = "LoyaltyBadge"
	TableBadgeUser        Table = "LoyaltyBadgeUser"
	TableUserMetadata     Table = "UserMetadata"
	TableUser             Table = "User"
	TableAuctionBid       Table = "AuctionBid"
	TableMintingAsset     Table = "MintingContractAsset"
	TableHold             Table = "LoyaltyHold"
	TableTokenClaim       Table = "TokenClaim"
	TableSubscription     Table = "Subscription"
)

// TableMultiplier is no platform table: its changes are for consumers within the service, and cannot be subscribed to.
const TableMultiplier Table = "LoyaltyMultiplier"

// TableMember is no platform table either: its changes are for consumers within the service. A member joined or left a
// group, or its block mark changed. The entity is the user.
const TableMember Table = "Member"

// TableContract is no platform table: its changes are events and calls of contracts, which the reader of a network has
// found. The entity is the source of the subscription that gets them.
const TableContract Table = "contract"

// Action is what happened to an entity. Contract 7.1 lists the actions of each table.
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

	// Of contracts.
	Event    Action = "event"
	Function Action = "function"
)

// EntityIDs returns the ids of the entities that changed, in the order of the changes.
func EntityIDs(changes []Change) []laurel.ID {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	return ids
}

// RecordsOf returns the record of the entity of each change; nil if there is none.
func RecordsOf(changes []Change, byID map[laurel.ID]json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		out[i] = byID[c.EntityID]
	}
	return out
}

// Change is one change of the feed. Its writer holds the lock of the entity, so the numbers of an entity's changes are
// in the order of their commits.
type Change struct {
	Seq            int64 // orders the feed; left zero by writers
	OrganizationID laurel.ID
	WebsiteID      laurel.ID // zero for entities of the organization, such as users
	EntityID       laurel.ID
	Table          Table
	Action         Action
	Data           json.RawMessage // an object of ids and changed values; nil stands for {}
	// Leaves are the leaves of the audit log that belong to the change, encoded by internal/points/seal, or nil.
	Leaves []byte
	At     time.Time // the time of the transaction; set by the feed
}

// Changes is the sink for the changes of Works. It ranks after every table: a transaction takes its row number as late
// as possible, so that it holds the feed back as briefly as possible.
var Changes = &store.Sink[Change]{Name: "changes", Rank: store.LockRankChanges, Write: insertChanges}

// Record inserts changes in a transaction that holds the locks of their entities. It returns only faults of the
// database.
func Record(ctx context.Context, tx *store.Tx, changes ...Change) error {
	return insertChanges(ctx, tx, changes)
}
