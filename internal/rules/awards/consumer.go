package awards

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// ConsumerName is the name of the consumer in the change feed.
const ConsumerName = "badges"

const (
	feedBatch = 4000                   // a large batch needs hardly more queries than a small one
	feedPace  = 100 * time.Millisecond // waiting gathers changes, which cost little more together than alone
	maxPeople = 1000                   // people who are judged together
	maxBadges = 100
	maxRows   = 500 // rows that one transaction writes; fewer if that takes too long
)

// Consumer reads the change feed for what conditions of badges refer to: completions, balances, badges that were
// granted or revoked, and members who joined or left a group. It looks up the badges that a change may affect
// (badges.ListByTarget), so that changes without badges cost nothing more.
//
// It writes before its cursor moves, in transactions of a bounded size. Judging a member twice does no harm: rows and
// due grants are unique, and a badge is granted once.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: feedBatch, PartialBatchWait: feedPace,
		FilterWebsites: badges.WebsitesWithBadges, Prepare: s.judgeFeedBatch,
	}
}

// judgeFeedBatch groups a batch of changes by website, judges the members that the changes may affect, and saves the
// verdicts. The feed.Write that it returns does nothing, because everything is written already.
func (s *Service) judgeFeedBatch(ctx context.Context, _ store.Queryer, changes []feed.Change) (feed.Write, error) {
	byWebsite := map[laurel.ID]*websiteChanges{}
	for _, c := range changes {
		t := byWebsite[c.WebsiteID]
		if t == nil {
			t = &websiteChanges{
				scope: laurel.Scope{
					OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Role: laurel.RoleWebsite,
				},
				usersByRuleOrBadge: map[laurel.ID]idSet{}, accountsByCurrency: map[laurel.ID]idSet{}, changedMembers: idSet{},
			}
			byWebsite[c.WebsiteID] = t
		}
		if err := t.add(c); err != nil {
			return nil, err
		}
	}
	for _, website := range slices.SortedFunc(maps.Keys(byWebsite), laurel.ID.Compare) {
		if err := s.judgeChanges(ctx, byWebsite[website]); err != nil {
			return nil, err
		}
	}
	return func(context.Context, *store.Tx) error { return nil }, nil
}

// idSet is a set of ids.
type idSet map[laurel.ID]bool

// sorted returns the ids in ascending order.
func (s idSet) sorted() []laurel.ID { return slices.SortedFunc(maps.Keys(s), laurel.ID.Compare) }

// addTo adds ids to the set of a key.
func addTo(to map[laurel.ID]idSet, key laurel.ID, ids ...laurel.ID) {
	if to[key] == nil {
		to[key] = idSet{}
	}
	for _, id := range ids {
		to[key][id] = true
	}
}

// websiteChanges holds what has changed on one website.
type websiteChanges struct {
	scope              laurel.Scope
	usersByRuleOrBadge map[laurel.ID]idSet // by the rule, rule group or badge that a condition may refer to
	accountsByCurrency map[laurel.ID]idSet // by currency
	changedMembers     idSet               // users who joined or left a group, or were unblocked
}

// add records the members that a change concerns. It ignores changes of tables on which no condition depends.
func (t *websiteChanges) add(c feed.Change) error {
	var data struct {
		RuleID     laurel.ID `json:"loyaltyRuleId"`
		BadgeID    laurel.ID `json:"loyaltyBadgeId"`
		CurrencyID laurel.ID `json:"loyaltyCurrencyId"`
		UserID     laurel.ID `json:"userId"`
	}
	switch c.Table {
	case feed.TableMember:
		t.changedMembers[c.EntityID] = true
		return nil
	case feed.TableRuleStatus, feed.TableBadgeUser, feed.TableAccount: // handled below, with their data
	default:
		return nil
	}
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	switch c.Table {
	case feed.TableRuleStatus:
		addTo(t.usersByRuleOrBadge, data.RuleID, data.UserID)
	case feed.TableBadgeUser:
		addTo(t.usersByRuleOrBadge, data.BadgeID, data.UserID)
	case feed.TableAccount:
		addTo(t.accountsByCurrency, data.CurrencyID, c.EntityID)
	}
	return nil
}

