package people

import (
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/proofs"
	"laurel.example/laurel/internal/identity/wallets"
)

// verificationData is the proof of a wallet, or what a secret key says of it.
type verificationData struct {
	Message         string            `json:"message,omitempty" doc:"The text that was signed"`
	Signature       string            `json:"signature,omitempty"`
	AccessToken     string            `json:"accessToken,omitempty" doc:"For wallet types that a driver of the operator checks; it is ignored without one"`
	TON             *wallets.TONProof `json:"tonVerification,omitempty" doc:"Of type ton, in place of message and signature"`
	VerifiedLocally bool              `json:"verifiedLocally,omitempty" doc:"Secret keys: your server has checked the signature"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (verificationData) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"message": {"maxLength": wallets.MaxMessage}, "signature": {"maxLength": wallets.MaxSignature},
	}}
}

// connectBody is a wallet that is connected.
type connectBody struct {
	rest.TenantBody
	WalletAddress     string                     `json:"walletAddress"`
	WalletType        string                     `json:"walletType"`
	UserID            laurel.Optional[laurel.ID] `json:"userId,omitzero" doc:"The user whose group the wallet joins"`
	Verification      *verificationData          `json:"verificationData,omitempty"`
	ConfirmDisconnect bool                       `json:"confirmDisconnect,omitempty" doc:"The wallet may leave another group"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (connectBody) Bounds() laurel.Bounds {
	required := []string{"walletAddress", "walletType"}
	return laurel.Bounds{Required: required, NotNull: required, Keywords: map[string]laurel.Keywords{
		"walletAddress": laurel.RequiredIdentifierKeywords(), "walletType": {"enum": wallets.Types()},
	}}
}

// check returns Invalid for an unknown wallet type, an address of another type, and texts that are too long.
func (b connectBody) check(wallet string, sent verificationData) error {
	var f laurel.Faults
	checkWalletType(&f, b.WalletType)
	if len(f) == 0 && !wallets.IsAddress(b.WalletType, wallet) {
		f.Add("walletAddress", "must be an address of type %s", b.WalletType)
	}
	f.Text("verificationData.message", sent.Message, 0, wallets.MaxMessage)
	f.Text("verificationData.signature", sent.Signature, 0, wallets.MaxSignature)
	return f.Err()
}

// checkWalletType adds a fault for an unknown wallet type.
func checkWalletType(f *laurel.Faults, name string) {
	if types := wallets.Types(); !slices.Contains(types, name) {
		f.Add("walletType", "must be one of: %s", strings.Join(types, ", "))
	}
}

type connectInput struct {
	Body connectBody
}

// connectedUser is the user of a connected wallet, with a member token if the wallet has signed.
type connectedUser struct {
	identity.WalletUser
	Token          string            `json:"token,omitempty" doc:"A member token, if a signature was checked"`
	TokenExpiresAt *laurel.Timestamp `json:"tokenExpiresAt,omitempty"`
}

// connectWallet connects a wallet, and joins it with the user that the body names.
func (h *handlers) connectWallet(ctx context.Context, in *connectInput) (*rest.Response[connectedUser], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	named := caller.NamedUser{UserID: in.Body.UserID}.Ref()
	if !named.UserID.IsZero() {
		if err := h.Caller.CheckProvesMember(ctx, scope, named); err != nil {
			return nil, err
		}
	}
	wallet := identity.NormalizeWallet(in.Body.WalletAddress)
	sent := verificationData{}
	if in.Body.Verification != nil {
		sent = *in.Body.Verification
	}
	if err := in.Body.check(wallet, sent); err != nil {
		return nil, err
	}
	proof := wallets.Proof{
		Type: in.Body.WalletType, Address: wallet, Message: sent.Message, Signature: sent.Signature, TON: sent.TON,
	}
	nonce, err := h.Proofs.Check(ctx, scope, proofs.Input{Proof: proof, Origins: rest.AllowedOriginsOf(ctx)})
	if err != nil {
		return nil, err
	}
	user, err := h.Identity.ConnectWallet(ctx, scope, identity.WalletConnection{
		Wallet: wallet, Type: in.Body.WalletType, UserID: named.UserID, Nonce: nonce,
		IsVouched: sent.VerifiedLocally && scope.HasSecretKey(), ConfirmDisconnect: in.Body.ConfirmDisconnect,
	})
	if err != nil {
		return nil, err
	}
	out := connectedUser{WalletUser: user}
	if nonce != nil {
		t, err := h.Identity.TokenOf(ctx, scope, user.ID)
		if err != nil {
			return nil, err
		}
		out.Token, out.TokenExpiresAt = t.Token, &t.ExpiresAt
	}
	return rest.ResponseOf(out, nil, func(u connectedUser) connectedUser { return u })
}

type leaveGroupInput struct {
	Body struct {
		rest.TenantBody
		UserID laurel.ID `json:"userId"`
	}
}

// disconnectUser takes a user out of its group.
func (h *handlers) disconnectUser(ctx context.Context, in *leaveGroupInput) (*rest.Response[success], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	err = h.Identity.LeaveGroup(ctx, scope, in.Body.UserID)
	return rest.ResponseOf(success{Message: "Success"}, err, func(s success) success { return s })
}
