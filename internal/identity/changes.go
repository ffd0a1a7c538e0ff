package identity

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// userData is the data of a user's change (contract 7.1).
type userData struct {
	ID         laurel.ID        `json:"id"`
	Wallet     *string          `json:"walletAddress"`
	WalletType *string          `json:"walletType"`
	CreatedAt  laurel.Timestamp `json:"createdAt"`
	UpdatedAt  laurel.Timestamp `json:"updatedAt"`
}

// userChange returns the change of a user for the feed. It belongs to the website of the scope, through which the user
// changed: other websites of the organization may not know the user.
func userChange(scope laurel.Scope, action feed.Action, r *userRow) feed.Change {
	return feed.Change{
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		EntityID:       r.ID,
		Table:          feed.TableUser,
		Action:         action,
		Data: store.JSON(
			userData{
				r.ID,
				r.Wallet,
				r.WalletType,
				laurel.Timestamp{Time: store.Time(r.CreatedAt)},
				laurel.Timestamp{Time: store.Time(r.UpdatedAt)},
			},
		),
	}
}

// memberChange returns the change of a member, whose group or block mark has changed, for the feed. Its consumers
// decide again what the member has earned.
func memberChange(m memberRow) feed.Change {
	return feed.Change{
		OrganizationID: m.OrganizationID,
		WebsiteID:      m.WebsiteID,
		EntityID:       m.UserID,
		Table:          feed.TableMember,
		Action:         feed.Updated,
	}
}

// metadataChange returns the change of metadata for the feed. Its data are all fields, also those that only secret keys
// may see (contract 7.1).
func metadataChange(m Metadata, action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: m.OrganizationID,
		WebsiteID:      m.WebsiteID,
		EntityID:       m.ID,
		Table:          feed.TableUserMetadata,
		Action:         action,
		Data:           store.JSON(m),
	}
}