// judgeChanges judges the members that the changes of a website may affect, and the members of their groups: for each
// badge it decides whether they have earned it. It saves these verdicts.
func (s *Service) judgeChanges(ctx context.Context, changes *websiteChanges) error {
	concerned, err := s.usersByBadge(ctx, changes)
	if err != nil {
		return err
	}
	if err := s.addChangedMembers(ctx, changes, concerned); err != nil || len(concerned) == 0 {
		return err
	}
	people, err := s.resolveWithGroups(ctx, changes.scope, concerned)
	if err != nil {
		return err
	}
	live, err := badges.ReadBadges(ctx, s.DB, changes.scope, slices.Collect(maps.Keys(concerned)))
	if err != nil {
		return err
	}
	ids := slices.SortedFunc(maps.Keys(live), laurel.ID.Compare)
	for chunk := range slices.Chunk(ids, maxBadges) {
		if err := s.judgeBadges(ctx, changes.scope, pick(live, chunk), people, concerned); err != nil {
			return err
		}
	}
	return nil
}

// pick returns the badges with the given ids.
func pick(from map[laurel.ID]badges.Badge, ids []laurel.ID) []badges.Badge {
	list := make([]badges.Badge, len(ids))
	for i, id := range ids {
		list[i] = from[id]
	}
	return list
}

// judgeBadges judges members for some badges and saves the verdicts. concerned has, by badge, the users to judge;
// people has the person of each user.
func (s *Service) judgeBadges(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	people map[laurel.ID]identity.Person,
	concerned map[laurel.ID]idSet,
) error {
	users := idSet{}
	for _, b := range list {
		maps.Copy(users, concerned[b.ID])
	}
	for chunk := range slices.Chunk(users.sorted(), maxPeople) {
		j := judgeBatch{badges: list, concerns: func(badge, user laurel.ID) bool { return concerned[badge][user] }}
		for _, id := range chunk {
			if p := people[id]; !p.NewMember {
				j.people = append(j.people, p)
			}
		}
		found, err := s.judge(ctx, scope, j)
		if err != nil {
			return err
		}
		if err := s.saveVerdicts(ctx, scope, found); err != nil {
			return err
		}
	}
	return nil
}

// usersByBadge returns, by badge, the users who have changed something that a condition of the badge refers to: a rule,
// a rule group, another badge, or a balance. Owners of accounts are looked up only for currencies that a badge refers
// to.
func (s *Service) usersByBadge(ctx context.Context, changes *websiteChanges) (map[laurel.ID]idSet, error) {
	rules := slices.Collect(maps.Keys(changes.usersByRuleOrBadge))
	groups, err := s.Rules.GroupsOfRules(ctx, s.DB, changes.scope, rules)
	if err != nil {
		return nil, err
	}
	for rule, group := range groups {
		addTo(changes.usersByRuleOrBadge, group, slices.Collect(maps.Keys(changes.usersByRuleOrBadge[rule]))...)
	}
	targets := slices.Collect(maps.Keys(changes.usersByRuleOrBadge))
	targets = slices.AppendSeq(targets, maps.Keys(changes.accountsByCurrency))
	if len(targets) == 0 {
		return map[laurel.ID]idSet{}, nil
	}
	badgesByTarget, err := badges.ListByTarget(ctx, s.DB, changes.scope.WebsiteID, targets)
	if err != nil {
		return nil, err
	}
	out := map[laurel.ID]idSet{}
	for target, ids := range badgesByTarget {
		users := slices.Collect(maps.Keys(changes.usersByRuleOrBadge[target]))
		if accounts := changes.accountsByCurrency[target]; len(accounts) > 0 {
			owners, err := s.Ledger.UsersOfAccounts(ctx, s.DB, changes.scope, accounts.sorted())
			if err != nil {
				return nil, err
			}
			users = slices.AppendSeq(users, maps.Values(owners))
		}
		for _, badge := range ids {
			addTo(out, badge, users...)
		}
	}
	return out, nil
}

