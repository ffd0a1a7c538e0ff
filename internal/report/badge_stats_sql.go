package report

import (
	"context"
	"fmt"
	"time"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/store"
)

// BadgeOption is a live badge by its name, to choose from.
type BadgeOption struct {
	ID   laurel.ID `db:"id"`
	Name string    `db:"name"`
}

// BadgeOptions returns one page of the live badges by their names, newest first.
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

// BadgeNames returns what badges of the scope are called, deleted ones too.
func (s *Service) BadgeNames(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]string, error) {
	return s.names(ctx, scope, "loyalty_badges", ids)
}

// MaxCountedHolders bounds how many holders of a badge CountHolders counts.
const MaxCountedHolders = 10_000

// CountHolders returns how many members have each of the badges, counted to MaxCountedHolders+1.
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

// BadgeProgress is how far the members who were looked at are with a badge.
type BadgeProgress struct {
	Tenths  [10]int64 // who does not have it, by how much of it is done: below 10 %, below 20 %, …
	Held    int64
	Revoked int64
}

// progressLimit bounds the count of everybody who was looked at for a badge.
const progressLimit = 25 * time.Second

// BadgeProgress counts the members of a badge by how far they are.
func (s *Service) BadgeProgress(ctx context.Context, scope laurel.Scope, badge laurel.ID) (out BadgeProgress, err error) {
	var w store.Where
	w.Add("u.loyalty_badge_id = ?", badge)
	whereTenant(&w, s.db.Engine().NoIndex()+"u.", scope)
	var rows []struct {
		Status string `db:"status"`
		Share  int    `db:"share"`
		Many   int64  `db:"many"`
	}
	err = s.db.LongRead(ctx, progressLimit, func(q store.Queryer) error {
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

// NearestToBadge returns the members who do not have a badge and are nearest to it.
func (s *Service) NearestToBadge(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	limit int,
) (rows []BadgeUser, err error) {
	var w store.Where
	w.Add("u.loyalty_badge_id = ?", badge)
	whereTenant(&w, s.db.Engine().NoIndex()+"u.", scope)
	w.Add("u.status = '" + badges.Inactive + "' AND u.share > 0")
	err = s.db.Select(ctx, &rows, selectBadgeUser+w.String()+" ORDER BY u.share DESC, u.id LIMIT ?", append(w.Args, limit)...)
	return rows, err
}

// MemberBadges returns the rows of a member of live badges: first those that it has, newest first, then those that it
// is nearest to, then those that were revoked.
func (s *Service) MemberBadges(
	ctx context.Context,
	scope laurel.Scope,
	user laurel.ID,
	limit int,
) (rows []BadgeUser, err error) {
	var w store.Where
	w.Add("u.user_id = ?", user)
	whereTenant(&w, s.db.Engine().NoIndex()+"u.", scope)
	w.Add("b.deleted_at IS NULL")
	err = s.db.Select(
		ctx,
		&rows,
		selectBadgeUser+w.String()+` ORDER BY CASE u.status WHEN 'active' THEN 0 WHEN 'inactive' THEN 1 ELSE 2 END,
		CASE u.status WHEN 'active' THEN u.completed_at ELSE u.share END DESC, u.id LIMIT ?`,
		append(w.Args, limit)...)
	return rows, err
}
