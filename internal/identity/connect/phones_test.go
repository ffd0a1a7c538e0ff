package connect_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

type object = apptest.Object

const (
	number      = "+4915112345678"
	otherNumber = "+15555550123"
)

// families are the paths of both families of phone operations, and whether answers have data around them.
var families = []struct {
	send, connect, disconnect string
	isWrapped                 bool
}{
	{"/api/phone_verifications", "/api/phone_verifications/connect", "/api/phone_verifications/disconnect", true},
	{"/api/phone/auth", "/api/phone/auth/connect", "/api/phone/auth/disconnect", false},
}

// eachGateway runs the test on each engine, with a gateway of its own. Rate limits are as by default.
func eachGateway(t *testing.T, f func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		g := apptest.NewSMSGateway(t)
		file := apptest.IdentityFile(t, object{"sms": g.Config()})
		f(t, apptest.OpenAtNoon(t, address, app.Config{Identity: file}), g)
	})
}

// sendCode asks for a code.
func sendCode(s *apptest.Server, wallet, to string) apptest.Response {
	s.T.Helper()
	return s.Post(families[0].send, object{"walletAddress": wallet, "phoneNumber": to})
}

// connectPhone sends a code and returns the error of the answer, "" for success.
func connectPhone(s *apptest.Server, wallet, to, code string) string {
	s.T.Helper()
	out := s.Post(families[0].connect, object{"walletAddress": wallet, "phoneNumber": to, "code": code}).OK()["data"].(object)
	text, _ := out["error"].(string)
	if out["success"] != (text == "") {
		s.T.Errorf("success is %v with error %q", out["success"], text)
	}
	return text
}

// phoneOf returns the number in a user's metadata and whether it is verified.
func phoneOf(s *apptest.Server, wallet string) (any, bool) {
	s.T.Helper()
	users := s.Get("/api/users?walletAddress=" + wallet).Data()
	if len(users) == 0 || len(users[0]["userMetadata"].([]any)) == 0 {
		return nil, false
	}
	m := users[0]["userMetadata"].([]any)[0].(object)
	return m["phoneNumber"], m["phoneVerifiedAt"] != nil
}

// wrong returns a code that is not the given one.
func wrong(code string) string {
	n, _ := strconv.Atoi(code)
	return fmt.Sprintf("%06d", (n+1)%1_000_000)
}

func TestAMemberProvesAPhoneNumberByACode(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		for i, f := range families {
			wallet, to := apptest.Wallet(i), fmt.Sprint("+1555555012", i)
			bare := func(answer object) object {
				if !f.isWrapped {
					return answer
				}
				return answer["data"].(object)
			}
			rule := s.Rule("connected_phone", nil)
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Phone not connected or not verified")
			out := bare(s.Post(f.send, object{"walletAddress": wallet, "phoneNumber": to}).OK())
			user := out["userId"]
			if out["success"] != true || out["message"] != "Verification code sent" || user == nil {
				t.Errorf("%s: %v", f.send, out)
			}
			last := g.Messages(t)[i]
			if last.To != to || !strings.Contains(last.Text, "Acme site") || !strings.Contains(last.Text, "10 minutes") {
				t.Errorf("the gateway got %v", last)
			}
			body := object{"userId": user, "phoneNumber": to, "code": wrong(g.LastCode(t))}
			if out := bare(s.Post(f.connect, body).OK()); out["success"] != false || out["error"] != "INVALID_CODE" {
				t.Errorf("a wrong code: %v", out)
			}
			body["code"] = g.LastCode(t)
			if out := bare(s.Post(f.connect, body).OK()); out["success"] != true || out["error"] != nil {
				t.Errorf("the code: %v", out)
			}
			if stored, verified := phoneOf(s, wallet); stored != to || !verified {
				t.Errorf("stored %v, %v", stored, verified)
			}
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			if out := bare(s.Post(f.connect, body).OK()); out["error"] != "INVALID_CODE" {
				t.Errorf("the code again: %v", out)
			}
			if out := bare(s.Post(f.disconnect, object{"userId": user}).OK()); out["message"] != "Success" {
				t.Errorf("%s: %v", f.disconnect, out)
			}
			if stored, verified := phoneOf(s, wallet); stored != nil || verified {
				t.Errorf("after disconnecting: %v, %v", stored, verified)
			}
			s.Post(f.disconnect, object{"userId": user}).OK()
		}
	})
}

