package connect_test

import (
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

const (
	emailPath  = "/api/email/auth"
	anna       = "Anna@Mail.example"
	returnPage = "https://shop.example/account?tab=mail"
)

// eachMailServer runs the test on each engine, with an SMTP server of its own. Rate limits are as by default.
func eachMailServer(t *testing.T, f func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r := apptest.NewMailReceiver(t, apptest.MailOptions{})
		file := apptest.IdentityFile(t, object{"email": r.Config()})
		f(t, apptest.OpenAtNoon(t, address, app.Config{Identity: file, PublicURL: "https://loyalty.example/laurel"}), r)
	})
}

// askForLink asks for a link, as JSON.
func askForLink(s *apptest.Server, wallet, address string, parameters ...string) apptest.Response {
	s.T.Helper()
	return s.Get(emailPath + "?" + emailQuery(wallet, address, parameters...))
}

func emailQuery(wallet, address string, parameters ...string) string {
	q := url.Values{"responseType": {"json"}, "emailAddress": {address}}
	if wallet != "" {
		q.Set("walletAddress", wallet)
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		q.Set(parameters[i], parameters[i+1])
	}
	return q.Encode()
}

// browse sends what a browser sends: without a key, and without following redirects.
func browse(s *apptest.Server, method, path, form string) apptest.Response {
	s.T.Helper()
	headers := []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"}
	return s.Send(method, path, strings.NewReader(form), headers...)
}

// pathOf returns the path of a link below the address of the service.
func pathOf(t *testing.T, link string) string {
	t.Helper()
	path, ok := strings.CutPrefix(link, "https://loyalty.example/laurel")
	if !ok {
		t.Fatalf("the link is %s", link)
	}
	return path
}

var hiddenToken = regexp.MustCompile(`name="token" value="([^"]+)"`)

// confirm opens a link and presses its button.
func confirm(t *testing.T, s *apptest.Server, link string) apptest.Response {
	t.Helper()
	page := browse(s, http.MethodGet, pathOf(t, link), "")
	token := hiddenToken.FindStringSubmatch(page.Body)
	if page.Status != 200 || token == nil {
		t.Fatalf("%d %s", page.Status, page.Body)
	}
	return browse(s, http.MethodPost, emailPath+"/callback", url.Values{"token": {html.UnescapeString(token[1])}}.Encode())
}

// emailOf returns the address in a user's metadata and whether it is verified.
func emailOf(s *apptest.Server, wallet string) (any, bool) {
	s.T.Helper()
	users := s.Get("/api/users?walletAddress=" + wallet).Data()
	if len(users) == 0 || len(users[0]["userMetadata"].([]any)) == 0 {
		return nil, false
	}
	m := users[0]["userMetadata"].([]any)[0].(object)
	return m["emailAddress"], m["emailVerifiedAt"] != nil
}

func TestAMemberProvesAnAddressByALink(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		rule := s.Rule("connected_email", nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "Email not connected or not verified")
		out := askForLink(s, apptest.Alice, anna, "redirect", returnPage).OK()
		if out["url"] != returnPage {
			t.Errorf("answered %v", out)
		}
		mail := r.Mails()[0]
		if mail.To != anna || mail.From != "no-reply@acme.example" || !strings.Contains(mail.Header.Get("Subject"), "Acme site") ||
			!strings.Contains(mail.Text, "60 minutes") {
			t.Errorf("%+v", mail)
		}
		link := r.LastLink(t)
		for range 3 { // programs that scan mails open the link
			page := browse(s, http.MethodGet, pathOf(t, link), "")
			policy := page.Header.Get("Content-Security-Policy")
			if page.Status != 200 || !strings.Contains(page.Body, anna) || !strings.Contains(page.Body, "Acme site") ||
				strings.Count(page.Body, "<button") != 1 || !strings.Contains(policy, "default-src 'none'") ||
				!strings.Contains(policy, "frame-ancestors 'none'") || page.Header.Get("Referrer-Policy") != "no-referrer" {
				t.Fatalf("%d %v %s", page.Status, page.Header, page.Body)
			}
		}
		if stored, _ := emailOf(s, apptest.Alice); stored != nil {
			t.Errorf("before the button: %v", stored)
		}
		end := confirm(t, s, link)
		if end.Status != 302 || end.Header.Get("Location") != returnPage+"&status=success&authType=email" {
			t.Errorf("%d to %s", end.Status, end.Header.Get("Location"))
		}
		if stored, verified := emailOf(s, apptest.Alice); stored != anna || !verified {
			t.Errorf("stored %v, %v", stored, verified)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		again := browse(s, http.MethodPost, emailPath+"/callback", "token="+link[strings.Index(link, "=")+1:])
		if to := again.Header.Get("Location"); again.Status != 302 || !strings.HasPrefix(to, returnPage+"&status=error&error=INVALID_STATE&message=") {
			t.Errorf("the link again: %d to %s", again.Status, to)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", emailPath, object{"walletAddress": apptest.Alice}).OK()
		if stored, verified := emailOf(s, apptest.Alice); stored != nil || verified {
			t.Errorf("after disconnecting: %v, %v", stored, verified)
		}
	})
}

