package functions_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/functions"
)

const path = "/api/stratus/functions"

// handler returns the code of a handler with a body.
func handler(body string) string {
	return "module.exports.handler = async (input, output) => {\n" + body + "\nreturn output.buildOutput();\n};"
}

// deploy makes a function and returns its id.
func deploy(s *apptest.Server, body string, more object) string {
	s.T.Helper()
	return s.Post(path, apptest.Over(object{"name": "f", "code": handler(body)}, more)).OK()["id"].(string)
}

// invoke runs a function and returns the run.
func invoke(s *apptest.Server, id string, input any) object {
	s.T.Helper()
	return s.Post(path+"/"+id+"/invoke", object{"input": input}).OK()["data"].(object)
}

// runs returns the runs of a function, newest first.
func runs(s *apptest.Server, id, query string) []object {
	s.T.Helper()
	return s.Get(path + "/" + id + "/runs?limit=100" + query).Data()
}

// text is a value as JSON.
func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestAFunctionIsKeptInVersionsAndRun(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post(path, object{"name": "hello", "code": handler(`output.setResult({was: input.input, s: input.secrets.k, t: input.trigger}); console.log("hi")`), "secrets": object{"k": "sesame"}}).OK()
		id := made["id"].(string)
		if apptest.Number(made["version"]) != 1 || made["cron"] != nil || made["disabled"] != false || made["secrets"] != nil || made["deletedAt"] != nil {
			t.Errorf("made: %v", made)
		}
		run := invoke(s, id, object{"a": []any{1, "<&>"}})
		if run["status"] != "succeeded" || text(run["output"]) != text(object{"was": object{"a": []any{1, "<&>"}}, "s": "sesame", "t": "invoke"}) ||
			text(run["logs"]) != `["hi"]` || run["error"] != nil || run["functionId"] != id || run["runId"] != run["id"] || apptest.Number(run["version"]) != 1 {
			t.Errorf("run: %v", run)
		}
		if got := s.Post(path+"/"+id, object{"code": handler(`output.setResult(2)`), "secrets": nil, "name": "bye"}).OK(); apptest.Number(got["version"]) != 2 || got["name"] != "bye" {
			t.Errorf("changed: %v", got)
		}
		if got := s.Post(path+"/"+id, object{"name": "hello"}).OK(); apptest.Number(got["version"]) != 2 {
			t.Errorf("renamed: %v", got)
		}
		if run := invoke(s, id, nil); text(run["output"]) != "2" || apptest.Number(run["version"]) != 2 {
			t.Errorf("second version: %v", run)
		}
		if old := s.Get(path + "/" + id + "?version=1").OK(); old["code"] != made["code"] || apptest.Number(old["version"]) != 1 {
			t.Errorf("first version: %v", old)
		}
		s.Get(path+"/"+id+"?version=3").Refused(404, "Function version not found")
		s.Get(path+"/"+id+"?version=0").Refused(400, "version must be a number from 1 on")
		if all := runs(s, id, ""); len(all) != 2 || apptest.Number(all[0]["version"]) != 2 {
			t.Errorf("runs: %v", all)
		}
		other := deploy(s, `output.setResult(1)`, nil)
		if list := s.Get(path).Data(); len(list) != 2 || list[0]["id"] != other {
			t.Errorf("list: %v", list)
		}
		if list := s.Get(path + "?id=" + id).Data(); len(list) != 1 || list[0]["id"] != id {
			t.Errorf("list by id: %v", list)
		}
		if gone := s.Remove(path + "/" + id); gone["deletedAt"] == nil {
			t.Errorf("deleted: %v", gone)
		}
		s.Get(path+"/"+id).Refused(404, "Function not found")
		s.Post(path+"/"+id+"/invoke", nil).Refused(404, "Function not found")
		s.Call(s.WebsiteAPIKey, http.MethodDelete, path+"/"+id, nil).Refused(404, "Function not found")
	})
}