func TestACodeIsTriedFiveTimesAndForTenMinutes(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		sendCode(s, apptest.Alice, number).OK()
		code := g.LastCode(t)
		if got := connectPhone(s, apptest.Alice, otherNumber, code); got != "INVALID_CODE" {
			t.Errorf("for another number: %q", got)
		}
		if got := connectPhone(s, apptest.Bob, number, code); got != "INVALID_CODE" {
			t.Errorf("for another user: %q", got)
		}
		for range 4 {
			if got := connectPhone(s, apptest.Alice, number, wrong(code)); got != "INVALID_CODE" {
				t.Errorf("a wrong code: %q", got)
			}
		}
		for range 2 {
			if got := connectPhone(s, apptest.Alice, number, code); got != "TOO_MANY_ATTEMPTS" {
				t.Errorf("the sixth try, with the right code: %q", got)
			}
		}
		s.Clock.Advance(31 * time.Second)
		sendCode(s, apptest.Alice, number).OK()
		if got := connectPhone(s, apptest.Alice, number, code); got != "INVALID_CODE" && code != g.LastCode(t) {
			t.Errorf("the code before: %q", got)
		}
		s.Clock.Advance(10 * time.Minute)
		if got := connectPhone(s, apptest.Alice, number, g.LastCode(t)); got != "CODE_EXPIRED" {
			t.Errorf("after ten minutes: %q", got)
		}
		sendCode(s, apptest.Alice, number).OK()
		s.Clock.Advance(10*time.Minute - time.Second)
		if got := connectPhone(s, apptest.Alice, number, g.LastCode(t)); got != "" {
			t.Errorf("just before: %q", got)
		}
	})
}

func TestNumbersAreInE164Format(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		for _, f := range families {
			for _, bad := range []string{"015112345678", "4915112345678", "+0151", "+49 151 12345678", "+1234567890123456", "", "+49x"} {
				for path, body := range map[string]object{f.send: {}, f.connect: {"code": "123456"}} {
					body["walletAddress"], body["phoneNumber"] = apptest.Alice, bad
					s.Post(path, body).Refused(400, "phoneNumber must be in E.164 format")
				}
			}
			s.Post(f.send, object{"walletAddress": apptest.Alice}).Refused(400, "phoneNumber is required")
			s.Post(f.send, object{"phoneNumber": number}).Refused(400, "userId or walletAddress is required")
			s.Post(f.connect, object{"walletAddress": apptest.Alice, "phoneNumber": number}).Refused(400, "code is required")
			s.Post(f.connect, object{"walletAddress": apptest.Alice, "phoneNumber": number, "code": "123"}).
				Refused(400, "code must be at least 4 characters")
		}
		if n := len(g.Messages(t)); n != 0 {
			t.Errorf("%d messages", n)
		}
		if n := len(s.Get("/api/users").Data()); n != 0 {
			t.Errorf("%d users were made", n)
		}
	})
}

func TestCodesAreSentEvery30SecondsAndFiveTimesAnHour(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		limited := func(what string, a apptest.Response, retryAfter string) {
			t.Helper()
			if a.Status != http.StatusTooManyRequests || a.Header.Get("Retry-After") != retryAfter {
				t.Errorf("%s: %d %s, Retry-After %s", what, a.Status, a.Body, a.Header.Get("Retry-After"))
			}
		}
		sendCode(s, apptest.Alice, number).OK()
		limited("the same number", sendCode(s, apptest.Bob, number), "30")
		limited("the same user", sendCode(s, apptest.Alice, otherNumber), "30")
		s.Clock.Advance(29 * time.Second)
		limited("a second before", sendCode(s, apptest.Alice, number), "1")
		s.Clock.Advance(time.Second)
		for range 4 {
			sendCode(s, apptest.Alice, number).OK()
			s.Clock.Advance(time.Minute)
		}
		limited("the sixth in an hour", sendCode(s, apptest.Alice, number), "3330")
		limited("the sixth to the number", sendCode(s, apptest.Bob, number), "3330")
		limited("the sixth to the user", sendCode(s, apptest.Alice, otherNumber), "3330")
		sendCode(s, apptest.Bob, otherNumber).OK()
		s.Clock.Advance(3330 * time.Second)
		sendCode(s, apptest.Alice, number).OK()
		if n := len(g.Messages(t)); n != 7 {
			t.Errorf("%d messages", n)
		}
		other := s.NewProgram("Rival") // its members and limits are its own
		s.Call(other.WebsiteAPIKey, "POST", families[0].send, object{"walletAddress": apptest.Alice, "phoneNumber": number}).OK()
	})
}