func TestALinkIsGoodForAnHour(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		askForLink(s, apptest.Alice, anna, "redirect", returnPage).OK()
		link := r.LastLink(t)
		token := "token=" + link[strings.Index(link, "=")+1:]
		s.Clock.Advance(time.Hour)
		if page := browse(s, http.MethodGet, pathOf(t, link), ""); strings.Contains(page.Body, "<button") ||
			!strings.Contains(page.Body, "CODE_EXPIRED") {
			t.Errorf("the page: %s", page.Body)
		}
		end := browse(s, http.MethodPost, emailPath+"/callback", token)
		if to := end.Header.Get("Location"); !strings.HasPrefix(to, returnPage+"&status=error&error=CODE_EXPIRED&message=") {
			t.Errorf("%d to %s", end.Status, to)
		}
		for _, form := range []string{"", "token=", "token=x", token + "x", "%%%", strings.Repeat("a", 10_000)} {
			if got := browse(s, http.MethodPost, emailPath+"/callback", form); got.Header.Get("Location") != "" ||
				!strings.Contains(got.Body, "INVALID_STATE") {
				t.Errorf("%.20q: %d %s", form, got.Status, got.Body)
			}
		}
		if stored, _ := emailOf(s, apptest.Alice); stored != nil {
			t.Errorf("stored %v", stored)
		}
	})
}

func TestAnAddressBelongsToOneMember(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		askForLink(s, apptest.Alice, anna, "redirect", returnPage).OK()
		confirm(t, s, r.LastLink(t))
		s.Clock.Advance(time.Minute)
		askForLink(s, apptest.Bob, strings.ToLower(anna), "redirect", returnPage).OK()
		end := confirm(t, s, r.LastLink(t))
		to, _ := url.Parse(end.Header.Get("Location"))
		q := to.Query()
		if q.Get("status") != "error" || q.Get("error") != "MAXIMUM_ACCOUNT_LINKED" || q.Get("accountLinkData") == "" ||
			q.Get("tab") != "mail" {
			t.Fatalf("%s", to)
		}
		s.Post("/api/users/verify", object{"accountLinkData": q.Get("accountLinkData"), "walletAddress": apptest.Bob}).OK()
		lower := strings.ToLower(anna) // as addresses are stored
		if stored, verified := emailOf(s, apptest.Bob); stored != lower || !verified {
			t.Errorf("bob has %v, %v", stored, verified)
		}
		if stored, _ := emailOf(s, apptest.Alice); stored != nil {
			t.Errorf("alice has %v", stored)
		}
	})
}

func TestLinksAreSentEvery30SecondsAndFiveTimesAnHour(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		askForLink(s, apptest.Alice, anna).OK()
		for _, c := range [][2]string{{apptest.Alice, "other@mail.example"}, {apptest.Bob, strings.ToUpper(anna)}} {
			if a := askForLink(s, c[0], c[1]); a.Status != 429 || a.Header.Get("Retry-After") != "30" {
				t.Errorf("%v: %d, Retry-After %s", c, a.Status, a.Header.Get("Retry-After"))
			}
		}
		for range 4 {
			s.Clock.Advance(time.Minute)
			askForLink(s, apptest.Alice, anna).OK()
		}
		s.Clock.Advance(time.Minute)
		if a := askForLink(s, apptest.Alice, anna); a.Status != 429 || a.Header.Get("Retry-After") != "3300" {
			t.Errorf("the sixth: %d, Retry-After %s", a.Status, a.Header.Get("Retry-After"))
		}
		if n := len(r.Mails()); n != 5 {
			t.Errorf("%d mails", n)
		}
	})
}

