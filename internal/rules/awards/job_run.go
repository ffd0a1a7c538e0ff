package awards

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	chunkPostgres = 1000 // members per transaction; fewer if it takes too long
	chunkSQLite   = 500  // the same on SQLite, where all other writes wait
	maxRetries    = 5    // how often a chunk is judged again because a row has changed
	listsTick     = 500 * time.Millisecond
	maxMarking    = 16
	maxLeaders    = 50_000 // if more members share the ranks of the condition, all members are judged
	msgByCalls    = "The badge is given by calls alone"
	msgNoBadge    = "The badge was deleted"
)

// leasedJob is a job that this node runs.
type leasedJob = worker.Item[job]

// runJob runs a job for jobSlotTime at most, chunk by chunk, and then postpones the rest, so that other jobs go first.
// It ends jobs of deleted badges, and of badges that are granted only by calls of the API, for which there is nothing
// to judge. A job over lists starts once the lists are imported.
func (s *Service) runJob(ctx context.Context, item *leasedJob) error {
	j := &item.Row
	badge, err := badges.ReadBadge(ctx, s.DB, j.scope(), j.BadgeID)
	if laurel.CodeOf(err) == laurel.NotFound {
		return s.endJob(ctx, item, JobCancelled, msgNoBadge)
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(badge.Conditions, func(c conditions.Condition) bool { return c.Type != conditions.TypeAPI }) {
		return s.endJob(ctx, item, JobComplete, msgByCalls)
	}
	if j.Kind == kindCSV && j.Total == nil {
		if ready, err := s.areListsImported(ctx, item); err != nil || !ready {
			return err
		}
	}
	run := &jobRun{Service: s, lease: item, kind: j.Kind, badge: badge, chunkSize: s.maxChunk()}
	defer run.discardPrefetched()
	if err := run.countMembers(ctx); err != nil {
		return err
	}
	for until := s.DB.Now().Add(jobSlotTime); ; {
		isDone, err := run.judgeNextChunk(ctx)
		switch {
		case err != nil:
			return err
		case isDone:
			return run.finish(ctx)
		case s.DB.Now().After(until):
			return s.postpone(ctx, item, s.DB.Now())
		}
	}
}

// maxChunk returns the size of a chunk on this engine.
func (s *Service) maxChunk() int {
	if s.DB.Engine() == store.SQLite {
		return chunkSQLite
	}
	return chunkPostgres
}

// postpone reschedules a job that is to continue. Its attempts are reset, as nothing has failed.
func (s *Service) postpone(ctx context.Context, h *leasedJob, at time.Time) error {
	return h.Reschedule(ctx, at, func(tx *store.Tx) error { return resetAttempts(ctx, tx, h.Key) })
}

// endJob ends a job and gives up its lease.
func (s *Service) endJob(ctx context.Context, h *leasedJob, status, message string) error {
	return h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), status, message)
		return nil
	})
}

// areListsImported reports whether all lists of a job's badge are imported; if so, it sets the number of their wallets
// as the job's total. While a list is not imported yet, it postpones the job. If an import has failed or was cancelled,
// the job ends as failed or cancelled too.
func (s *Service) areListsImported(ctx context.Context, item *leasedJob) (bool, error) {
	imports, err := s.Lists.LatestImportsOfBadge(ctx, item.Row.scope(), item.Row.BadgeID)
	if err != nil {
		return false, err
	}
	wallets, rows, isImporting := int64(0), int64(0), len(imports) == 0
	for _, list := range imports {
		switch list.Status {
		case lists.Failed:
			return false, s.endJob(ctx, item, JobFailed, failureText(list))
		case lists.Cancelled:
			return false, s.endJob(ctx, item, JobCancelled, "")
		case lists.Complete: // nothing to wait for
		default:
			isImporting = true
		}
		wallets, rows = wallets+list.Added, rows+list.Read
	}
	item.Row.Status = JobProcessing
	if isImporting {
		item.Row.Message = rowsReadText(rows)
		return false, s.postpone(ctx, item, s.DB.Now().Add(listsTick))
	}
	item.Row.Total = &wallets
	return true, nil
}