func TestLimitsAndAttemptsHoldAcrossNodes(t *testing.T) {
	t.Parallel()
	g := apptest.NewSMSGateway(t)
	file := apptest.IdentityFile(t, object{"sms": g.Config()})
	nodes, _ := apptest.NodesWith(t, app.Config{Identity: file})
	answers := apptest.CallConcurrently(8, func(i int) apptest.Response {
		return sendCode(nodes[i%2], apptest.Alice, number)
	})
	sent := 0
	for _, a := range answers {
		if a.Status == 200 {
			sent++
		} else if a.Status != http.StatusTooManyRequests {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	if sent != 1 || len(g.Messages(t)) != 1 {
		t.Errorf("%d were sent, the gateway got %d", sent, len(g.Messages(t)))
	}
	var mu sync.Mutex
	outcomes := map[string]int{}
	code := g.LastCode(t)
	apptest.CallConcurrently(12, func(i int) apptest.Response {
		got := connectPhone(nodes[i%2], apptest.Alice, number, wrong(code))
		mu.Lock()
		defer mu.Unlock()
		outcomes[got]++
		return apptest.Response{}
	})
	if outcomes["INVALID_CODE"] != 5 || outcomes["TOO_MANY_ATTEMPTS"] != 7 {
		t.Errorf("%v", outcomes)
	}
	for range 3 { // a code of the other node counts once, however often it comes at the same moment
		nodes[0].Clock.Advance(time.Minute)
		sendCode(nodes[0], apptest.Alice, number).OK()
		outcomes, code = map[string]int{}, g.LastCode(t)
		apptest.CallConcurrently(8, func(i int) apptest.Response {
			got := connectPhone(nodes[1-i%2], apptest.Alice, number, code)
			mu.Lock()
			defer mu.Unlock()
			outcomes[got]++
			return apptest.Response{}
		})
		if outcomes[""] != 1 || outcomes["INVALID_CODE"] != 7 {
			t.Errorf("a right code: %v", outcomes)
		}
	}
}

func TestACodeOutlivesARestart(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		g := apptest.NewSMSGateway(t)
		config := app.Config{Identity: apptest.IdentityFile(t, object{"sms": g.Config()}), DataDir: t.TempDir()}
		s := apptest.OpenAtNoon(t, address, config)
		sendCode(s, apptest.Alice, number).OK()
		s.HTTP.Close()
		if err := s.App.Close(); err != nil {
			t.Fatal(err)
		}
		again := apptest.OpenAtNoon(t, address, config)
		again.Program = s.Program
		if got := connectPhone(again, apptest.Alice, number, wrong(g.LastCode(t))); got != "INVALID_CODE" {
			t.Errorf("a wrong code: %q", got)
		}
		if got := connectPhone(again, apptest.Alice, number, g.LastCode(t)); got != "" {
			t.Errorf("the code: %q", got)
		}
	})
}

