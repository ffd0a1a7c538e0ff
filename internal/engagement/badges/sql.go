package badges

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/store"
)

// Table has the statements of badges, also for lists elsewhere.
var Table = store.NewRecords[Badge]("loyalty_badges", "Badge")

// ReadBadge reads a live badge of the scope. It returns NotFound "Badge" if there is none.
func ReadBadge(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Badge, error) {
	return Table.Get(ctx, q, store.LiveByID(scope, id), "")
}

const selectVersion = "SELECT t.id, t.version, t.deleted_at FROM loyalty_badges t"

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 512

// ReadBadges reads live badges of the scope by id. Missing badges are left out.
func ReadBadges(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]Badge, error) {
	out := make(map[laurel.ID]Badge, len(ids))
	for chunk := range slices.Chunk(ids, maxIDsPerQuery) {
		var w store.Where
		store.InArray(&w, q, "id", "uuid", chunk)
		w.Tenant(q.Engine().NoIndexPrefix(), scope)
		list, err := Table.Select(ctx, q, w.With("deleted_at IS NULL"), "")
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			out[b.ID] = b
		}
	}
	return out, nil
}

// ByIDs returns live badges of the scope by id. Missing badges are left out.
func (s *Service) ByIDs(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]Badge, error) {
	return ReadBadges(ctx, s.DB, scope, ids)
}

// ListByTarget returns, for each target, the ids of the website's live badges whose conditions refer to it. Targets are
// the ids of rules, rule groups, badges, and the currencies of points conditions. Targets without badges are left out.
func ListByTarget(
	ctx context.Context,
	q store.Queryer,
	website laurel.ID,
	targets []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	out := map[laurel.ID][]laurel.ID{}
	for chunk := range slices.Chunk(targets, maxIDsPerQuery) {
		var w store.Where
		store.InArray(&w, q, "target_id", "uuid", chunk)
		w.Add(q.Engine().NoIndexPrefix()+"website_id = ?", website)
		var rows []struct {
			Target laurel.ID `db:"target_id"`
			Badge  laurel.ID `db:"badge_id"`
		}
		if err := q.Select(
			ctx,
			&rows,
			"SELECT target_id, badge_id FROM badge_watches"+w.String()+" ORDER BY target_id, badge_id",
			w.Args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.Target] = append(out[r.Target], r.Badge)
		}
	}
	return out, nil
}

// ActiveByUser returns, for each user, which of the badges it holds. Users without any are left out.
func ActiveByUser(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	badges, users []laurel.ID,
) (map[laurel.ID]map[laurel.ID]bool, error) {
	out := map[laurel.ID]map[laurel.ID]bool{}
	if len(badges) == 0 {
		return out, nil
	}
	for userChunk := range slices.Chunk(users, maxIDsPerQuery) {
		for badgeChunk := range slices.Chunk(badges, maxIDsPerQuery) {
			var w store.Where
			store.InArray(&w, q, "t.loyalty_badge_id", "uuid", badgeChunk)
			store.InArray(&w, q, "t.user_id", "uuid", userChunk)
			w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
			w.Add("t.status = '" + Active + "'")
			w.Add("EXISTS (SELECT 1 FROM loyalty_badges b WHERE b.id = t.loyalty_badge_id AND b.deleted_at IS NULL)")
			var rows []struct {
				User  laurel.ID `db:"user_id"`
				Badge laurel.ID `db:"loyalty_badge_id"`
			}
			if err := q.Select(
				ctx,
				&rows,
				"SELECT t.user_id, t.loyalty_badge_id FROM loyalty_badge_users t"+w.String(),
				w.Args...); err != nil {
				return nil, err
			}
			for _, r := range rows {
				if out[r.User] == nil {
					out[r.User] = map[laurel.ID]bool{}
				}
				out[r.User][r.Badge] = true
			}
		}
	}
	return out, nil
}

