package awards

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/panics"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	chunk       = 1000 // members that one transaction judges; fewer where that takes too long
	chunkFile   = 500  // the same on SQLite, where every other write waits
	maxStale    = 5    // how often a chunk is prepared again because something changed
	listsTick   = 500 * time.Millisecond
	markAtOnce  = 16
	maxLeaders  = 50_000 // with equal balances more members may share the ranks that count: then all members are judged
	msgByCalls  = "The badge is given by calls alone"
	msgNoBadge  = "The badge was deleted"
	fewestSplit = 2
)

// held is a job that this node carries on.
type held = worker.Item[job]

// work carries a job on for a turn.
func (s *Service) work(ctx context.Context, h *held) error {
	j := &h.Row
	badge, err := badges.BadgeIn(ctx, s.DB, j.scope(), j.BadgeID)
	if laurel.CodeOf(err) == laurel.NotFound {
		return s.end(ctx, h, Cancelled, msgNoBadge)
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(badge.Conditions, func(c conditions.Condition) bool { return c.Type != conditions.API }) {
		return s.end(ctx, h, Complete, msgByCalls)
	}
	if j.Kind == kindCSV && j.Total == nil {
		if ready, err := s.listsRead(ctx, h); err != nil || !ready {
			return err
		}
	}
	w := &walk{Service: s, held: h, badge: badge, size: s.chunk()}
	if err := w.count(ctx); err != nil {
		return err
	}
	for until := s.DB.Now().Add(jobTurn); ; {
		over, err := w.step(ctx)
		switch {
		case err != nil:
			return err
		case over:
			return w.finish(ctx)
		case s.DB.Now().After(until):
			return s.later(ctx, h, s.DB.Now())
		}
	}
}

func (s *Service) chunk() int {
	if s.DB.Engine() == store.SQLite {
		return chunkFile
	}
	return chunk
}

// later puts a job off that goes on.
func (s *Service) later(ctx context.Context, h *held, at time.Time) error {
	return h.PutOff(ctx, at, func(tx *store.Tx) error { return beginAnew(ctx, tx, h.Key) })
}

func (s *Service) end(ctx context.Context, h *held, status, message string) error {
	return h.End(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), status, message)
		return nil
	})
}

// listsRead reports whether the lists of a job's badge are read. While they are not, the job looks again soon; where one
// cannot be read it ends.
func (s *Service) listsRead(ctx context.Context, h *held) (bool, error) {
	read, err := s.Lists.OfBadge(ctx, h.Row.scope(), h.Row.BadgeID)
	if err != nil {
		return false, err
	}
	wallets, rows, open := int64(0), int64(0), len(read) == 0
	for _, list := range read {
		switch list.Status {
		case lists.Failed:
			return false, s.end(ctx, h, Failed, failure(list))
		case lists.Cancelled:
			return false, s.end(ctx, h, Cancelled, "")
		case lists.Complete:
		default:
			open = true
		}
		wallets, rows = wallets+list.Kept, rows+list.Read
	}
	h.Row.Status = Processing
	if open {
		h.Row.Message = reading(rows)
		return false, s.later(ctx, h, s.DB.Now().Add(listsTick))
	}
	h.Row.Total = &wallets
	return true, nil
}

// walk judges members chunk by chunk.
type walk struct {
	*Service
	held  *held
	badge badges.Badge
	size  int // of the next chunk
	all   bool
	best  []laurel.ID // of a job of ranks: whom it judges, in the order of their ids
}

// count notes how many members there are, and finds those who have the best ranks.
func (w *walk) count(ctx context.Context) (err error) {
	j := &w.held.Row
	j.Status = Processing
	if c, has := first(w.badge, conditions.Level); has && j.Kind == kindLevel {
		currency := conditions.Names([]conditions.Condition{c}).Ranks[0]
		worst := int(c.Amount / laurel.One)
		w.best, err = w.Ledger.Leaders(ctx, j.scope(), currency, worst, maxLeaders)
		w.all = len(w.best) == maxLeaders
		slices.SortFunc(w.best, laurel.ID.Compare)
		return err
	}
	if j.Total != nil {
		return nil
	}
	n, err := w.People.Count(ctx, j.scope())
	j.Total = &n
	return err
}

// next returns the next members to judge, and the cursor behind them.
func (w *walk) next(ctx context.Context) (refs []identity.Ref, cursor string, err error) {
	j := &w.held.Row
	if j.Kind == kindCSV {
		c, _ := listed(w.badge)
		after := lists.Key{Owner: j.BadgeID, Condition: c.ID, Wallet: j.Cursor}
		wallets, err := w.Lists.WalletsAfter(ctx, j.scope(), j.BadgeID, after, w.size)
		for _, wallet := range wallets {
			refs, cursor = append(refs, identity.Ref{Wallet: wallet}), wallet
		}
		return refs, cursor, err
	}
	after, _ := laurel.ParseID(j.Cursor) // zero at the beginning; this package wrote it
	var ids []laurel.ID
	if j.Kind == kindLevel && !w.all {
		from, met := slices.BinarySearchFunc(w.best, after, laurel.ID.Compare)
		if met {
			from++
		}
		ids = w.best[from:min(from+w.size, len(w.best))]
	} else if ids, err = w.People.MembersAfter(ctx, j.scope(), after, w.size); err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		refs, cursor = append(refs, identity.Ref{UserID: id}), id.String()
	}
	return refs, cursor, nil
}

