package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// People are members of a website together with all members of their groups.
type People struct {
	Users  []laurel.ID
	Groups []laurel.ID
}

// Subjects returns the ids of all users and groups, under which rule state is stored.
func (p People) Subjects() []laurel.ID { return slices.Concat(p.Users, p.Groups) }

// LockWithGroups locks the members with these ids, of users or of groups, and all members of their groups until the
// transaction ends. Meanwhile none of them is paid, joins, leaves or is blocked. It must come before every lock of a
// later rank. Unknown ids are left out. It returns store.ErrRerun if a member has joined a group meanwhile.
func (s *Service) LockWithGroups(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID,
) (People, error) {
	if len(ids) == 0 {
		return People{}, nil
	}
	var p People
	var err error
	if p.Groups, err = selectGroupsOf(ctx, tx, scope, ids); err != nil {
		return People{}, err
	}
	if err := lockGroups(ctx, tx, p.Groups); err != nil {
		return People{}, err
	}
	rows, err := lockUsersAndGroupMembers(ctx, tx, scope, ids, p.Groups)
	if err != nil {
		return People{}, err
	}
	for _, m := range rows {
		if _, isLocked := slices.BinarySearchFunc(p.Groups, m.GroupID, laurel.ID.Compare); !isLocked && !m.GroupID.IsZero() {
			return People{}, store.ErrRerun // it joined between reading and locking: its group must be locked first
		}
		p.Users = append(p.Users, m.UserID)
	}
	return p, nil
}
