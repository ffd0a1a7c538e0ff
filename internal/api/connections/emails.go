package connections

import (
	"context"
	"io"
	"net/url"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
)

// startEmail sends a link to the address that the user wants to connect. It responds with the address to which the
// browser goes in the end, or redirects to it.
func (h *handlers) startEmail(
	ctx context.Context, scope laurel.Scope, user identity.Ref, in *startInput,
) (*startOutput, error) {
	target, err := h.Emails.SendLink(ctx, scope, connect.EmailInput{
		User: user, EmailAddress: in.EmailAddress, Redirect: in.Redirect, AllowedOrigins: rest.AllowedOriginsOf(ctx),
	})
	if err != nil {
		return nil, err
	}
	if in.ResponseType == jsonType {
		return &startOutput{Status: statusOK, Body: startedFlow{URL: target}}, nil
	}
	pending := h.Emails.PendingAddress(target)
	return &startOutput{Status: statusFound, Location: pending, Body: startedFlow{URL: pending}}, nil
}

const (
	maxFormBytes = 4096
	formTimeout  = 10 * time.Second
)

// emailPage shows the page of a link, with a button if the link can be used. It uses nothing up, since programs that
// scan mails open links, too.
func (h *handlers) emailPage(x *rest.Exchange) error {
	query := x.Request.URL.Query()
	if query.Get("token") == "" && query.Get("status") == "pending" {
		x.WritePage(statusOK, "Check your inbox", "We have sent you an e-mail. Open its link to confirm your address.")
		return nil
	}
	state, err := h.Emails.State(x.Request.Context(), query.Get("token"))
	switch {
	case err != nil:
		return err
	case state.Error != "":
		writeOutcome(x, state.Outcome)
	default:
		x.WriteForm(rest.Form{
			Title:  "Confirm your e-mail address",
			Text:   state.EmailAddress + " will be connected to your account at " + state.WebsiteName + ".",
			Button: "Confirm address", Name: "token", Value: query.Get("token"),
		})
	}
	return nil
}

// confirmEmail connects the address of the link whose page was confirmed, and sends the browser on.
func (h *handlers) confirmEmail(x *rest.Exchange) error {
	content, err := io.ReadAll(x.AwaitBody(maxFormBytes, formTimeout))
	if err != nil {
		content = nil // as if it had no token
	}
	form, _ := url.ParseQuery(string(content)) // a malformed form has no token
	state, err := h.Emails.Confirm(x.Request.Context(), form.Get("token"))
	switch {
	case err != nil:
		return err
	case state.Redirect != "":
		x.Redirect(state.Address(state.Redirect))
	default:
		writeOutcome(x, state.Outcome)
	}
	return nil
}

// writeOutcome writes a page that says how the proof of an address has ended.
func writeOutcome(x *rest.Exchange, o connect.Outcome) {
	if o.Error == "" {
		x.WritePage(statusOK, "E-mail address connected", "You can close this page.")
		return
	}
	x.WritePage(statusBadRequest, "E-mail address not connected", o.Message+".", string(o.Error))
}
