package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
	"laurel.example/laurel/internal/rules/awards"
)

// The sizes of the measurement of badges.
const (
	manyBadges    = 200
	pointBadges   = 3                     // how many of those require the balance that every completion raises
	probeInterval = 50 * time.Millisecond // from one completion that earns a badge to the next
	grantWait     = time.Minute           // how long the grants of a run may take
	jobWait       = 20 * time.Minute      // how long the jobs of new badges may take
)

var (
	badgesLimit = limit{floor: 0.8, goal: 0.9}
	grantsLimit = limit{floor: 5, goal: 2, lowerIsBetter: true}
)

// measureBadges measures by how much badges slow completions down, and how soon after the completion that earns it a
// badge is granted. The completions raise a balance that three badges have a condition on. Meanwhile one member at a
// time completes a rule that a fourth badge requires. No one completes the rules of the other badges.
func (b *bench) measureBadges(ctx context.Context) ([]Result, error) {
	g := &badgeLoad{}
	c := costComparison{prepare: g.prepare, during: g.completeDuring}
	if err := c.run(ctx, b); err != nil {
		return nil, err
	}
	delays := measure(g.delays, b.Time*comparisonRounds)
	name := fmt.Sprintf("complete an external rule, c64, with %d badges", manyBadges)
	return []Result{
		b.result(badgesLimit.newResult(name, c.ratio(), c.last), c.describeBaseline()),
		b.result(grantsLimit.newResult("from a completion to the badge that it earns, p99", delays.p99.Seconds(), delays), "s"),
	}, nil
}

// badgeLoad completes a rule that earns a badge, for one member after the other, and records how long each badge took
// to be granted.
type badgeLoad struct {
	rule, badge      laurel.ID
	completedMembers int // how many members so far, from the last one down
	delays           []time.Duration
}

// prepare creates the badges and the rules that they require, and waits for the badges' jobs. The first badge requires
// g.rule, the next pointBadges a balance, and each further one a rule of its own.
func (g *badgeLoad) prepare(a *api, p site) (err error) {
	currency := p.LoyaltyCurrencyID.String()
	if g.rule, err = a.createRule(p.Program, currency, "unlimited"); err != nil {
		return err
	}
	if g.badge, err = a.createBadge(p, 0, object{"type": "rule", "loyaltyRuleIds": []laurel.ID{g.rule}}); err != nil {
		return err
	}
	for i := 1; i < manyBadges; i++ {
		condition := object{"type": "points", "loyaltyCurrencyIds": []string{currency}, "amount": 1000 * i}
		if i > pointBadges {
			other, err := a.createRule(p.Program, currency, "once")
			if err != nil {
				return err
			}
			condition = object{"type": "rule", "loyaltyRuleIds": []laurel.ID{other}}
		}
		if _, err := a.createBadge(p, i, condition); err != nil {
			return err
		}
	}
	return a.waitForBadgeJobs()
}

// waitForBadgeJobs waits until the jobs that decide new badges for all members are complete, so that no run pays for
// them. It fails after jobWait.
func (a *api) waitForBadgeJobs() error {
	for deadline := time.Now().Add(jobWait); ; time.Sleep(time.Second) {
		var list struct {
			Data []struct{ DataJobs []struct{ Status string } }
		}
		if err := a.get("/api/loyalty/badges", url.Values{"limit": {strconv.Itoa(manyBadges)}}, &list); err != nil {
			return err
		}
		open := 0
		for _, badge := range list.Data {
			for _, job := range badge.DataJobs {
				if job.Status != awards.JobComplete {
					open++
				}
			}
		}
		if open == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d jobs of new badges are not complete after %v", open, jobWait)
		}
	}
}

// createBadge creates the n-th badge, with one condition and a reward of 5 points, and returns its id.
func (a *api) createBadge(p site, n int, condition object) (laurel.ID, error) {
	var made struct{ ID laurel.ID }
	err := a.post("/api/loyalty/badges", object{
		"name": fmt.Sprint("Bench ", n), "imageUrl": "https://example.com/badge.png", "conditions": []object{condition},
		"rewards":   []object{{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": p.LoyaltyCurrencyID}},
		"websiteId": p.WebsiteID, "organizationId": p.OrganizationID,
	}, &made)
	return made.ID, err
}

// completeDuring calls run, completes the rule for one member after the other until run has ended, and then waits for
// the badges of these members.
func (g *badgeLoad) completeDuring(ctx context.Context, s *server, p site, run func() error) error {
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return err
	}
	defer a.wire.close()
	stopped, completedAt := make(chan struct{}), map[string]time.Time{}
	var completing sync.WaitGroup
	var fault error
	completing.Go(func() {
		ticker := time.NewTicker(probeInterval)
		defer ticker.Stop()
		for fault == nil {
			select {
			case <-stopped:
				return
			case <-ticker.C:
			}
			g.completedMembers++
			user := bulk.IDOf(bulk.KindUser, p.members-g.completedMembers) // from the last member on
			body := object{"userId": user, "idempotencyKey": "probe-" + user}
			fault = a.post("/api/loyalty/rules/"+g.rule.String()+"/complete", body, nil)
			completedAt[user] = time.Now()
		}
	})
	err = run()
	close(stopped)
	completing.Wait()
	if err := errors.Join(err, fault); err != nil {
		return err
	}
	return g.recordDelays(a, completedAt)
}

// recordDelays waits until every badge is granted, and records how long after the completion each was. completedAt has
// the time of each user's completion; users whose badge is granted are removed from it. It returns an error if that
// takes longer than grantWait.
func (g *badgeLoad) recordDelays(a *api, completedAt map[string]time.Time) error {
	for deadline := time.Now().Add(grantWait); len(completedAt) > 0; time.Sleep(probeInterval) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d badges were not granted within %v", len(completedAt), grantWait)
		}
		users := make([]string, 0, len(completedAt))
		for id := range completedAt {
			users = append(users, id)
		}
		for some := range slices.Chunk(users, 100) {
			var list struct {
				Data []struct {
					UserID      string
					CompletedAt time.Time
				}
			}
			query := url.Values{
				"loyaltyBadgeId": {g.badge.String()}, "status": {"active"}, "userId": some, "limit": {strconv.Itoa(len(some))},
			}
			if err := a.get("/api/loyalty/badge_users", query, &list); err != nil {
				return err
			}
			for _, u := range list.Data {
				if since, waiting := completedAt[u.UserID]; waiting {
					g.delays = append(g.delays, max(u.CompletedAt.Sub(since), 0))
					delete(completedAt, u.UserID)
				}
			}
		}
	}
	return nil
}