func TestAFailingHandlerIsAFailedRun(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := deploy(s, `if (input.input === 1) throw new Error("no"); if (input.input === 2) output.fail("never"); else output.setResult("\u0000<")`, nil)
		if run := invoke(s, id, 1); run["status"] != "failed" || run["error"] != "Error: no" || run["output"] != nil {
			t.Errorf("%v", run)
		}
		if run := invoke(s, id, 2); run["status"] != "failed" || run["error"] != "never" {
			t.Errorf("%v", run)
		}
		invoke(s, id, 3)
		if failed := runs(s, id, "&status=failed"); len(failed) != 2 {
			t.Errorf("%v", failed)
		}
		if good := runs(s, id, "&status=succeeded"); len(good) != 1 {
			t.Errorf("%v", good)
		}
		first := s.Get(path + "/" + id + "/runs?limit=2").OK()
		rest := runs(s, id, "&startingAfter="+first["data"].([]any)[1].(object)["id"].(string))
		if first["hasNextPage"] != true || len(rest) != 1 || rest[0]["error"] != "Error: no" {
			t.Errorf("%v", rest)
		}
		s.Post(path+"/"+id, object{"disabled": true}).OK()
		s.Post(path+"/"+id+"/invoke", nil).Refused(400, "Function is disabled")
	})
}

func TestAFunctionIsCheckedBeforeItIsKept(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		good := handler(`output.setResult(1)`)
		for want, body := range map[string]object{
			"name is required": {"code": good},
			"code is required": {"name": "a"},
			"Function code is invalid: it must call output.setResult or output.fail":                             {"name": "a", "code": handler("")},
			"Function code is invalid: the handler must have two parameters, input and output":                   {"name": "a", "code": "module.exports.handler = (a) => { a.setResult(1); return a.buildOutput() }"},
			"name must be at most 255 characters":                                                                {"name": strings.Repeat("n", 256), "code": good},
			"code must be at most 262144 characters":                                                             {"name": "a", "code": strings.Repeat("n", 262145)},
			"cron must be a cron expression of five fields, such as */5 * * * *, that is due every 1m0s at most": {"name": "a", "code": good, "cron": "* * * * * *"},
			"secrets must have at most 50 items":                                                                 {"name": "a", "code": good, "secrets": many(51)},
		} {
			s.Post(path, body).Refused(400, want)
		}
		for _, cron := range []string{
			"@daily", "TZ=Europe/Berlin 0 0 * * *", "", "61 * * * *", "0 0 * * 8", "0 0 * * 7-9", "0 0 * * 7-1", "0 0 * * 0-7/0",
			"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", // never due
		} {
			if got := s.Post(path, object{"name": "a", "code": good, "cron": cron}); got.Status != 400 {
				t.Errorf("cron %q: %d", cron, got.Status)
			}
		}
		if list := s.Get(path).Data(); len(list) != 0 {
			t.Errorf("%v", list)
		}
	})
}

func many(n int) object {
	out := object{}
	for i := range n {
		out[strings.Repeat("k", i+1)] = "v"
	}
	return out
}

func TestFunctionsOfOthersAreNotThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := deploy(s, `output.setResult(1)`, object{"secrets": object{"k": "sesame"}})
		other := s.NewProgram("Other")
		sibling := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Sibling"}).OK()["id"].(string)
		key := s.Call(s.OrganizationAPIKey, "POST", "/api/api_keys", object{"roleType": "WEBSITE_API_KEY", "websiteId": sibling, "name": "k"}).OK()["key"].(string)
		for _, key := range []string{other.WebsiteAPIKey, other.OrganizationAPIKey, key} {
			for _, call := range []struct{ method, path string }{
				{"GET", ""}, {"POST", ""}, {"DELETE", ""}, {"GET", "/runs"}, {"POST", "/invoke"},
			} {
				s.Call(key, call.method, path+"/"+id+call.path, nil).Refused(404, "Function not found")
			}
			if got := s.Call(key, "GET", path+"?id="+id, nil).Data(); len(got) != 0 {
				t.Errorf("%v", got)
			}
		}
		s.Call(other.FunctionAPIKey, "POST", path+"/"+id+"/invoke", nil).Refused(404, "Function not found")
		for _, key := range []string{s.ReadOnlyAPIKey, s.ClientAPIKey, s.FunctionAPIKey} {
			for _, p := range []string{path, path + "/" + id, path + "/" + id + "/runs"} {
				if got := s.Call(key, "GET", p, nil); got.Status != 403 {
					t.Errorf("%s: %d", p, got.Status)
				}
			}
			if got := s.Call(key, "POST", path, object{"name": "a"}); got.Status != 403 {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}
		s.Call(s.ClientAPIKey, "POST", path+"/"+id+"/invoke", nil).Refused(403, "API key is not allowed to perform this operation")
		s.Call(s.ReadOnlyAPIKey, "POST", path+"/"+id+"/invoke", nil).Refused(403, "API key is read-only")
		if got := s.Call(s.FunctionAPIKey, "POST", path+"/"+id+"/invoke", nil).OK(); text(got["data"].(object)["output"]) != "1" {
			t.Errorf("%v", got)
		}
		if got := s.Call(s.FunctionAPIKey, "GET", "/api/loyalty/rules", nil); got.Status != 403 {
			t.Errorf("a key of functions lists rules: %d", got.Status)
		}
		if got := s.Call(s.OrganizationAPIKey, "GET", path+"/"+id, nil).OK(); got["id"] != id {
			t.Errorf("%v", got)
		}
	})
}

