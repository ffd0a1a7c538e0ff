package badges

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// badgeVersion is the version of a badge as a Work holds it: the badge does not change between the decision and the
// commit.
type badgeVersion struct {
	ID      laurel.ID `db:"id"`
	Version int64     `db:"version"`
	Deleted *int64    `db:"deleted_at"`
}

var badgeVersions = &store.Table[laurel.ID, badgeVersion]{
	Name: "badges", Rank: store.LockRankBadges,
	Compare: laurel.ID.Compare,
	Query:   selectVersion,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(v *badgeVersion) laurel.ID { return v.ID },
	New:     func(laurel.ID) *badgeVersion { return &badgeVersion{} },
}

// badgeUserKey identifies the record of a badge and a member.
type badgeUserKey struct{ Badge, User laurel.ID }

// badgeUserRow is a BadgeUser as Works read and change it.
type badgeUserRow struct {
	BadgeUser
	isNew bool // not in the database yet
}

var badgeUsers = &store.Table[badgeUserKey, badgeUserRow]{
	Name: "badge users", Rank: store.LockRankBadgeUsers,
	Compare: func(a, b badgeUserKey) int {
		return cmp.Or(a.Badge.Compare(b.Badge), a.User.Compare(b.User))
	},
	Query: userTable.Query(),
	Key:   store.Columns("loyalty_badge_id uuid, user_id uuid"),
	Args:  func(k badgeUserKey) []any { return []any{k.Badge, k.User} },
	KeyOf: func(r *badgeUserRow) badgeUserKey { return badgeUserKey{r.BadgeID, r.UserID} },
	New: func(k badgeUserKey) *badgeUserRow {
		return &badgeUserRow{BadgeUser: BadgeUser{BadgeID: k.Badge, UserID: k.User}, isNew: true}
	},
	Save: userRows.Saver(func(r *badgeUserRow) bool { return r.isNew }),
}

// initialize sets the ids and the initial progress of a new row. The caller sets its status.
func (r *badgeUserRow) initialize(b *store.Batch, badge Badge) {
	r.ID, r.OrganizationID, r.WebsiteID = b.NewID(), badge.OrganizationID, badge.WebsiteID
	r.CreatedAt.Time = b.Now()
	r.setProgress(badge.initialProgress())
}

// initialProgress returns the progress of a member without any facts.
func (b Badge) initialProgress() []conditions.State {
	states := make([]conditions.State, len(b.Conditions))
	for i, c := range b.Conditions {
		states[i] = c.Judge(conditions.Facts{}, laurel.ID{})
	}
	return states
}

// setProgress sets the progress and its percentage.
func (r *badgeUserRow) setProgress(states []conditions.State) {
	r.Progress, r.Share = states, PercentComplete(states)
}

// PercentComplete returns progress in percent: the mean over the conditions. A condition that does not hold yet counts
// as less than 100 percent, and as 0 if it is one on a rank (Level).
func PercentComplete(states []conditions.State) int64 {
	if len(states) == 0 {
		return 0
	}
	sum := int64(0)
	for _, s := range states {
		const perMille = 1000
		switch {
		case s.Complete:
			sum += perMille
		case s.Type != conditions.TypeLevel && s.Required > 0:
			sum += min(int64(float64(max(s.Current, 0))/float64(s.Required)*perMille), perMille-1)
		}
	}
	return sum / int64(len(states)) / 10 // per mille to percent
}

// feedChange returns the change of the record for the change feed. The caller holds the lock of the row.
func (r *badgeUserRow) feedChange(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		EntityID:       r.ID,
		Table:          feed.TableBadgeUser,
		Action:         action,
		Data: store.JSON(struct {
			BadgeID laurel.ID `json:"loyaltyBadgeId"`
			UserID  laurel.ID `json:"userId"`
			Status  string    `json:"status"`
		}{r.BadgeID, r.UserID, r.Status}),
	}
}

// setStatus sets the status of a locked row and records the change in the change feed.
func (r *badgeUserRow) setStatus(b *store.Batch, status string) {
	action := feed.Updated
	if r.isNew && r.Status == "" {
		action = feed.Created
	}
	r.Status, r.UpdatedAt.Time = status, b.NowAfter(r.UpdatedAt.Time)
	feed.Changes.Add(b, r.feedChange(action))
}

// BadgeUserSettings are the settings of a BadgeUser that members can change; nil keeps the value.
type BadgeUserSettings struct{ HideInUI, DismissedInUI *bool }

// SetFlags changes the flags of a BadgeUser, and records the change if there is one. It returns NotFound "Badge user"
// for one outside the scope, or of a user other than member; a zero member stands for any.
func (s *Service) SetFlags(
	ctx context.Context, scope laurel.Scope, id, member laurel.ID, in BadgeUserSettings,
) (BadgeUser, error) {
	var u BadgeUser
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		row, err := lockBadgeUser(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !member.IsZero() && row.UserID != member {
			return laurel.Missing("Badge user")
		}
		if err := scope.CheckUnchanged(row.ID, row.UpdatedAt.Time); err != nil {
			return err
		}
		before := [...]bool{row.HideInUI, row.DismissedInUI}
		if in.HideInUI != nil {
			row.HideInUI = *in.HideInUI
		}
		if in.DismissedInUI != nil {
			row.DismissedInUI = *in.DismissedInUI
		}
		if before != [...]bool{row.HideInUI, row.DismissedInUI} {
			row.UpdatedAt.Time = tx.NowAfter(row.UpdatedAt.Time)
			if err := userRows.Update(ctx, tx, &row); err != nil {
				return err
			}
			if err := feed.Record(ctx, tx, row.feedChange(feed.Updated)); err != nil {
				return err
			}
		}
		u = row.BadgeUser
		return nil
	})
	return u, err
}