// addChangedMembers adds the users who joined or left a group or were unblocked, and the members of their groups, to
// concerned: for each badge that refers to a rule, balance, badge or list that any of them has. What they did has not
// changed, but what counts for them has.
func (s *Service) addChangedMembers(ctx context.Context, changes *websiteChanges, concerned map[laurel.ID]idSet) error {
	if len(changes.changedMembers) == 0 {
		return nil
	}
	people, err := s.resolveUsers(ctx, changes.scope, changes.changedMembers.sorted())
	if err != nil {
		return err
	}
	var users, subjects []laurel.ID
	var wallets []string
	for _, p := range people {
		users, subjects = append(append(users, p.UserID), p.Group...), append(subjects, p.Subject())
		if p.Wallet != "" {
			wallets = append(wallets, p.Wallet)
		}
	}
	targets, err := progress.CompletedRules(ctx, s.DB, subjects)
	if err != nil {
		return err
	}
	groups, err := s.Rules.GroupsOfRules(ctx, s.DB, changes.scope, targets)
	if err != nil {
		return err
	}
	currencies, err := s.Ledger.CurrenciesOfUsers(ctx, s.DB, changes.scope, users)
	if err != nil {
		return err
	}
	active, err := badges.ActiveBadgesOf(ctx, s.DB, changes.scope, users)
	if err != nil {
		return err
	}
	targets = slices.AppendSeq(slices.Concat(targets, currencies, active), maps.Values(groups))
	badgesByTarget, err := badges.ListByTarget(ctx, s.DB, changes.scope.WebsiteID, targets)
	if err != nil {
		return err
	}
	listing, err := s.Lists.FindBadgesByWallets(ctx, changes.scope, wallets)
	for _, badge := range slices.Concat(slices.Concat(slices.Collect(maps.Values(badgesByTarget))...), listing) {
		addTo(concerned, badge, users...)
	}
	return err
}

// resolveWithGroups adds the members of the users' groups to concerned, because completions of one member count for the
// whole group, and balances are summed up. It returns the person of each user in concerned, by user id.
func (s *Service) resolveWithGroups(
	ctx context.Context,
	scope laurel.Scope,
	concerned map[laurel.ID]idSet,
) (map[laurel.ID]identity.Person, error) {
	all, people := idSet{}, map[laurel.ID]identity.Person{}
	for _, users := range concerned {
		maps.Copy(all, users)
	}
	for range 2 { // first the users, then the other members of their groups
		missing := slices.DeleteFunc(all.sorted(), func(id laurel.ID) bool {
			_, isResolved := people[id]
			return isResolved
		})
		found, err := s.resolveUsers(ctx, scope, missing)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			people[p.UserID] = p
			for _, member := range p.Group {
				all[member] = true
			}
		}
	}
	for badge, users := range concerned {
		for _, user := range users.sorted() {
			addTo(concerned, badge, people[user].Group...)
		}
	}
	return people, nil
}

// saveVerdicts saves the progress that has changed and enqueues a due grant for each badge that is earned, in
// transactions of at most maxRows verdicts. It uses smaller transactions if one takes too long.
func (s *Service) saveVerdicts(ctx context.Context, scope laurel.Scope, verdicts []verdict) error {
	verdicts = slices.DeleteFunc(verdicts, func(v verdict) bool { return !v.hasChanged && !v.isEarned })
	chunkSize, hasDues := maxRows, false
	for len(verdicts) > 0 {
		part := verdicts[:min(chunkSize, len(verdicts))]
		var rows []badges.MemberProgress
		var earned []badges.BadgeAndUser
		for _, v := range part {
			if v.hasChanged {
				rows = append(rows, v.MemberProgress)
			}
			if v.isEarned {
				earned = append(earned, badges.BadgeAndUser{Badge: v.BadgeID, User: v.UserID})
			}
		}
		err := s.DB.InTx(ctx, func(tx *store.Tx) error {
			if err := s.Badges.SaveProgress(ctx, tx, scope, rows); err != nil {
				return err
			}
			return insertDues(ctx, tx, scope, earned)
		})
		if store.TookTooLong(err) && chunkSize >= 4 {
			chunkSize /= 4
			continue
		}
		if err != nil {
			return err
		}
		verdicts, hasDues = verdicts[len(part):], hasDues || len(earned) > 0
	}
	if hasDues {
		s.wakeDues.Wake()
	}
	return nil
}