// jobRun is the run of a job on this node: it judges members chunk by chunk, one chunk ahead of the one that is
// written.
type jobRun struct {
	*Service
	lease            *leasedJob
	kind             string // the kind of the job; only the writing goroutine may read the job's row
	badge            badges.Badge
	chunkSize        int // members of the next chunk
	judgesAllMembers bool
	leaders          []laurel.ID        // for kindLevel: the members with the best ranks, ordered by id
	nextChunk        chan preparedChunk // delivers the chunk that is judged ahead; nil: none is
}

// countMembers sets the job's total, unless it is set already, to the number of the website's members. For a job of
// kindLevel, which judges ranks, it sets w.leaders to the members with the best ranks instead. If there are maxLeaders
// of them, there may be more, and the job judges all members.
func (w *jobRun) countMembers(ctx context.Context) (err error) {
	j := &w.lease.Row
	j.Status = JobProcessing
	if c, ok := firstOfType(w.badge, conditions.TypeLevel); ok && j.Kind == kindLevel {
		currency := conditions.ReferencesOf([]conditions.Condition{c}).Ranks[0]
		lastRank := int(c.Amount / laurel.One)
		w.leaders, err = w.Ledger.Leaders(ctx, j.scope(), currency, lastRank, maxLeaders)
		w.judgesAllMembers = len(w.leaders) == maxLeaders
		slices.SortFunc(w.leaders, laurel.ID.Compare)
		return err
	}
	if j.Total != nil {
		return nil
	}
	n, err := w.People.CountMembers(ctx, j.scope())
	j.Total = &n
	return err
}

// nextMembers returns the next members to judge after a cursor, at most size, and the cursor after them: the last
// wallet for a job over lists, and otherwise the last user id. Both results are empty after the last member.
func (w *jobRun) nextMembers(ctx context.Context, from string, size int) (
	refs []identity.Ref, cursor string, err error,
) {
	scope := laurel.Scope{OrganizationID: w.badge.OrganizationID, WebsiteID: w.badge.WebsiteID}
	if w.kind == kindCSV {
		c, _ := firstListCondition(w.badge) // one list is enough: who earns the badge is on all of them
		after := lists.Key{Owner: w.badge.ID, Condition: c.ID, Wallet: from}
		wallets, err := w.Lists.ListWallets(ctx, scope, w.badge.ID, after, size)
		for _, wallet := range wallets {
			refs, cursor = append(refs, identity.Ref{Wallet: wallet}), wallet
		}
		return refs, cursor, err
	}
	after, _ := laurel.ParseID(from) // zero at the start; else valid, as this package wrote it
	var ids []laurel.ID
	if w.kind == kindLevel && !w.judgesAllMembers {
		at, found := slices.BinarySearchFunc(w.leaders, after, laurel.ID.Compare)
		if found {
			at++
		}
		ids = w.leaders[at:min(at+size, len(w.leaders))]
	} else if ids, err = w.People.MembersAfter(ctx, scope, after, size); err != nil {
		return nil, "", err
	}
	for _, id := range ids {
		refs, cursor = append(refs, identity.Ref{UserID: id}), id.String()
	}
	return refs, cursor, nil
}

// preparedChunk is a chunk of members that are judged but not written yet.
type preparedChunk struct {
	size   int // members
	cursor string
	work   *chunkWork
	err    error
}

// prepare reads the next members after a cursor, at most size, judges them as they are now, and returns them as a chunk
// to be written. The chunk's size is 0 after the last member; an error is in its err.
func (w *jobRun) prepare(ctx context.Context, from string, size int) (out preparedChunk) {
	out.err = panics.Safely(func() error {
		refs, cursor, err := w.nextMembers(ctx, from, size)
		if err != nil || len(refs) == 0 {
			return err
		}
		out.size, out.cursor = len(refs), cursor
		out.work, err = w.judgeChunk(ctx, refs)
		return err
	})
	return out
}

