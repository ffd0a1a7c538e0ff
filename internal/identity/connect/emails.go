package connect

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/store"
)

// Emails proves that members own e-mail addresses, by links (contract 8.3).
type Emails struct{ ContactConfig }

// NewEmails returns the flow of e-mail addresses.
func NewEmails(c ContactConfig) *Emails { return &Emails{c} }

const (
	linkTokenBytes = 32  // random, so that its hash needs no salt
	maxEmail       = 254 // RFC 5321, 4.5.3.1.3
)

// checkEmailAddress adds a fault unless a text is one e-mail address without a name.
func checkEmailAddress(f *laurel.Faults, path, address string) {
	if address == "" {
		f.Add(path, "is required")
		return
	}
	parsed, err := mail.ParseAddress(address)
	isSpecial := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }
	if err != nil || parsed.Address != address || len(address) > maxEmail || strings.ContainsFunc(address, isSpecial) ||
		!utf8.ValidString(address) {
		f.Add(path, "must be an e-mail address")
	}
}

// EmailInput is a call for a link.
type EmailInput struct {
	User           identity.Ref
	EmailAddress   string
	Redirect       string   // where the browser goes in the end; "": to the website's homeUrl
	AllowedOrigins []string // of the client key
}

// SendLink sends a link by e-mail to an address that the user wants to prove. It returns the address to which the
// browser goes in the end, "" for a page of the service. An unknown wallet becomes a user, if the caller has a secret
// key. Errors: Invalid; NotFound "User"; Refused "Email is not configured" and "redirect is not allowed"; RateLimited;
// Unanswered if the server does not accept the message.
func (e *Emails) SendLink(ctx context.Context, scope laurel.Scope, in EmailInput) (redirect string, err error) {
	var f laurel.Faults
	in.User.Validate(&f)
	checkEmailAddress(&f, "emailAddress", in.EmailAddress)
	parseRedirect(&f, in.Redirect)
	if err := f.Err(); err != nil {
		return "", err
	}
	if err := e.Messages.CheckConfigured(messages.Email); err != nil {
		return "", err
	}
	website, err := e.Tenancy.Website(ctx, scope, scope.WebsiteID)
	if err != nil {
		return "", err
	}
	if redirect, err = chooseRedirect(scope, in.Redirect, textOf(website.HomeURL), in.AllowedOrigins); err != nil {
		return "", err
	}
	person, err := e.Identity.FindOrCreate(ctx, scope, in.User)
	if err != nil {
		return "", err
	}
	link := emailLink{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: person.UserID,
		EmailAddress: in.EmailAddress, Redirect: redirect,
	}
	token, sending, err := e.newLink(ctx, scope, &link)
	if err != nil {
		return "", err
	}
	return redirect, e.Messages.Send(ctx, scope, sending, e.message(link, token, messages.Shorten(website.Name)))
}

// message returns the e-mail with a link.
func (e *Emails) message(link emailLink, token, website string) messages.Message {
	return messages.Message{
		Kind: messages.Email, To: link.EmailAddress, Subject: "Confirm your e-mail address for " + website,
		Text: fmt.Sprintf("Hello,\n\nplease confirm this e-mail address for %s:\n\n%s\n\nThe link works once and for %s. "+
			"If you did not ask for it, ignore this message: nothing changes.\n", website, e.linkTo(token), messages.Spell(e.Life)),
	}
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// linkTo returns the address of the page that confirms an e-mail address.
func (e *Emails) linkTo(token string) string {
	return e.Base + CallbackPath(identity.Email) + "?token=" + token
}

// newLink stores a link and counts its message. It returns the token of the link, of which only a hash is stored.
func (e *Emails) newLink(
	ctx context.Context, scope laurel.Scope, link *emailLink,
) (token string, sending messages.Sending, err error) {
	err = e.DB.InTx(ctx, func(tx *store.Tx) error {
		to := messages.Recipient{
			Kind: messages.Email, Address: strings.ToLower(link.EmailAddress), UserID: link.UserID,
		}
		if sending, err = e.Messages.Reserve(ctx, tx, scope, to); err != nil {
			return err
		}
		b := make([]byte, linkTokenBytes)
		tx.Random(b)
		token = base64.RawURLEncoding.EncodeToString(b)
		link.ID, link.TokenHash = tx.NewID(), hashOf(token)
		link.CreatedAt, link.ExpiresAt = laurel.Timestamp{Time: tx.Now()}, laurel.Timestamp{Time: tx.Now().Add(e.Life)}
		_, err := emailLinks.Insert(ctx, tx, link, "")
		return err
	})
	return token, sending, err
}

// LinkState is what the page of a link shows.
type LinkState struct {
	WebsiteName  string // "" for an unknown link
	EmailAddress string
	Redirect     string // where the browser goes in the end; "": a page of the service
	Outcome
}

// State returns the state of the link with a token: with an empty Error it can be used. It changes nothing.
func (e *Emails) State(ctx context.Context, token string) (LinkState, error) {
	link, err := selectLink(ctx, e.DB, hashOf(token), "")
	if store.IsNoRows(err) {
		return LinkState{Outcome: failed(identity.Email, InvalidState)}, nil
	}
	if err != nil {
		return LinkState{}, err
	}
	state := LinkState{EmailAddress: link.EmailAddress, Redirect: link.Redirect}
	state.Outcome = failed(identity.Email, link.problem(e.DB.Now()))
	website, err := e.Tenancy.Website(ctx, link.scope(), link.WebsiteID)
	state.WebsiteName = website.Name
	return state, err
}

// Confirm connects the e-mail address of the link with a token to its user, and uses the link up in the same
// transaction.
func (e *Emails) Confirm(ctx context.Context, token string) (LinkState, error) {
	state, err := e.State(ctx, token)
	if err != nil || state.Error != "" {
		return state, err
	}
	link, err := selectLink(ctx, e.DB, hashOf(token), "")
	if err != nil {
		return state, err
	}
	use := func(ctx context.Context, tx *store.Tx) error {
		link, err := selectLink(ctx, tx, link.TokenHash, tx.ForUpdate())
		if err != nil {
			return err
		}
		if problem := link.problem(tx.Now()); problem != "" {
			return spentError(problem)
		}
		return useLink(ctx, tx, link.ID)
	}
	account := identity.VerifiedAccount{Platform: identity.Email, ID: link.EmailAddress}
	state.Outcome, err = e.connect(ctx, link.scope(), link.UserID, account, use)
	return state, err
}

// problem returns why a link cannot be used; "" if it can.
func (l *emailLink) problem(now time.Time) ErrorCode {
	switch {
	case !l.UsedAt.IsZero():
		return InvalidState
	case !now.Before(l.ExpiresAt.Time):
		return CodeExpired
	}
	return ""
}

// scope returns the scope of the link's website, in which its proof counts.
func (l *emailLink) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: l.OrganizationID, WebsiteID: l.WebsiteID, Role: laurel.RoleWebsite}
}

// PendingAddress returns the address to which the browser goes while the member reads the e-mail: redirect with
// status=pending in its query, or a page of the service.
func (e *Emails) PendingAddress(redirect string) string {
	if redirect == "" {
		redirect = e.Base + CallbackPath(identity.Email)
	}
	return setOutcome(redirect, [][2]string{{"status", "pending"}})
}
