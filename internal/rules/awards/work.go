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
	chunk      = 1000 // members that one transaction judges; fewer where that takes too long
	chunkFile  = 500  // the same on SQLite, where every other write waits
	maxStale   = 5    // how often a chunk is prepared again because something changed
	listsTick  = 500 * time.Millisecond
	markAtOnce = 16
	maxLeaders = 50_000 // with equal balances more members may share the ranks that count: then all members are judged
	msgByCalls = "The badge is given by calls alone"
	msgNoBadge = "The badge was deleted"
)

// held is a job that this node carries on.
type held = worker.Item[job]

// work carries a job on for a turn.
func (s *Service) work(ctx context.Context, h *held) error {
	j := &h.Row
	badge, err := badges.ReadBadge(ctx, s.DB, j.scope(), j.BadgeID)
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
	w := &walk{Service: s, held: h, kind: j.Kind, badge: badge, size: s.chunk()}
	defer w.drop()
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
	return h.Reschedule(ctx, at, func(tx *store.Tx) error { return beginAnew(ctx, tx, h.Key) })
}

func (s *Service) end(ctx context.Context, h *held, status, message string) error {
	return h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), status, message)
		return nil
	})
}

// listsRead reports whether the lists of a job's badge are read. While they are not, the job looks again soon; where
// one cannot be read it ends.
func (s *Service) listsRead(ctx context.Context, h *held) (bool, error) {
	read, err := s.Lists.LatestOfBadge(ctx, h.Row.scope(), h.Row.BadgeID)
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
		wallets, rows = wallets+list.Added, rows+list.Read
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
	kind  string // of the job, whose row is for the goroutine that writes
	badge badges.Badge
	size  int // of the next chunk
	all   bool
	best  []laurel.ID // of a job of ranks: whom it judges, in the order of their ids
	ahead chan ready  // of the next chunk, while it is judged; nil: it is not
}