// judgeNextChunk writes the next chunk and moves the job's cursor, in one transaction, while the chunk after it is
// judged ahead. A chunk that is stale, because a row has changed since it was judged, is judged again up to maxRetries
// times. isLast is true, and nothing was written, if no member was left.
func (w *jobRun) judgeNextChunk(ctx context.Context) (isLast bool, err error) {
	next := w.takeChunk(ctx)
	if next.err == nil && next.size == 0 {
		return true, nil
	}
	if next.err == nil {
		w.prefetch(ctx, next.cursor)
		next.err = panics.Safely(func() error { return w.commit(ctx, next) })
	}
	for tries := 0; tries < maxRetries && errors.Is(next.err, store.ErrStale); tries++ {
		w.discardPrefetched() // it may begin elsewhere once this chunk is judged again
		if next = w.prepare(ctx, w.lease.Row.Cursor, next.size); next.err == nil {
			next.err = panics.Safely(func() error { return w.commit(ctx, next) })
		}
	}
	if next.err == nil {
		w.chunkSize = min(2*w.chunkSize, w.maxChunk())
		return false, nil
	}
	return false, w.handleFailure(ctx, next)
}

// handleFailure handles a chunk that could not be written. It makes the next chunk smaller, down to a single member. If
// that member fails too, it is counted as refused, so that the job can continue. Errors that may be gone at a later try
// are returned, and the queue tries the job again.
func (w *jobRun) handleFailure(ctx context.Context, chunk preparedChunk) error {
	w.discardPrefetched()
	tookTooLong := store.TookTooLong(chunk.err)
	isTransient := errors.Is(chunk.err, worker.ErrLost) || ctx.Err() != nil ||
		laurel.CodeOf(chunk.err) == laurel.Unavailable && !tookTooLong
	switch {
	case isTransient || chunk.size == 0:
		return chunk.err
	case chunk.size > 1:
		w.chunkSize = max(chunk.size/4, 1)
		return nil
	case tookTooLong || errors.Is(chunk.err, store.ErrStale):
		return chunk.err
	}
	w.Logger.Error("a member could not be judged by a job", slog.String("job", w.lease.Key.String()),
		slog.String("member", chunk.cursor), slog.Any("error", chunk.err))
	return w.lease.Extend(ctx, func(*store.Tx) error {
		w.lease.Row.advance(chunk.cursor, 1, 0, 1)
		return nil
	})
}

// takeChunk returns the chunk that was judged ahead, or judges the next one now.
func (w *jobRun) takeChunk(ctx context.Context) preparedChunk {
	if w.nextChunk == nil {
		return w.prepare(ctx, w.lease.Row.Cursor, w.chunkSize)
	}
	out := <-w.nextChunk
	w.nextChunk = nil
	return out
}

// prefetch starts to judge the chunk after a cursor.
func (w *jobRun) prefetch(ctx context.Context, from string) {
	ahead, size := make(chan preparedChunk, 1), w.chunkSize
	go func() { ahead <- w.prepare(ctx, from, size) }()
	w.nextChunk = ahead
}

// discardPrefetched waits for the chunk that is judged ahead and drops it.
func (w *jobRun) discardPrefetched() {
	if w.nextChunk != nil {
		<-w.nextChunk
		w.nextChunk = nil
	}
}

// advance moves the cursor and counts members that were judged.
func (j *job) advance(cursor string, judged, earned, refused int) {
	j.Cursor = cursor
	j.Judged += int64(judged)
	j.Earned += int64(earned)
	j.Refused += int64(refused)
	j.Message = j.progressText()
}

// judgeChunk judges members for the job's badge as they are now, and returns the Work that writes the result.
func (w *jobRun) judgeChunk(ctx context.Context, refs []identity.Ref) (*chunkWork, error) {
	scope := laurel.Scope{
		OrganizationID: w.badge.OrganizationID, WebsiteID: w.badge.WebsiteID, Role: laurel.RoleWebsite,
	}
	people, err := w.People.ResolveMany(ctx, w.DB, scope, refs)
	if err != nil {
		return nil, err
	}
	found, err := w.judge(ctx, scope, judgeBatch{
		badges: []badges.Badge{w.badge}, people: people, concerns: func(_, _ laurel.ID) bool { return true },
	})
	if err != nil {
		return nil, err
	}
	return w.newChunkWork(ctx, scope, people, found)
}

// commit writes a chunk and moves the job's cursor in one transaction.
func (w *jobRun) commit(ctx context.Context, chunk preparedChunk) error {
	return w.lease.Extend(ctx, func(tx *store.Tx) error {
		if err := store.Run(ctx, tx, chunk.work); err != nil {
			return err
		}
		w.lease.Row.advance(chunk.cursor, chunk.size, chunk.work.granted, chunk.work.refused)
		return nil
	})
}

