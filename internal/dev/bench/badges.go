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

// What badges are measured with.
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

// badges measures what badges cost completions, and how soon after the completion that earns it a badge is granted. The
// completions raise a balance that three badges name. Beside them a member at a time completes a rule that another one
// names. The rules of all others are completed by nobody.
func (b *bench) badges(ctx context.Context) ([]Result, error) {
	g := &grants{}
	c := contrast{prepare: g.prepare, while: g.while}
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

// grants has members complete what earns a badge, and looks when they were granted it.
type grants struct {
	rule, badge laurel.ID
	asked       int // members so far, from the last one down
	lags        []time.Duration
}

// prepare makes the badges, and the rules that they name.
func (g *grants) prepare(a *api, p site) (err error) {
	currency := p.LoyaltyCurrencyID.String()
	if g.rule, err = a.rule(p.Program, currency, "unlimited"); err != nil {
		return err
	}
	if g.badge, err = a.badge(p, 0, object{"type": "rule", "loyaltyRuleIds": []laurel.ID{g.rule}}); err != nil {
		return err
	}
	for i := 1; i < manyBadges; i++ {
		condition := object{"type": "points", "loyaltyCurrencyIds": []string{currency}, "amount": 1000 * i}
		if i > pointBadges {
			other, err := a.rule(p.Program, currency, "once")
			if err != nil {
				return err
			}
			condition = object{"type": "rule", "loyaltyRuleIds": []laurel.ID{other}}
		}
		if _, err := a.badge(p, i, condition); err != nil {
			return err
		}
	}
	return a.judged()
}

// judged waits until the jobs of new badges have judged everybody: what they cost is over before a run begins.
func (a *api) judged() error {
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

// badge makes a badge of one condition that pays 5.
func (a *api) badge(p site, n int, condition object) (laurel.ID, error) {
	var made struct{ ID laurel.ID }
	err := a.post("/api/loyalty/badges", object{
		"name": fmt.Sprint("Bench ", n), "imageUrl": "https://example.com/badge.png", "conditions": []object{condition},
		"rewards":   []object{{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": p.LoyaltyCurrencyID}},
		"websiteId": p.WebsiteID, "organizationId": p.OrganizationID,
	}, &made)
	return made.ID, err
}

// while completes the rule for members as long as the run goes on, and waits for their badges.
func (g *grants) while(ctx context.Context, s *server, p site, run func() error) error {
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
	return g.collect(a, asked)
}

// collect notes how long each of the members waited for the badge. A grant is timed by its own moment.
func (g *grants) collect(a *api, asked map[string]time.Time) error {
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