// count notes how many members there are, and finds those who have the best ranks.
func (w *walk) count(ctx context.Context) (err error) {
	j := &w.held.Row
	j.Status = Processing
	if c, has := first(w.badge, conditions.Level); has && j.Kind == kindLevel {
		currency := conditions.ReferencesOf([]conditions.Condition{c}).Ranks[0]
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

// next returns the next members to judge behind a cursor, and the cursor behind them.
func (w *walk) next(ctx context.Context, from string, size int) (refs []identity.Ref, cursor string, err error) {
	scope := laurel.Scope{OrganizationID: w.badge.OrganizationID, WebsiteID: w.badge.WebsiteID}
	if w.kind == kindCSV {
		c, _ := listed(w.badge)
		after := lists.Key{Owner: w.badge.ID, Condition: c.ID, Wallet: from}
		wallets, err := w.Lists.ListWallets(ctx, scope, w.badge.ID, after, size)
		for _, wallet := range wallets {
			refs, cursor = append(refs, identity.Ref{Wallet: wallet}), wallet
		}
		return refs, cursor, err
	}
	after, _ := laurel.ParseID(from) // zero at the beginning; this package wrote it
	var ids []laurel.ID
	if w.kind == kindLevel && !w.all {
		at, met := slices.BinarySearchFunc(w.best, after, laurel.ID.Compare)
		if met {
			at++
		}
		ids = w.best[at:min(at+size, len(w.best))]
	} else if ids, err = w.People.MembersAfter(ctx, scope, after, size); err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		refs, cursor = append(refs, identity.Ref{UserID: id}), id.String()
	}
	return refs, cursor, nil
}

// ready is a chunk that is judged and not written yet.
type ready struct {
	size   int // members
	cursor string
	crowd  *crowd
	err    error
}

// prepare judges the members behind a cursor as they are now.
func (w *walk) prepare(ctx context.Context, from string, size int) (out ready) {
	out.err = panics.Safely(func() error {
		refs, cursor, err := w.next(ctx, from, size)
		if err != nil || len(refs) == 0 {
			return err
		}
		out.size, out.cursor = len(refs), cursor
		out.crowd, err = w.judgeChunk(ctx, refs)
		return err
	})
	return out
}

// step judges the next members and moves the job behind them, in one transaction. Meanwhile those after them are
// judged. It reports whether these were the last.
func (w *walk) step(ctx context.Context) (over bool, err error) {
	chunk := w.take(ctx)
	if chunk.err == nil && chunk.size == 0 {
		return true, nil
	}
	if chunk.err == nil {
		w.lookAhead(ctx, chunk.cursor)
		chunk.err = panics.Safely(func() error { return w.commit(ctx, chunk) })
	}
	for tries := 0; tries < maxStale && errors.Is(chunk.err, store.ErrStale); tries++ {
		w.drop() // it begins where this chunk ended, which may be another place now
		if chunk = w.prepare(ctx, w.held.Row.Cursor, chunk.size); chunk.err == nil {
			chunk.err = panics.Safely(func() error { return w.commit(ctx, chunk) })
		}
	}
	if chunk.err == nil {
		w.size = min(2*w.size, w.chunk())
		return false, nil
	}
	return false, w.failed(ctx, chunk)
}

// failed deals with a chunk that could not be written: a smaller one is tried, and in the end one member alone is to
// blame, is counted as refused and holds up no other.
func (w *walk) failed(ctx context.Context, c ready) error {
	w.drop()
	slow := store.TookTooLong(c.err)
	passing := errors.Is(c.err, worker.ErrLost) || ctx.Err() != nil ||
		laurel.CodeOf(c.err) == laurel.Unavailable && !slow
	switch {
	case passing || c.size == 0:
		return c.err
	case c.size > 1:
		w.size = max(c.size/4, 1)
		return nil
	case slow || errors.Is(c.err, store.ErrStale):
		return c.err
	}
	w.Logger.Error("a member could not be judged by a job", slog.String("job", w.held.Key.String()),
		slog.String("member", c.cursor), slog.Any("error", c.err))
	return w.held.Extend(ctx, func(*store.Tx) error {
		w.held.Row.passed(c.cursor, 1, 0, 1)
		return nil
	})
}

// take returns the chunk that was judged ahead, or judges the next one.
func (w *walk) take(ctx context.Context) ready {
	if w.ahead == nil {
		return w.prepare(ctx, w.held.Row.Cursor, w.size)
	}
	out := <-w.ahead
	w.ahead = nil
	return out
}

// lookAhead begins to judge the chunk behind a cursor.
func (w *walk) lookAhead(ctx context.Context, from string) {
	ahead, size := make(chan ready, 1), w.size
	go func() { ahead <- w.prepare(ctx, from, size) }()
	w.ahead = ahead
}

// drop waits for what is judged ahead and forgets it.
func (w *walk) drop() {
	if w.ahead != nil {
		<-w.ahead
		w.ahead = nil
	}
}

// passed counts members that were judged.
func (j *job) passed(cursor string, judged, earned, refused int) {
	j.Cursor = cursor
	j.Judged += int64(judged)
	j.Earned += int64(earned)
	j.Refused += int64(refused)
	j.Message = j.progress()
}

// judgeChunk judges members as they are now.
func (w *walk) judgeChunk(ctx context.Context, refs []identity.Ref) (*crowd, error) {
	scope := laurel.Scope{
		OrganizationID: w.badge.OrganizationID, WebsiteID: w.badge.WebsiteID, Role: laurel.RoleWebsite,
	}
	people, err := w.People.ResolveMany(ctx, w.DB, scope, refs)
	if err != nil {
		return nil, err
	}
	found, err := w.judge(ctx, scope, judging{
		badges: []badges.Badge{w.badge}, people: people, concerns: func(_, _ laurel.ID) bool { return true },
	})
	if err != nil {
		return nil, err
	}
	return w.crowd(ctx, scope, people, found)
}

// commit writes a chunk and moves the job behind it.
func (w *walk) commit(ctx context.Context, c ready) error {
	return w.held.Extend(ctx, func(tx *store.Tx) error {
		if err := store.Run(ctx, tx, c.crowd); err != nil {
			return err
		}
		w.held.Row.passed(c.cursor, c.size, c.crowd.granted, c.crowd.refused)
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
			out.earned = append(out.earned, winner{people[at[v.UserID]], v.MemberProgress})
		case v.begun && v.moved:
			out.rows = append(out.rows, v.MemberProgress)
		}
	}
	if plan == nil || !plan.HasMultiplier() {
		return out, nil
	}
	return out, worker.ForEach(indices(out.earned), markAtOnce, func(i int) (err error) {
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
	judged badges.MemberProgress
}

// crowd is the Work of a chunk: who is new is written, who has earned the badge is granted it, and how far others are
// is noted.
type crowd struct {
	scope  laurel.Scope
	plan   *badges.Plan // nil: the badge is deleted
	fresh  []identity.Person
	earned []winner
	rows   []badges.MemberProgress

	granted, refused int
}

func (w *crowd) String() string { return "a chunk of members judged for a badge" }

func (w *crowd) judging() badges.SaveProgressWork {
	return badges.SaveProgressWork{Scope: w.scope, Rows: slices.Clone(w.rows)}
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
	return w.end(ctx, w.held, Complete, message)
}
