package admins_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
)

// house is the service on a database, with one organization and a clock that tests move.
type house struct {
	*admins.Service
	*testing.T
	db           *store.DB
	organization laurel.ID
	website      laurel.ID
	now          time.Time
}

const password = "a long enough password"

func each(t *testing.T, f func(h *house)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		h := &house{T: t, now: time.Now().UTC().Truncate(time.Microsecond)}
		db := storetest.Open(t, address, func() time.Time { return h.now })
		h.db = db
		v, err := vault.New(db.Random, []byte("a key that is long enough for it"))
		h.must(err)
		people := identity.New(db, v, identity.Options{})
		sites := tenancy.New(tenancy.Config{DB: db, Users: people})
		h.Service = admins.New(admins.Config{DB: db, Tenancy: sites, Users: people, Vault: v})
		h.organization, h.website = h.newOrganization("Acme")
		f(h)
	})
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// refused demands a refusal with a part of its text.
func (h *house) refused(err error, part string) {
	h.Helper()
	var refused *laurel.Error
	if errors.As(err, &refused) {
		for _, f := range refused.Faults {
			if strings.Contains(f.Message, part) {
				return
			}
		}
	}
	if err == nil || !strings.Contains(err.Error(), part) {
		h.Fatalf("got %v, want %q", err, part)
	}
}

func (h *house) newOrganization(name string) (organization, website laurel.ID) {
	h.Helper()
	o, err := h.Tenancy.CreateOrganization(h.Context(), nil, name)
	h.must(err)
	scope := laurel.Scope{OrganizationID: o.ID, Role: laurel.RoleOrganization}
	w, err := h.Tenancy.CreateWebsite(h.Context(), scope, tenancy.CreateWebsiteInput{Name: name})
	h.must(err)
	return o.ID, w.ID
}

func (h *house) link(l admins.Link) string {
	h.Helper()
	token, _, err := h.NewLink(h.Context(), l)
	h.must(err)
	return token
}

// join makes an account by an invitation with a role on the whole organization.
func (h *house) join(email string, role laurel.Role) admins.Admin {
	h.Helper()
	token := h.link(admins.Link{Kind: admins.InviteLink, OrganizationID: h.organization, Role: role, Email: email})
	a, err := h.JoinByLink(h.Context(), token, admins.Account{Email: email, Password: password})
	h.must(err)
	return a
}

// second signs an admin in with the password and a second factor.
func (h *house) second(a admins.Admin, code string) error {
	h.Helper()
	in, err := h.SignIn(h.Context(), a.Email, password, admins.Caller{})
	h.must(err)
	_, err = h.CompleteSignIn(h.Context(), h.PendingSignIn(in), code)
	return err
}

func (h *house) membership(a admins.Admin) admins.Membership {
	h.Helper()
	list, err := h.Memberships(h.Context(), a.ID)
	h.must(err)
	if len(list) != 1 {
		h.Fatalf("memberships: %v", list)
	}
	return list[0]
}

func TestOfTwoWhoSetUpOneDoes(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		if some, err := h.HasAdmins(h.Context()); some || err != nil {
			h.Fatal(some, err)
		}
		tokens := []string{h.link(admins.Link{Kind: admins.SetupLink}), h.link(admins.Link{Kind: admins.SetupLink})}
		joined := make(chan error, len(tokens))
		for i, token := range tokens {
			go func() {
				account := admins.Account{Email: "Owner" + string(rune('a'+i)) + "@Acme.example ", Password: password}
				_, err := h.JoinByLink(context.Background(), token, account)
				joined <- err
			}()
		}
		failed := 0
		for range tokens {
			if err := <-joined; err != nil {
				failed++
				h.refused(err, "already used")
			}
		}
		if some, err := h.HasAdmins(h.Context()); failed != 1 || !some || err != nil {
			h.Errorf("%d of two failed: %v, %v", failed, some, err)
		}
	})
}

