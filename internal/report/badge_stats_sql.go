package report

import (
	"context"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/store"
)

// BadgeOption is a badge to choose from: its id and name.
type BadgeOption struct {
	ID   laurel.ID `db:"id"`
	Name string    `db:"name"`
}

// BadgeOptions returns one page of the badges that are not deleted, newest first. Errors: Invalid for an unknown
// cursor.
func (s *Service) BadgeOptions(
	ctx context.Context,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[BadgeOption], error) {
	var w store.Where
	whereTenant(&w, "b.", scope)
	w.Add("b.deleted_at IS NULL")
	if err := s.whereAfter(ctx, scope, &w, "loyalty_badges b", page.StartingAfter); err != nil {
		return laurel.PageOf[BadgeOption](nil, page.Limit), err
	}
	return store.SelectPage[BadgeOption](
		ctx,
		s.db,
		page.Limit,
		"SELECT b.id, b.name FROM loyalty_badges b"+w.String()+" ORDER BY b.created_at DESC, b.id DESC",
		w.Args...)
}

// BadgeNames returns the names of badges of the scope, including deleted ones.
func (s *Service) BadgeNames(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]string, error) {
	return s.namesByID(ctx, scope, "loyalty_badges", ids)
}

// MaxCountedHolders bounds the holders that CountHolders counts.
const MaxCountedHolders = 10_000

// CountHolders returns how many members hold each of the badges. It stops counting at MaxCountedHolders+1.
func (s *Service) CountHolders(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]int64, error) {
	out := map[laurel.ID]int64{}
	w := s.whereIDs("b.", scope, ids)
	if w == nil {
		return out, nil
	}
	var rows []struct {
		ID   laurel.ID `db:"id"`
		Held int64     `db:"held"`
	}
	err := s.db.Select(
		ctx,
		&rows,
		"SELECT b.id, (SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_badge_users u WHERE u.loyalty_badge_id = b.id AND u.status = '"+
			badges.Active+"' LIMIT "+fmt.Sprint(MaxCountedHolders+1)+") x) AS held FROM loyalty_badges b"+w.String(),
		w.Args...)
	for _, r := range rows {
		out[r.ID] = r.Held
	}
	return out, err
}

// BadgeProgress counts the members that were checked for a badge by their progress.
type BadgeProgress struct {
	Tenths  [10]int64 // members without the badge by progress: below 10 %, below 20 %, …
	Held    int64
	Revoked int64
}

// progressTimeout bounds the time of counting all members that were checked for a badge.
const progressTimeout = 25 * time.Second

// BadgeProgress returns how many members hold the badge, how many had it revoked, and, of all other members that were
// checked, how many are in each tenth of the way to it. The query is cancelled after progressTimeout.
func (s *Service) BadgeProgress(
	ctx context.Context, scope laurel.Scope, badge laurel.ID,
) (out BadgeProgress, err error) {
	var w store.Where
	w.Add("u.loyalty_badge_id = ?", badge)
	whereTenant(&w, s.db.Engine().NoIndexPrefix()+"u.", scope)
	var rows []struct {
		Status string `db:"status"`
		Share  int    `db:"share"` // percent
		Many   int64  `db:"many"`
	}
	err = s.db.LongRead(ctx, progressTimeout, func(q store.Queryer) error {
		return q.Select(
			ctx,
			&rows,
			"SELECT u.status, u.share, COUNT(*) AS many FROM loyalty_badge_users u"+w.String()+" GROUP BY u.status, u.share",
			w.Args...)
	})
	for _, r := range rows {
		switch r.Status {
		case badges.Active:
			out.Held += r.Many
		case badges.Revoked:
			out.Revoked += r.Many
		default:
			out.Tenths[min(r.Share/10, 9)] += r.Many
		}
	}
	return out, err
}

// NearestToBadge returns up to limit members without the badge that have made progress, those with the most first.
func (s *Service) NearestToBadge(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	limit int,
) (rows []BadgeUser, err error) {
	var w store.Where
	w.Add("u.loyalty_badge_id = ?", badge)
	whereTenant(&w, s.db.Engine().NoIndexPrefix()+"u.", scope)
	w.Add("u.status = '" + badges.Inactive + "' AND u.share > 0")
	err = s.db.Select(ctx, &rows, selectBadgeUser+w.String()+" ORDER BY u.share DESC, u.id LIMIT ?", append(w.Args, limit)...)
	return rows, err
}

// MemberBadges returns up to limit badges of a member that are not deleted: first the badges that it holds, newest
// first, then those with the most progress, then revoked ones.
func (s *Service) MemberBadges(
	ctx context.Context,
	scope laurel.Scope,
	user laurel.ID,
	limit int,
) (rows []BadgeUser, err error) {
	var w store.Where
	w.Add("u.user_id = ?", user)
	whereTenant(&w, s.db.Engine().NoIndexPrefix()+"u.", scope)
	w.Add("b.deleted_at IS NULL")
	err = s.db.Select(
		ctx,
		&rows,
		selectBadgeUser+w.String()+` ORDER BY CASE u.status WHEN 'active' THEN 0 WHEN 'inactive' THEN 1 ELSE 2 END,
		CASE u.status WHEN 'active' THEN u.completed_at ELSE u.share END DESC, u.id LIMIT ?`,
		append(w.Args, limit)...)
	return rows, err
}
