package badges

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// version is a badge whose gate a Work has passed: it does not change between the decision and the commit.
type version struct {
	ID      laurel.ID `db:"id"`
	Version int64     `db:"version"`
	Deleted *int64    `db:"deleted_at"`
}

var versions = &store.Table[laurel.ID, version]{
	Name: "badges", Rank: store.RankBadges,
	Compare: laurel.ID.Compare,
	Query:   selectVersion,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(v *version) laurel.ID { return v.ID },
	New:     func(laurel.ID) *version { return &version{} },
}

// userKey names the badge of a member.
type userKey struct{ Badge, User laurel.ID }

// userRow is a badge of a member as Works see and change it.
type userRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	BadgeID        laurel.ID `db:"loyalty_badge_id"`
	UserID         laurel.ID `db:"user_id"`
	Status         string    `db:"status"`
	HideInUI       bool      `db:"hide_in_ui"`
	DismissedInUI  bool      `db:"dismissed_in_ui"`
	Progress       string    `db:"progress"`
	Share          int64     `db:"share"`
	RewardedAt     *int64    `db:"rewarded_at"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Dynamic        bool      `db:"dynamic"`
	CompletedAt    *int64    `db:"completed_at"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	DeletedAt      *int64    `db:"deleted_at"`
	fresh          bool      // not in the database yet
}

var users = &store.Table[userKey, userRow]{
	Name: "badge users", Rank: store.RankBadgeUsers,
	Compare: func(a, b userKey) int {
		return cmp.Or(a.Badge.Compare(b.Badge), a.User.Compare(b.User))
	},
	Query: selectUser,
	Key:   store.Columns("loyalty_badge_id uuid, user_id uuid"),
	Args:  func(k userKey) []any { return []any{k.Badge, k.User} },
	KeyOf: func(r *userRow) userKey { return userKey{r.BadgeID, r.UserID} },
	New:   func(k userKey) *userRow { return &userRow{BadgeID: k.Badge, UserID: k.User, fresh: true} },
	Save:  saveUsers,
}

func (r userRow) user() (User, error) {
	u := User{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		BadgeID:        r.BadgeID,
		UserID:         r.UserID,
		Status:         r.Status,
		HideInUI:       r.HideInUI,
		DismissedInUI:  r.DismissedInUI,
		Share:          r.Share,
		RuleID:         r.RuleID,
		Dynamic:        r.Dynamic,
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
	if r.RewardedAt != nil {
		u.RewardedAt = store.Time(*r.RewardedAt)
	}
	if r.CompletedAt != nil {
		u.CompletedAt = store.Time(*r.CompletedAt)
	}
	if r.DeletedAt != nil {
		u.DeletedAt = store.Time(*r.DeletedAt)
	}
	if err := json.Unmarshal([]byte(r.Progress), &u.Progress); err != nil {
		return u, fmt.Errorf("progress of badge user %s: %w", r.ID, err)
	}
	return u, nil
}

// begin makes a row that is not there yet. It has no status: whoever begins it says which.
func (r *userRow) begin(b *store.Batch, of Badge) {
	r.ID, r.OrganizationID, r.WebsiteID = b.NewID(), of.OrganizationID, of.WebsiteID
	r.CreatedAt = store.Micros(b.Now())
	r.progress(of.start())
}

// start is the progress of a member of whom nothing is known.
func (b Badge) start() []conditions.State {
	states := make([]conditions.State, len(b.Conditions))
	for i, c := range b.Conditions {
		states[i] = c.Judge(conditions.Facts{}, laurel.ID{})
	}
	return states
}

func (r *userRow) progress(states []conditions.State) {
	r.Progress, r.Share = array(states), ShareOf(states)
}

// ShareOf returns how far somebody with this progress is, in percent: the mean of the conditions. One that does not
// hold yet never counts as whole.
func ShareOf(states []conditions.State) int64 {
	if len(states) == 0 {
		return 0
	}
	sum := int64(0)
	for _, s := range states {
		const whole = 1000
		switch {
		case s.Complete:
			sum += whole
		case s.Type != conditions.Level && s.Required > 0:
			sum += min(int64(float64(max(s.Current, 0))/float64(s.Required)*whole), whole-1)
		}
	}
	return sum / int64(len(states)) / 10
}

// change is what the feed tells of a badge of a member whose row is held.
func (r *userRow) change(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		EntityID:       r.ID,
		Table:          feed.BadgeUser,
		Action:         action,
		Data: store.JSON(struct {
			BadgeID laurel.ID `json:"loyaltyBadgeId"`
			UserID  laurel.ID `json:"userId"`
			Status  string    `json:"status"`
		}{r.BadgeID, r.UserID, r.Status}),
	}
}

