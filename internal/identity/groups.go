package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// affectedMembers are the locked members that a change of one member's group or block marks may affect.
type affectedMembers struct {
	people []*memberRow // the member itself, and the members of its present and its new group
	self   *memberRow
	target laurel.ID // the group that the member will be in; zero: none
}

// touchesGroup reports whether the input sets a group or a block mark. Such a change may affect other members of a
// group, and payments rely on it.
func (in MetadataInput) touchesGroup() bool {
	return in.UserGroupID.Set || in.UserGroupExternalIdentifier.Set || in.IsBlocked.Set || in.IsBlockExempt.Set
}

// lockedGroups are the locked groups that a write of a person's metadata affects.
type lockedGroups struct {
	target laurel.ID // the group that the person will be in; zero: none
	groups []laurel.ID
}

// lockGroupsOf locks the group that the person is in and the one that it will be in, in the order of their ids; none if
// the input changes neither group nor block marks. It must come before the rows of a new person are inserted: a payment
// that has locked the group may be about to insert the same rows.
func lockGroupsOf(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, p Person, in MetadataInput,
) (lockedGroups, error) {
	locked := lockedGroups{target: p.GroupID}
	if !in.touchesGroup() {
		return locked, nil
	}
	var err error
	if locked.target, err = targetGroup(ctx, tx, scope, p, in); err != nil {
		return locked, err
	}
	locked.groups = slices.DeleteFunc([]laurel.ID{p.GroupID, locked.target}, laurel.ID.IsZero)
	slices.SortFunc(locked.groups, laurel.ID.Compare)
	locked.groups = slices.Compact(locked.groups)
	return locked, lockGroups(ctx, tx, locked.groups)
}

// lockAffectedMembers locks the member and all members of the locked groups, in order of their ids. Members are locked
// after groups, as in every payment. It returns store.ErrRerun if the member has changed its group since p was read.
func lockAffectedMembers(ctx context.Context, tx *store.Tx, p Person, locked lockedGroups) (*affectedMembers, error) {
	affected := &affectedMembers{target: locked.target}
	var err error
	if affected.people, err = lockMembers(ctx, tx, p.member(), locked.groups); err != nil {
		return nil, err
	}
	for _, m := range affected.people {
		if m.UserID == p.UserID {
			affected.self = m
		}
	}
	if affected.self == nil || affected.self.GroupID != p.GroupID {
		return nil, store.ErrRerun // it moved between reading and locking: other groups must be locked
	}
	return affected, nil
}

// targetGroup returns the group that the person will be in after the input; zero for none. An external identifier that
// no group has creates a group. Errors: NotFound "User group"; Invalid if the id and the external identifier are those
// of different groups.
func targetGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, p Person, in MetadataInput) (laurel.ID, error) {
	id, name := in.UserGroupID, in.UserGroupExternalIdentifier
	switch {
	case id.Ptr() != nil:
		storedName, err := selectGroup(ctx, tx, scope, id.Value)
		if store.IsNoRows(err) {
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

// applyGroupChange moves the member to its group and sets block marks, as the input says. It writes the rows of the
// members that changed, and passes them to the follower and the feed. It returns the ids of these members, none if the
// input changes neither group nor block marks.
func (s *Service) applyGroupChange(
	ctx context.Context, tx *store.Tx, affected *affectedMembers, in MetadataInput,
) ([]laurel.ID, error) {
	if !in.touchesGroup() {
		return nil, nil
	}
	before := make(map[laurel.ID]memberRow, len(affected.people))
	for _, m := range affected.people {
		before[m.UserID] = *m
	}
	affected.moveToTarget(store.Micros(tx.Now()))
	affected.setBlockMarks(in)
	var changed []*memberRow
	var ids, groups []laurel.ID
	for _, m := range affected.people {
		old := before[m.UserID]
		if old.GroupID != m.GroupID || old.Blocked != m.Blocked || old.Exempt != m.Exempt {
			changed, ids = append(changed, m), append(ids, m.UserID)
			groups = append(groups, old.GroupID, m.GroupID)
		}
	}
	if err := updateMembers(ctx, tx, changed, groups); err != nil {
		return nil, err
	}
	return ids, s.followAndRecordChanges(ctx, tx, changed, before)
}

// moveToTarget moves the member to its target group, or out of its group if there is no target. The member joins at
// joinedAt, or later if another member has joined at that time or after it.
func (c *affectedMembers) moveToTarget(joinedAt int64) {
	if c.self.GroupID == c.target {
		return
	}
	c.self.GroupID, c.self.JoinedAt = c.target, nil
	if c.target.IsZero() {
		return
	}
	for _, m := range c.people {
		if m.GroupID == c.target && m.JoinedAt != nil {
			joinedAt = max(joinedAt, *m.JoinedAt+1) // points are spent in the order of joining, so no two join at once
		}
	}
	c.self.JoinedAt = &joinedAt
}

// setBlockMarks sets the member's block marks as the input says. A group is one person, so all its members that are not
// exempt get the same mark (contract 8.7): that of the input or, if the input has none, blocked if any of them is
// blocked, the joining member included.
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

// isEffectivelyBlocked reports whether the user is blocked and not exempt.
func (r memberRow) isEffectivelyBlocked() bool { return r.Blocked && !r.Exempt }

// followAndRecordChanges calls the follower for each member that changed, and records changes of groups and effective
// block marks in the feed. before has the rows of the members before the change, by user.
func (s *Service) followAndRecordChanges(
	ctx context.Context,
	tx *store.Tx,
	changed []*memberRow,
	before map[laurel.ID]memberRow,
) error {
	for _, m := range changed {
		old := before[m.UserID]
		if err := s.followMember(ctx, tx, old, *m); err != nil {
			return err
		}
		if old.GroupID != m.GroupID || old.isEffectivelyBlocked() != m.isEffectivelyBlocked() {
			if err := feed.Record(ctx, tx, memberChange(*m)); err != nil {
				return err
			}
		}
	}
	return nil
}

// followMember passes a change of a member to the follower, if there is one: the group that it has left, the group that
// it has joined and, if that has changed, whether it is blocked now.
func (s *Service) followMember(ctx context.Context, tx *store.Tx, old, m memberRow) error {
	follower := s.options.Follower
	if follower == nil {
		return nil
	}
	if old.GroupID != m.GroupID && !old.GroupID.IsZero() {
		if err := follower.Left(ctx, tx, m.WebsiteID, m.UserID, old.GroupID); err != nil {
			return err
		}
	}
	if old.GroupID != m.GroupID && !m.GroupID.IsZero() {
		if err := follower.Joined(ctx, tx, m.WebsiteID, m.UserID, m.GroupID); err != nil {
			return err
		}
	}
	if old.isEffectivelyBlocked() == m.isEffectivelyBlocked() {
		return nil
	}
	return follower.Blocked(ctx, tx, m.WebsiteID, m.UserID, m.isEffectivelyBlocked())
}
