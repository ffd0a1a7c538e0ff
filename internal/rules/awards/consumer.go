package awards

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/feed"
	"laurel/internal/identity"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// ConsumerName is what the feed knows this reader by.
const ConsumerName = "badges"

const (
	feedBatch    = 4000                   // what a batch reads costs little more for many
	feedPace     = 100 * time.Millisecond // many changes at once cost little more than a few
	peopleAtOnce = 1000                   // that are judged together
	badgesAtOnce = 100
	rowsAtOnce   = 500 // that one transaction writes; fewer where that takes too long
)

// Consumer reads the change feed for what conditions of badges name: completions, balances, badges that were granted or
// revoked, and who joined or left a group. What a change names finds the badges that it could concern
// (badges.Watching), so what no badge names costs nothing more.
//
// It writes before its cursor moves, in transactions of a bounded size. Whoever is judged again is judged alike: rows
// and dues are unique, and a badge is granted once.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: feedBatch, PartialBatchWait: feedPace,
		FilterWebsites: badges.WebsitesWithBadges, Prepare: s.gather,
	}
}

func (s *Service) gather(ctx context.Context, _ store.Queryer, changes []feed.Change) (feed.Write, error) {
	byWebsite := map[laurel.ID]*touched{}
	for _, c := range changes {
		t := byWebsite[c.WebsiteID]
		if t == nil {
			t = &touched{
				scope: laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Role: laurel.RoleWebsite},
				users: map[laurel.ID]set{}, accounts: map[laurel.ID]set{}, moved: set{},
			}
			byWebsite[c.WebsiteID] = t
		}
		if err := t.note(c); err != nil {
			return nil, err
		}
	}
	for _, website := range slices.SortedFunc(maps.Keys(byWebsite), laurel.ID.Compare) {
		if err := s.lookAt(ctx, byWebsite[website]); err != nil {
			return nil, err
		}
	}
	return func(context.Context, *store.Tx) error { return nil }, nil
}

type set map[laurel.ID]bool

func (s set) list() []laurel.ID { return slices.SortedFunc(maps.Keys(s), laurel.ID.Compare) }

// add puts ids into the set of a key.
func add(to map[laurel.ID]set, key laurel.ID, ids ...laurel.ID) {
	if to[key] == nil {
		to[key] = set{}
	}
	for _, id := range ids {
		to[key][id] = true
	}
}

// touched is what changes tell of one website.
type touched struct {
	scope    laurel.Scope
	users    map[laurel.ID]set // by what a condition may name: a rule or a badge
	accounts map[laurel.ID]set // by currency
	moved    set               // users who joined or left a group, or are blocked no more
}

// note takes what a change tells.
func (t *touched) note(c feed.Change) error {
	var about struct {
		RuleID     laurel.ID `json:"loyaltyRuleId"`
		BadgeID    laurel.ID `json:"loyaltyBadgeId"`
		CurrencyID laurel.ID `json:"loyaltyCurrencyId"`
		UserID     laurel.ID `json:"userId"`
	}
	switch c.Table {
	case feed.Member:
		t.moved[c.EntityID] = true
		return nil
	case feed.RuleStatus, feed.BadgeUser, feed.Account:
	default:
		return nil
	}
	if err := json.Unmarshal(c.Data, &about); err != nil {
		return err
	}
	switch c.Table {
	case feed.RuleStatus:
		add(t.users, about.RuleID, about.UserID)
	case feed.BadgeUser:
		add(t.users, about.BadgeID, about.UserID)
	default:
		add(t.accounts, about.CurrencyID, c.EntityID)
	}
	return nil
}

// lookAt judges the members whom the changes could concern, with the members of their groups.
func (s *Service) lookAt(ctx context.Context, t *touched) error {
	concerned, err := s.concerned(ctx, t)
	if err != nil {
		return err
	}
	if err := s.concernMoved(ctx, t, concerned); err != nil || len(concerned) == 0 {
		return err
	}
	people, err := s.withMates(ctx, t.scope, concerned)
	if err != nil {
		return err
	}
	live, err := badges.ReadBadges(ctx, s.DB, t.scope, slices.Collect(maps.Keys(concerned)))
	if err != nil {
		return err
	}
	ids := slices.SortedFunc(maps.Keys(live), laurel.ID.Compare)
	for some := range slices.Chunk(ids, badgesAtOnce) {
		if err := s.lookAtSome(ctx, t.scope, chosen(live, some), people, concerned); err != nil {
			return err
		}
	}
	return nil
}

func chosen(from map[laurel.ID]badges.Badge, ids []laurel.ID) []badges.Badge {
	list := make([]badges.Badge, len(ids))
	for i, id := range ids {
		list[i] = from[id]
	}
	return list
}

// lookAtSome judges the members whom some badges concern, and writes what has come of it.
func (s *Service) lookAtSome(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	people map[laurel.ID]identity.Person,
	concerned map[laurel.ID]set,
) error {
	all := set{}
	for _, b := range list {
		maps.Copy(all, concerned[b.ID])
	}
	for users := range slices.Chunk(all.list(), peopleAtOnce) {
		j := judging{badges: list, concerns: func(badge, user laurel.ID) bool { return concerned[badge][user] }}
		for _, id := range users {
			if p := people[id]; !p.NewMember {
				j.people = append(j.people, p)
			}
		}
		found, err := s.judge(ctx, scope, j)
		if err != nil {
			return err
		}
		if err := s.write(ctx, scope, found); err != nil {
			return err
		}
	}
	return nil
}

