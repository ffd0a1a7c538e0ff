package admins

import (
	"context"
	"sync"
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

// maxConcurrentHashes bounds how many passwords are hashed at once on a node: each takes 19 MiB.
const maxConcurrentHashes = 4

// costOf returns the parameters of argon2id that OWASP's password storage cheat sheet names for 19 MiB, or the least
// that there are.
func costOf(quick bool) *argon2id.Params {
	p := &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	if quick {
		p.Memory, p.Iterations = 8, 1 // KiB
	}
	return p
}

// newDummyHash returns the hash that the password of an unknown address is compared with: that takes as long as one
// that is known.
func newDummyHash(cost *argon2id.Params) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		return argon2id.CreateHash("nobody has this password", cost)
	})
}

// acquireHashSlot waits until a password may be hashed, and returns what ends that.
func (s *Service) acquireHashSlot(ctx context.Context) (done func(), err error) {
	select {
	case s.hashSlots <- struct{}{}:
		return func() { <-s.hashSlots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Service) hash(ctx context.Context, password string) (string, error) {
	done, err := s.acquireHashSlot(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return argon2id.CreateHash(password, s.cost)
}

func (s *Service) matches(ctx context.Context, password, hash string) (bool, error) {
	done, err := s.acquireHashSlot(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	return argon2id.ComparePasswordAndHash(password, hash)
}

// errSignIn is what every failure to sign in says: nobody learns which addresses have an account.
func errSignIn() error {
	return laurel.Errorf(laurel.Refused, "The e-mail address or the password is wrong")
}

// Caller is who tries to sign in, as the server sees it.
type Caller struct {
	Network string // the address of the network; of IPv6 its first 64 bits
	Browser string // the token of Browser that the browser holds; empty: none
}

// SignIn returns the admin whose address and password these are. With SecondFactor the sign-in is complete only after
// Second. Errors: Refused; RateLimited after 10 failures in 15 minutes for an account, and after 50 from a network.
// Failures of strangers lock nobody out of a browser in which the account has signed in before: it has 10 failures of
// its own.
func (s *Service) SignIn(ctx context.Context, email, password string, from Caller) (Admin, error) {
	email = NormalizeEmail(email)
	limits, err := s.signInLimits(ctx, email, from)
	if err != nil {
		return Admin{}, err
	}
	var row adminRow
	err = s.limitTries(ctx, limits, func() (err error) {
		row, err = s.checkCredentials(ctx, email, password)
		return err
	})
	if err != nil {
		return Admin{}, err
	}
	return row.admin(), nil
}

// checkCredentials returns the admin of an address and a password. Errors: Refused, as late for an unknown address as
// for a wrong password.
func (s *Service) checkCredentials(ctx context.Context, email, password string) (adminRow, error) {
	row, err := findAdminByEmail(ctx, s.DB, email)
	if err != nil && !store.NoRows(err) {
		return adminRow{}, err
	}
	isKnown, hash := err == nil, row.PasswordHash
	if !isKnown {
		if hash, err = s.dummyHash(); err != nil {
			return adminRow{}, err
		}
	}
	if len(password) > 4*maxPassword { // no password is longer, and hashing it would cost more
		password = ""
	}
	same, err := s.matches(ctx, password, hash)
	if err == nil && (!isKnown || !same) {
		err = errSignIn()
	}
	return row, err
}

// CheckPassword checks the password of an admin who is signed in, before what needs it anew. Errors: Refused;
// RateLimited after 10 failures in 15 minutes.
func (s *Service) CheckPassword(ctx context.Context, admin laurel.ID, password string) error {
	return s.limitTries(ctx, []tryLimit{{"confirm " + admin.String(), failuresPerAccount}}, func() error {
		row, err := findAdmin(ctx, s.DB, admin)
		if err != nil {
			return err
		}
		same, err := s.matches(ctx, password, row.PasswordHash)
		if err == nil && !same {
			err = laurel.Errorf(laurel.Refused, "The password is wrong")
		}
		return err
	})
}

// ChangePassword sets a new password and ends every session of the admin but for the one that is named, which goes on
// under the version of the admin that is returned. Errors: Invalid; those of Confirm.
func (s *Service) ChangePassword(
	ctx context.Context,
	admin laurel.ID,
	old, password string,
	session laurel.ID,
) (Admin, error) {
	var f laurel.Faults
	checkPassword(&f, password)
	if err := f.Err(); err != nil {
		return Admin{}, err
	}
	if err := s.CheckPassword(ctx, admin, old); err != nil {
		return Admin{}, err
	}
	hash, err := s.hash(ctx, password)
	if err != nil {
		return Admin{}, err
	}
	return s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		row.PasswordHash = hash
		return endSessions(ctx, tx, row, session)
	})
}