func due(s *apptest.Server) {
	s.T.Helper()
	if err := s.App.Functions.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

func TestACronExpressionRunsAFunctionOncePerTick(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := deploy(s, `output.setResult(input.trigger + " " + input.scheduledAt)`, object{"cron": "*/5 * * * *"})
		due(s)
		if got := runs(s, id, ""); len(got) != 0 {
			t.Fatalf("before its time: %v", got)
		}
		s.Clock.Advance(5 * time.Minute)
		due(s)
		due(s)
		if got := runs(s, id, ""); len(got) != 1 || got[0]["output"] != "cron 2026-01-14T12:05:00.000Z" || got[0]["trigger"] != "cron" {
			t.Fatalf("%v", got)
		}
		s.Clock.Advance(17 * time.Minute) // what was missed meanwhile is run once
		due(s)
		due(s)
		if got := runs(s, id, ""); len(got) != 2 || got[0]["output"] != "cron 2026-01-14T12:10:00.000Z" {
			t.Fatalf("%v", got)
		}
		s.Clock.Advance(3 * time.Minute)
		due(s)
		if got := runs(s, id, ""); len(got) != 3 || got[0]["output"] != "cron 2026-01-14T12:25:00.000Z" {
			t.Fatalf("%v", got)
		}
		for _, change := range []object{{"disabled": true}, {"disabled": false, "cron": nil}} {
			s.Post(path+"/"+id, change).OK()
			s.Clock.Advance(time.Hour)
			due(s)
		}
		if got := runs(s, id, ""); len(got) != 3 {
			t.Fatalf("%v", got)
		}
		s.Clock.Advance(1000 * time.Hour)
		due(s)
	})
}

// TestSundayIsTheSeventhDayToo: crontab has it as 0 and as 7.
func TestSundayIsTheSeventhDayToo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cron, first, second string }{ // from Wednesday 14 January
		{"0 0 * * 7", "2026-01-18", "2026-01-25"},
		{"0 0 * * 7/2", "2026-01-18", "2026-01-25"},
		{"0 0 * * 5-7", "2026-01-16", "2026-01-17"},
		{"0 0 * * 6-7,3", "2026-01-17", "2026-01-18"},
		{"0 0 * * 1-7/3", "2026-01-15", "2026-01-18"},
		{"0 0 * * 0-7", "2026-01-15", "2026-01-16"},
		{"0 0 29 2 *", "2028-02-29", "2032-02-29"},
	} {
		t.Run(c.cron, func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, func(t *testing.T, s *apptest.Server) {
				id := deploy(s, `output.setResult(input.scheduledAt)`, object{"cron": c.cron})
				for i, want := range []string{c.first, c.second} {
					at, _ := time.Parse(time.DateOnly, want)
					s.Clock.Set(at.Add(-time.Second))
					due(s)
					if got := runs(s, id, ""); len(got) != i {
						t.Fatalf("before %s: %v", want, got)
					}
					s.Clock.Set(at)
					due(s)
					if got := runs(s, id, ""); len(got) != i+1 || got[0]["output"] != want+"T00:00:00.000Z" {
						t.Fatalf("on %s: %v", want, got)
					}
				}
			})
		})
	}
}