// turn sets the status of a locked row and tells of it.
func (r *userRow) turn(b *store.Batch, status string) {
	action := feed.Updated
	if r.fresh && r.Status == "" {
		action = feed.Created
	}
	r.Status, r.UpdatedAt = status, store.Micros(b.Now())
	feed.Changes.Add(b, r.change(action))
}

// Flags are what a member, or a caller for it, sets of a badge; nil keeps the value.
type Flags struct{ HideInUI, DismissedInUI *bool }

// SetFlags changes them. NotFound "Badge user" outside the scope, and of others than the member where one is named.
func (s *Service) SetFlags(ctx context.Context, scope laurel.Scope, id, member laurel.ID, in Flags) (User, error) {
	var u User
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		r, err := lockUser(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !member.IsZero() && r.UserID != member {
			return laurel.Missing("Badge user")
		}
		before := r
		if in.HideInUI != nil {
			r.HideInUI = *in.HideInUI
		}
		if in.DismissedInUI != nil {
			r.DismissedInUI = *in.DismissedInUI
		}
		if r != before {
			r.UpdatedAt = store.Micros(tx.Now())
			if err := saveUsers(ctx, tx, []*userRow{&r}); err != nil {
				return err
			}
			if err := feed.Record(ctx, tx, r.change(feed.Updated)); err != nil {
				return err
			}
		}
		u, err = r.user()
		return err
	})
	return u, err
}

// UserIn reads a badge of a member by its id, those of deleted badges left out. NotFound "Badge user".
func (s *Service) UserIn(ctx context.Context, scope laurel.Scope, id laurel.ID) (User, error) {
	r, err := readUser(ctx, s.DB, scope, id, "")
	if err != nil {
		return User{}, err
	}
	return r.user()
}

// Judgement is how far a member is with a badge that it does not have.
type Judgement struct {
	BadgeID, UserID laurel.ID
	States          []conditions.State
}

// Judged writes how far members are, in one transaction: rows that are not there yet, and progress that moved. Badges
// that are granted or revoked stay as they are. The badges are live and the users members of the scope's website.
func (s *Service) Judged(ctx context.Context, tx *store.Tx, scope laurel.Scope, rows []Judgement) error {
	if len(rows) == 0 {
		return nil
	}
	return store.Run(ctx, tx, Judging{scope, rows})
}

// Judging is Judged as a Work, also as a part of another one.
type Judging struct {
	Scope laurel.Scope // of one website
	Rows  []Judgement
}

// Locks are the rows of the members.
func (w Judging) Locks() []store.Lock {
	locks := make([]store.Lock, len(w.Rows))
	for i, j := range w.Rows {
		locks[i] = users.Lock(userKey{j.BadgeID, j.UserID})
	}
	return locks
}

// Judge writes what is not there yet and what moved.
func (w Judging) Judge(b *store.Batch) error {
	of := Badge{OrganizationID: w.Scope.OrganizationID, WebsiteID: w.Scope.WebsiteID}
	for _, j := range w.Rows {
		key, made := userKey{j.BadgeID, j.UserID}, array(j.States)
		switch r := users.Row(b, key); {
		case r.Status == "":
			r = users.Changed(b, key)
			r.begin(b, of)
			r.progress(j.States)
			r.turn(b, Inactive)
		case r.Status == Inactive && r.Progress != made:
			users.Changed(b, key).progress(j.States)
		}
	}
	return nil
}

// Pair is a badge and a member.
type Pair struct{ Badge, User laurel.ID }

// Kept returns what is written of members and badges of the scope; pairs of which nothing is written are left out.
func (s *Service) Kept(ctx context.Context, scope laurel.Scope, pairs []Pair) (map[Pair]User, error) {
	keys := make([]userKey, len(pairs))
	for i, p := range pairs {
		keys[i] = userKey(p)
	}
	rows, err := users.Read(ctx, s.DB, keys)
	out := make(map[Pair]User, len(rows))
	for k, r := range rows {
		if r.OrganizationID != scope.OrganizationID {
			continue
		}
		u, fault := r.user()
		if fault != nil {
			return nil, fault
		}
		out[Pair(k)] = u
	}
	return out, err
}

// Lent returns the badges that a rule gave for as long as what it asks for holds, also those that it has taken back, in
// the order of the members, behind one of them (a zero id: from the start).
func (s *Service) Lent(ctx context.Context, scope laurel.Scope, rule, after laurel.ID, limit int) ([]User, error) {
	rows, err := lentAfter(ctx, s.DB, scope, lentPage{rule, after, limit})
	out := make([]User, 0, len(rows))
	for _, r := range rows {
		u, fault := r.user()
		if fault != nil {
			return nil, fault
		}
		out = append(out, u)
	}
	return slices.Clip(out), err
}
