package admins

import (
	"context"
	"encoding/base32"
	"errors"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The second factor is a time-based one-time password (RFC 6238) with the parameters that every app supports: SHA-1,
// six digits, thirty seconds. The previous and the next code are valid too, since clocks differ.
const (
	issuer = "Laurel"
	period = 30 * time.Second
	skew   = 1 // periods
)

// recoveryCodeCount is the number of an admin's recovery codes, recoveryCodeBytes the random bytes of each.
const (
	recoveryCodeCount = 10
	recoveryCodeBytes = 10
)

// Enrolment is a second factor that is offered to an admin, whose app scans the address.
type Enrolment struct {
	Secret  string // base32, as a person types it
	Address string // otpauth://…
}

// Enrol returns a new second factor for an admin's app. Nothing is stored before Activate. Errors: NotFound "Admin".
func (s *Service) Enrol(ctx context.Context, admin laurel.ID) (Enrolment, error) {
	a, err := s.Admin(ctx, admin)
	if err != nil {
		return Enrolment{}, err
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: a.Email, SecretSize: secretBytes})
	if err != nil {
		return Enrolment{}, err
	}
	return Enrolment{Secret: key.Secret(), Address: key.URL()}, nil
}

// secretBytes is the number of random bytes of a secret (RFC 4226, section 4: at least 128 bits, better 160).
const secretBytes = 20

// Activate makes a secret that Enrol has returned the admin's second factor, if code is a valid code of that secret. It
// returns new recovery codes, which are never shown again. It ends every session of the admin except one, that of the
// caller. The caller must store the Credentials of the returned admin in that session, or it ends too. Errors: Refused
// if the code is wrong, or the secret has the wrong form.
func (s *Service) Activate(
	ctx context.Context,
	admin laurel.ID,
	secret, code string,
	session laurel.ID,
) (out Admin, codes []string, err error) {
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil || len(raw) != secretBytes {
		return Admin{}, nil, laurel.Errorf(laurel.Refused, "This setup has expired. Start setting up two-factor authentication again")
	}
	step, ok := matchCode(secret, code, s.DB.Now(), 0)
	if !ok {
		return Admin{}, nil, errCode()
	}
	sealed := s.Vault.Seal([]byte(secret), secretContext(admin))
	out, err = s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		row.TOTPSecret, row.TOTPStep = &sealed, step
		if err := endSessions(ctx, tx, row, session); err != nil {
			return err
		}
		codes = newCodes(tx)
		return replaceCodes(ctx, tx, admin, hashCodes(codes))
	})
	return out, codes, err
}

// Deactivate removes the second factor and its recovery codes.
func (s *Service) Deactivate(ctx context.Context, admin laurel.ID) error {
	_, err := s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		row.TOTPSecret = nil
		return replaceCodes(ctx, tx, admin, nil)
	})
	return err
}

// RenewCodes replaces the recovery codes and returns the new ones, which are never shown again. Errors: Refused without
// a second factor.
func (s *Service) RenewCodes(ctx context.Context, admin laurel.ID) (codes []string, err error) {
	_, err = s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		if row.TOTPSecret == nil {
			return laurel.Errorf(laurel.Refused, "Two-factor authentication is not set up")
		}
		codes = newCodes(tx)
		return replaceCodes(ctx, tx, admin, hashCodes(codes))
	})
	return codes, err
}

// CountRecoveryCodes returns how many recovery codes of the admin are unused.
func (s *Service) CountRecoveryCodes(ctx context.Context, admin laurel.ID) (int, error) {
	return countCodes(ctx, s.DB, admin)
}

// PendingSignIn is a sign-in with a correct password, or at the identity provider, that still needs the second factor.
type PendingSignIn struct {
	AdminID     laurel.ID `json:"adminId"`
	Credentials int64     `json:"credentials"` // version of the credentials that were checked
	Until       time.Time `json:"until"`
	Identity    *Identity `json:"identity,omitempty"` // that the second factor links; nil: none
}

// pendingLifetime is how long a sign-in waits for the second factor.
const pendingLifetime = 10 * time.Minute

