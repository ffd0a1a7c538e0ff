package referrals

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// ConsumerName is the name of the consumer in the change feed.
const ConsumerName = "referrals"

const (
	feedBatch = 2000
	feedPace  = 200 * time.Millisecond // waiting gathers changes, which cost little more together than alone
)

// Consumer reads the change feed for what open referrals depend on: metadata, balances, rules, and completions of
// required rules. It marks the affected referrals as due, in the transaction that moves its cursor; Run pays them.
// Changes of websites without open referrals are not read.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: feedBatch, PartialBatchWait: feedPace,
		FilterWebsites: websitesWithOpenReferrals, Handle: s.handleChanges,
	}
}

// websiteChanges holds the members and accounts of one website that have changed.
type websiteChanges struct {
	organization laurel.ID
	users        map[laurel.ID]bool
	accounts     map[laurel.ID]bool
}

// handleChanges marks the open referrals of changed members as due, website by website. For each changed rule it
// enqueues a sweep, which later marks all open referrals of the rule as due.
func (s *Service) handleChanges(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
	byWebsite := map[laurel.ID]*websiteChanges{}
	websiteOf := func(c feed.Change) *websiteChanges {
		t := byWebsite[c.WebsiteID]
		if t == nil {
			t = &websiteChanges{c.OrganizationID, map[laurel.ID]bool{}, map[laurel.ID]bool{}}
			byWebsite[c.WebsiteID] = t
		}
		return t
	}
	for _, c := range changes {
		switch c.Table {
		case feed.TableUserMetadata, feed.TableRuleStatus: // the completed rule may be a required one
			var data struct {
				UserID laurel.ID `json:"userId"`
			}
			if err := json.Unmarshal(c.Data, &data); err != nil {
				return err
			}
			websiteOf(c).users[data.UserID] = true
		case feed.TableAccount:
			websiteOf(c).accounts[c.EntityID] = true
		case feed.TableRule:
			if err := s.enqueueSweep(ctx, tx, c); err != nil {
				return err
			}
		}
	}
	for _, website := range slices.SortedFunc(maps.Keys(byWebsite), laurel.ID.Compare) {
		if err := s.markDue(ctx, tx, website, byWebsite[website]); err != nil {
			return err
		}
	}
	return nil
}

// enqueueSweep enqueues a sweep that marks all open referrals of a changed rule as due: its requirements may have
// changed, or it was undeleted. It does nothing for rules without open referrals.
func (s *Service) enqueueSweep(ctx context.Context, tx *store.Tx, c feed.Change) error {
	open, err := hasOpenReferral(ctx, tx, c.EntityID)
	if err != nil || !open {
		return err
	}
	return insertSweep(ctx, tx, c.OrganizationID, c.WebsiteID, c.EntityID)
}

// markDue marks as due the open referrals in which a changed member, an owner of a changed account, or a member of
// their groups is the referee. It adds all these members to the users of the changes.
func (s *Service) markDue(ctx context.Context, tx *store.Tx, website laurel.ID, changes *websiteChanges) error {
	scope := laurel.Scope{OrganizationID: changes.organization, WebsiteID: website, Role: laurel.RoleWebsite}
	owners, err := s.Ledger.UsersOfAccounts(ctx, tx, scope, slices.Collect(maps.Keys(changes.accounts)))
	if err != nil {
		return err
	}
	for _, user := range owners {
		changes.users[user] = true
	}
	refs := make([]identity.Ref, 0, len(changes.users))
	for user := range changes.users {
		refs = append(refs, identity.Ref{UserID: user})
	}
	people, err := s.People.ResolveMany(ctx, tx, scope, refs)
	if err != nil {
		return err
	}
	for _, p := range people {
		for _, member := range p.Group {
			changes.users[member] = true
		}
	}
	for chunk := range slices.Chunk(slices.SortedFunc(maps.Keys(changes.users), laurel.ID.Compare), maxIDsPerQuery) {
		if err := markUsersDue(ctx, tx, website, chunk); err != nil {
			return err
		}
	}
	return nil
}
