package people

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/proofs"
	"laurel.example/laurel/internal/identity/wallets"
)

// delegation is a cold wallet that has delegated to a user (contract 8.5).
type delegation struct{ delegations.Delegation }

// shapeDelegation returns a delegation as responses show it.
func shapeDelegation(d delegations.Delegation) delegation { return delegation{d} }

// delegator is a cold wallet in the record of a user (contract 3.4).
type delegator struct {
	WalletAddress string `json:"walletAddress"`
}

// shapeDelegators returns the cold wallets of a user as its record shows them.
func shapeDelegators(list []string) *[]delegator {
	out := make([]delegator, len(list))
	for i, wallet := range list {
		out[i].WalletAddress = wallet
	}
	return &out
}

// delegateBody is a delegation, with the signature of the cold wallet.
type delegateBody struct {
	rest.TenantBody
	caller.NamedUser
	DelegatorWalletAddress string `json:"delegatorWalletAddress" doc:"The cold wallet, which signs"`
	WalletType             string `json:"walletType,omitempty" doc:"Of the cold wallet; by default that which its address has by its form"`
	Message                string `json:"message,omitempty"`
	Signature              string `json:"signature,omitempty" doc:"Client keys need it"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (delegateBody) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"delegatorWalletAddress"}, NotNull: []string{"delegatorWalletAddress"},
		Keywords: map[string]laurel.Keywords{
			"delegatorWalletAddress": laurel.RequiredIdentifierKeywords(), "walletType": {"enum": wallets.Types()},
			"message": {"maxLength": wallets.MaxMessage}, "signature": {"maxLength": wallets.MaxSignature},
		},
	}
}

type delegateInput struct {
	Body delegateBody
}

// delegate stores that a cold wallet has delegated to the user that the body names.
func (h *handlers) delegate(ctx context.Context, in *delegateInput) (*rest.Response[delegation], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	user, err := h.Caller.ActingUser(ctx, scope, in.Body.Ref())
	if err != nil {
		return nil, err
	}
	cold := identity.NormalizeWallet(in.Body.DelegatorWalletAddress)
	var f laurel.Faults
	user.Validate(&f)
	f.Identifier("delegatorWalletAddress", cold)
	if in.Body.WalletType != "" {
		checkWalletType(&f, in.Body.WalletType)
	}
	f.Text("message", in.Body.Message, 0, wallets.MaxMessage)
	f.Text("signature", in.Body.Signature, 0, wallets.MaxSignature)
	if err := f.Err(); err != nil {
		return nil, err
	}
	proof := proofs.Input{Origins: rest.AllowedOriginsOf(ctx), Proof: wallets.Proof{
		Type: in.Body.WalletType, Address: cold, Message: in.Body.Message, Signature: in.Body.Signature,
	}}
	if proof.Type == "" {
		proof.Type = wallets.TypeOf(cold)
	}
	if proof.Delegate, err = h.walletOf(ctx, scope, user); err != nil {
		return nil, err
	}
	nonce, err := h.Proofs.Check(ctx, scope, proof)
	if err != nil {
		return nil, err
	}
	d, err := h.Delegations.Delegate(ctx, scope, delegations.Input{Delegator: cold, User: user, Nonce: nonce})
	return rest.ResponseOf(d, err, shapeDelegation)
}

// walletOf returns the wallet that a message must name as delegate. For a user without a wallet it is a text that no
// message can name. Errors: NotFound "User".
func (h *handlers) walletOf(ctx context.Context, scope laurel.Scope, user identity.Ref) (string, error) {
	p, err := h.Identity.Person(ctx, scope, user)
	if err != nil || p.Wallet != "" {
		return p.Wallet, err
	}
	return strings.Repeat("\n", 2), nil
}

type listDelegationsInput struct {
	rest.Paging
	UserID                 rest.IDs       `query:"userId"`
	DelegatorWalletAddress rest.Addresses `query:"delegatorWalletAddress"`
}

// listDelegations returns a page of delegations.
func (h *handlers) listDelegations(ctx context.Context, in *listDelegationsInput) (*rest.Page[delegation], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	filter := delegations.Filter{Users: in.UserID.Values, Delegators: in.DelegatorWalletAddress.Values}
	page, err := h.Delegations.List(ctx, scope, filter, in.Page())
	return rest.ListOf(page, err, shapeDelegation)
}

// shapeID returns the response of a deletion that tells only the id.
func shapeID(d delegations.Delegation) rest.IDBody { return rest.IDBody{ID: d.ID} }

// walletOperations returns the operations on wallets of users, their groups, delegations and devices.
func (h *handlers) walletOperations(o *Operations) {
	o.ConnectWallet = rest.Handle(h.connectWallet,
		rest.Note("Makes sure that the wallet has a user and, with userId, joins both in one group. Client keys send a signature of the wallet and, with userId, the "+
			"member token of that user. If a signature was checked, the response has a member token; a response that is repeated for an Idempotency-Key has none."),
		rest.Example(`{`+rest.ExampleWallet+`,"walletType":"evm"}`),
		rest.Secret("token"),
	)
	o.DisconnectUser = rest.Handle(h.disconnectUser,
		rest.Note("The user leaves its group, with its balances and entries."),
		rest.Example(`{"userId":`+rest.ExampleID+`}`),
	)
	o.Delegate = rest.Handle(h.delegate,
		rest.Note("What the cold wallet holds then counts for the user. A cold wallet delegates to one user of a website: a second delegation replaces the first. "+
			"Client keys send a signature of the cold wallet, and the member token of the user."),
		rest.Example(`{`+rest.ExampleWallet+`,"delegatorWalletAddress":"0x00000000000000000000000000000000000c01d1"}`),
	)
	o.ListDelegations = rest.Handle(h.listDelegations, rest.Note("Newest first."))
	o.GetDelegation = rest.Handle(caller.ByID(h.Caller, h.Delegations.Get, caller.Shaped(shapeDelegation)),
		rest.Note("A delegation as the list shows it."))
	o.DeleteDelegation = rest.Handle(caller.ByID(h.Caller, h.Delegations.Delete, caller.Shaped(shapeID)),
		rest.Note("The cold wallet may delegate again."))
	o.RecordDevice = rest.Handle(h.recordDevice,
		rest.Note("A device that is stored already is returned as it is. Client keys send the user's member token."),
		rest.Example(`{`+rest.ExampleWallet+`,"ipAddress":"192.0.2.7","deviceIdentifier":"a3f1"}`),
	)
	o.ListDevices = rest.Handle(h.listDevices, rest.Note("Newest first."))
	o.GetDevice = rest.Handle(caller.ByID(h.Caller, h.Devices.Get, caller.Shaped(shapeDevice)),
		rest.Note("A device as the list shows it."))
}
