package engagement

import (
	"slices"

	"laurel.example/laurel/internal/engagement/multiplier"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// MultiplierGrant is a multiplier that a rule or badge grants to a member.
type MultiplierGrant struct {
	Scope           laurel.Scope // of one website
	UserID          laurel.ID
	RuleID, BadgeID laurel.ID
	Value           laurel.Amount
	CurrencyIDs     []laurel.ID       // empty: all
	Replaces        []multiplier.Live // multipliers of the member or its group that it replaces
}

// endedMultiplier is a multiplier that a Work has ended.
type endedMultiplier struct {
	id laurel.ID
	at int64
}

var (
	endedSink   = &store.Sink[endedMultiplier]{Name: "ended multipliers", Rank: store.LockRankEndedMultipliers, Write: writeEnded}
	grantedSink = &store.Sink[*Multiplier]{Name: "given multipliers", Rank: store.LockRankGrantedMultipliers, Write: writeGranted}
)

// Stage stages the multiplier, and the end of those that it replaces. The caller is a Work that holds the
// MultiplierLocks of all their users. It calls Stage after its last check, as it cannot take back what is staged.
func (g MultiplierGrant) Stage(b *store.Batch) {
	for _, old := range g.Replaces {
		endMultiplier(b, g.Scope, old)
	}
	m := &Multiplier{
		ID:             b.NewID(),
		OrganizationID: g.Scope.OrganizationID,
		WebsiteID:      g.Scope.WebsiteID,
		UserID:         g.UserID,
		Value:          g.Value,
		CurrencyIDs:    g.CurrencyIDs,
		RuleID:         laurel.NullableID(g.RuleID),
		BadgeID:        laurel.NullableID(g.BadgeID),
		CreatedAt:      laurel.Timestamp{Time: b.Now()},
		UpdatedAt:      laurel.Timestamp{Time: b.Now()},
	}
	own := multipliersTable.Changed(b, multipliersKey{g.Scope.WebsiteID, g.UserID})
	own.OrganizationID, own.UpdatedAt.Time = g.Scope.OrganizationID, b.Now()
	own.Live = encodeMultipliers(append(mustDecodeMultipliers(own), m.live()))
	own.granted = append(own.granted, m)
	grantedSink.Add(b, m)
	feed.Changes.Add(b, m.feedChange(feed.Created))
}

// EndMultipliersOfBadge ends the multipliers that a badge has granted to a user. The caller holds the MultiplierLocks
// of the user, and the Work can no longer be refused.
func EndMultipliersOfBadge(b *store.Batch, scope laurel.Scope, badge, user laurel.ID) {
	for _, m := range LiveMultipliers(b, scope.WebsiteID, []laurel.ID{user}) {
		if m.BadgeID == badge {
			endMultiplier(b, scope, m)
		}
	}
}

// endMultiplier stages the end of a live multiplier, whose user's multipliers are locked.
func endMultiplier(b *store.Batch, scope laurel.Scope, old multiplier.Live) {
	row := multipliersTable.Changed(b, multipliersKey{scope.WebsiteID, old.UserID})
	isOld := func(m multiplier.Live) bool { return m.ID == old.ID }
	row.Live, row.UpdatedAt.Time = encodeMultipliers(slices.DeleteFunc(mustDecodeMultipliers(row), isOld)), b.Now()
	if i := slices.IndexFunc(row.granted, func(m *Multiplier) bool { return m.ID == old.ID }); i >= 0 {
		row.granted[i].DeletedAt.Time = b.Now() // granted in this batch, and not written before endedSink
	} else {
		endedSink.Add(b, endedMultiplier{old.ID, store.Micros(b.Now())})
	}
	ended := Multiplier{
		ID:             old.ID,
		OrganizationID: scope.OrganizationID,
		WebsiteID:      scope.WebsiteID,
		UserID:         old.UserID,
		RuleID:         laurel.NullableID(old.RuleID),
	}
	feed.Changes.Add(b, ended.feedChange(feed.Deleted))
}

// mustDecodeMultipliers returns the live multipliers of a locked row. A row that cannot be decoded is a fault of the
// database; the panic fails the one Work that reads it.
func mustDecodeMultipliers(h *memberMultipliers) []multiplier.Live {
	list, err := h.decode()
	if err != nil {
		panic(err)
	}
	return list
}
