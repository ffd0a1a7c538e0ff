package badges

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// HolderLocks returns the locks that IsHolder needs.
func HolderLocks(badges []laurel.ID, user laurel.ID) []store.Lock {
	var locks []store.Lock
	for _, id := range badges {
		locks = append(locks, badgeVersions.Lock(id), badgeUsers.Lock(badgeUserKey{id, user}))
	}
	return locks
}

// IsHolder reports whether a live badge is granted to a user. The caller holds the HolderLocks.
func IsHolder(b *store.Batch, badge, user laurel.ID) bool {
	live := badgeVersions.Row(b, badge)
	return !live.ID.IsZero() && live.Deleted == nil && badgeUsers.Row(b, badgeUserKey{badge, user}).Status == Active
}