func TestTwoNodesRunATickOnce(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	id := deploy(nodes[0], `output.setResult(1)`, object{"cron": "* * * * *"})
	for _, s := range nodes {
		s.Clock.Advance(time.Minute)
	}
	var both sync.WaitGroup
	for _, s := range nodes {
		both.Go(func() {
			for range 5 {
				_ = s.App.Functions.RunDue(context.Background())
			}
		})
	}
	both.Wait()
	if got := runs(nodes[0], id, ""); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func scope(t *testing.T, s *apptest.Server) laurel.Scope {
	t.Helper()
	sc, err := s.App.ScopeOf(context.Background(), s.WebsiteAPIKey)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func idOf(t *testing.T, text string) laurel.ID {
	t.Helper()
	id, err := laurel.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestWhatIsNestedDeeplyIsRefused: pages and events hold what is kept, and a parser that stops at its depth would not
// read them.
func TestWhatIsNestedDeeplyIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		nested := func(levels int) json.RawMessage {
			return json.RawMessage(strings.Repeat("[", levels) + strings.Repeat("]", levels))
		}
		rule := s.Rule("external_rule", object{"metadata": object{"kept": nested(400)}})
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"kept": nested(600)}}).Refused(400, "Malformed JSON body")
		id := deploy(s, `let deep = []; for (let i = 1; i < input.input.levels; i++) deep = [deep]; output.setResult(deep);`, nil)
		for levels, want := range map[int]string{500: "succeeded", 501: "failed", 20_000: "failed"} {
			if run := invoke(s, id, object{"levels": levels}); run["status"] != want {
				t.Errorf("%d levels: %v", levels, run)
			}
		}
		if n := len(runs(s, id, "")); n != 3 {
			t.Errorf("%d runs are read back", n)
		}
	})
}

func TestAnEventRunsAFunction(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ctx, sc := context.Background(), scope(t, s)
		id := idOf(t, deploy(s, `if (input.event.data === 1) throw new Error("later"); if (input.event.data === 2) output.fail("never"); output.setResult([input.trigger, input.subscriptionId, input.event.data])`, nil))
		event := functions.EventInput{FunctionID: id, SubscriptionID: laurel.ID{1}, EventID: laurel.ID{2}, Attempt: 1}
		try := func(body string) functions.Run {
			event.Event = json.RawMessage(body)
			r, err := s.App.Functions.RunEvent(ctx, sc, event)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := try(`{"data":3}`); r.Status != functions.Succeeded || string(r.Output) != `["subscription","01000000-0000-0000-0000-000000000000",3]` {
			t.Errorf("%+v", r)
		}
		if r := try(`{"data":1}`); r.Status != functions.Failed || r.Final || r.Error != "Error: later" {
			t.Errorf("%+v", r)
		}
		if r := try(`{"data":2}`); r.Status != functions.Failed || !r.Final {
			t.Errorf("%+v", r)
		}
		if missing, err := s.App.Functions.FirstMissing(ctx, sc, []laurel.ID{id}); err != nil || !missing.IsZero() {
			t.Errorf("%v %v", missing, err)
		}
		if missing, err := s.App.Functions.FirstMissing(ctx, sc, []laurel.ID{id, {9}}); err != nil || missing != (laurel.ID{9}) {
			t.Errorf("%v %v", missing, err)
		}
		s.Post(path+"/"+id.String(), object{"disabled": true}).OK()
		if r := try(`{}`); r.Status != functions.Failed || !r.Final || r.Error != "Function is disabled" {
			t.Errorf("%+v", r)
		}
		s.Remove(path + "/" + id.String())
		if r := try(`{}`); r.Status != functions.Failed || !r.Final || r.Error != "Function not found" {
			t.Errorf("%+v", r)
		}
	})
}

