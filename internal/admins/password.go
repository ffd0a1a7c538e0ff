package admins

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"laurel"
	"laurel/internal/store"
)

func checkPassword(f *laurel.Faults, password string) {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword {
		f.Add("password", "must be between %d and %d characters", minPassword, maxPassword)
	}
}

// hashesAtOnce bounds how many passwords are hashed at once on a node: each takes 19 MiB.
const hashesAtOnce = 4

// costOf returns the parameters of argon2id that OWASP's password storage cheat sheet names for 19 MiB, or the least
// that there are.
func costOf(quick bool) *argon2id.Params {
	p := &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	if quick {
		p.Memory, p.Iterations = 8, 1 // KiB
	}
	return p
}

// hashOfNobody returns the hash that the password of an unknown address is compared with: that takes as long as one
// that is known.
func hashOfNobody(cost *argon2id.Params) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		return argon2id.CreateHash("nobody has this password", cost)
	})
}

// turn waits until a password may be hashed, and returns what ends that.
func (s *Service) turn(ctx context.Context) (done func(), err error) {
	select {
	case s.hashing <- struct{}{}:
		return func() { <-s.hashing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Service) hash(ctx context.Context, password string) (string, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return argon2id.CreateHash(password, s.cost)
}

func (s *Service) matches(ctx context.Context, password, hash string) (bool, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	return argon2id.ComparePasswordAndHash(password, hash)
}

// Tries of a password, per address of the e-mail and per address of the network; and of a second factor.
const (
	triesPerEmail   = 10
	triesPerAddress = 50
	triesOfSecond   = 10
	triesWithin     = 15 * time.Minute
)

// errSignIn is what every failure to sign in says: nobody learns which addresses have an account.
func errSignIn() error {
	return laurel.Errorf(laurel.Refused, "The e-mail address or the password is wrong")
}

// SignIn returns the admin whose address and password these are. remote is the network address of the caller. With
// SecondFactor the sign-in is complete only after Second. Errors: Refused; RateLimited after 10 tries in 15 minutes for
// an account, and after 50 from an address.
func (s *Service) SignIn(ctx context.Context, email, password, remote string) (Admin, error) {
	email = NormalizeEmail(email)
	if err := s.counts(ctx, "sign in from "+remote, triesPerAddress); err != nil {
		return Admin{}, err
	}
	if err := s.counts(ctx, "sign in as "+hashOf(email), triesPerEmail); err != nil {
		return Admin{}, err
	}
	row, err := adminOf(ctx, s.DB, email)
	if err != nil && !store.NoRows(err) {
		return Admin{}, err
	}
	known, hash := err == nil, row.PasswordHash
	if !known {
		if hash, err = s.nobodys(); err != nil {
			return Admin{}, err
		}
	}
	if len(password) > 4*maxPassword { // no password is longer, and hashing it would cost more
		password = ""
	}
	same, err := s.matches(ctx, password, hash)
	if err != nil {
		return Admin{}, err
	}
	if !known || !same {
		return Admin{}, errSignIn()
	}
	return row.admin(), nil
}

// counts counts a try, on all nodes together.
func (s *Service) counts(ctx context.Context, name string, most int) error {
	allowed, err := s.Tenancy.Allow(ctx, "admin "+name, most, triesWithin)
	if err != nil || allowed.OK {
		return err
	}
	return &laurel.Error{
		Code: laurel.RateLimited, Message: "Too many tries. Try again later", RetryAfter: int(allowed.Reset.Seconds()) + 1,
	}
}

// Confirm checks the password of an admin who is signed in, before what needs it anew. Errors: Refused; RateLimited.
func (s *Service) Confirm(ctx context.Context, admin laurel.ID, password string) error {
	if err := s.counts(ctx, "confirm "+admin.String(), triesPerEmail); err != nil {
		return err
	}
	row, err := findAdmin(ctx, s.DB, admin)
	if err != nil {
		return err
	}
	same, err := s.matches(ctx, password, row.PasswordHash)
	if err == nil && !same {
		err = laurel.Errorf(laurel.Refused, "The password is wrong")
	}
	return err
}

// ChangePassword sets a new password and ends every session of the admin, but for the one that is named. Errors:
// Invalid; those of Confirm.
func (s *Service) ChangePassword(ctx context.Context, admin laurel.ID, old, password string, session laurel.ID) error {
	var f laurel.Faults
	checkPassword(&f, password)
	if err := f.Err(); err != nil {
		return err
	}
	if err := s.Confirm(ctx, admin, old); err != nil {
		return err
	}
	hash, err := s.hash(ctx, password)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		row.PasswordHash = hash
		return deleteSessions(ctx, tx, admin, session)
	})
	return err
}
