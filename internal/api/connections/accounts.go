package connections

import (
	"context"
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/platforms"
)

const (
	statusOK         = 200
	statusFound      = 302
	statusBadRequest = 400
)

// emailType is the authType of e-mail addresses.
const emailType = "email"

// AuthTypes lists the values of authType (contract 2).
func AuthTypes() []string { return append(platforms.IDs(), emailType) }

// authTypes are the values of the parameter authType.
type authTypes struct{}

// Values lists the authTypes.
func (authTypes) Values() []string { return AuthTypes() }

// PathAuthType has the authType in a path. Inputs embed it.
type PathAuthType struct {
	AuthType rest.OneOf[authTypes] `path:"authType"`
}

// responseTypes are the values of the parameter responseType (contract 2).
type responseTypes struct{}

const (
	redirectType = "redirect"
	jsonType     = "json"
)

// Values lists the responseTypes.
func (responseTypes) Values() []string { return []string{redirectType, jsonType} }

type startInput struct {
	PathAuthType
	rest.Tenant
	UserID        rest.ID                   `query:"userId"`
	WalletAddress rest.Address              `query:"walletAddress"`
	Redirect      string                    `query:"redirect" doc:"Where the browser goes in the end: an address of http, https or an app"`
	ResponseType  rest.OneOf[responseTypes] `query:"responseType" doc:"Default redirect"`
	EmailAddress  string                    `query:"emailAddress" doc:"For email: the address that is proved"`
	SkipChannel   rest.Bool                 `query:"skipVideoPlatformChannelCheck" doc:"For web_account: leave the video channel alone"`
}

// startOutput is a redirect, or the same in a body.
type startOutput struct {
	Status    int
	Location  string `header:"Location"`
	SetCookie string `header:"Set-Cookie"`
	Body      startedFlow
}

type startedFlow struct {
	URL   string `json:"url"`
	State string `json:"jwtState,omitempty" doc:"For accounts that are proved by their profile"`
	Code  string `json:"code,omitempty" doc:"What the profile must contain"`
}

// start begins the connection of an account.
func (h *handlers) start(ctx context.Context, in *startInput) (*startOutput, error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	ref, err := h.Caller.ActingUser(ctx, scope, identity.Ref{UserID: in.UserID.ID, Wallet: in.WalletAddress.Text})
	if err != nil {
		return nil, err
	}
	if in.AuthType == emailType {
		return h.startEmail(ctx, scope, ref, in)
	}
	leads := in.ResponseType != jsonType
	started, err := h.Flows.Start(ctx, scope, connect.StartInput{
		Platform: string(in.AuthType), User: ref, Redirect: in.Redirect, AllowedOrigins: rest.AllowedOriginsOf(ctx),
		SkipsChannel: in.SkipChannel.Value, BindsBrowser: leads && rest.IsNavigation(ctx),
	})
	if err != nil {
		return nil, err
	}
	out := &startOutput{Status: statusOK, Body: startedFlow{started.URL, started.State, started.Code}}
	if leads && started.URL != "" {
		out.Status, out.Location = statusFound, started.URL
	}
	if m := started.Browser; m != nil {
		out.SetCookie = rest.Cookie(m.Name, m.Value, m.Path, m.IsSecure, m.Lifetime)
	}
	return out, nil
}

type connectInput struct {
	PathAuthType
	rest.Tenant
	State                      string                    `query:"state" doc:"jwtState"`
	Code                       string                    `query:"code" doc:"Must be the code of state"`
	ShortVideoProfileURL       string                    `query:"shortVideoProfileUrl" doc:"For short_video: the address of the profile"`
	ForumPlatformProfileURL    string                    `query:"forumPlatformProfileUrl" doc:"For forum_platform: the address of the profile"`
	PhotoPlatformUsernameOrURL string                    `query:"photoPlatformUsernameOrUrl" doc:"For photo_platform: the name, or the address of the profile"`
	ResponseType               rest.OneOf[responseTypes] `query:"responseType" doc:"Default json"`
}