func TestTransactionsGoToTheDriverOncePerEvent(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var mu sync.Mutex
		var calls []object
		driver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			var call object
			_ = json.NewDecoder(r.Body).Decode(&call)
			calls = append(calls, call)
			_, _ = w.Write([]byte(`{"status":"done","txHash":"0x01"}`))
		}))
		t.Cleanup(driver.Close)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: apptest.WriteConfig(t, `{"url":"`+driver.URL+`","functions":{"organizations":"*"}}`)})
		id := deploy(s, `output.addTransaction({to: "0xabc", value: "1000000000000000000", chainId: 137}); output.setResult(1)`, nil)
		for attempt := 1; attempt <= 2; attempt++ {
			r, err := s.App.Functions.RunEvent(context.Background(), scope(t, s), functions.EventInput{
				FunctionID: idOf(t, id), EventID: laurel.ID{7}, SubscriptionID: laurel.ID{8}, Event: json.RawMessage(`{}`), Attempt: attempt,
			})
			if err != nil || r.Status != functions.Succeeded {
				t.Fatalf("%+v %v", r, err)
			}
			due(s)
		}
		mu.Lock()
		defer mu.Unlock()
		if len(calls) != 1 || calls[0]["functionId"] != id || text(calls[0]["transaction"]) != `{"chainId":137,"to":"0xabc","value":"1000000000000000000"}` {
			t.Errorf("%v", calls)
		}
	})
}

func TestARunThatWasCutOffHasFailed(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		id := deploy(s, `output.setResult(1)`, nil)
		invoke(s, id, nil)
		db.Exec(`UPDATE function_runs SET status = 'running', output = NULL`)
		due(s)
		if got := runs(s, id, "&status=running"); len(got) != 1 {
			t.Errorf("%v", got)
		}
		s.Clock.Advance(time.Hour)
		due(s)
		if got := runs(s, id, ""); got[0]["status"] != "failed" || got[0]["error"] != "The server ended while the function ran" {
			t.Errorf("%v", got)
		}
		s.Clock.Advance(31 * 24 * time.Hour)
		if err := s.App.Functions.RemoveOld(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := runs(s, id, ""); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
}

func TestARuleIsDecidedByAFunction(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		alice := object{"walletAddress": apptest.Alice}
		rule := func(body string, properties object) (string, string) {
			id := deploy(s, body, nil)
			return s.Rule("stratus_function", apptest.Over(object{"functionId": id, "interval": "unlimited"}, properties)), id
		}
		mine := `walletAddress: input.user.walletAddress`
		paid := func(rule string) []any {
			var amounts []any
			for _, e := range s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data() {
				amounts = append(amounts, e["amount"])
			}
			return amounts
		}
		plain, function := rule(`output.setResult([{`+mine+`}])`, nil)
		if got := s.Complete(plain, alice).OK(); got["data"].(object)["status"] != "completed" {
			t.Errorf("%v", got)
		}
		more, _ := rule(`output.setResult([{`+mine+`, amount: 2.5, data: JSON.stringify({"why": input.loyaltyRule.name, "code": input.request.verificationCode})}])`, nil)
		s.Complete(more, object{"walletAddress": apptest.Alice, "verificationCode": "x1"}).OK()
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + more).Data()
		if text(entries[0]["amount"]) != "2.5" || text(entries[0]["metadata"]) != `{"code":"x1","why":"A stratus_function"}` {
			t.Errorf("%v", entries)
		}
		if got := paid(plain); text(got) != "[10]" {
			t.Errorf("%v", got)
		}
		for body, want := range map[string]string{
			`output.setResult([])`:       "Quest not completed",
			`output.setResult({})`:       "Invalid Verification, try again",
			`output.setResult(null)`:     "Invalid Verification, try again",
			`output.setResult([{}, {}])`: "Invalid Verification, try again",
			`output.setResult([{walletAddress: "` + apptest.Bob + `"}])`:                 "Invalid Verification, try again",
			`output.setResult([{` + mine + `, amount: -1}])`:                             "Invalid Verification, try again",
			`output.setResult([{` + mine + `, data: "x"}])`:                              "Invalid Verification, try again",
			`output.setResult([{` + mine + `, data: JSON.stringify("x".repeat(1024))}])`: "Invalid Verification, try again",
			`output.fail("no")`:            "Invalid Verification, try again",
			`output.setResult(1); throw 1`: "Invalid Verification, try again",
		} {
			refusing, _ := rule(body, nil)
			s.Complete(refusing, alice).Refused(400, want)
			if got := paid(refusing); len(got) != 0 {
				t.Errorf("%s paid %v", body, got)
			}
		}
		keyed, _ := rule(`output.setResult([{`+mine+`, idempotencyKey: input.request.verificationCode}])`, object{"interval": "once"})
		enter := func(code string) apptest.Response { return s.EnterCode(keyed, apptest.Alice, code) }
		enter("order-1").OK()
		enter("order-1").Refused(400, apptest.PaidAlready)
		enter("order-2").OK()
		if got := paid(keyed); len(got) != 2 {
			t.Errorf("%v", got)
		}
		once, _ := rule(`output.setResult([{`+mine+`}])`, object{"interval": "once"})
		s.Complete(once, alice).OK()
		s.Complete(once, alice).Refused(400, apptest.PaidAlready)
		s.Post(path+"/"+function, object{"disabled": true}).OK()
		s.Complete(plain, alice).Refused(400, "Rule is not setup")
		s.Complete(s.Rule("stratus_function", nil), alice).Refused(400, "Rule is not setup")
		lost := s.Rule("stratus_function", nil)
		s.UseDeletedFunction(lost)
		s.Complete(lost, alice).Refused(400, "Rule is not setup")
	})
}

