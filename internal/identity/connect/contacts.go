package connect

import (
	"context"
	"errors"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
)

// ContactConfig holds what the flows of phone numbers and e-mail addresses need.
type ContactConfig struct {
	DB       *store.DB
	Identity *identity.Service
	Tenancy  *tenancy.Service
	Messages *messages.Service
	Vault    *vault.Vault
	Life     time.Duration // of a code or a link
	// Base is the public address of the service, with its prefix and without a slash at the end. Links begin with it.
	Base string
}

// contactMessages are the messages of outcomes, by what is proved.
var contactMessages = map[string]map[ErrorCode]string{
	identity.Phone: {
		InvalidCode:          "The code is wrong",
		CodeExpired:          "The code has expired, please ask for a new one",
		TooManyAttempts:      "Too many wrong codes, please ask for a new one",
		MaximumAccountLinked: "The phone number is already connected to another user",
	},
	identity.Email: {
		InvalidState:         "The link is not valid or was used already, please ask for a new one",
		CodeExpired:          "The link has expired, please ask for a new one",
		MaximumAccountLinked: "The e-mail address is already connected to another user",
	},
}

// failed returns the outcome of a proof that does not count; with an empty code it is a success.
func failed(platform string, code ErrorCode) Outcome {
	return Outcome{Platform: platform, Error: code, Message: contactMessages[platform][code]}
}

// spentError says why a proof cannot be used, as an error that ends a transaction.
type spentError ErrorCode

func (s spentError) Error() string { return string(s) }

// connect connects an account that the user has proved. use ends the proof in the same transaction, or returns a
// spentError.
func (c ContactConfig) connect(
	ctx context.Context, scope laurel.Scope, user laurel.ID, a identity.VerifiedAccount,
	use func(context.Context, *store.Tx) error,
) (Outcome, error) {
	link, err := c.Identity.ConnectProvedAccount(ctx, scope, identity.Ref{UserID: user}, a, use)
	if spent := spentError(""); errors.As(err, &spent) {
		return failed(a.Platform, ErrorCode(spent)), nil
	}
	if err != nil || link == "" {
		return failed(a.Platform, ""), err
	}
	out := failed(a.Platform, MaximumAccountLinked)
	out.AccountLink = link
	return out, nil
}
