package progress

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// MergeIntoGroup merges the rule state of a user into that of the group it joins (contract 8.7): paid windows stay
// paid, and the higher progress counts. The caller holds the member row, which every payment locks. The user's own rows
// stay, for the day it leaves.
func MergeIntoGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	m := merge{website: website, source: user, target: group, isJoin: true}
	if err := copyPaidWindows(ctx, tx, m); err != nil {
		return err
	}
	return mergeStates(ctx, tx, m)
}

// SplitFromGroup splits the rule states of a user off those of the group that the user leaves. The user gets the
// windows in which it was paid in the group, and the time of the group's last reward. Amounts that the user was paid
// move from the group to the user. Progress stays with the group, except eligibility that a run found of the user
// before it joined and that was never claimed.
func SplitFromGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	m := merge{website: website, source: group, target: user, leavingUser: user}
	if err := copyPaidWindows(ctx, tx, m); err != nil {
		return err
	}
	var err error
	if m.windowsPaidByUser, err = lastPaidWindows(ctx, tx, m); err != nil {
		return err
	}
	if m.remaining, err = m.loadRemaining(ctx, tx); err != nil {
		return err
	}
	return mergeStates(ctx, tx, m)
}

// merge describes how the state of one subject becomes part of another's.
type merge struct {
	website, source, target laurel.ID
	leavingUser             laurel.ID             // the user who leaves the group source; zero: target is the group
	isJoin                  bool                  // the source joins the target, so progress merges too
	windowsPaidByUser       map[laurel.ID]*int64  // by rule: when a calendar window last paid the leaving user
	remaining               map[laurel.ID][]State // by rule: unclaimed states of the members who stay
}

// mergeStates merges every rule state of the source into the state that the target has for the same rule, or into a new
// one. If the target is a user who leaves the group source, the group's states no longer count what the user was paid.
func mergeStates(ctx context.Context, tx *store.Tx, m merge) error {
	sourceStates, err := lockStates(ctx, tx, m.website, m.source)
	if err != nil {
		return err
	}
	targetStates, err := lockStates(ctx, tx, m.website, m.target)
	if err != nil {
		return err
	}
	byRule := map[laurel.ID]State{}
	for _, s := range targetStates {
		byRule[s.RuleID] = s
	}
	var rows []*State
	for _, source := range sourceStates {
		target, ok := byRule[source.RuleID]
		if !ok {
			now := store.Micros(tx.Now())
			target = State{
				RuleID:         source.RuleID,
				SubjectID:      m.target,
				ID:             tx.NewID(),
				OrganizationID: source.OrganizationID,
				WebsiteID:      source.WebsiteID,
				CreatedAt:      now,
				IsNew:          true,
			}
		}
		if !m.isJoin && ok { // the group no longer counts what the user was paid
			source.SetTally(source.Tally().Subtract(target.Tally()))
			source.Completions -= target.Completions
			target.takeBackUnclaimed(&source, m.remaining[source.RuleID])
			source.UpdatedAt = store.Micros(tx.Now())
			rows = append(rows, &source)
		}
		target.mergeFrom(source, m)
		target.setUser(source, m)
		target.UpdatedAt = store.Micros(tx.Now())
		rows = append(rows, &target)
	}
	return saveStates(ctx, tx, rows)
}

// mergeFrom merges another state into this one. A payment that either state would refuse is refused afterwards. If a
// user joins a group, all of the user's state counts for the group. If a user leaves a group, the user gets the times
// of the group's last payment and completion, and of the windows that were paid to the user; neither the group's
// counters nor its progress.
func (s *State) mergeFrom(other State, m merge) {
	s.LastPaidAt = Later(s.LastPaidAt, other.LastPaidAt)
	s.CompletedAt = Later(s.CompletedAt, other.CompletedAt)
	if m.isJoin {
		s.SetTally(s.Tally().Merge(other.Tally()))
		s.Completions += other.Completions
		s.WindowPaidAt = Later(s.WindowPaidAt, other.WindowPaidAt)
	} else {
		s.WindowPaidAt = Later(s.WindowPaidAt, m.windowsPaidByUser[other.RuleID])
		if other.UserID == m.target { // the user's last window in the group may have no row of its own
			s.WindowPaidAt = Later(s.WindowPaidAt, other.WindowPaidAt)
		}
	}
	if !m.isJoin || other.Progress == nil {
		return
	}
	switch {
	case s.Progress == nil || *s.Progress < *other.Progress:
		s.Progress, s.EligibleAt = other.Progress, other.EligibleAt
	// The group may have claimed its eligibility, and the joining user not.
	case *s.Progress == *other.Progress:
		s.EligibleAt = Later(s.EligibleAt, other.EligibleAt)
	}
}

// StateLocks returns the locks of the states that users have for a rule.
func StateLocks(rule laurel.ID, users []laurel.ID) []store.Lock {
	locks := make([]store.Lock, len(users))
	for i, id := range users {
		locks[i] = States.Lock(StateKey{rule, id})
	}
	return locks
}

// MarkClaimed clears the eligibility that runs found for the users until foundAt; nil: it clears nothing. Their group
// has claimed it, so no user may take it along to another group. The caller has locked the rows.
func MarkClaimed(b *store.Batch, rule laurel.ID, users []laurel.ID, foundAt *int64) {
	for _, id := range users {
		k := StateKey{rule, id}
		if own := States.Row(b, k).EligibleAt; own != nil && foundAt != nil && *own <= *foundAt {
			States.Changed(b, k).EligibleAt = nil
		}
	}
}

// setUser sets s.UserID, the user that lists of statuses show. When a user leaves a group, it is that user. When a user
// joins one, the state of the group keeps its user unless the state of the joining user, other, was updated later.
func (s *State) setUser(other State, m merge) {
	switch {
	case !m.isJoin:
		s.UserID = m.target
	case s.UserID.IsZero() || s.UpdatedAt < other.UpdatedAt:
		s.UserID = m.source
	}
}

// Later returns the later of two moments; nil is no moment.
func Later(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}
