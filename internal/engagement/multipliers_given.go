package engagement

import (
	"slices"

	"laurel/internal/engagement/multiplier"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// Gift is a multiplier that a rule or badge gives to a member.
type Gift struct {
	Scope           laurel.Scope // of one website
	UserID          laurel.ID
	RuleID, BadgeID laurel.ID
	Value           laurel.Amount
	CurrencyIDs     []laurel.ID       // empty: all
	Ends            []multiplier.Live // whose place it takes, of the member or its group
}

// ended is a multiplier that a Work ends.
type ended struct {
	id laurel.ID
	at int64
}

var (
	endedSink = &store.Sink[ended]{Name: "ended multipliers", Rank: store.RankEndedMultipliers, Write: writeEnded}
	givenSink = &store.Sink[*Multiplier]{Name: "given multipliers", Rank: store.RankGrantedMultipliers, Write: writeGiven}
)

// Stage gives the multiplier and ends those that it replaces. The MultiplierLocks of all their users are held, and
// nothing may refuse any more.
func (g Gift) Stage(b *store.Batch) {
	for _, old := range g.Ends {
		endHeld(b, g.Scope, old)
	}
	m := &Multiplier{
		ID:             b.NewID(),
		OrganizationID: g.Scope.OrganizationID,
		WebsiteID:      g.Scope.WebsiteID,
		UserID:         g.UserID,
		Value:          g.Value,
		CurrencyIDs:    g.CurrencyIDs,
		RuleID:         g.RuleID,
		BadgeID:        g.BadgeID,
		CreatedAt:      b.Now(),
		UpdatedAt:      b.Now(),
	}
	own := heads.Changed(b, headKey{g.Scope.WebsiteID, g.UserID})
	own.OrganizationID = g.Scope.OrganizationID
	own.Held = encodeHeld(append(mustList(own), m.held()))
	own.given = append(own.given, m)
	givenSink.Add(b, m)
	feed.Changes.Add(b, m.change(feed.Created))
}

// EndOfBadge ends what a badge gave to a member, whose MultiplierLocks are held. Nothing may refuse any more.
func EndOfBadge(b *store.Batch, scope laurel.Scope, badge, user laurel.ID) {
	for _, m := range HeldMultipliers(b, scope.WebsiteID, []laurel.ID{user}) {
		if m.BadgeID == badge {
			endHeld(b, scope, m)
		}
	}
}

// endHeld ends a live multiplier of a locked head.
func endHeld(b *store.Batch, scope laurel.Scope, old multiplier.Live) {
	h := heads.Changed(b, headKey{scope.WebsiteID, old.UserID})
	h.Held = encodeHeld(slices.DeleteFunc(mustList(h), func(m multiplier.Live) bool { return m.ID == old.ID }))
	if i := slices.IndexFunc(h.given, func(m *Multiplier) bool { return m.ID == old.ID }); i >= 0 {
		h.given[i].DeletedAt = b.Now() // it is not written yet, and what ended is written first
	} else {
		endedSink.Add(b, ended{old.ID, store.Micros(b.Now())})
	}
	gone := Multiplier{
		ID:             old.ID,
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		UserID:         old.UserID,
		RuleID:         old.RuleID,
	}
	feed.Changes.Add(b, gone.change(feed.Deleted))
}

// mustList decodes a locked row. encodeHeld wrote it: what cannot be decoded is a fault of the database, of which the
// batch fails the one work.
func mustList(h *head) []multiplier.Live {
	list, err := h.list()
	if err != nil {
		panic(err)
	}
	return list
}
