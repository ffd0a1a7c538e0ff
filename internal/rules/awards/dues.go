package awards

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// dueGrant is a badge that a member appears to have earned and that is to be granted.
type dueGrant struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	BadgeID        laurel.ID `db:"loyalty_badge_id"`
	UserID         laurel.ID `db:"user_id"`
	Attempts       int64     `db:"attempts"`
	DueAt          int64     `db:"due_at"`
	CreatedAt      int64     `db:"created_at"`
}

const (
	dueBatch     = 256 // as many as one commit holds
	dueWebsites  = 4   // websites that are served at once
	dueLease     = time.Minute
	dueTries     = 6
	duesTick     = 200 * time.Millisecond
	dueLookAhead = 64
)

// newGrantQueue returns the queue of due grants. The grants of a batch go through the committer together, so that one
// commit holds many of them. A due grant that has failed dueTries times is deleted.
func (s *Service) newGrantQueue() worker.Runner {
	return &worker.Queue[dueGrant]{
		Items: &worker.Items[dueGrant]{DB: s.DB, Table: leasedDues, LeaseTime: dueLease},
		Name:  "badge_grants",
		Loop: worker.Loop{
			Every: duesTick, Wake: s.wakeDues, Log: s.Logger, Fault: "due badges could not be granted; trying again",
		},
		Fault:    "a badge could not be granted",
		Batch:    dueBatch,
		Fairness: worker.Fairness{MaxOwners: dueWebsites, MaxLooks: dueLookAhead, TimeSlice: 5 * time.Second},
		Backoff: []time.Duration{
			time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
		},
		Tries: dueTries,
		Do:    s.grantDue,
		Abandon: func(ctx context.Context, tx *store.Tx, item *worker.Item[dueGrant]) error {
			return deleteDues(ctx, tx, []laurel.ID{item.Key})
		},
	}
}

// grantDue grants a badge and deletes the due grant in one transaction. If a further try cannot succeed, the due grant
// is deleted without a grant; the member is judged again when something changes.
func (s *Service) grantDue(ctx context.Context, item *worker.Item[dueGrant]) error {
	scope := laurel.Scope{
		OrganizationID: item.Row.OrganizationID, WebsiteID: item.Row.WebsiteID, Role: laurel.RoleWebsite,
	}
	tries := 0
	err := s.Committer.Submit(ctx, nil, func() (store.Work, error) {
		plan, live, err := s.plans.Get(ctx, planKey{scope.OrganizationID, scope.WebsiteID, item.Row.BadgeID})
		if err != nil {
			return nil, err
		}
		if !live {
			return nil, laurel.Missing("Badge")
		}
		tries++
		// the first try may use the member as this node read it last
		person, err := s.People.Find(ctx, scope, identity.Ref{UserID: item.Row.UserID}, tries > 1)
		if err != nil {
			return nil, err
		}
		if plan.HasMultiplier() {
			person, err = s.People.EnsureMultiplierMark(ctx, scope, person)
		}
		return &dueGrantWork{plan: plan, person: person, due: item.Key}, err
	})
	if !laurel.IsRefusal(err) {
		return err
	}
	if laurel.CodeOf(err) != laurel.NotFound {
		s.Logger.Warn("an earned badge cannot be granted", slog.String("badge", item.Row.BadgeID.String()),
			slog.String("user", item.Row.UserID.String()), slog.Any("error", err))
	}
	return item.Finish(ctx, func(tx *store.Tx) error { return deleteDues(ctx, tx, []laurel.ID{item.Key}) })
}

// deletedDues deletes the due grants of a batch.
var deletedDues = &store.Sink[laurel.ID]{Name: "badge dues", Rank: store.LockRankBadgeDues, Write: deleteDues}

// dueGrantWork grants a due badge. It is a store.Work.
type dueGrantWork struct {
	plan   *badges.Plan
	person identity.Person
	due    laurel.ID
}

func (w *dueGrantWork) String() string {
	return "due badge " + w.plan.Badge().ID.String() + " of user " + w.person.UserID.String()
}

// Locks returns the locks of the plan.
func (w *dueGrantWork) Locks() []store.Lock { return w.plan.Locks(w.person) }

// Judge runs once the rows are locked: it grants the badge and deletes the due grant. If the member was blocked after
// the verdict, it only deletes the due grant.
func (w *dueGrantWork) Judge(b *store.Batch) error {
	g := badges.GrantOptions{}
	if err := w.plan.Check(b, w.person, g); err != nil {
		return err
	}
	deletedDues.Add(b, w.due)
	if w.person.Blocked {
		return nil
	}
	_, _, err := w.plan.Grant(b, w.person, g)
	return err
}

// planKey identifies the badge of a plan.
type planKey struct{ organization, website, badge laurel.ID }

// loadPlans reads the plans for granting several badges. It is the read of s.plans, which joins the reads of
// simultaneous callers. Deleted badges are left out.
func (s *Service) loadPlans(ctx context.Context, keys []planKey) (map[planKey]*badges.Plan, error) {
	out := make(map[planKey]*badges.Plan, len(keys))
	for _, k := range keys {
		plan, err := s.Badges.Plan(ctx, laurel.Scope{OrganizationID: k.organization, WebsiteID: k.website}, k.badge)
		if laurel.CodeOf(err) == laurel.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[k] = plan
	}
	return out, nil
}