// ActiveBadgesOf returns the badges that at least one of the users holds in the scope's website, in any order. Deleted
// badges that are not revoked yet are among them.
func ActiveBadgesOf(ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID) ([]laurel.ID, error) {
	found := map[laurel.ID]bool{}
	for chunk := range slices.Chunk(users, maxIDsPerQuery) {
		var w store.Where
		store.InArray(&w, q, "t.user_id", "uuid", chunk)
		w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
		w.Add("t.status = '" + Active + "'")
		var ids []laurel.ID
		if err := q.Select(
			ctx,
			&ids,
			"SELECT DISTINCT t.loyalty_badge_id FROM loyalty_badge_users t"+w.String(),
			w.Args...); err != nil {
			return nil, err
		}
		for _, id := range ids {
			found[id] = true
		}
	}
	return slices.Collect(maps.Keys(found)), nil
}

// WebsitesWithBadges returns which of the websites have live badges.
func WebsitesWithBadges(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	keys := make([][]any, len(websites))
	for i, id := range websites {
		keys[i] = []any{id}
	}
	found, err := store.SelectByKeys[laurel.ID](ctx, q, store.KeyedQuery{
		Columns: store.Columns("website_id uuid"),
		Keys:    keys,
		Query: "SELECT k.website_id FROM KEYS k WHERE EXISTS (SELECT 1 FROM loyalty_badges b " +
			"WHERE b.website_id = k.website_id AND b.deleted_at IS NULL)",
	})
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// selectRewardBadges returns, for each live badge of the website, the badges that it grants as rewards. Badges that
// grant none are left out.
func selectRewardBadges(ctx context.Context, q store.Queryer, scope laurel.Scope) (map[laurel.ID][]laurel.ID, error) {
	out := map[laurel.ID][]laurel.ID{}
	w := store.Live(scope).With("rewards LIKE '%loyaltyBadgeId%'")
	err := store.ForEachRow(ctx, q, func(b Badge) error {
		for _, reward := range b.Rewards {
			if reward.Type == FurtherBadge {
				out[b.ID] = append(out[b.ID], reward.BadgeID)
			}
		}
		return nil
	}, selectRewards+w.String(), w.Args...)
	return out, err
}

// selectRewards reads the ids and rewards of badges alone.
const selectRewards = "SELECT id, rewards FROM loyalty_badges"

// FindPayingIn returns a live badge of the website that pays points or tokens in the currency, or the zero id if there
// is none. A retroactive multiplier of the currency counts too, since it pays.
func FindPayingIn(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
) (found laurel.ID, err error) {
	w := store.Live(scope).With("rewards LIKE ?", "%"+currency.String()+"%")
	err = store.ForEachRow(ctx, q, func(b Badge) error {
		if slices.ContainsFunc(b.Rewards, func(r Reward) bool {
			return r.CurrencyID == currency || r.Retroactive && slices.Contains(r.CurrencyIDs, currency)
		}) {
			found = b.ID
		}
		return nil
	}, selectRewards+w.String()+" ORDER BY id", w.Args...)
	return found, err
}

var insertWatch = store.Insert{
	Table:   "badge_watches",
	Columns: store.Columns("target_id uuid, badge_id uuid, organization_id uuid, website_id uuid"),
}

// insertWatches stores which records the conditions of a badge refer to, so that a change of one of these finds the
// badge. Ranks are left out: they are judged hourly.
func insertWatches(ctx context.Context, tx *store.Tx, b Badge) error {
	referenced := conditions.ReferencesOf(b.Conditions)
	var rows [][]any
	for _, id := range slices.Concat(referenced.Rules, referenced.Sections, referenced.Balances, referenced.Badges) {
		rows = append(rows, []any{id, b.ID, b.OrganizationID, b.WebsiteID})
	}
	_, err := tx.InsertRows(ctx, insertWatch, rows)
	return err
}

// lockBadge waits until no Work holds the badge, and locks it. The caller holds the lock of lockBadgeChanges.
func lockBadge(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	if err := badgeVersions.LockExclusively(ctx, tx, id); err != nil {
		return err
	}
	var ids []laurel.ID
	return tx.Select(ctx, &ids, "SELECT id FROM loyalty_badges WHERE id = ?"+tx.ForUpdate(), id)
}
