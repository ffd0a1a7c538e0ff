package connections

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
)

// data is a response with the property data around it.
type data[T any] struct {
	Data T `json:"data"`
}

// wrapped returns the function of an operation whose response has data around it.
func wrapped[I, T any](
	run func(context.Context, *I) (*rest.Response[T], error),
) func(context.Context, *I) (*rest.Response[data[T]], error) {
	return func(ctx context.Context, in *I) (*rest.Response[data[T]], error) {
		out, err := run(ctx, in)
		if err != nil {
			return nil, err
		}
		return &rest.Response[data[T]]{Body: data[T]{out.Body}}, nil
	}
}

type sendPhoneCodeInput struct {
	Body struct {
		caller.NamedUser
		rest.TenantBody
		PhoneNumber string `json:"phoneNumber" doc:"In E.164 format"`
	}
}

type codeSent struct {
	Success bool      `json:"success"`
	Message string    `json:"message"`
	UserID  laurel.ID `json:"userId"`
}

// sendPhoneCode sends a code to a number that the user wants to connect.
func (h *handlers) sendPhoneCode(
	ctx context.Context, in *sendPhoneCodeInput,
) (*rest.Response[codeSent], error) {
	scope, user, err := h.actingUser(ctx, in.Body.TenantBody, in.Body.NamedUser)
	if err != nil {
		return nil, err
	}
	id, err := h.Phones.SendCode(ctx, scope, user, in.Body.PhoneNumber)
	return rest.ResponseOf(id, err, func(id laurel.ID) codeSent { return codeSent{true, "Verification code sent", id} })
}

type connectPhoneInput struct {
	Body connectPhoneBody
}

type connectPhoneBody struct {
	caller.NamedUser
	rest.TenantBody
	PhoneNumber string `json:"phoneNumber" doc:"In E.164 format"`
	Code        string `json:"code"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (connectPhoneBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"code": {"minLength": connect.MinCodeLength, "maxLength": connect.MaxCodeLength}}}
}

// connectedAccount is the result of a proof.
type connectedAccount struct {
	Success         bool   `json:"success"`
	Message         string `json:"message,omitempty"`
	Error           string `json:"error,omitempty" doc:"Why the proof does not count, for programs"`
	AccountLinkData string `json:"accountLinkData,omitempty" doc:"With MAXIMUM_ACCOUNT_LINKED: moves the account by POST /api/users/verify, within 15 minutes"`
}

// shapeConnected returns an outcome as responses show it.
func shapeConnected(o connect.Outcome) connectedAccount {
	if o.Error == "" {
		return connectedAccount{Success: true, Message: "Connected"}
	}
	return connectedAccount{Message: o.Message, Error: string(o.Error), AccountLinkData: o.AccountLink}
}

// connectPhone connects a number by the code that was sent to it.
func (h *handlers) connectPhone(ctx context.Context, in *connectPhoneInput) (*rest.Response[connectedAccount], error) {
	scope, user, err := h.actingUser(ctx, in.Body.TenantBody, in.Body.NamedUser)
	if err != nil {
		return nil, err
	}
	outcome, err := h.Phones.Connect(ctx, scope, user, in.Body.PhoneNumber, in.Body.Code)
	return rest.ResponseOf(outcome, err, shapeConnected)
}

type disconnectPhoneInput struct {
	Body struct {
		caller.NamedUser
		rest.TenantBody
	}
}

type disconnected struct {
	Message string `json:"message"`
}

// disconnectPhone removes the number of a user.
func (h *handlers) disconnectPhone(
	ctx context.Context, in *disconnectPhoneInput,
) (*rest.Response[disconnected], error) {
	scope, user, err := h.actingUser(ctx, in.Body.TenantBody, in.Body.NamedUser)
	if err != nil {
		return nil, err
	}
	err = h.Phones.Disconnect(ctx, scope, user)
	return rest.ResponseOf(disconnected{"Success"}, err, func(d disconnected) disconnected { return d })
}

// actingUser resolves the website and the user of a request. Errors: Forbidden, Invalid.
func (h *handlers) actingUser(
	ctx context.Context, t rest.TenantBody, named caller.NamedUser,
) (laurel.Scope, identity.Ref, error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, t.OrganizationID, t.WebsiteID)
	if err != nil {
		return scope, identity.Ref{}, err
	}
	user, err := h.Caller.ActingUser(ctx, scope, named.Ref())
	if err != nil {
		return scope, user, err
	}
	var f laurel.Faults
	f.OptionalIdentifier("walletAddress", user.Wallet) // also where userId names the user
	return scope, user, f.Err()
}