func TestAKeyOfAFunctionPaysOnceWhoeverIsFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := deploy(s, `output.setResult([{walletAddress: input.user.walletAddress, idempotencyKey: "k"}])`, nil)
		rule := s.Rule("stratus_function", object{"functionId": id, "interval": "unlimited"})
		completeConcurrently(s, rule, 6, func(int) apptest.Response {
			return s.Complete(rule, object{"walletAddress": apptest.Alice})
		})
		if paid := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data(); len(paid) != 1 {
			t.Errorf("%d of 6 were paid", len(paid))
		}
	})
}

func TestAFunctionPaysAnotherWalletWhereTheRuleIsOfAnApp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := deploy(s, `output.setResult([{walletAddress: "cust_77"}])`, nil) // nobody's so far
		rule := s.Rule("stratus_function", object{"functionId": id, "interval": "once", "isDappRule": true})
		s.Complete(rule, object{"walletAddress": apptest.Alice, "verifyOnly": true}).OK()
		s.Transact(apptest.Points(apptest.Alice, 1)).OK()
		if dry := s.Simulate(rule, object{"walletAddress": apptest.Alice}).OK(); dry["wouldComplete"] != true {
			t.Errorf("%v", dry)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.PaidAlready)
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
		if len(entries) != 1 || entries[0]["loyaltyAccount"].(object)["user"].(object)["walletAddress"] != "cust_77" {
			t.Errorf("%v", entries)
		}
	})
}

func TestAFunctionThatTakesLongGoesOnAsAJob(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, Dev: true}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		release := make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		defer slow.Close()
		id := deploy(s, `await fetch("`+slow.URL+`");
			output.setResult([{walletAddress: input.user.walletAddress, amount: 3, data: JSON.stringify({code: input.request.verificationCode})}])`, nil)
		rule := s.Rule("stratus_function", object{"functionId": id, "interval": "daily"})
		call := object{"walletAddress": apptest.Alice, "verificationCode": "x1"}
		waits := func() {
			t.Helper()
			got := s.Complete(rule, call).OK()
			if got["message"] != "Completion request added to queue" || got["data"].(object)["status"] != "pending" {
				t.Errorf("%v", got)
			}
		}
		state := func() string {
			t.Helper()
			row := s.Get("/api/loyalty/rules/status?walletAddress=" + apptest.Alice + "&loyaltyRuleId=" + rule).Data()[0]
			return row["status"].(string) + ": " + row["message"].(string)
		}
		waits()
		waits() // the same run decides
		s.AdvanceAndExpire(2 * time.Second)
		s.RunCompletionJobs()
		if got := state(); got != "pending: Completion request added to queue" || len(runs(s, id, "")) != 1 {
			t.Errorf("%s after %d runs", got, len(runs(s, id, "")))
		}
		close(release)
		s.WaitUntil(func() bool { return runs(s, id, "")[0]["status"] == "succeeded" })
		s.AdvanceAndExpire(26 * time.Hour) // it is decided as of the moment of the call
		s.RunCompletionJobs()
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
		if len(entries) != 1 || text(entries[0]["amount"]) != "3" || text(entries[0]["metadata"]) != `{"code":"x1"}` ||
			state() != "completed: Completed" {
			t.Errorf("%v: %s", entries, state())
		}
		s.Complete(rule, call).OK() // of another day, and the receiver answers at once
		s.Complete(rule, call).Refused(400, apptest.PaidAlready)
	})
}