// newChunkWork makes the Work of a chunk of people from the verdicts about them. If the badge was deleted meanwhile,
// the Work grants nothing. If the badge has a multiplier, each person who gets one is marked first.
func (w *jobRun) newChunkWork(
	ctx context.Context,
	scope laurel.Scope,
	people []identity.Person,
	found []verdict,
) (*chunkWork, error) {
	plan, _, err := w.plans.Get(ctx, planKey{scope.OrganizationID, scope.WebsiteID, w.badge.ID})
	if err != nil {
		return nil, err
	}
	out := &chunkWork{scope: scope, plan: plan}
	indexByUser := make(map[laurel.ID]int, len(people))
	for i, p := range people {
		indexByUser[p.UserID] = i
		if p.NewUser || p.NewMember {
			out.newPeople = append(out.newPeople, p)
		}
	}
	for _, v := range found {
		switch {
		case v.isEarned && plan != nil:
			out.earned = append(out.earned, winner{people[indexByUser[v.UserID]], v.MemberProgress})
		case v.hasProgress && v.hasChanged:
			out.rows = append(out.rows, v.MemberProgress)
		}
	}
	if plan == nil || !plan.HasMultiplier() {
		return out, nil
	}
	return out, worker.ForEach(indexes(out.earned), maxMarking, func(i int) (err error) {
		out.earned[i].person, err = w.People.EnsureMultiplierMark(ctx, scope, out.earned[i].person)
		return err
	})
}

// indexes returns the indexes of a list.
func indexes[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

// winner is a member who has earned the badge.
type winner struct {
	person   identity.Person
	progress badges.MemberProgress
}

// chunkWork is the Work of a chunk: it writes people who are new, grants the badge to those who have earned it, and
// saves the progress of the others.
type chunkWork struct {
	scope     laurel.Scope
	plan      *badges.Plan // nil: the badge is deleted
	newPeople []identity.Person
	earned    []winner
	rows      []badges.MemberProgress

	granted, refused int
}

func (w *chunkWork) String() string { return "a chunk of members judged for a badge" }

// progressWork returns the Work that saves the progress of members without the badge.
func (w *chunkWork) progressWork() badges.SaveProgressWork {
	return badges.SaveProgressWork{Scope: w.scope, Rows: slices.Clone(w.rows)}
}

// Locks returns the locks of all members of the chunk.
func (w *chunkWork) Locks() []store.Lock {
	locks := w.progressWork().Locks()
	for _, p := range w.newPeople {
		locks = append(locks, p.Locks()...)
	}
	for _, e := range w.earned {
		locks = append(locks, w.plan.Locks(e.person)...)
	}
	return locks
}

// Judge runs once the rows are locked: it grants the badge to one member after the other and saves the progress of the
// rest. It returns store.ErrStale if a row has changed since it was read, so that the whole transaction is repeated. A
// grant that is refused is counted and does not affect the others.
func (w *chunkWork) Judge(b *store.Batch) error {
	w.granted, w.refused = 0, 0
	rows := w.progressWork()
	for _, e := range w.earned {
		g := badges.GrantOptions{Progress: e.progress.States}
		switch err := w.plan.Check(b, e.person, g); {
		case laurel.IsRefusal(err):
			w.refused++
			rows.Rows = append(rows.Rows, e.progress)
			continue
		case err != nil:
			return err
		}
		_, isNew, err := w.plan.Grant(b, e.person, g)
		if err != nil {
			return err
		}
		if isNew {
			w.granted++
		}
	}
	for _, p := range w.newPeople {
		if err := p.Admit(b, w.scope); err != nil {
			return err
		}
	}
	return rows.Judge(b)
}

// finish ends a job that has judged all members. A job of kindLevel starts again after levelEvery.
func (w *jobRun) finish(ctx context.Context) error {
	j := &w.lease.Row
	if j.Kind == kindLevel {
		j.restart()
		return w.postpone(ctx, w.lease, w.DB.Now().Add(levelEvery))
	}
	message, err := w.summary(ctx)
	if err != nil {
		return err
	}
	return w.endJob(ctx, w.lease, JobComplete, message)
}
