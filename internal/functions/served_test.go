package functions_test

import (
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

const notConfigured = "Error: Transactions are not configured"

// TestThePayoutDriverServesOrganizationsThatTheOperatorNames: by default none.
func TestThePayoutDriverServesOrganizationsThatTheOperatorNames(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r := apptest.NewRelayer(t)
		file := func(functions string) app.Config {
			return app.Config{NoRateLimits: true, Dev: true, Payouts: apptest.WriteConfig(t, `{"url":"`+r.URL+`"`+functions+`}`)}
		}
		s := apptest.OpenAtNoon(t, address, file(""))
		other := s.NewProgram("Other")
		adds := `output.addTransaction({to: "0xserved", chainId: 1}); output.setResult(1)`
		id := deploy(s, adds, nil)
		foreign := s.Call(other.WebsiteAPIKey, "POST", path, object{"name": "f", "code": handler(adds)}).OK()["id"].(string)
		catches := deploy(s, `try { output.addTransaction({to: "0xserved", chainId: 1}) } catch (e) { output.setResult(e.message) }`, nil)
		// with restarts the operator names nobody, somebody, everybody, and nobody again while a transaction waits
		restarts := func(c app.Config) *apptest.Server {
			c.Now = s.Clock.Now
			next := apptest.Open(t, address, c)
			next.Program, next.Clock = s.Program, s.Clock
			return next
		}
		fails := func(s *apptest.Server, key, id string, want any) {
			t.Helper()
			run := s.Call(key, "POST", path+"/"+id+"/invoke", nil).OK()["data"].(object)
			if run["error"] != want {
				t.Errorf("%v, want %v", run["error"], want)
			}
		}
		fails(s, s.WebsiteAPIKey, id, notConfigured)
		fails(s, s.FunctionAPIKey, id, notConfigured)
		if run := invoke(s, catches, nil); run["output"] != "Transactions are not configured" {
			t.Errorf("%v", run)
		}
		rule := s.Rule("stratus_function", object{"functionId": id})
		s.Complete(rule, object{"walletAddress": "a"}).Refused(400, "Invalid Verification, try again")
		s.Complete(rule, object{"walletAddress": "a", "verifyOnly": true}).Refused(400, "Invalid Verification, try again")
		empty := restarts(file(`,"functions":{"organizations":[]}`))
		fails(empty, s.WebsiteAPIKey, id, notConfigured)
		named := restarts(file(`,"functions":{"organizations":["` + s.OrganizationID.String() + `"]}`))
		fails(named, s.WebsiteAPIKey, id, nil)
		fails(named, other.WebsiteAPIKey, foreign, notConfigured)
		sent(named, r, "0xserved", 1)
		all := restarts(file(`,"functions":{"organizations":"*"}`))
		fails(all, other.WebsiteAPIKey, foreign, nil)
		sent(restarts(file("")), r, "0xserved", 1) // it was owed, and the operator serves nobody any more
		sent(all, r, "0xserved", 1)
	})
}

func TestTheFileOfThePayoutDriverIsRead(t *testing.T) {
	t.Parallel()
	for functions, refused := range map[string]bool{
		`{"organizations":"*"}`: false, `{"organizations":[]}`: false, `{"organizations":["` + apptest.UnknownID + `"]}`: false,
		`{}`: true, `null`: true, `"*"`: true, `{"organizations":"all"}`: true, `{"organizations":["x"]}`: true,
		`{"organizations":null}`: true, `{"organisations":"*"}`: true, `{"organizations":"*","websites":"*"}`: true, `7`: true,
	} {
		c := app.Config{
			Database: "sqlite:" + t.TempDir() + "/l.db",
			Payouts:  apptest.WriteConfig(t, `{"url":"https://driver.example.com","functions":`+functions+`}`),
		}
		err := c.Check()
		if (err != nil) != refused {
			t.Errorf("%s: %v", functions, err)
		}
	}
}