// concerned returns whom of its changes each badge could concern. Accounts are looked up only in currencies that a
// badge names.
func (s *Service) concerned(ctx context.Context, t *touched) (map[laurel.ID]set, error) {
	rules := slices.Collect(maps.Keys(t.users))
	groups, err := s.Rules.GroupsOfRules(ctx, s.DB, t.scope, rules)
	if err != nil {
		return nil, err
	}
	for rule, group := range groups {
		add(t.users, group, slices.Collect(maps.Keys(t.users[rule]))...)
	}
	targets := slices.AppendSeq(slices.Collect(maps.Keys(t.users)), maps.Keys(t.accounts))
	if len(targets) == 0 {
		return map[laurel.ID]set{}, nil
	}
	watching, err := badges.BadgesWatching(ctx, s.DB, t.scope.WebsiteID, targets)
	if err != nil {
		return nil, err
	}
	out := map[laurel.ID]set{}
	for target, ids := range watching {
		users := slices.Collect(maps.Keys(t.users[target]))
		if accounts := t.accounts[target]; len(accounts) > 0 {
			owners, err := s.Ledger.Owners(ctx, s.DB, t.scope, accounts.list())
			if err != nil {
				return nil, err
			}
			users = slices.AppendSeq(users, maps.Values(owners))
		}
		for _, badge := range ids {
			add(out, badge, users...)
		}
	}
	return out, nil
}

// concernMoved adds the badges that name anything that those have, and their groups, who joined a group or are blocked
// no more: nothing that they did changed, but what counts for them.
func (s *Service) concernMoved(ctx context.Context, t *touched, concerned map[laurel.ID]set) error {
	if len(t.moved) == 0 {
		return nil
	}
	people, err := s.members(ctx, t.scope, t.moved.list())
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
	groups, err := s.Rules.GroupsOfRules(ctx, s.DB, t.scope, targets)
	if err != nil {
		return err
	}
	currencies, err := s.Ledger.CurrenciesOfUsers(ctx, s.DB, t.scope, users)
	if err != nil {
		return err
	}
	held, err := badges.ActiveBadgesOf(ctx, s.DB, t.scope, users)
	if err != nil {
		return err
	}
	targets = slices.AppendSeq(slices.Concat(targets, currencies, held), maps.Values(groups))
	watching, err := badges.BadgesWatching(ctx, s.DB, t.scope.WebsiteID, targets)
	if err != nil {
		return err
	}
	naming, err := s.Lists.BadgesListing(ctx, t.scope, wallets)
	for _, badge := range slices.Concat(slices.Concat(slices.Collect(maps.Values(watching))...), naming) {
		add(concerned, badge, users...)
	}
	return err
}

// withMates resolves everybody whom a badge concerns, and has it concern the members of their groups too: what one
// completes counts for all, and balances are added up.
func (s *Service) withMates(
	ctx context.Context,
	scope laurel.Scope,
	concerned map[laurel.ID]set,
) (map[laurel.ID]identity.Person, error) {
	all, people := set{}, map[laurel.ID]identity.Person{}
	for _, users := range concerned {
		maps.Copy(all, users)
	}
	for range 2 { // the members, and their mates
		missing := slices.DeleteFunc(all.list(), func(id laurel.ID) bool {
			_, known := people[id]
			return known
		})
		found, err := s.members(ctx, scope, missing)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			people[p.UserID] = p
			for _, mate := range p.Group {
				all[mate] = true
			}
		}
	}
	for badge, users := range concerned {
		for _, user := range users.list() {
			add(concerned, badge, people[user].Group...)
		}
	}
	return people, nil
}

// write writes how far members are, and who is due a badge.
func (s *Service) write(ctx context.Context, scope laurel.Scope, found []verdict) error {
	found = slices.DeleteFunc(found, func(v verdict) bool { return !v.moved && !v.earned })
	size, due := rowsAtOnce, false
	for len(found) > 0 {
		part := found[:min(size, len(found))]
		var rows []badges.MemberProgress
		var earned []badges.Pair
		for _, v := range part {
			if v.moved {
				rows = append(rows, v.MemberProgress)
			}
			if v.earned {
				earned = append(earned, badges.Pair{Badge: v.BadgeID, User: v.UserID})
			}
		}
		err := s.DB.InTx(ctx, func(tx *store.Tx) error {
			if err := s.Badges.SaveProgress(ctx, tx, scope, rows); err != nil {
				return err
			}
			return insertDues(ctx, tx, scope, earned)
		})
		if store.TookTooLong(err) && size >= 4 {
			size /= 4
			continue
		}
		if err != nil {
			return err
		}
		found, due = found[len(part):], due || len(earned) > 0
	}
	if due {
		s.wake()
	}
	return nil
}

// wake has the queue look for dues at once.
func (s *Service) wake() {
	select {
	case s.wanted <- struct{}{}:
	default:
	}
}
