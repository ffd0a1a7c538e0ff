package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
)

// The sizes of the measurement of verifications.
const (
	verifiedMembers     = 5000 // at most as many as there are
	verificationWorkers = 64
	verificationWait    = 10 * time.Minute // how long the verifications of a run may take
)

var verificationLimit = limit{floor: 0.1, goal: 0.3}

// measureVerifications measures completions that a platform verifies: calls of many members, each of which is queued as
// a job, and the jobs that ask the platform and pay. The platform says yes at once.
func (b *bench) measureVerifications(ctx context.Context) (out []Result, err error) {
	platform, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = platform.close() }()
	identity, err := b.writeIdentityFile(platform)
	if err != nil {
		return nil, err
	}
	database, p, err := b.createDatabase(ctx, "row19")
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, database, b.profile(), "--identity", identity)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return nil, err
	}
	defer a.wire.close()
	v := &verificationLoad{api: a, site: p, platform: platform, members: min(verifiedMembers, p.members)}
	if err := v.connectAccounts(); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("complete a rule that a platform verifies, c%d", verificationWorkers)
	figures, pgbench, err := b.withPgbench(ctx, name, func() (measured, error) { return v.run(ctx) })
	if err != nil {
		return nil, err
	}
	r := verificationLimit.newResult(name, figures.perSecond/pgbench.mean(), figures)
	return []Result{b.result(r, b.compareWith(pgbench))}, nil
}

// verifiedType is the rule type of the measurement, and checkedPlatform its platform.
const (
	verifiedType    = "code_host_repo_star"
	checkedPlatform = "code_host"
)

// writeIdentityFile writes the operator's file that has a platform checked, and returns its path.
func (b *bench) writeIdentityFile(platform *receiver) (string, error) {
	text, err := json.Marshal(object{"platforms": []object{{
		"platform": checkedPlatform,
		"checks":   object{verifiedType: object{"url": platform.address + "/{platformId}"}},
	}}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, "identity.json")
	return path, os.WriteFile(path, text, 0o600)
}

// verificationLoad completes rules that a platform verifies, once for each member.
type verificationLoad struct {
	*api
	site     site
	platform *receiver
	members  int
}

// connectAccounts gives each member an account of the platform.
func (v *verificationLoad) connectAccounts() error {
	for i := range v.members {
		body := object{"userId": bulk.IDOf(bulk.KindUser, i), "codeHostUserId": fmt.Sprint("account-", i)}
		if err := v.post("/api/users/metadatas", v.withTenant(v.site, body), nil); err != nil {
			return err
		}
	}
	return nil
}

// run completes a new rule for each member, and waits until the platform was asked about all of them. The times are
// those of the calls. It fails unless every member is paid.
func (v *verificationLoad) run(ctx context.Context) (measured, error) {
	ctx, cancel := context.WithTimeout(ctx, verificationWait)
	defer cancel()
	var made struct{ ID laurel.ID }
	err := v.post("/api/loyalty/rules", v.withTenant(v.site, object{
		"name": "Bench", "type": verifiedType, "amount": 10, "loyaltyCurrencyId": v.site.LoyaltyCurrencyID,
		"metadata": object{"codeHostRepoUrl": "https://code.example/bench/bench"},
	}), &made)
	if err != nil {
		return measured{}, err
	}
	v.platform.reset()
	begun := time.Now()
	times, err := v.completeForAll(ctx, made.ID)
	if err != nil {
		return measured{}, err
	}
	if _, err := v.platform.waitForCalls(ctx, int64(v.members)); err != nil {
		return measured{}, err
	}
	took := time.Since(begun)
	return measure(times, took), v.checkPaid(ctx, made.ID)
}

// completeForAll completes the rule for each member, and returns how long the calls took.
func (v *verificationLoad) completeForAll(ctx context.Context, rule laurel.ID) ([]time.Duration, error) {
	path := "/api/loyalty/rules/" + rule.String() + "/complete"
	return callOnceFor(ctx, v.host, verificationWorkers, v.members, func(w *wire, i int) error {
		body := fmt.Appendf(nil, `{"userId":%q}`, bulk.IDOf(bulk.KindUser, i))
		return w.sendOK(request{"POST", v.host, path, v.key, nil, body}.bytes())
	})
}

// checkPaid waits until the rule is completed for every member. It fails for one whom it does not pay.
func (v *verificationLoad) checkPaid(ctx context.Context, rule laurel.ID) error {
	for n := 0; n < v.members; {
		var list struct {
			Data []struct{ Status, Message string }
		}
		query := url.Values{"loyaltyRuleId": {rule.String()}, "userId": {bulk.IDOf(bulk.KindUser, n)}}
		if err := v.get("/api/loyalty/rules/status", query, &list); err != nil {
			return err
		}
		switch {
		case len(list.Data) == 1 && list.Data[0].Status == "completed":
			n++
		case len(list.Data) == 1 && list.Data[0].Status == "failed":
			return fmt.Errorf("member %d is not paid: %s", n, list.Data[0].Message)
		case ctx.Err() != nil:
			return fmt.Errorf("member %d is not paid in time: %w", n, ctx.Err())
		default:
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}
