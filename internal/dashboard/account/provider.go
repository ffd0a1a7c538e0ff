package account

import (
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/admins/sso"
	"laurel.example/laurel/internal/dashboard/web"
)

// providerRoutes lead to the identity provider and back. Flows start by links and not by forms, as the policy of the
// pages lets no form lead elsewhere.
var providerRoutes = []route{
	web.PublicGet("/sign-in/provider", startProviderSignIn),
	web.PublicGet("/sign-in/callback", finishProviderSignIn),
	web.PublicGet("/link/{token}/provider", startProviderJoin),
	web.AdminsGet("/account/confirm", "account", startConfirmation),
	web.AdminsPost("/account/identities/{identity}/unlink", "account", unlinkIdentity),
}

// startProviderSignIn leads to the provider. Admins who are signed in go to their start page.
func startProviderSignIn(c *call) (web.View, error) {
	if !c.Admin.ID.IsZero() {
		return web.View{RedirectTo: c.Base + "/"}, nil
	}
	return c.startFlow(sso.Flow{ReturnTo: c.URL.Query().Get("to")})
}

// startProviderJoin leads to the provider for a person who joins by a setup link or an invitation.
func startProviderJoin(c *call) (web.View, error) {
	token := c.PathValue("token")
	link, err := c.Admins.FindLink(c.Context(), token)
	if err != nil {
		return web.View{}, err
	}
	if link.Kind != admins.SetupLink && link.Kind != admins.InviteLink {
		return web.View{}, laurel.Missing("Page")
	}
	return c.startFlow(sso.Flow{LinkToken: token})
}

// startConfirmation leads an admin who is signed in to the provider, which asks again who is there.
func startConfirmation(c *call) (web.View, error) {
	return c.startFlow(sso.Flow{ReturnTo: c.URL.Query().Get("to"), Confirms: c.Admin.ID})
}

// startFlow begins a flow and leads the browser to the provider.
func (c *call) startFlow(f sso.Flow) (web.View, error) {
	if c.SSO == nil {
		return web.View{}, laurel.Missing("Page")
	}
	if !web.IsLocalPath(f.ReturnTo) {
		f.ReturnTo = ""
	}
	address, cookie, err := c.SSO.Start(c.Context(), f)
	if err != nil {
		return c.showProviderRefusal(f, err)
	}
	c.SetCookie(cookie.Name, cookie.Value, cookie.Path, cookie.Lifetime)
	return web.View{RedirectTo: address}, nil
}

// finishProviderSignIn ends a flow: it signs the admin in, who may have to enter a code of the second factor next, lets
// the person of an invitation join, or notes the confirmation of an admin who is signed in. Returns without the cookie
// of a flow are refused and not counted, as any website can make browsers ask for this page.
func finishProviderSignIn(c *call) (web.View, error) {
	if c.SSO == nil {
		return web.View{}, laurel.Missing("Page")
	}
	back := sso.Return{Query: c.URL.Query(), Cookie: c.CookieValue}
	opened, err := c.SSO.Open(back)
	flow := opened.Flow
	var admin admins.Admin
	var unlinked *admins.Identity
	if err == nil {
		from := admins.Caller{Network: c.ClientNetwork(c.Request)}
		err = c.Admins.LimitIdentities(c.Context(), from, func() (err error) {
			identity, err := c.SSO.Finish(c.Context(), opened)
			if err != nil {
				return err
			}
			admin, unlinked, err = c.findByIdentity(&flow, identity)
			if err == nil && !flow.Confirms.IsZero() && flow.Confirms != admin.ID {
				err = laurel.Errorf(laurel.Refused, "You signed in there as another admin")
			}
			return err
		})
	}
	c.DeleteCookie(back.CookieName(), c.SSO.CookiePath())
	if err != nil {
		return c.showProviderRefusal(flow, err)
	}
	if flow.Confirms.IsZero() {
		if flow.ReturnTo != "" {
			c.Sessions.Put(c.Session, returnPathKey, flow.ReturnTo)
		}
		return c.enter(admin, unlinked)
	}
	if c.Admin.ID != admin.ID { // signed out meanwhile, or another admin in another tab
		return web.View{RedirectTo: c.Path("sign-in")}, nil
	}
	if unlinked != nil { // this session has given the second factor
		if err := c.Admins.LinkIdentity(c.Context(), admin.ID, *unlinked); err != nil {
			return c.showProviderRefusal(flow, err)
		}
	}
	c.NoteConfirmation()
	return c.Redirect(c.Base+flow.ReturnTo, "You confirmed that it’s you.")
}

// findByIdentity returns the admin of an identity, and the identity if only the second factor links it. By a setup link
// or an invitation it creates an admin; one who exists already is led back to the invitation, to accept it. Errors:
// Refused, also for somebody unknown.
func (c *call) findByIdentity(f *sso.Flow, identity admins.Identity) (admins.Admin, *admins.Identity, error) {
	admin, unlinked, err := c.Admins.SignInByIdentity(c.Context(), identity)
	isUnknown := laurel.CodeOf(err) == laurel.NotFound
	switch {
	case f.LinkToken == "" && isUnknown:
		err = laurel.Errorf(laurel.Refused, "%s", err)
	case f.LinkToken == "":
	case err == nil:
		f.ReturnTo = "/link/" + f.LinkToken
	case isUnknown:
		admin, err = c.Admins.JoinByIdentity(c.Context(), f.LinkToken, identity)
	}
	return admin, unlinked, err
}

// showProviderRefusal shows why a flow did not work, on the sign-in page unless somebody is signed in.
func (c *call) showProviderRefusal(f sso.Flow, err error) (web.View, error) {
	var refused *laurel.Error
	if !c.Admin.ID.IsZero() || !errors.As(err, &refused) || refused.Code == laurel.RateLimited {
		return web.View{}, err
	}
	return web.Refused("sign-in", "Sign in", signInData{Error: refused.Message, To: f.ReturnTo}), nil
}

// unlinkIdentity removes an identity of the admin, which ends every other session. This session goes on.
func unlinkIdentity(c *call) (web.View, error) {
	id, err := c.PathID("identity", "Identity")
	if err != nil {
		return web.View{}, err
	}
	current, err := c.currentSession()
	if err != nil {
		return web.View{}, err
	}
	admin, err := c.Admins.UnlinkIdentity(c.Context(), c.Admin.ID, id, current)
	if err != nil {
		return web.View{}, err
	}
	c.bindToCredentials(admin)
	return c.Redirect(c.Path("account"), "Account unlinked. All other sessions were signed out.")
}