// GetBadgeUser returns a BadgeUser by id. It returns NotFound "Badge user" if there is none, or if its badge is
// deleted.
func (s *Service) GetBadgeUser(ctx context.Context, scope laurel.Scope, id laurel.ID) (BadgeUser, error) {
	return readBadgeUser(ctx, s.DB, scope, id, "")
}

// MemberProgress is the progress of a member toward a badge that it does not have.
type MemberProgress struct {
	BadgeID, UserID laurel.ID
	States          []conditions.State
}

// SaveProgress saves the progress of members in tx: it inserts missing records and updates inactive ones. Badges that
// are granted or revoked stay as they are. The badges must be live, and the users members of the scope's website.
func (s *Service) SaveProgress(ctx context.Context, tx *store.Tx, scope laurel.Scope, rows []MemberProgress) error {
	if len(rows) == 0 {
		return nil
	}
	return store.Run(ctx, tx, SaveProgressWork{scope, rows})
}

// SaveProgressWork is SaveProgress as a Work, which may be part of another one.
type SaveProgressWork struct {
	Scope laurel.Scope // of one website
	Rows  []MemberProgress
}

// Locks returns the locks of the rows.
func (w SaveProgressWork) Locks() []store.Lock {
	locks := make([]store.Lock, len(w.Rows))
	for i, row := range w.Rows {
		locks[i] = badgeUsers.Lock(badgeUserKey{row.BadgeID, row.UserID})
	}
	return locks
}

// Judge inserts missing records as inactive, and updates the progress of inactive ones if it has changed.
func (w SaveProgressWork) Judge(b *store.Batch) error {
	// initialize needs only the owner, as setProgress replaces the initial progress
	badge := Badge{OrganizationID: w.Scope.OrganizationID, WebsiteID: w.Scope.WebsiteID}
	for _, row := range w.Rows {
		key := badgeUserKey{row.BadgeID, row.UserID}
		switch stored := badgeUsers.Row(b, key); {
		case stored.Status == "":
			stored = badgeUsers.Changed(b, key)
			stored.initialize(b, badge)
			stored.setProgress(row.States)
			stored.setStatus(b, Inactive)
		case stored.Status == Inactive && !slices.Equal(stored.Progress, row.States):
			badgeUsers.Changed(b, key).setProgress(row.States)
		}
	}
	return nil
}

// BadgeAndUser identifies the record of a badge and a member.
type BadgeAndUser struct{ Badge, User laurel.ID }

// FindBadgeUsers returns the BadgeUsers of the scope for pairs of badge and user. Missing ones are left out.
func (s *Service) FindBadgeUsers(
	ctx context.Context, scope laurel.Scope, pairs []BadgeAndUser,
) (map[BadgeAndUser]BadgeUser, error) {
	keys := make([]badgeUserKey, len(pairs))
	for i, p := range pairs {
		keys[i] = badgeUserKey(p)
	}
	rows, err := badgeUsers.Read(ctx, s.DB, keys)
	out := make(map[BadgeAndUser]BadgeUser, len(rows))
	for k, r := range rows {
		if r.OrganizationID == scope.OrganizationID {
			out[BadgeAndUser(k)] = r.BadgeUser
		}
	}
	return out, err
}

// ListEarned returns the badges that users hold because they met all conditions, not those of rules or by hand.
func (s *Service) ListEarned(ctx context.Context, scope laurel.Scope, users []laurel.ID) ([]BadgeUser, error) {
	rows, err := selectActive(ctx, s.DB, scope, users)
	return slices.DeleteFunc(rows, func(u BadgeUser) bool { return !u.isEarned() }), err
}

// isEarned reports whether the badge was granted because all its conditions held.
func (u BadgeUser) isEarned() bool {
	hasMissing := slices.ContainsFunc(u.Progress, func(s conditions.State) bool { return !s.Complete })
	return u.RuleID.ID.IsZero() && !u.Dynamic && len(u.Progress) > 0 && !hasMissing
}

// ListGrantedWith returns the further badges that a member's badge has granted as its rewards and that the member still
// holds.
func (s *Service) ListGrantedWith(ctx context.Context, scope laurel.Scope, u BadgeUser) ([]BadgeUser, error) {
	badge, err := ReadBadge(ctx, s.DB, scope, u.BadgeID)
	if err != nil {
		return nil, err
	}
	rows, err := selectActive(ctx, s.DB, scope, []laurel.ID{u.UserID})
	return slices.DeleteFunc(rows, func(other BadgeUser) bool {
		isReward := slices.ContainsFunc(badge.Rewards, func(r Reward) bool { return r.BadgeID == other.BadgeID })
		return !isReward || other.isEarned() || !other.CompletedAt.Equal(u.CompletedAt.Time)
	}), err
}

// ListDynamic returns up to limit badges that a rule has granted as dynamic rewards, also those that were taken back,
// in the order of their users' ids; only those of users whose id is greater than after, or all if after is zero.
func (s *Service) ListDynamic(
	ctx context.Context, scope laurel.Scope, rule, after laurel.ID, limit int,
) ([]BadgeUser, error) {
	return selectDynamic(ctx, s.DB, scope, dynamicPage{rule, after, limit})
}
