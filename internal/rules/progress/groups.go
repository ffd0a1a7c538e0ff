package progress

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// MergeIntoGroup makes the windows, counters and progress of a user part of those of the group it joins (contract 8.7):
// paid windows stay paid, progress is the higher one. The caller holds the member row, which every payment holds too.
// The user's own rows stay, for the day it leaves.
func MergeIntoGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	m := merge{website: website, from: user, to: group, joins: true}
	if err := copyPaidWindows(ctx, tx, m); err != nil {
		return err
	}
	return mergeStates(ctx, tx, m)
}

// SplitFromGroup gives a user that leaves a group the windows that it paid there itself and the group's last rewards.
// What it was paid counts with it from then on and no more with the group. Progress stays with the group, but for what
// a run found of the user before it joined and nobody has claimed.
func SplitFromGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	m := merge{website: website, from: group, to: user, actor: user}
	if err := copyPaidWindows(ctx, tx, m); err != nil {
		return err
	}
	var err error
	if m.windows, err = lastWindows(ctx, tx, m); err != nil {
		return err
	}
	if m.remaining, err = m.loadRemaining(ctx, tx); err != nil {
		return err
	}
	return mergeStates(ctx, tx, m)
}

// merge says whose memory becomes part of whose.
type merge struct {
	website, from, to laurel.ID
	actor             laurel.ID             // only windows that this user paid; zero: all
	joins             bool                  // progress too
	windows           map[laurel.ID]*int64  // of a leaver: when it closed a window of each rule itself
	remaining         map[laurel.ID][]State // of those whom it leaves, by rule
}

func mergeStates(ctx context.Context, tx *store.Tx, m merge) error {
	source, err := lockStates(ctx, tx, m.website, m.from)
	if err != nil {
		return err
	}
	present, err := lockStates(ctx, tx, m.website, m.to)
	if err != nil {
		return err
	}
	byRule := map[laurel.ID]State{}
	for _, p := range present {
		byRule[p.RuleID] = p
	}
	var rows []*State
	for _, src := range source {
		dst, ok := byRule[src.RuleID]
		if !ok {
			now := store.Micros(tx.Now())
			dst = State{
				RuleID:         src.RuleID,
				SubjectID:      m.to,
				ID:             tx.NewID(),
				OrganizationID: src.OrganizationID,
				WebsiteID:      src.WebsiteID,
				CreatedAt:      now,
				IsNew:          true,
			}
		}
		if !m.joins && ok { // what the leaver was paid goes with it
			src.SetTally(src.Tally().Subtract(dst.Tally()))
			src.Completions -= dst.Completions
			dst.takeBackUnclaimed(&src, m.remaining[src.RuleID])
			src.UpdatedAt = store.Micros(tx.Now())
			rows = append(rows, &src)
		}
		dst.mergeFrom(src, m)
		dst.setUser(src, m)
		dst.UpdatedAt = store.Micros(tx.Now())
		rows = append(rows, &dst)
	}
	return saveStates(ctx, tx, rows)
}

// mergeFrom merges another subject in: whatever would refuse a payment on either side refuses it afterwards.
func (s *State) mergeFrom(o State, m merge) {
	s.LastPaidAt = Later(s.LastPaidAt, o.LastPaidAt)
	s.CompletedAt = Later(s.CompletedAt, o.CompletedAt)
	if m.joins {
		s.SetTally(s.Tally().Merge(o.Tally()))
		s.Completions += o.Completions
		s.WindowPaidAt = Later(s.WindowPaidAt, o.WindowPaidAt)
	} else {
		s.WindowPaidAt = Later(s.WindowPaidAt, m.windows[o.RuleID])
		if o.UserID == m.to { // its window may have had no key that a claim tells of
			s.WindowPaidAt = Later(s.WindowPaidAt, o.WindowPaidAt)
		}
	}
	if !m.joins || o.Progress == nil {
		return
	}
	switch {
	case s.Progress == nil || *s.Progress < *o.Progress:
		s.Progress, s.EligibleAt = o.Progress, o.EligibleAt
	// the group may have claimed what was found of it, and not what was found of who joins
	case *s.Progress == *o.Progress:
		s.EligibleAt = Later(s.EligibleAt, o.EligibleAt)
	}
}

// StateLocks are the locks of what a rule remembers of users.
func StateLocks(rule laurel.ID, users []laurel.ID) []store.Lock {
	locks := make([]store.Lock, len(users))
	for i, id := range users {
		locks[i] = States.Lock(StateKey{rule, id})
	}
	return locks
}

// MarkClaimed notes that what runs had found of users up to a moment is claimed: none of them takes it along to another
// group. Their rows are locked.
func MarkClaimed(b *store.Batch, rule laurel.ID, users []laurel.ID, foundAt *int64) {
	for _, id := range users {
		k := StateKey{rule, id}
		if own := States.Row(b, k).EligibleAt; own != nil && foundAt != nil && *own <= *foundAt {
			States.Changed(b, k).EligibleAt = nil
		}
	}
}

// setUser says of whom the row tells: a leaver's own of the leaver, a group's of who acted last. Without a user no list
// would show it.
func (s *State) setUser(o State, m merge) {
	switch {
	case !m.joins:
		s.UserID = m.to
	case s.UserID.IsZero() || s.UpdatedAt < o.UpdatedAt:
		s.UserID = m.from
	}
}

// Later is the later of two moments, of which either may be none.
func Later(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}
