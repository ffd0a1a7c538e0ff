package badges

import (
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// checkStatus returns a fault if the status is not one of the allowed ones.
func checkStatus(status string, allowed ...string) error {
	if slices.Contains(allowed, status) {
		return nil
	}
	var f laurel.Faults
	f.Add("status", "must be one of: %s", strings.Join(allowed, ", "))
	return f.Err()
}

// SetByCaller sets a member's badge by hand: active grants it, even if it was revoked; inactive creates a record
// without a grant, or takes the badge back until it is earned again. Other statuses are Invalid. Errors: Invalid;
// NotFound "Badge", "User".
func (s *Service) SetByCaller(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	ref identity.Ref,
	status string,
) (BadgeUser, error) {
	if err := checkStatus(status, Active, Inactive); err != nil {
		return BadgeUser{}, err
	}
	if status == Active {
		return s.Grant(ctx, scope, badge, ref, GrantOptions{Force: true})
	}
	return s.setStatus(ctx, scope, badge, ref, setStatusWork{status: status, createsRow: true})
}

// Revoke takes a badge from a member: for good with status revoked, until it is earned again with status inactive. Its
// multipliers end, points stay. Errors: Invalid; NotFound "Badge", "Badge user".
func (s *Service) Revoke(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	ref identity.Ref,
	status string,
) (BadgeUser, error) {
	if err := checkStatus(status, Revoked, Inactive); err != nil {
		return BadgeUser{}, err
	}
	return s.setStatus(ctx, scope, badge, ref, setStatusWork{status: status})
}

// setStatusWork sets the status of a member's badge to another one than active. It is a store.Work.
type setStatusWork struct {
	status     string
	createsRow bool // if there is no row yet
	badge      Badge
	scope      laurel.Scope
	person     identity.Person
	user       BadgeUser
}

// setStatus sets the status of a member's badge to w.status and returns the record. Of w, the caller sets only status
// and createsRow. Without a record, setStatus creates one if w.createsRow is set, and otherwise returns NotFound "Badge
// user", also for an unknown user. Other errors: NotFound "Badge", "User".
func (s *Service) setStatus(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	ref identity.Ref,
	w setStatusWork,
) (BadgeUser, error) {
	tries := 0
	err := s.Committer.Submit(ctx, scope.Request, func() (_ store.Work, err error) {
		if w.badge, err = ReadBadge(ctx, s.DB, scope, badge); err != nil {
			return nil, err
		}
		tries++
		w.scope = scope.At(w.badge.WebsiteID)
		w.person, err = s.People.Find(ctx, w.scope, ref, tries > 1) // a retry reads the person from the database
		if laurel.CodeOf(err) == laurel.NotFound && !w.createsRow {
			err = laurel.Missing("Badge user")
		}
		return &w, err
	})
	return w.user, err
}

func (w *setStatusWork) String() string {
	return w.status + " badge " + w.badge.ID.String() + " of user " + w.person.UserID.String()
}

// Locks returns the locks of the person, the badge, its row, and the person's multipliers.
func (w *setStatusWork) Locks() []store.Lock {
	key := badgeUserKey{w.badge.ID, w.person.UserID}
	locks := append(w.person.Locks(), badgeVersions.Lock(w.badge.ID), badgeUsers.Lock(key))
	return append(locks, engagement.MultiplierLocks(w.scope.WebsiteID, []laurel.ID{w.person.UserID})...)
}

// Judge sets the status under the locks, and creates the record first if that is allowed. It returns NotFound "Badge
// user" if there is no record.
func (w *setStatusWork) Judge(b *store.Batch) (err error) {
	if err := w.person.Check(b); err != nil {
		return err
	}
	if badgeVersions.Row(b, w.badge.ID).Version != w.badge.Version {
		return store.ErrStale
	}
	key := badgeUserKey{w.badge.ID, w.person.UserID}
	row := badgeUsers.Row(b, key)
	if row.Status == "" {
		if !w.createsRow {
			return laurel.Missing("Badge user")
		}
		if err := w.person.Admit(b, w.scope); err != nil {
			return err
		}
		badgeUsers.Changed(b, key).initialize(b, w.badge)
	}
	if row.Status != w.status {
		endGrant(b, w.scope, badgeUsers.Changed(b, key), w.status)
	}
	w.user = row.BadgeUser
	return nil
}

// endGrant sets a locked record to a status other than active. If the badge was granted, its multipliers end.
func endGrant(b *store.Batch, scope laurel.Scope, row *badgeUserRow, to string) {
	if row.Status == Active {
		engagement.EndMultipliersOfBadge(b, scope, row.BadgeID, row.UserID)
	}
	row.setStatus(b, to)
}

// DeactivateDynamic takes back badges that the rule has granted as dynamic rewards. holders are the records of the
// members who no longer meet the rule's conditions. The result is how many badges were taken back: a record that
// is inactive already, or is no dynamic reward of the rule, is left as it is. Reactivate can grant the badges again.
func (s *Service) DeactivateDynamic(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	rule laurel.ID,
	holders []BadgeUser,
) (int, error) {
	isOfRule := func(r *badgeUserRow) bool { return r.Dynamic && r.RuleID.ID == rule }
	w := &endGrantsWork{scope: scope, status: Inactive, matches: isOfRule}
	for _, u := range holders {
		w.keys = append(w.keys, badgeUserKey{u.BadgeID, u.UserID})
	}
	err := store.Run(ctx, tx, w)
	return w.count, err
}

// endGrantsWork ends the grants of badges to some members. It is a store.Work. It locks the rows, so that each grant
// ends once.
type endGrantsWork struct {
	scope   laurel.Scope // of one website
	keys    []badgeUserKey
	status  string                   // the status that the records get
	matches func(*badgeUserRow) bool // of the active records, only those for which it is true end
	count   int                      // how many grants ended
}

// Locks returns the locks of the rows and of the holders' multipliers.
func (w *endGrantsWork) Locks() []store.Lock {
	var locks []store.Lock
	holders := make([]laurel.ID, len(w.keys))
	for i, k := range w.keys {
		locks, holders[i] = append(locks, badgeUsers.Lock(k)), k.User
	}
	return append(locks, engagement.MultiplierLocks(w.scope.WebsiteID, holders)...)
}

// Judge ends those of the grants that are still active and match, and counts them.
func (w *endGrantsWork) Judge(b *store.Batch) error {
	w.count = 0
	for _, k := range w.keys {
		if row := badgeUsers.Row(b, k); row.Status == Active && w.matches(row) {
			endGrant(b, w.scope, badgeUsers.Changed(b, k), w.status)
			w.count++
		}
	}
	return nil
}

// Reactivate grants a badge again that was taken back from a user as a dynamic reward of the rule. Its rewards are not
// paid again, but its multipliers come back. It does nothing if the badge was not taken back in this way.
func (s *Service) Reactivate(ctx context.Context, scope laurel.Scope, rule, badge, user laurel.ID) error {
	u, err := findBadgeUser(ctx, s.DB, scope, badgeUserKey{badge, user})
	if err != nil || u.Status != Inactive || !u.Dynamic || u.RuleID.ID != rule || u.RewardedAt.IsZero() {
		return err
	}
	_, err = s.Grant(ctx, scope, badge, identity.Ref{UserID: user}, GrantOptions{RuleID: rule, Dynamic: true})
	return err
}
