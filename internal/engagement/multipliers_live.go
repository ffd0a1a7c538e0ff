package engagement

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"laurel.example/laurel/internal/engagement/multiplier"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// multipliersKey identifies the live multipliers of a member.
type multipliersKey struct{ Website, User laurel.ID }

// memberMultipliers is the row with all live multipliers of a member. Payments to the member lock it.
type memberMultipliers struct {
	WebsiteID      laurel.ID        `db:"website_id" update:"key"`
	UserID         laurel.ID        `db:"user_id" update:"key"`
	OrganizationID laurel.ID        `db:"organization_id"`
	Live           string           `db:"held"`
	UpdatedAt      laurel.Timestamp `db:"updated_at"`
	isNew          bool
	granted        []*Multiplier // granted by this batch
}

// decode returns the live multipliers in the row.
func (h *memberMultipliers) decode() ([]multiplier.Live, error) {
	if h.Live == "" {
		return nil, nil
	}
	var list []multiplier.Live
	if err := json.Unmarshal([]byte(h.Live), &list); err != nil {
		return nil, fmt.Errorf("multipliers of user %s: %w", h.UserID, err)
	}
	return list, nil
}

// encodeMultipliers returns live multipliers as JSON.
func encodeMultipliers(list []multiplier.Live) string {
	return string(store.JSON(append([]multiplier.Live{}, list...)))
}

// live returns the multiplier in the form that payments use.
func (m Multiplier) live() multiplier.Live {
	return multiplier.Live{
		ID:         m.ID,
		UserID:     m.UserID,
		Value:      m.Value,
		Currencies: m.CurrencyIDs,
		RuleID:     m.RuleID.ID,
		BadgeID:    m.BadgeID.ID,
	}
}

var multipliersTable = &store.Table[multipliersKey, memberMultipliers]{
	Name: "multiplier heads", Rank: store.LockRankMultiplierHeads,
	Compare: func(a, b multipliersKey) int {
		return cmp.Or(a.Website.Compare(b.Website), a.User.Compare(b.User))
	},
	Query: headTable.Query(),
	Key:   store.Columns("website_id uuid, user_id uuid"),
	Args:  func(k multipliersKey) []any { return []any{k.Website, k.User} },
	KeyOf: func(h *memberMultipliers) multipliersKey { return multipliersKey{h.WebsiteID, h.UserID} },
	New: func(k multipliersKey) *memberMultipliers {
		return &memberMultipliers{WebsiteID: k.Website, UserID: k.User, isNew: true}
	},
	Save: headTable.Saver(func(h *memberMultipliers) bool { return h.isNew }),
}

// MultiplierLocks returns the locks that LiveMultipliers needs, for users of a website who may have multipliers.
func MultiplierLocks(website laurel.ID, users []laurel.ID) []store.Lock {
	locks := make([]store.Lock, len(users))
	for i, u := range users {
		locks[i] = multipliersTable.Lock(multipliersKey{website, u})
	}
	return locks
}

// LiveMultipliers returns the live multipliers of users, with what the batch has staged so far. The caller holds their
// MultiplierLocks.
func LiveMultipliers(b *store.Batch, website laurel.ID, users []laurel.ID) []multiplier.Live {
	var all []multiplier.Live
	for _, u := range users {
		all = append(all, mustDecodeMultipliers(multipliersTable.Row(b, multipliersKey{website, u}))...)
	}
	return all
}

// ReadLiveMultipliers reads the live multipliers of users without locks.
func (s *Service) ReadLiveMultipliers(
	ctx context.Context,
	scope laurel.Scope,
	users []laurel.ID,
) ([]multiplier.Live, error) {
	if len(users) == 0 {
		return nil, nil
	}
	keys := make([]multipliersKey, len(users))
	for i, u := range users {
		keys[i] = multipliersKey{scope.WebsiteID, u}
	}
	rows, err := multipliersTable.Read(ctx, s.db, keys)
	if err != nil {
		return nil, err
	}
	var all []multiplier.Live
	for _, k := range keys {
		if row := rows[k]; row != nil {
			list, err := row.decode()
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}
