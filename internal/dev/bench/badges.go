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

	"laurel"
	"laurel/internal/dev/bulk"
	"laurel/internal/rules/awards"
)

// The sizes of the measurement of badges.
const (
	manyBadges  = 200
	pointBadges = 3 // of those: name the balance that every completion raises
	probePace   = 50 * time.Millisecond
	grantWait   = time.Minute // for the grants of a run
	jobWait     = 20 * time.Minute
)

var (
	badgesLimit = limit{floor: 0.8, goal: 0.9}
	grantsLimit = limit{floor: 5, goal: 2, atMost: true}
)

// measureBadges measures what badges cost completions, and how soon after the completion that earns it a badge is
// granted. The completions raise a balance that three badges have a condition on. Meanwhile one member at a time
// completes a rule that a fourth badge requires. No one completes the rules of the other badges.
func (b *bench) measureBadges(ctx context.Context) ([]Result, error) {
	g := &badgeLoad{}
	c := costComparison{prepare: g.prepare, while: g.completeWhile}
	if err := c.run(ctx, b); err != nil {
		return nil, err
	}
	lags := measure(g.lags, b.Time*contrastTurns)
	name := fmt.Sprintf("complete an external rule, c64, with %d badges", manyBadges)
	return []Result{
		b.result(badgesLimit.line(name, c.ratio(), c.last), c.against()),
		b.result(grantsLimit.line("from a completion to the badge that it earns, p99", lags.p99.Seconds(), lags), "s"),
	}, nil
}

// badgeLoad completes a rule that earns a badge, one member at a time, and records when the badge was granted.
type badgeLoad struct {
	rule, badge laurel.ID
	asked       int // members so far, from the last one down
	lags        []time.Duration
}

// prepare creates the badges, and the rules that they require.
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

// waitForBadgeJobs waits until the jobs of new badges have judged all members, so that a run does not pay for them.
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
				if job.Status != awards.Complete {
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

// createBadge creates a badge with one condition, which pays 5.
func (a *api) createBadge(p site, n int, condition object) (laurel.ID, error) {
	var made struct{ ID laurel.ID }
	err := a.post("/api/loyalty/badges", object{
		"name": fmt.Sprint("Bench ", n), "imageUrl": "https://example.com/badge.png", "conditions": []object{condition},
		"rewards":   []object{{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": p.LoyaltyCurrencyID}},
		"websiteId": p.WebsiteID, "organizationId": p.OrganizationID,
	}, &made)
	return made.ID, err
}

// completeWhile completes the rule for members while run runs, and waits for their badges.
func (g *badgeLoad) completeWhile(ctx context.Context, s *server, p site, run func() error) error {
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return err
	}
	defer a.wire.close()
	over, asked := make(chan struct{}), map[string]time.Time{}
	var asking sync.WaitGroup
	var fault error
	asking.Go(func() {
		tick := time.NewTicker(probePace)
		defer tick.Stop()
		for fault == nil {
			select {
			case <-over:
				return
			case <-tick.C:
			}
			g.asked++
			user := bulk.IDOf(bulk.KindUser, p.members-g.asked)
			body := object{"userId": user, "idempotencyKey": "probe-" + user}
			fault = a.post("/api/loyalty/rules/"+g.rule.String()+"/complete", body, nil)
			asked[user] = time.Now()
		}
	})
	err = run()
	close(over)
	asking.Wait()
	if err := errors.Join(err, fault); err != nil {
		return err
	}
	return g.recordDelays(a, asked)
}

// recordDelays records how long each member waited for the badge, by the moment of the grant.
func (g *badgeLoad) recordDelays(a *api, asked map[string]time.Time) error {
	for deadline := time.Now().Add(grantWait); len(asked) > 0; time.Sleep(probePace) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%d badges were not granted within %v", len(asked), grantWait)
		}
		users := make([]string, 0, len(asked))
		for id := range asked {
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
				if since, waiting := asked[u.UserID]; waiting {
					g.lags = append(g.lags, max(u.CompletedAt.Sub(since), 0))
					delete(asked, u.UserID)
				}
			}
		}
	}
	return nil
}
