package identity

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// affectedMembers is a member with everyone whom a change of its group or block marks may concern, all locked.
type affectedMembers struct {
	people []*memberRow // the member, and the members of the group it is in and of the one it goes to
	self   *memberRow
	target laurel.ID // the group it will be in; zero: none
}

// touchesGroup reports whether the input may change other members, or what payments read of this one.
func (in MetadataInput) touchesGroup() bool {
	return in.UserGroupID.Set || in.UserGroupExternalIdentifier.Set || in.IsBlocked.Set || in.IsBlockExempt.Set
}

// lockedGroups are the groups that a write of a person's metadata concerns, locked.
type lockedGroups struct {
	target laurel.ID // the group that the person will be in; zero: none
	groups []laurel.ID
}

// lockGroupsOf locks the groups in order of their ids. It comes before the rows of a new person are written: a payment
// that holds the group may be about to write the same ones.
func lockGroupsOf(ctx context.Context, tx *store.Tx, scope laurel.Scope, p Person, in MetadataInput) (lockedGroups, error) {
	h := lockedGroups{target: p.GroupID}
	if !in.touchesGroup() {
		return h, nil
	}
	var err error
	if h.target, err = targetGroup(ctx, tx, scope, p, in); err != nil {
		return h, err
	}
	h.groups = slices.DeleteFunc([]laurel.ID{p.GroupID, h.target}, laurel.ID.IsZero)
	slices.SortFunc(h.groups, laurel.ID.Compare)
	h.groups = slices.Compact(h.groups)
	return h, lockGroups(ctx, tx, h.groups)
}

// lockAffectedMembers locks the members, whose groups are held, in order of their ids: after the groups, as every
// payment does.
func lockAffectedMembers(ctx context.Context, tx *store.Tx, p Person, h lockedGroups) (*affectedMembers, error) {
	c := &affectedMembers{target: h.target}
	var err error
	if c.people, err = lockMembers(ctx, tx, p.member(), h.groups); err != nil {
		return nil, err
	}
	for _, m := range c.people {
		if m.UserID == p.UserID {
			c.self = m
		}
	}
	if c.self == nil || c.self.GroupID != p.GroupID {
		return nil, store.ErrRerun // it moved between reading and locking: other groups must be locked
	}
	return c, nil
}

// targetGroup returns the group that the input puts the person in; a new external identifier makes its group.
func targetGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, p Person, in MetadataInput) (laurel.ID, error) {
	id, name := in.UserGroupID, in.UserGroupExternalIdentifier
	switch {
	case id.Ptr() != nil:
		storedName, err := selectGroup(ctx, tx, scope, id.Value)
		if store.NoRows(err) {
			return laurel.ID{}, laurel.Missing("User group")
		}
		if err == nil && name.Ptr() != nil && (storedName == nil || *storedName != name.Value) {
			var f laurel.Faults
			f.Add("userGroupExternalIdentifier", "belongs to another group")
			err = f.Err()
		}
		return id.Value, err
	case name.Ptr() != nil:
		return findOrCreateGroup(ctx, tx, scope, name.Value)
	case id.Set || name.Set:
		return laurel.ID{}, nil
	}
	return p.GroupID, nil
}

// applyGroupChange moves the member and sets block marks, and returns the users whose rows changed.
func (s *Service) applyGroupChange(ctx context.Context, tx *store.Tx, c *affectedMembers, in MetadataInput) ([]laurel.ID, error) {
	if !in.touchesGroup() {
		return nil, nil
	}
	before := make(map[laurel.ID]memberRow, len(c.people))
	for _, m := range c.people {
		before[m.UserID] = *m
	}
	c.moveToTarget(store.Micros(tx.Now()))
	c.setBlockMarks(in)
	var changed []*memberRow
	var ids, groups []laurel.ID
	for _, m := range c.people {
		old := before[m.UserID]
		if old.GroupID != m.GroupID || old.Blocked != m.Blocked || old.Exempt != m.Exempt {
			changed, ids = append(changed, m), append(ids, m.UserID)
			groups = append(groups, old.GroupID, m.GroupID)
		}
	}
	if err := updateMembers(ctx, tx, changed, groups); err != nil {
		return nil, err
	}
	return ids, s.runHooks(ctx, tx, changed, before)
}

// moveToTarget puts the member into its target group, behind all who are there.
func (c *affectedMembers) moveToTarget(now int64) {
	if c.self.GroupID == c.target {
		return
	}
	c.self.GroupID, c.self.JoinedAt = c.target, nil
	if c.target.IsZero() {
		return
	}
	for _, m := range c.people {
		if m.GroupID == c.target && m.JoinedAt != nil {
			now = max(now, *m.JoinedAt+1) // the order of joining decides who is spent from first
		}
	}
	c.self.JoinedAt = &now
}

// setBlockMarks sets the block marks. A group is one person: all its members that are not exempt bear the same mark
// (contract 8.7).
func (c *affectedMembers) setBlockMarks(in MetadataInput) {
	if in.IsBlockExempt.Set {
		c.self.Exempt = in.IsBlockExempt.Value
	}
	if in.IsBlocked.Set {
		c.self.Blocked = in.IsBlocked.Value
	}
	if c.target.IsZero() || c.self.Exempt {
		return
	}
	blocked := in.IsBlocked.Value
	if !in.IsBlocked.Set {
		for _, m := range c.people {
			blocked = blocked || m.GroupID == c.target && m.isEffectivelyBlocked()
		}
	}
	for _, m := range c.people {
		if m.GroupID == c.target && !m.Exempt {
			m.Blocked = blocked
		}
	}
}

// isEffectivelyBlocked reports whether the mark keeps the user from anything.
func (r memberRow) isEffectivelyBlocked() bool { return r.Blocked && !r.Exempt }

// runHooks tells the packages above what happened.
func (s *Service) runHooks(
	ctx context.Context,
	tx *store.Tx,
	changed []*memberRow,
	before map[laurel.ID]memberRow,
) error {
	for _, m := range changed {
		old := before[m.UserID]
		if old.GroupID != m.GroupID {
			if err := runGroupHook(ctx, tx, s.options.Hooks.Left, *m, old.GroupID); err != nil {
				return err
			}
			if err := runGroupHook(ctx, tx, s.options.Hooks.Joined, *m, m.GroupID); err != nil {
				return err
			}
		}
		if old.isEffectivelyBlocked() != m.isEffectivelyBlocked() && s.options.Hooks.Blocked != nil {
			if err := s.options.Hooks.Blocked(ctx, tx, m.WebsiteID, m.UserID, m.isEffectivelyBlocked()); err != nil {
				return err
			}
		}
		if old.GroupID != m.GroupID || old.isEffectivelyBlocked() != m.isEffectivelyBlocked() {
			if err := feed.Record(ctx, tx, memberChange(*m)); err != nil {
				return err
			}
		}
	}
	return nil
}

func runGroupHook(
	ctx context.Context,
	tx *store.Tx,
	hook func(context.Context, *store.Tx, laurel.ID, laurel.ID, laurel.ID) error,
	m memberRow,
	group laurel.ID,
) error {
	if hook == nil || group.IsZero() {
		return nil
	}
	return hook(ctx, tx, m.WebsiteID, m.UserID, group)
}
