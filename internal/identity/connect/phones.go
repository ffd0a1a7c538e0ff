package connect

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/store"
)

// Phones proves that members own phone numbers, by codes in SMS (contract 8.4).
type Phones struct{ ContactConfig }

// NewPhones returns the flow of phone numbers.
func NewPhones(c ContactConfig) *Phones { return &Phones{c} }

// The lengths of codes that are checked at all.
const (
	MinCodeLength = 4
	MaxCodeLength = 10
)

const (
	codeDigits  = 6
	maxAttempts = 5 // wrong codes, after which a new one is needed
	// contactRetention is how long expired codes and links are stored: so long they are answered as expired.
	contactRetention = 24 * time.Hour
)

// SendCode sends a code by SMS to a number that the user wants to prove, and returns the user's id. It ends the user's
// earlier code. An unknown wallet becomes a user, if the caller has a secret key. Errors: Invalid; NotFound "User";
// Refused "Phone is not configured"; RateLimited; Unanswered if the gateway does not accept the message.
func (p *Phones) SendCode(
	ctx context.Context, scope laurel.Scope, user identity.Ref, number string,
) (laurel.ID, error) {
	var f laurel.Faults
	user.Validate(&f)
	identity.CheckPhoneNumber(&f, "phoneNumber", number)
	if err := f.Err(); err != nil {
		return laurel.ID{}, err
	}
	if err := p.Messages.CheckConfigured(messages.SMS); err != nil {
		return laurel.ID{}, err
	}
	website, err := p.Tenancy.Website(ctx, scope, scope.WebsiteID)
	if err != nil {
		return laurel.ID{}, err
	}
	person, err := p.Identity.FindOrCreate(ctx, scope, user)
	if err != nil {
		return laurel.ID{}, err
	}
	code, sending, err := p.newCode(ctx, scope, person.UserID, number)
	if err != nil {
		return laurel.ID{}, err
	}
	text := fmt.Sprintf("%s is your code for %s. It is valid for %s.", code, messages.Shorten(website.Name), messages.Spell(p.Life))
	err = p.Messages.Send(ctx, scope, sending, messages.Message{Kind: messages.SMS, To: number, Text: text})
	if err != nil {
		return laurel.ID{}, err
	}
	// The Idempotency-Key is claimed only now, so that a call whose message was not accepted can be repeated.
	return person.UserID, p.DB.Write(ctx, scope.Request, func(*store.Tx) error { return nil })
}

// newCode stores a new code for the user in place of the earlier one, and counts its message.
func (p *Phones) newCode(
	ctx context.Context, scope laurel.Scope, user laurel.ID, number string,
) (code string, sending messages.Sending, err error) {
	err = p.DB.InTx(ctx, func(tx *store.Tx) error {
		to := messages.Recipient{Kind: messages.SMS, Address: number, UserID: user}
		if sending, err = p.Messages.Reserve(ctx, tx, scope, to); err != nil {
			return err
		}
		code = randomCode(tx)
		row := phoneCode{
			WebsiteID: scope.WebsiteID, UserID: user, OrganizationID: scope.OrganizationID, PhoneNumber: number,
			CreatedAt: laurel.Timestamp{Time: tx.Now()}, ExpiresAt: laurel.Timestamp{Time: tx.Now().Add(p.Life)},
		}
		row.CodeHash = p.Vault.MAC(code, row.macContext(number))
		return replaceCode(ctx, tx, &row)
	})
	return code, sending, err
}

// randomCode returns a code of codeDigits digits. All are equally likely, but for one in 2^44.
func randomCode(tx *store.Tx) string {
	var b [8]byte
	tx.Random(b[:])
	return fmt.Sprintf("%0*d", codeDigits, binary.BigEndian.Uint64(b[:])%1_000_000)
}

// macContext binds the hash of a code to the user and the number that it proves.
func (c *phoneCode) macContext(number string) string {
	return "phone_code:" + c.WebsiteID.String() + ":" + c.UserID.String() + ":" + number
}

// Connect connects a number to the user by the code that was sent to it. A wrong code counts before the answer, and
// counts also where two nodes are asked at once. Errors: Invalid; NotFound "User".
func (p *Phones) Connect(
	ctx context.Context, scope laurel.Scope, user identity.Ref, number, code string,
) (Outcome, error) {
	var f laurel.Faults
	user.Validate(&f)
	identity.CheckPhoneNumber(&f, "phoneNumber", number)
	f.Text("code", code, 1, MaxCodeLength)
	if n := len(code); n > 0 && n < MinCodeLength {
		f.Add("code", "must be at least %d characters", MinCodeLength)
	}
	if err := f.Err(); err != nil {
		return Outcome{}, err
	}
	person, err := p.Identity.Person(ctx, scope, user)
	if err != nil {
		return Outcome{}, err
	}
	sent, problem, err := p.tryCode(ctx, scope, person.UserID, number, code)
	if err != nil || problem != "" {
		return failed(identity.Phone, problem), err
	}
	account := identity.VerifiedAccount{Platform: identity.Phone, ID: number}
	use := func(ctx context.Context, tx *store.Tx) error { return useCode(ctx, tx, sent) }
	return p.connect(ctx, scope, person.UserID, account, use)
}

// tryCode returns the code that was sent to the user, and why another one does not prove the number, "" if it does. It
// counts a wrong code.
func (p *Phones) tryCode(
	ctx context.Context, scope laurel.Scope, user laurel.ID, number, code string,
) (sent phoneCode, problem ErrorCode, err error) {
	err = p.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		sent, err = lockCode(ctx, tx, scope, user)
		if store.IsNoRows(err) {
			problem = InvalidCode
			return nil
		}
		if err != nil {
			return err
		}
		isRight := p.Vault.CheckMAC(sent.CodeHash, code, sent.macContext(number))
		if problem = sent.judge(isRight, tx.Now()); problem == InvalidCode {
			return countAttempt(ctx, tx, scope, user)
		}
		return nil
	})
	return sent, problem, err
}

// judge returns why a try does not count, "" if it proves the number. An expired code and one that was tried too often
// prove nothing, not even with the right digits.
func (c *phoneCode) judge(isRight bool, now time.Time) ErrorCode {
	switch {
	case !now.Before(c.ExpiresAt.Time):
		return CodeExpired
	case c.Attempts >= maxAttempts:
		return TooManyAttempts
	case !isRight:
		return InvalidCode
	}
	return ""
}

// Disconnect removes the user's phone number, and revokes the badges that were granted for it. Errors: NotFound "User".
func (p *Phones) Disconnect(ctx context.Context, scope laurel.Scope, user identity.Ref) error {
	return p.Identity.DisconnectAccount(ctx, scope, user, identity.Phone)
}
