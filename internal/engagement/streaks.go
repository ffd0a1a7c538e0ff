package engagement

import (
	"cmp"
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// StreakKey identifies the streak of a user or group for a rule.
type StreakKey struct{ Rule, Subject laurel.ID }

// streakRow is the streak of a user or group as Works read and change it. A row without an ID does not exist.
type streakRow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id" update:"key"`
	SubjectID      laurel.ID `db:"subject_id" update:"key"`
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"` // the last user who checked in
	Count          int64     `db:"streak_count"`
	CheckedAt      int64     `db:"checked_at"`
	ExpiresAt      *int64    `db:"expires_at"` // nil: never
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	isNew          bool
}

// LastCheckIn returns the count and the time of the last check-in; the zero time if there was none.
func (s *streakRow) LastCheckIn() (count int64, at time.Time) {
	return s.Count, store.Time(s.CheckedAt)
}

// Streaks is the table by which Works lock and change streaks.
var Streaks = &store.Table[StreakKey, streakRow]{
	Name: "streaks", Rank: store.LockRankStreaks,
	Compare: func(a, b StreakKey) int {
		return cmp.Or(a.Rule.Compare(b.Rule), a.Subject.Compare(b.Subject))
	},
	Query: streakTable.Query(),
	Key:   store.Columns("loyalty_rule_id uuid, subject_id uuid"),
	Args:  func(k StreakKey) []any { return []any{k.Rule, k.Subject} },
	KeyOf: func(s *streakRow) StreakKey { return StreakKey{s.RuleID, s.SubjectID} },
	New:   func(k StreakKey) *streakRow { return &streakRow{RuleID: k.Rule, SubjectID: k.Subject, isNew: true} },
	Save:  streakTable.Saver(func(s *streakRow) bool { return s.isNew }),
}

// CheckIn is the new state of a streak after a check-in.
type CheckIn struct {
	Count     int64
	At        time.Time
	ExpiresAt time.Time // when the streak ends without a further check-in; zero: never
}

// StageCheckIn sets the locked streak to its state after a check-in of the person. A missing streak is created.
func (s *streakRow) StageCheckIn(b *store.Batch, p identity.Person, in CheckIn) {
	now := store.Micros(b.Now())
	if s.ID.IsZero() {
		s.ID, s.OrganizationID, s.WebsiteID, s.CreatedAt = b.NewID(), p.OrganizationID, p.WebsiteID, now
	}
	s.UserID, s.Count, s.UpdatedAt, s.ExpiresAt = p.UserID, in.Count, now, nil
	s.CheckedAt = max(s.CheckedAt, store.Micros(in.At))
	if !in.ExpiresAt.IsZero() {
		ends := store.Micros(in.ExpiresAt)
		s.ExpiresAt = &ends
	}
}

// isLive reports whether the streak has not ended.
func (s *streakRow) isLive(now int64) bool { return s.ExpiresAt == nil || *s.ExpiresAt > now }

// merge merges another streak into this one. If both are live, the higher count and the later check-in continue,
// because the windows of both have a check-in (contract 8.7). If one is live, it continues; if none is, the higher
// count stays.
func (s *streakRow) merge(other streakRow, now int64) {
	switch isLive, otherIsLive := s.isLive(now), other.isLive(now); {
	case isLive && otherIsLive:
		s.Count, s.CheckedAt = max(s.Count, other.Count), max(s.CheckedAt, other.CheckedAt)
		if s.ExpiresAt != nil && (other.ExpiresAt == nil || *other.ExpiresAt > *s.ExpiresAt) {
			s.ExpiresAt = other.ExpiresAt
		}
	case otherIsLive, !isLive && other.Count > s.Count:
		s.Count, s.CheckedAt, s.ExpiresAt = other.Count, other.CheckedAt, other.ExpiresAt
	}
	s.UpdatedAt = now
}

// moveStreaksToGroup merges the streaks of a user into those of the group that it joins. The user's own are deleted:
// otherwise each group that the user joins would get them.
func moveStreaksToGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	userStreaks, err := selectStreaks(ctx, tx, website, user)
	if err != nil || len(userStreaks) == 0 {
		return err
	}
	groupStreaks, err := selectStreaks(ctx, tx, website, group)
	if err != nil {
		return err
	}
	byRule := map[laurel.ID]*streakRow{}
	for i := range groupStreaks {
		byRule[groupStreaks[i].RuleID] = &groupStreaks[i]
	}
	if err := deleteStreaks(ctx, tx, website, user); err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	var rows []*streakRow
	for _, s := range userStreaks {
		row := byRule[s.RuleID]
		if row == nil {
			s.SubjectID, s.UpdatedAt, s.isNew = group, now, true
			row = &s
		} else {
			row.merge(s, now)
		}
		rows = append(rows, row)
	}
	return Streaks.Save(ctx, tx, rows)
}

// returnStreaksToLast gives the streaks of a group to the last user who leaves it. As long as the group has members, it
// keeps its streaks.
func returnStreaksToLast(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	remaining, err := identity.GroupMembers(ctx, tx, website, group)
	if err != nil || len(remaining) > 0 {
		return err
	}
	return setStreakSubject(ctx, tx, website, group, user)
}