// account returns the name or address of the profile, and the name of its parameter.
func (in *connectInput) account() (parameter, value string) {
	switch in.AuthType {
	case "short_video":
		return "shortVideoProfileUrl", in.ShortVideoProfileURL
	case "forum_platform":
		return "forumPlatformProfileUrl", in.ForumPlatformProfileURL
	default:
		return "photoPlatformUsernameOrUrl", in.PhotoPlatformUsernameOrURL
	}
}

// connectOutput is the outcome of a flow, or a redirect that names it.
type connectOutput struct {
	Status   int
	Location string `header:"Location"`
	Body     outcome
}

type outcome struct {
	Success         bool              `json:"success"`
	State           string            `json:"jwtState,omitempty" doc:"To try again with"`
	Message         string            `json:"message,omitempty"`
	Error           connect.ErrorCode `json:"error,omitempty"`
	AccountLinkData string            `json:"accountLinkData,omitempty" doc:"For POST /api/users/verify, which moves the account to this user"`
}

// connect looks for the code of a profile proof and connects the account.
func (h *handlers) connect(ctx context.Context, in *connectInput) (*connectOutput, error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	input := connect.ProofInput{Platform: string(in.AuthType), State: in.State, Code: in.Code}
	if scope.Role == laurel.RoleClient && !rest.TrustsClientUsers(ctx) {
		if input.Member, err = rest.MemberOf(ctx); err != nil {
			return nil, err
		}
	}
	if h.Flows.IsProvenByProfile(scope, input.Platform) {
		var f laurel.Faults
		parameter, account := in.account()
		f.Text("state", in.State, 1, maxState)
		f.Text(parameter, account, 1, maxAccount)
		if err := f.Err(); err != nil {
			return nil, err
		}
		input.Account = account
	}
	ended, redirect, err := h.Flows.CheckProof(ctx, scope, input)
	if err != nil {
		return nil, err
	}
	out := &connectOutput{Status: statusOK, Body: outcome{
		Success: ended.Error == "", Message: ended.Message, Error: ended.Error, AccountLinkData: ended.AccountLink,
	}}
	switch ended.Error {
	case "":
		out.Body.Message = "Connected"
	case connect.ProfileCodeNotFound, connect.ProviderError:
		out.Body.State = in.State
	}
	if in.ResponseType == redirectType && redirect != "" {
		out.Status, out.Location = statusFound, ended.Address(redirect)
	}
	return out, nil
}

const (
	maxState   = 8192
	maxAccount = 2048
)

type disconnectInput struct {
	PathAuthType
	Body struct {
		caller.NamedUser
		rest.TenantBody
	}
}

// disconnect removes an account from a user.
func (h *handlers) disconnect(ctx context.Context, in *disconnectInput) (*rest.Response[disconnected], error) {
	scope, ref, err := h.actingUser(ctx, in.Body.TenantBody, in.Body.NamedUser)
	if err != nil {
		return nil, err
	}
	err = h.Flows.Disconnect(ctx, scope, ref, string(in.AuthType))
	return rest.ResponseOf(disconnected{Message: "Success"}, err, func(d disconnected) disconnected { return d })
}

// callback returns the function that ends a flow when the provider returns the browser: with a redirect, or with a page
// if the flow is not known.
func (h *handlers) callback(platform string) func(*rest.Exchange) error {
	return func(x *rest.Exchange) error {
		if x.IsHead() { // a look at the address is no return from the provider
			return nil
		}
		query, err := url.ParseQuery(x.Request.URL.RawQuery)
		if err != nil {
			query = url.Values{} // as if it had no state
		}
		ended, redirect, err := h.Flows.Finish(x.Request.Context(), connect.Return{
			Platform: platform, Query: query, BrowserMark: x.CookieOf,
		})
		switch {
		case err != nil:
			return err
		case redirect != "":
			x.Redirect(ended.Address(redirect))
		case ended.Error == "":
			x.WritePage(statusOK, "Account connected", "You can close this page.")
		default:
			x.WritePage(statusBadRequest, "Account not connected", ended.Message+".", string(ended.Error))
		}
		return nil
	}
}