// PendingSignIn returns the pending sign-in of an admin.
func (s *Service) PendingSignIn(a Admin) PendingSignIn {
	return PendingSignIn{AdminID: a.ID, Credentials: a.Credentials, Until: s.DB.Now().Add(pendingLifetime)}
}

// CompleteSignIn completes a sign-in with a code of the app or a recovery code, and returns the admin. Each code works
// once. It links the identity of the sign-in. Errors: ErrPendingExpired if the password must be entered again; Refused,
// also if the admin was linked to another account meanwhile; RateLimited after 10 failures in 15 minutes.
func (s *Service) CompleteSignIn(ctx context.Context, in PendingSignIn, code string) (admin Admin, err error) {
	if !in.Until.After(s.DB.Now()) {
		return Admin{}, ErrPendingExpired
	}
	limit := tryLimit{"second factor of " + in.AdminID.String(), failuresPerAccount}
	err = s.limitTries(ctx, []tryLimit{limit}, func() (err error) {
		admin, err = s.change(ctx, in.AdminID, func(tx *store.Tx, row *adminRow) error {
			if row.Credentials != in.Credentials {
				return ErrPendingExpired
			}
			if err := s.useSecondFactor(ctx, tx, row, code); err != nil || in.Identity == nil {
				return err
			}
			return linkLate(ctx, tx, row, *in.Identity)
		})
		return err
	})
	return admin, err
}

// useSecondFactor checks a code of the admin's app, or a recovery code. It deletes a recovery code; for a code of the
// app it sets TOTPStep in row, which the caller must write. Errors: Refused for a wrong or used code, or without a
// second factor.
func (s *Service) useSecondFactor(ctx context.Context, tx *store.Tx, row *adminRow, code string) error {
	if row.TOTPSecret == nil {
		return errCode()
	}
	secret, err := s.Vault.Open(*row.TOTPSecret, secretContext(row.ID))
	if err != nil {
		return err
	}
	if step, ok := matchCode(string(secret), code, tx.Now(), row.TOTPStep); ok {
		row.TOTPStep = step
		return nil
	}
	used, err := useCode(ctx, tx, row.ID, hashToken(normalizeCode(code)))
	if err == nil && !used {
		err = errCode()
	}
	return err
}

// ErrPendingExpired is returned if the sign-in must start again.
var ErrPendingExpired = errors.New("the sign-in is over: the password was given too long ago, or was changed meanwhile")

func errCode() error { return laurel.Errorf(laurel.Refused, "The code is wrong or was already used") }

// matchCode returns the step for which a code is valid: the number of a 30-second period since 1970, the present one or
// a neighbour. It returns false if the code is wrong, or its step is not later than lastStep, the last one used (RFC
// 6238, section 5.2).
func matchCode(secret, code string, now time.Time, lastStep int64) (int64, bool) {
	code = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	present := now.Unix() / int64(period.Seconds())
	for step := present - skew; step <= present+skew; step++ {
		if step <= lastStep {
			continue
		}
		at := time.Unix(step*int64(period.Seconds()), 0)
		ok, err := totp.ValidateCustom(code, secret, at, totp.ValidateOpts{
			Period: uint(period.Seconds()), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && ok {
			return step, true
		}
	}
	return 0, false
}

// newCodes returns new recovery codes in the form in which people type them: "abcd-efgh-ijkl-mnop".
func newCodes(tx *store.Tx) []string {
	codes := make([]string, recoveryCodeCount)
	for i := range codes {
		b := make([]byte, recoveryCodeBytes)
		tx.Random(b)
		text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
		codes[i] = text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
	}
	return codes
}

// normalizeCode removes spaces and dashes from a recovery code.
func normalizeCode(code string) string {
	return strings.NewReplacer("-", "", " ", "").Replace(strings.ToLower(strings.TrimSpace(code)))
}

func hashCodes(codes []string) []string {
	hashes := make([]string, len(codes))
	for i, code := range codes {
		hashes[i] = hashToken(normalizeCode(code))
	}
	return hashes
}