func TestALinkIsGoodOnceAndForATime(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		invitation := admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, Role: tenancy.RoleViewer, Email: "a@acme.example",
		}
		account := admins.Account{Email: "a@acme.example", Password: password}
		token := h.link(invitation)
		_, err := h.JoinByLink(h.Context(), token, admins.Account{Email: "nobody", Password: "short"})
		h.refused(err, "email must be an email address")
		h.refused(err, "password must be between 10 and 200 characters")
		_, err = h.JoinByLink(h.Context(), token, account) // what was refused has used nothing
		h.must(err)
		_, err = h.JoinByLink(h.Context(), token, admins.Account{Email: "b@acme.example", Password: password})
		h.refused(err, "already used")
		_, err = h.FindLink(h.Context(), token)
		h.refused(err, "already used")
		_, err = h.FindLink(h.Context(), "nonsense")
		h.refused(err, "already used")

		token = h.link(invitation)
		_, err = h.JoinByLink(h.Context(), token, account)
		h.refused(err, "An account with this e-mail address already exists")
		_, err = h.ResetPassword(h.Context(), token, password)
		h.refused(err, "already used") // of another kind
		h.now = h.now.Add(7*24*time.Hour + time.Second)
		_, err = h.FindLink(h.Context(), token)
		h.refused(err, "has expired")
		h.must(h.DeleteExpired(h.Context()))

		invitation.Email = "C@acme.example"
		token = h.link(invitation)
		_, err = h.JoinByLink(h.Context(), token, admins.Account{Email: "d@acme.example", Password: password})
		h.refused(err, "another e-mail address")
		_, err = h.JoinByLink(h.Context(), token, admins.Account{Email: "c@acme.example", Password: password})
		h.must(err)
	})
}

func TestRolesAreOfTheOrganizationOrOfWebsites(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		owner, viewer := h.join("o@acme.example", tenancy.RoleSuperAdmin), h.join("v@acme.example", tenancy.RoleViewer)
		if m := h.membership(owner); m.RoleOn(h.website) != tenancy.RoleSuperAdmin || m.Scope(h.website).Role != laurel.RoleOrganization {
			h.Errorf("the owner: %+v", m)
		}
		token := h.link(admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, WebsiteID: h.website, Role: tenancy.RoleAdmin,
			Email: viewer.Email,
		})
		h.must(h.Accept(h.Context(), token, viewer))
		m := h.membership(viewer)
		if m.RoleOn(h.website) != tenancy.RoleAdmin || m.RoleOn(laurel.ID{}) != tenancy.RoleViewer ||
			m.Scope(h.website).ActorID != m.UserID || m.UserID.IsZero() {
			h.Errorf("the manager of one website: %+v", m)
		}
		h.refused(h.SetRole(h.Context(), owner.ID, laurel.Scope{OrganizationID: h.organization}, tenancy.RoleViewer), "needs an owner")
		h.refused(h.RemoveMember(h.Context(), owner.ID, h.organization), "needs an owner")
		h.refused(h.SetRole(h.Context(), viewer.ID, laurel.Scope{OrganizationID: h.organization}, laurel.RoleWebsite), "must be a role of people")
		h.must(h.MakeOwner(h.Context(), viewer.ID, h.organization))
		h.must(h.RemoveMember(h.Context(), owner.ID, h.organization))
		if list, err := h.Memberships(h.Context(), owner.ID); err != nil || len(list) != 0 {
			h.Errorf("who left has %v, %v", list, err)
		}
		if list, err := h.Members(h.Context(), h.organization); err != nil || len(list) != 1 || list[0].AdminID != viewer.ID {
			h.Errorf("who stayed: %v, %v", list, err)
		}
		h.must(h.Accept(h.Context(), h.link(admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, Role: tenancy.RoleModerator, Email: viewer.Email,
		}), viewer))
		if m := h.membership(viewer); m.Role != tenancy.RoleSuperAdmin {
			h.Errorf("an invitation with a lesser role made an owner %s", m.Role)
		}
		other, _ := h.newOrganization("Rival")
		if list, err := h.Members(h.Context(), other); err != nil || len(list) != 0 {
			h.Errorf("in another organization: %v, %v", list, err)
		}
		foreign := admins.Link{
			Kind: admins.InviteLink, OrganizationID: other, WebsiteID: h.website, Role: tenancy.RoleAdmin, Email: viewer.Email,
		}
		_, _, err := h.NewLink(h.Context(), foreign)
		h.refused(err, "Website not found")
	})
}

func TestSigningInTellsNobodyWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		in, err := h.SignIn(h.Context(), " A@acme.example", password, admins.Caller{Network: "192.0.2.1"})
		if err != nil || in.ID != a.ID || in.SecondFactor {
			h.Fatalf("%+v, %v", in, err)
		}
		_, wrong := h.SignIn(h.Context(), "a@acme.example", "another password", admins.Caller{Network: "192.0.2.1"})
		_, unknown := h.SignIn(h.Context(), "b@acme.example", password, admins.Caller{Network: "192.0.2.1"})
		if wrong == nil || unknown == nil || wrong.Error() != unknown.Error() {
			h.Errorf("%v and %v", wrong, unknown)
		}
	})
}

func TestWrongPasswordsAreLimitedAndRightOnesAreNot(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		from := func(network string) admins.Caller { return admins.Caller{Network: network} }
		for range 15 {
			_, err := h.SignIn(h.Context(), a.Email, password, from("192.0.2.1"))
			h.must(err)
			h.must(h.CheckPassword(h.Context(), a.ID, password))
		}
		for range 10 {
			_, err := h.SignIn(h.Context(), a.Email, "another password", from("192.0.2.2"))
			h.refused(err, "is wrong")
			h.refused(h.CheckPassword(h.Context(), a.ID, "another password"), "is wrong")
		}
		_, err := h.SignIn(h.Context(), a.Email, password, from("192.0.2.3"))
		h.refused(err, "Too many tries")
		h.refused(h.CheckPassword(h.Context(), a.ID, password), "Too many tries")
		h.now = h.now.Add(15 * time.Minute)
		_, err = h.SignIn(h.Context(), a.Email, password, from("192.0.2.3"))
		h.must(err)
		for i := range 50 {
			_, err := h.SignIn(h.Context(), fmt.Sprintf("%d@acme.example", i), password, from("192.0.2.4"))
			h.refused(err, "is wrong")
		}
		_, err = h.SignIn(h.Context(), a.Email, password, from("192.0.2.4"))
		h.refused(err, "Too many tries")
		_, err = h.SignIn(h.Context(), a.Email, password, from("192.0.2.5"))
		h.must(err)
	})
}

// TestManyTriesAtOncePassNoLimit sends guesses faster than they are judged.
func TestManyTriesAtOncePassNoLimit(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		var judged atomic.Int64
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				_, err := h.SignIn(h.Context(), a.Email, "another password", admins.Caller{Network: "192.0.2.1"})
				if laurel.CodeOf(err) == laurel.Refused {
					judged.Add(1)
				}
			})
		}
		all.Wait()
		if n := judged.Load(); n != 10 {
			h.Errorf("%d guesses were judged", n)
		}
	})
}

func TestStrangersLockNobodyOutOfAKnownBrowser(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a, b := h.join("a@acme.example", tenancy.RoleViewer), h.join("b@acme.example", tenancy.RoleViewer)
		browser, err := h.RegisterBrowser(h.Context(), a.ID, "")
		h.must(err)
		others, err := h.RegisterBrowser(h.Context(), b.ID, "")
		h.must(err)
		for range 10 {
			_, err := h.SignIn(h.Context(), a.Email, "another password", admins.Caller{Network: "192.0.2.1"})
			h.refused(err, "is wrong")
		}
		for _, token := range []string{"", "guessed", others} {
			_, err := h.SignIn(h.Context(), a.Email, password, admins.Caller{Network: "192.0.2.2", Browser: token})
			h.refused(err, "Too many tries")
		}
		known := admins.Caller{Network: "192.0.2.1", Browser: browser}
		_, err = h.SignIn(h.Context(), a.Email, password, known)
		h.must(err)
		for range 10 {
			_, err := h.SignIn(h.Context(), a.Email, "another password", known)
			h.refused(err, "is wrong")
		}
		_, err = h.SignIn(h.Context(), a.Email, password, known)
		h.refused(err, "Too many tries")
	})
}

func TestASecondFactorIsAskedForWithinTenMinutes(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		pending := h.PendingSignIn(a)
		h.now = h.now.Add(10*time.Minute - time.Second)
		if _, err := h.CompleteSignIn(h.Context(), pending, "000000"); errors.Is(err, admins.ErrPendingExpired) {
			h.Errorf("within ten minutes: %v", err)
		}
		h.now = h.now.Add(time.Second)
		if _, err := h.CompleteSignIn(h.Context(), pending, "000000"); !errors.Is(err, admins.ErrPendingExpired) {
			h.Errorf("after ten minutes: %v", err)
		}
	})
}