func TestWhenTheGatewayFails(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		tries := 0
		for i, c := range []struct {
			status  int
			message string
		}{
			{500, "Provider failed"}, {429, "Provider is rate limited, please try again later"},
			{400, "Provider did not accept the message"}, {302, "Provider did not accept the message"},
			{-1, "Provider broke off the connection"},
		} {
			g.Say = func(apptest.SMS) int {
				tries++
				return c.status
			}
			tries = 0
			a := s.Post(families[0].send, object{"walletAddress": apptest.Wallet(i), "phoneNumber": number})
			if a.Status != 503 || a.JSON()["message"] != c.message || a.Header.Get("Retry-After") == "" || tries != 1 {
				t.Errorf("%d: %d %s after %d tries", c.status, a.Status, a.Body, tries)
			}
			if again := sendCode(s, apptest.Wallet(i), otherNumber); again.Status != http.StatusTooManyRequests {
				t.Errorf("%d: it may have arrived, so it counts: %d", c.status, again.Status)
			}
			s.Clock.Advance(time.Minute)
		}
		g.Say = nil
		g.Close()
		for range 2 {
			a := sendCode(s, apptest.Carol, otherNumber)
			if a.Status != 503 || a.JSON()["message"] != "Provider could not be reached" {
				t.Errorf("nobody listens: %d %s", a.Status, a.Body) // and it does not count: the second is no 429
			}
		}
	})
}

func TestWithoutAGatewayPhoneIsNotConfigured(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, s *apptest.Server) {
		for _, f := range families {
			s.Post(f.send, object{"walletAddress": apptest.Alice, "phoneNumber": number}).Refused(400, "Phone is not configured")
		}
		if got := connectPhone(s, apptest.Alice, number, "123456"); got != "INVALID_CODE" {
			t.Errorf("%q", got)
		}
	})
}

func TestANumberBelongsToOneMember(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		sendCode(s, apptest.Alice, number).OK()
		if got := connectPhone(s, apptest.Alice, number, g.LastCode(t)); got != "" {
			t.Fatal(got)
		}
		s.Clock.Advance(time.Minute)
		sendCode(s, apptest.Bob, number).OK()
		headers := []string{"Idempotency-Key", "k1"}
		body := object{"walletAddress": apptest.Bob, "phoneNumber": number, "code": g.LastCode(t)}
		first := s.Call(s.WebsiteAPIKey, "POST", families[0].connect, body, headers...).OK()["data"].(object)
		if first["success"] != false || first["error"] != "MAXIMUM_ACCOUNT_LINKED" || first["accountLinkData"] == nil {
			t.Fatalf("%v", first)
		}
		again := s.Call(s.WebsiteAPIKey, "POST", families[0].connect, body, headers...)
		if again.Header.Get("Idempotent-Replayed") != "true" || strings.Contains(again.Body, first["accountLinkData"].(string)) {
			t.Errorf("the replay: %s", again.Body)
		}
		if stored, _ := phoneOf(s, apptest.Bob); stored != nil {
			t.Errorf("bob has %v", stored)
		}
		if stored, verified := phoneOf(s, apptest.Alice); stored != number || !verified {
			t.Errorf("alice has %v, %v", stored, verified)
		}
	})
}

func TestClientKeysActForTheMemberOfTheirToken(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		alice, bob := s.User(apptest.Alice, nil), s.User(apptest.Bob, nil)
		token := s.MemberTokenHeaders(alice)
		call := func(path string, body object, headers ...string) apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", path, body, headers...)
		}
		for _, f := range families {
			for path, body := range map[string]object{
				f.send: {"phoneNumber": number}, f.connect: {"phoneNumber": number, "code": "123456"}, f.disconnect: {},
			} {
				call(path, body).Refused(403, "Member token is required")
				body["userId"] = bob
				call(path, body, token...).Refused(403, "Member token does not belong to this user")
				s.Call(s.ReadOnlyAPIKey, "POST", path, body).Refused(403, "API key is read-only")
			}
		}
		if out := call(families[0].send, object{"phoneNumber": number}, token...).OK()["data"].(object); out["userId"] != alice {
			t.Errorf("the token alone names the user: %v", out)
		}
		call(families[0].connect, object{"userId": alice, "phoneNumber": number, "code": g.LastCode(t)}, token...).OK()
		if stored, verified := phoneOf(s, apptest.Alice); stored != number || !verified {
			t.Errorf("alice has %v, %v", stored, verified)
		}
	})
}

