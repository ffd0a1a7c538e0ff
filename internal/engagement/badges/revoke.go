package badges

import (
	"context"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// checkStatus refuses a status that is not among those that may be asked for.
func checkStatus(status string, allowed ...string) error {
	if slices.Contains(allowed, status) {
		return nil
	}
	var f laurel.Faults
	f.Add("status", "must be one of: %s", strings.Join(allowed, ", "))
	return f.Err()
}

// SetByCaller gives a badge by hand: active grants it, also one that was revoked, and inactive makes a row that is not
// granted yet, or takes the badge away until it is earned again. Errors: Invalid; NotFound "Badge", "User".
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

// Revoke takes a badge away: revoked for good, inactive until it is earned again. Its multipliers end, points stay.
// Errors: Invalid; NotFound "Badge", "Badge user".
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

// setStatusWork is a status that a badge of a member gets without being granted. It is a store.Work.
type setStatusWork struct {
	status     string
	createsRow bool // where there is no row yet
	badge      Badge
	scope      laurel.Scope
	person     identity.Person
	user       BadgeUser
}

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
		w.person, err = s.People.Find(ctx, w.scope, ref, tries > 1)
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

func (w *setStatusWork) Locks() []store.Lock {
	locks := append(w.person.Locks(), versions.Lock(w.badge.ID), users.Lock(userKey{w.badge.ID, w.person.UserID}))
	return append(locks, engagement.MultiplierLocks(w.scope.WebsiteID, []laurel.ID{w.person.UserID})...)
}

func (w *setStatusWork) Judge(b *store.Batch) (err error) {
	if err := w.person.Check(b); err != nil {
		return err
	}
	if versions.Row(b, w.badge.ID).Version != w.badge.Version {
		return store.ErrStale
	}
	key := userKey{w.badge.ID, w.person.UserID}
	row := users.Row(b, key)
	if row.Status == "" {
		if !w.createsRow {
			return laurel.Missing("Badge user")
		}
		if err := w.person.Admit(b, w.scope); err != nil {
			return err
		}
		users.Changed(b, key).initialize(b, w.badge)
	}
	if row.Status != w.status {
		endGrant(b, w.scope, users.Changed(b, key), w.status)
	}
	w.user, err = row.user()
	return err
}

// endGrant gives a locked row a status other than active, and ends the multipliers of what was active.
func endGrant(b *store.Batch, scope laurel.Scope, row *userRow, to string) {
	if row.Status == Active {
		engagement.EndMultipliersOfBadge(b, scope, row.BadgeID, row.UserID)
	}
	row.setStatus(b, to)
}

// DeactivateDynamic takes away what a rule gave dynamically, from members for whom what it asks for no longer holds,
// and returns how many had it. Each may get it back, unpaid.
func (s *Service) DeactivateDynamic(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	rule laurel.ID,
	holders []BadgeUser,
) (int, error) {
	isOfRule := func(r *userRow) bool { return r.Dynamic && r.RuleID == rule }
	w := &endGrantsWork{scope: scope, status: Inactive, matches: isOfRule}
	for _, u := range holders {
		w.keys = append(w.keys, userKey{u.BadgeID, u.UserID})
	}
	err := store.Run(ctx, tx, w)
	return w.count, err
}

// endGrantsWork ends badges of some members. It is a store.Work. The rows are locked, so each ends once, and grants
// take turns with that.
type endGrantsWork struct {
	scope   laurel.Scope // of one website
	keys    []userKey
	status  string
	matches func(*userRow) bool
	count   int
}

func (w *endGrantsWork) Locks() []store.Lock {
	var locks []store.Lock
	holders := make([]laurel.ID, len(w.keys))
	for i, k := range w.keys {
		locks, holders[i] = append(locks, users.Lock(k)), k.User
	}
	return append(locks, engagement.MultiplierLocks(w.scope.WebsiteID, holders)...)
}

// Judge ends what is active still.
func (w *endGrantsWork) Judge(b *store.Batch) error {
	w.count = 0
	for _, k := range w.keys {
		if row := users.Row(b, k); row.Status == Active && w.matches(row) {
			endGrant(b, w.scope, users.Changed(b, k), w.status)
			w.count++
		}
	}
	return nil
}

// Reactivate gives back what a rule lent to a member and took away: unpaid, with its multipliers. Anybody else, and who
// was never granted the badge, stays as it is.
func (s *Service) Reactivate(ctx context.Context, scope laurel.Scope, rule, badge, user laurel.ID) error {
	row, found, err := findUser(ctx, s.DB, scope, userKey{badge, user})
	if err != nil || !found || row.Status != Inactive || !row.Dynamic || row.RuleID != rule || row.RewardedAt == nil {
		return err
	}
	_, err = s.Grant(ctx, scope, badge, identity.Ref{UserID: user}, GrantOptions{RuleID: rule, Dynamic: true})
	return err
}