func TestAnInvitationIsForOneAddress(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		_, _, err := h.NewLink(h.Context(), admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, Role: tenancy.RoleViewer,
		})
		h.refused(err, "email is required")
	})
}

func TestWhatLetsAnAdminInEndsWithThePassword(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		for what, change := range map[string]func(){
			"a new password": func() {
				_, err := h.ChangePassword(h.Context(), a.ID, password, password, laurel.ID{})
				h.must(err)
			},
			"a recovery": func() {
				_, err := h.ResetPassword(h.Context(), h.link(admins.Link{Kind: admins.RecoverLink, AdminID: a.ID}), password)
				h.must(err)
			},
			"the end of all sessions": func() {
				_, err := h.EndSessions(h.Context(), a.ID, laurel.ID{})
				h.must(err)
			},
		} {
			in, err := h.SignIn(h.Context(), a.Email, password, admins.Caller{})
			h.must(err)
			pending := h.PendingSignIn(in)
			enter := h.link(admins.Link{Kind: admins.SignInLink, AdminID: a.ID})
			recovery := h.link(admins.Link{Kind: admins.RecoverLink, AdminID: a.ID})
			change()
			if _, err := h.CompleteSignIn(h.Context(), pending, "000000"); !errors.Is(err, admins.ErrPendingExpired) {
				h.Errorf("after %s a half-finished sign-in goes on: %v", what, err)
			}
			_, err = h.SignInByLink(h.Context(), enter)
			h.refused(err, "already used")
			_, err = h.ResetPassword(h.Context(), recovery, password)
			h.refused(err, "already used")
		}
	})
}

func TestASecondFactorCountsOnce(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		offered, err := h.Enrol(h.Context(), a.ID)
		h.must(err)
		code := func() string {
			text, err := totp.GenerateCode(offered.Secret, h.now)
			h.must(err)
			return text
		}
		here, there := h.session(a, "here"), h.session(a, "there")
		list, err := h.Sessions().List(h.Context(), a.ID, here)
		h.must(err)
		own := list[0].ID
		if list[1].IsCurrent {
			own = list[1].ID
		}
		_, _, err = h.Activate(h.Context(), a.ID, offered.Secret, "000000x", own)
		h.refused(err, "code is wrong")
		for _, secret := range []string{"", "GEZDGNBVGY3TQOJQ", "no base32"} { // of which anybody may know the codes
			text, _ := totp.GenerateCode(secret, h.now)
			_, _, err = h.Activate(h.Context(), a.ID, secret, text, own)
			h.refused(err, "This setup has expired")
		}
		_, codes, err := h.Activate(h.Context(), a.ID, offered.Secret, code(), own)
		h.must(err)
		if !h.alive(here) || h.alive(there) {
			h.Errorf("after activation: here %t, there %t", h.alive(here), h.alive(there))
		}
		if in, err := h.SignIn(h.Context(), a.Email, password, admins.Caller{}); err != nil || !in.SecondFactor || len(codes) != 10 {
			h.Fatalf("%+v, %v, %v", in, codes, err)
		}
		h.refused(h.second(a, code()), "already used") // it has activated it
		h.now = h.now.Add(time.Minute)
		h.must(h.second(a, code()))
		h.refused(h.second(a, code()), "already used")
		h.must(h.second(a, " "+strings.ToUpper(codes[3])))
		h.refused(h.second(a, codes[3]), "already used")
		if left, err := h.CountRecoveryCodes(h.Context(), a.ID); left != 9 || err != nil {
			h.Errorf("%d recovery codes, %v", left, err)
		}
		again, err := h.RenewCodes(h.Context(), a.ID)
		h.must(err)
		h.refused(h.second(a, codes[4]), "already used")
		h.must(h.second(a, again[4]))
		h.must(h.Deactivate(h.Context(), a.ID))
		if in, err := h.SignIn(h.Context(), a.Email, password, admins.Caller{}); err != nil || in.SecondFactor {
			h.Errorf("without it: %+v, %v", in, err)
		}
		_, err = h.RenewCodes(h.Context(), a.ID)
		h.refused(err, "is not set up")
	})
}