func TestWhereABrowserGoesWithALink(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		ask := func(key, wallet string, headers []string, parameters ...string) apptest.Response {
			t.Helper()
			s.Clock.Advance(time.Minute)
			return s.Call(key, "GET", emailPath+"?"+emailQuery(wallet, wallet[:6]+"@mail.example", parameters...), nil, headers...)
		}
		bare := ask(s.WebsiteAPIKey, apptest.Wallet(1), nil, "responseType", "redirect")
		pending := "https://loyalty.example/laurel/api/email/auth/callback?status=pending"
		if bare.Status != 302 || bare.Header.Get("Location") != pending {
			t.Errorf("without a redirect: %d to %s", bare.Status, bare.Header.Get("Location"))
		}
		if page := browse(s, http.MethodGet, pathOf(t, pending), ""); !strings.Contains(page.Body, "Check your inbox") {
			t.Errorf("%s", page.Body)
		}
		if end := confirm(t, s, r.LastLink(t)); end.Status != 200 || !strings.Contains(end.Body, "connected") {
			t.Errorf("%d %s", end.Status, end.Body)
		}
		s.Post("/api/websites/"+s.WebsiteID.String(), object{"homeUrl": "https://acme.example/home"}).OK()
		home := ask(s.WebsiteAPIKey, apptest.Wallet(2), nil, "responseType", "redirect")
		if home.Header.Get("Location") != "https://acme.example/home?status=pending" {
			t.Errorf("the home page: %s", home.Header.Get("Location"))
		}
		if app := ask(s.WebsiteAPIKey, apptest.Wallet(3), nil, "redirect", "acmeapp://done").OK(); app["url"] != "acmeapp://done" {
			t.Errorf("an app: %v", app)
		}
		user := s.User(apptest.Wallet(4), nil)
		token := s.MemberTokenHeaders(user)
		ask(s.ClientAPIKey, apptest.Wallet(4), token, "redirect", "https://evil.example/").Refused(400, "redirect is not allowed")
		ask(s.ClientAPIKey, apptest.Wallet(4), token, "redirect", "https://acme.example/elsewhere").OK()
		ask(s.ClientAPIKey, apptest.Wallet(4), nil).Refused(403, "Member token is required")
		ask(s.ClientAPIKey, apptest.Wallet(5), token).Refused(403, "Member token does not belong to this user")
		ask(s.WebsiteAPIKey, apptest.Wallet(4), nil, "redirect", "javascript:alert(1)").Refused(400, "redirect must be a valid url")
		s.Call(s.ReadOnlyAPIKey, "GET", emailPath+"?"+emailQuery(apptest.Wallet(4), anna), nil).
			Refused(403, "API key is not allowed to perform this operation")
	})
}

func TestWhenAMailIsNotSent(t *testing.T) {
	t.Parallel()
	eachMailServer(t, func(t *testing.T, s *apptest.Server, r *apptest.MailReceiver) {
		for _, bad := range []string{"anna", "anna@", "Anna <anna@mail.example>", "a@b.example, c@d.example", "a@b.example\r\nBcc: x@y.example"} {
			askForLink(s, apptest.Alice, bad).Refused(400, "emailAddress must be an e-mail address")
		}
		askForLink(s, apptest.Alice, "").Refused(400, "emailAddress is required")
		askForLink(s, "", anna).Refused(400, "userId or walletAddress is required")
		r.Refuse = func(string) error { return &smtp.SMTPError{Code: 550, Message: "no"} }
		if a := askForLink(s, apptest.Alice, anna); a.Status != 503 || a.JSON()["message"] != "Provider did not accept the message" {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		r.Close()
		for range 2 { // what certainly was not sent does not count
			if a := askForLink(s, apptest.Bob, "bob@mail.example"); a.Status != 503 || a.JSON()["message"] != "Provider could not be reached" {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
	})
	apptest.EachWith(t, app.Config{}, func(_ *testing.T, s *apptest.Server) {
		askForLink(s, apptest.Alice, anna).Refused(400, "Email is not configured")
	})
}

func TestLinksReachNeitherTheLogNorTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r, log := apptest.NewMailReceiver(t, apptest.MailOptions{}), &syncBuffer{}
		s := apptest.OpenAtNoon(t, address, app.Config{
			Identity: apptest.IdentityFile(t, object{"email": r.Config()}), PublicURL: "https://loyalty.example/laurel",
			Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		askForLink(s, apptest.Alice, anna, "redirect", returnPage).OK()
		link := r.LastLink(t)
		token := link[strings.Index(link, "=")+1:]
		confirm(t, s, link)
		r.Refuse = func(to string) error { return &smtp.SMTPError{Code: 550, Message: "unknown: " + to} }
		if a := askForLink(s, apptest.Bob, "bob@mail.example"); a.Status != 503 {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		db := apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		if n := db.Count("email_links WHERE token_hash LIKE '%" + token + "%'"); n > 0 || db.Count("email_links") != 2 {
			t.Errorf("the database has the token %d times", n)
		}
		for _, secret := range []string{token, "bob@mail.example"} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("the log has %s:\n%s", secret, log)
			}
		}
		if !strings.Contains(log.String(), "smtp: ") {
			t.Errorf("the log does not tell why:\n%s", log)
		}
	})
}
