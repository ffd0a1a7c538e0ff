package identity

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// People are members of a website and the groups that they are in, whole.
type People struct {
	Users  []laurel.ID
	Groups []laurel.ID
}

// Subjects are all of them, as whom windows, progress and the like are kept.
func (p People) Subjects() []laurel.ID { return slices.Concat(p.Users, p.Groups) }

// LockWithGroups locks the members that the ids name, as users or as groups, with everyone who is in a group with one
// of them, until the transaction ends: nobody of them is paid, joins, leaves or is blocked meanwhile. It comes before
// every lock of a later rank. Ids of nobody are left out.
func (s *Service) LockWithGroups(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) (People, error) {
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
		if _, held := slices.BinarySearchFunc(p.Groups, m.GroupID, laurel.ID.Compare); !held && !m.GroupID.IsZero() {
			return People{}, store.ErrRerun // it joined between reading and locking: its group must be locked first
		}
		p.Users = append(p.Users, m.UserID)
	}
	return p, nil
}