func TestADisconnectedNumberTakesItsBadgesAlong(t *testing.T) {
	t.Parallel()
	eachGateway(t, func(t *testing.T, s *apptest.Server, g *apptest.SMSGateway) {
		badge := func(name string) string {
			return s.Post("/api/loyalty/badges", object{
				"name": name, "imageUrl": "https://files.example/c.png", "conditions": []any{object{"type": "api"}},
				"rewards": []any{object{"rewardType": "multiplier", "multiplier": 2}},
			}).OK()["id"].(string)
		}
		lasting, dynamic, other := badge("Lasting"), badge("Dynamic"), badge("Other")
		rules := []string{
			s.Rule("connected_phone", object{"rewardType": "badge", "loyaltyBadgeId": lasting}),
			s.Rule("connected_phone", object{"rewardType": "badge", "loyaltyBadgeId": dynamic, "rewardLifetime": "dynamic"}),
			s.Rule("check_in", object{"rewardType": "badge", "loyaltyBadgeId": other}),
		}
		prove := func() {
			t.Helper()
			s.Clock.Advance(time.Minute)
			sendCode(s, apptest.Alice, number).OK()
			if got := connectPhone(s, apptest.Alice, number, g.LastCode(t)); got != "" {
				t.Fatal(got)
			}
		}
		is := func(when string, want ...string) {
			t.Helper()
			for i, id := range []string{lasting, dynamic, other} {
				if got := s.Get("/api/loyalty/badge_users?loyaltyBadgeId=" + id).Data()[0]["status"]; got != want[i] {
					t.Errorf("%s: badge %d is %v, want %s", when, i, got, want[i])
				}
			}
		}
		prove()
		for _, rule := range rules {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		is("earned", "active", "active", "active")
		s.Post(families[0].disconnect, object{"walletAddress": apptest.Alice}).OK()
		is("disconnected", "revoked", "inactive", "active")
		if held := s.MultiplierValues(apptest.Alice); len(held) != 1 {
			t.Errorf("multipliers %v", held)
		}
		prove()
		s.CheckDynamicRewards(25 * time.Hour)
		is("connected again", "revoked", "active", "active")
		s.Sound()
	})
}

// syncBuffer is a log that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestCodesReachNeitherTheLogNorTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		g, log := apptest.NewSMSGateway(t), &syncBuffer{}
		s := apptest.OpenAtNoon(t, address, app.Config{
			Identity: apptest.IdentityFile(t, object{"sms": g.Config()}),
			Logger:   slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		var codes []string
		for i, status := range []int{0, 500, 400, -1} {
			g.Say = func(m apptest.SMS) int {
				for _, word := range strings.Fields(m.Text) {
					if len(word) == 6 && strings.Trim(word, "0123456789") == "" {
						codes = append(codes, word)
					}
				}
				return status
			}
			s.Call(s.WebsiteAPIKey, "POST", families[0].send,
				object{"walletAddress": apptest.Wallet(i), "phoneNumber": fmt.Sprint("+1555555012", i)}, "Idempotency-Key", fmt.Sprint("s", i))
		}
		s.Call(s.WebsiteAPIKey, "POST", families[0].connect,
			object{"walletAddress": apptest.Wallet(0), "phoneNumber": "+15555550120", "code": codes[0]}, "Idempotency-Key", "c").OK()
		if len(codes) != 4 || !strings.Contains(log.String(), "sms gateway: answered with status 500") {
			t.Fatalf("%d codes, the log:\n%s", len(codes), log)
		}
		stored := apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		for _, code := range codes {
			if strings.Contains(log.String(), code) {
				t.Errorf("the log has a code:\n%s", log)
			}
			for table, column := range map[string]string{"phone_codes": "code_hash", "request_keys": "answer"} {
				var n int
				if err := stored.Get(context.Background(), &n, "SELECT COUNT(*) FROM "+table+" WHERE "+column+" LIKE ?", "%"+code+"%"); err != nil || n > 0 {
					t.Errorf("%s has a code: %d, %v", table, n, err)
				}
			}
		}
		if strings.Contains(log.String(), "sms-s3cret") {
			t.Errorf("the log has the gateway's secret:\n%s", log)
		}
	})
}