// session keeps one for an admin, as the dashboard does, and returns its hashed token.
func (h *house) session(a admins.Admin, token string) string {
	h.Helper()
	kept, until := h.Sessions(), h.now.Add(time.Hour)
	data, err := kept.Encode(until, map[string]any{
		admins.SessionValueAdmin: a.ID.String(), admins.SessionValueAddress: "192.0.2.1",
		admins.SessionValueAgent: "a browser",
	})
	h.must(err)
	h.must(kept.CommitCtx(admins.NewToken(h.Context()), token, data, until))
	return token
}

func TestASessionThatWasEndedDoesNotComeBack(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a := h.join("a@acme.example", tenancy.RoleViewer)
		token, kept := h.session(a, "here"), h.Sessions()
		data, found, err := kept.FindCtx(h.Context(), token)
		h.must(err)
		if !found {
			h.Fatal("no session")
		}
		_, err = h.EndSessions(h.Context(), a.ID, laurel.ID{}) // while a request of it is under way, which then writes
		h.must(err)
		h.must(kept.CommitCtx(h.Context(), token, data, h.now.Add(time.Hour)))
		if h.alive(token) {
			h.Error("it is back")
		}
	})
}

func (h *house) alive(token string) bool {
	h.Helper()
	_, found, err := h.Sessions().FindCtx(h.Context(), token)
	h.must(err)
	return found
}

func TestPasswordsAreHashedAtTheCostThatOWASPNames(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		h.join("a@acme.example", tenancy.RoleViewer)
		var hash string
		h.must(h.db.Get(h.Context(), &hash, "SELECT password_hash FROM admins"))
		if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			h.Errorf("hashed as %s", hash)
		}
	})
}

func TestANewPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		a, b := h.join("a@acme.example", tenancy.RoleViewer), h.join("b@acme.example", tenancy.RoleViewer)
		here, there, others := h.session(a, "here"), h.session(a, "there"), h.session(b, "others")
		list, err := h.Sessions().List(h.Context(), a.ID, here)
		if err != nil || len(list) != 2 || list[0].IsCurrent == list[1].IsCurrent || list[0].Agent != "a browser" {
			h.Fatalf("%+v, %v", list, err)
		}
		own := list[0].ID
		if list[1].IsCurrent {
			own = list[1].ID
		}
		_, err = h.ChangePassword(h.Context(), a.ID, "not the password", "a new long password", own)
		h.refused(err, "password is wrong")
		_, err = h.ChangePassword(h.Context(), a.ID, password, "short", own)
		h.refused(err, "must be between 10 and 200")
		_, err = h.ChangePassword(h.Context(), a.ID, password, "a new long password", own)
		h.must(err)
		if !h.alive(here) || h.alive(there) || !h.alive(others) {
			h.Errorf("here %t, there %t, others %t", h.alive(here), h.alive(there), h.alive(others))
		}
		_, err = h.SignIn(h.Context(), a.Email, password, admins.Caller{})
		h.refused(err, "is wrong")
		token := h.link(admins.Link{Kind: admins.RecoverLink, AdminID: a.ID})
		_, err = h.ResetPassword(h.Context(), token, password)
		h.must(err)
		if _, err = h.SignIn(h.Context(), a.Email, password, admins.Caller{}); err != nil || h.alive(here) {
			h.Errorf("after the recovery: %v, the session lives: %t", err, h.alive(here))
		}
		h.now = h.now.Add(2 * time.Hour)
		h.must(h.DeleteExpired(h.Context()))
		if h.alive(others) {
			h.Error("a session outlives its time")
		}
	})
}

func TestTheRightsOfARoleGrowWithIt(t *testing.T) {
	t.Parallel()
	for _, right := range []admins.Right{admins.TakeBackPoints, admins.ManageAdmins} {
		for _, role := range []laurel.Role{tenancy.RoleAdmin, tenancy.RoleModerator, tenancy.RoleDeveloper, tenancy.RoleViewer, "", laurel.RoleOrganization} {
			if admins.May(role, right) {
				t.Errorf("%q may %s", role, right)
			}
		}
		if !admins.May(tenancy.RoleSuperAdmin, right) {
			t.Errorf("owners may not %s", right)
		}
	}
	if admins.May(tenancy.RoleViewer, admins.SeeContacts) || admins.May(tenancy.RoleDeveloper, admins.AdjustMembers) ||
		admins.May(tenancy.RoleModerator, admins.AdjustFreely) || !admins.May(tenancy.RoleDeveloper, admins.ChangeKeys) {
		t.Error("the table of rights is not that of the design")
	}
}
