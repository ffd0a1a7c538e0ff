package admins

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

func checkPassword(f *laurel.Faults, password string) {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword {
		f.Add("password", "must be between %d and %d characters", minPassword, maxPassword)
	}
}

// maxConcurrentHashes bounds how many passwords a node hashes at once: each takes 19 MiB.
const maxConcurrentHashes = 4

// hashCost returns the argon2id parameters of OWASP's password storage cheat sheet for 19 MiB, or, if quick, the
// cheapest ones, for tests.
func hashCost(quick bool) *argon2id.Params {
	p := &argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	if quick {
		p.Memory, p.Iterations = 8, 1 // KiB
	}
	return p
}

// newDummyHash returns a function that makes a hash at its first call and returns the same one ever after. A password
// for an unknown address is compared with that hash, so that a sign-in takes as long as for a known address.
func newDummyHash(cost *argon2id.Params) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		return argon2id.CreateHash("nobody has this password", cost)
	})
}

// acquireHashSlot waits until one more password may be hashed, and returns the function that frees the slot.
func (s *Service) acquireHashSlot(ctx context.Context) (done func(), err error) {
	select {
	case s.hashSlots <- struct{}{}:
		return func() { <-s.hashSlots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hashPassword returns the argon2id hash of a password. It waits while maxConcurrentHashes others are computed.
func (s *Service) hashPassword(ctx context.Context, password string) (string, error) {
	done, err := s.acquireHashSlot(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	return argon2id.CreateHash(password, s.cost)
}

// matchesPassword reports whether hash is the hash of the password. Like hashPassword it waits for a free slot.
func (s *Service) matchesPassword(ctx context.Context, password, hash string) (bool, error) {
	done, err := s.acquireHashSlot(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	return argon2id.ComparePasswordAndHash(password, hash)
}

// errSignIn is the error of every failed sign-in, so that it does not reveal which addresses have an account.
func errSignIn() error {
	return laurel.Errorf(laurel.Refused, "The e-mail address or the password is wrong")
}

// Caller describes who tries to sign in.
type Caller struct {
	Network string // the address of the network; of IPv6 its first 64 bits
	Browser string // the browser's token of RegisterBrowser; empty: none
}

// SignIn returns the admin with this address and password. If the admin has a second factor, CompleteSignIn must
// follow. Errors: Refused; RateLimited after 10 failures in 15 minutes for an account, and after 50 from a network. In
// a browser in which the account has signed in before, failures are counted separately, so that strangers cannot lock
// the admin out of it.
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

// checkCredentials returns the admin with this address and password. Errors: Refused, after the same time for an
// unknown address as for a wrong password.
func (s *Service) checkCredentials(ctx context.Context, email, password string) (adminRow, error) {
	row, err := findAdminByEmail(ctx, s.DB, email)
	if err != nil && !store.IsNoRows(err) {
		return adminRow{}, err
	}
	isKnown, hash := err == nil && row.PasswordHash != "", row.PasswordHash
	if !isKnown {
		if hash, err = s.dummyHash(); err != nil {
			return adminRow{}, err
		}
	}
	if len(password) > 4*maxPassword { // longer than any valid password, and costly to hash
		password = "" // no account has an empty password, so the result stays the same
	}
	same, err := s.matchesPassword(ctx, password, hash)
	if err == nil && (!isKnown || !same) {
		err = errSignIn()
	}
	return row, err
}

// CheckPassword checks the password of an admin who is signed in, before a sensitive action. Errors: Refused;
// RateLimited after 10 failures in 15 minutes.
func (s *Service) CheckPassword(ctx context.Context, admin laurel.ID, password string) error {
	return s.limitTries(ctx, []tryLimit{{"confirm " + admin.String(), failuresPerAccount}}, func() error {
		row, err := findAdmin(ctx, s.DB, admin)
		if err != nil {
			return err
		}
		if row.PasswordHash == "" {
			return laurel.Errorf(laurel.Refused, "You have no password here")
		}
		same, err := s.matchesPassword(ctx, password, row.PasswordHash)
		if err == nil && !same {
			err = laurel.Errorf(laurel.Refused, "The password is wrong")
		}
		return err
	})
}

// ChangePassword sets a new password and ends every session of the admin except one, that of the caller. The caller
// must store the Credentials of the returned admin in that session, or it ends too. Errors: Invalid; those of
// CheckPassword.
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
	hash, err := s.hashPassword(ctx, password)
	if err != nil {
		return Admin{}, err
	}
	return s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		row.PasswordHash = hash
		return endSessions(ctx, tx, row, session)
	})
}
