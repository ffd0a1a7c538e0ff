package badges

import (
	"laurel"
	"laurel/internal/store"
)

// HolderLocks names the rows that Holds looks at.
func HolderLocks(badges []laurel.ID, user laurel.ID) []store.Lock {
	var locks []store.Lock
	for _, id := range badges {
		locks = append(locks, versions.Lock(id), users.Lock(userKey{id, user}))
	}
	return locks
}

// IsHolder reports whether a user has a badge, which is live. The rows are locked.
func IsHolder(b *store.Batch, badge, user laurel.ID) bool {
	live := versions.Row(b, badge)
	return !live.ID.IsZero() && live.Deleted == nil && users.Row(b, userKey{badge, user}).Status == Active
}