// step judges the next members and moves the job behind them, in one transaction. It reports whether these were the
// last.
func (w *walk) step(ctx context.Context) (over bool, err error) {
	refs, cursor, err := w.next(ctx)
	if err != nil || len(refs) == 0 {
		return err == nil, err
	}
	for range maxStale {
		err = panics.Safely(func() error { return w.try(ctx, refs, cursor) })
		if !errors.Is(err, store.ErrStale) {
			break
		}
	}
	switch {
	case err == nil:
		w.size = min(2*w.size, w.chunk())
		return false, nil
	case errors.Is(err, worker.ErrLost) || ctx.Err() != nil:
		return false, err
	case laurel.CodeOf(err) == laurel.Unavailable && !store.TookTooLong(err):
		return false, err
	case len(refs) >= fewestSplit: // a crowd took the time, or one of them is to blame
		w.size = max(len(refs)/4, 1)
		return false, nil
	case store.TookTooLong(err) || errors.Is(err, store.ErrStale):
		return false, err
	}
	w.Logger.Error("a member could not be judged by a job", slog.String("job", w.held.Key.String()),
		slog.String("member", cursor), slog.Any("error", err))
	return false, w.held.Keep(ctx, func(*store.Tx) error {
		w.held.Row.passed(cursor, 1, 0, 1)
		return nil
	})
}

// passed counts members that were judged.
func (j *job) passed(cursor string, judged, earned, refused int) {
	j.Cursor = cursor
	j.Judged += int64(judged)
	j.Earned += int64(earned)
	j.Refused += int64(refused)
	j.Message = j.progress()
}

// try judges members as they are now, and writes what has come of it.
func (w *walk) try(ctx context.Context, refs []identity.Ref, cursor string) error {
	scope := w.held.Row.scope()
	people, err := w.People.ResolveMany(ctx, w.DB, scope, refs)
	if err != nil {
		return err
	}
	found, err := w.judge(ctx, scope, judging{
		badges: []badges.Badge{w.badge}, people: people, concerns: func(_, _ laurel.ID) bool { return true },
	})
	if err != nil {
		return err
	}
	crowd, err := w.crowd(ctx, scope, people, found)
	if err != nil {
		return err
	}
	return w.held.Keep(ctx, func(tx *store.Tx) error {
		if err := store.Run(ctx, tx, crowd); err != nil {
			return err
		}
		w.held.Row.passed(cursor, len(refs), crowd.granted, crowd.refused)
		return nil
	})
}

// crowd makes the Work of a chunk.
func (w *walk) crowd(
	ctx context.Context,
	scope laurel.Scope,
	people []identity.Person,
	found []verdict,
) (*crowd, error) {
	plan, _, err := w.plans.Get(ctx, planKey{scope.OrganizationID, scope.WebsiteID, w.badge.ID})
	if err != nil {
		return nil, err
	}
	out := &crowd{scope: scope, plan: plan}
	at := make(map[laurel.ID]int, len(people))
	for i, p := range people {
		at[p.UserID] = i
		if p.NewUser || p.NewMember {
			out.fresh = append(out.fresh, p)
		}
	}
	for _, v := range found {
		switch {
		case v.earned && plan != nil:
			out.earned = append(out.earned, winner{people[at[v.UserID]], v.Judgement})
		case v.begun && v.moved:
			out.rows = append(out.rows, v.Judgement)
		}
	}
	if plan == nil || !plan.Multiplies() {
		return out, nil
	}
	return out, worker.Together(indices(out.earned), markAtOnce, func(i int) (err error) {
		out.earned[i].person, err = w.People.Marked(ctx, scope, out.earned[i].person)
		return err
	})
}

func indices[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

// winner is a member who has earned the badge.
type winner struct {
	person identity.Person
	judged badges.Judgement
}

// crowd is the Work of a chunk: who is new is written, who has earned the badge is granted it, and how far others are is
// noted.
type crowd struct {
	scope  laurel.Scope
	plan   *badges.Plan // nil: the badge is deleted
	fresh  []identity.Person
	earned []winner
	rows   []badges.Judgement

	granted, refused int
}

func (w *crowd) String() string { return "a chunk of members judged for a badge" }

func (w *crowd) judging() badges.Judging {
	return badges.Judging{Scope: w.scope, Rows: slices.Clone(w.rows)}
}

// Locks are those of everybody.
func (w *crowd) Locks() []store.Lock {
	locks := w.judging().Locks()
	for _, p := range w.fresh {
		locks = append(locks, p.Locks()...)
	}
	for _, e := range w.earned {
		locks = append(locks, w.plan.Locks(e.person)...)
	}
	return locks
}

// Judge decides on one after the other. Where anything is stale the transaction is not committed. A grant that is
// refused refuses no other.
func (w *crowd) Judge(b *store.Batch) error {
	w.granted, w.refused = 0, 0
	rows := w.judging()
	for _, e := range w.earned {
		g := badges.Grant{Progress: e.judged.States}
		switch err := w.plan.Check(b, e.person, g); {
		case laurel.IsRefusal(err):
			w.refused++
			rows.Rows = append(rows.Rows, e.judged)
			continue
		case err != nil:
			return err
		}
		_, made, err := w.plan.Grant(b, e.person, g)
		if err != nil {
			return err
		}
		if made {
			w.granted++
		}
	}
	for _, p := range w.fresh {
		if err := p.Admit(b, w.scope); err != nil {
			return err
		}
	}
	return rows.Judge(b)
}

// finish ends a job that has judged everybody. A job of ranks begins again within the hour.
func (w *walk) finish(ctx context.Context) error {
	j := &w.held.Row
	if j.Kind == kindLevel {
		j.begin()
		return w.later(ctx, w.held, w.DB.Now().Add(levelEvery))
	}
	message, err := w.summary(ctx)
	if err != nil {
		return err
	}
	return w.Service.end(ctx, w.held, Complete, message)
}
