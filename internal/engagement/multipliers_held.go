package engagement

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"laurel/internal/engagement/multiplier"

	"laurel"
	"laurel/internal/store"
)

// headKey names the head of a member.
type headKey struct{ Website, User laurel.ID }

// head is the row that payments to a member with multipliers lock: all its live multipliers.
type head struct {
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	Held           string    `db:"held"`
	fresh          bool
	given          []*Multiplier // in this batch
}

func (h *head) list() ([]multiplier.Live, error) {
	if h.Held == "" {
		return nil, nil
	}
	var list []multiplier.Live
	if err := json.Unmarshal([]byte(h.Held), &list); err != nil {
		return nil, fmt.Errorf("multipliers of user %s: %w", h.UserID, err)
	}
	return list, nil
}

func encodeHeld(list []multiplier.Live) string {
	return string(store.JSON(append([]multiplier.Live{}, list...)))
}

// held is the multiplier as payments look at it.
func (m Multiplier) held() multiplier.Live {
	return multiplier.Live{
		ID:         m.ID,
		UserID:     m.UserID,
		Value:      m.Value,
		Currencies: m.CurrencyIDs,
		RuleID:     m.RuleID,
		BadgeID:    m.BadgeID,
	}
}

var heads = &store.Table[headKey, head]{
	Name: "multiplier heads", Rank: store.RankMultiplierHeads,
	Compare: func(a, b headKey) int {
		return cmp.Or(a.Website.Compare(b.Website), a.User.Compare(b.User))
	},
	Query: selectHead,
	Key:   store.Columns("website_id uuid, user_id uuid"),
	Args:  func(k headKey) []any { return []any{k.Website, k.User} },
	KeyOf: func(h *head) headKey { return headKey{h.WebsiteID, h.UserID} },
	New:   func(k headKey) *head { return &head{WebsiteID: k.Website, UserID: k.User, fresh: true} },
	Save:  saveHeads,
}

// MultiplierLocks names the rows that HeldMultipliers reads, of the users of a website who may have multipliers.
func MultiplierLocks(website laurel.ID, users []laurel.ID) []store.Lock {
	locks := make([]store.Lock, len(users))
	for i, u := range users {
		locks[i] = heads.Lock(headKey{website, u})
	}
	return locks
}

// HeldMultipliers returns the live multipliers of the users as the batch has them now. Their locks are held.
func HeldMultipliers(b *store.Batch, website laurel.ID, users []laurel.ID) []multiplier.Live {
	var all []multiplier.Live
	for _, u := range users {
		all = append(all, mustList(heads.Row(b, headKey{website, u}))...)
	}
	return all
}

// ReadMultipliers returns the same without locks, as it is now.
func (s *Service) ReadMultipliers(
	ctx context.Context,
	scope laurel.Scope,
	users []laurel.ID,
) ([]multiplier.Live, error) {
	if len(users) == 0 {
		return nil, nil
	}
	keys := make([]headKey, len(users))
	for i, u := range users {
		keys[i] = headKey{scope.WebsiteID, u}
	}
	rows, err := heads.Read(ctx, s.db, keys)
	if err != nil {
		return nil, err
	}
	var all []multiplier.Live
	for _, k := range keys {
		if h := rows[k]; h != nil {
			list, err := h.list()
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}
