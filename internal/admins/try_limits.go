package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// The most failures within tryWindow: of an account's password or second factor, and of passwords, or sign-ins
// at the identity provider, from one network.
const (
	failuresPerAccount = 10
	failuresPerNetwork = 50
	tryWindow          = 15 * time.Minute
)

// tryLimit bounds the failures that are counted under a name.
type tryLimit struct {
	name string
	max  int
}

// signInLimits returns the limits of failures of a sign-in. A browser in which the account has signed in before has a
// limit of its own; otherwise anyone who knows an address could lock its owner out.
func (s *Service) signInLimits(ctx context.Context, email string, from Caller) ([]tryLimit, error) {
	account, browser := "sign in as "+hashToken(email), hashToken(from.Browser)
	known, err := isKnownBrowser(ctx, s.DB, browser, email, s.DB.Now())
	if err != nil {
		return nil, err
	}
	if known {
		return []tryLimit{{account + " in " + browser, failuresPerAccount}}, nil
	}
	return []tryLimit{{"sign in from " + from.Network, failuresPerNetwork}, {account, failuresPerAccount}}, nil
}

// limitTries runs a check of a secret, unless a limit of failures is reached. The limits hold for all nodes together. A
// try is counted before the check, so that many at once cannot exceed the limits. Unless the check returns Refused, it
// was no failure, and the try is uncounted afterwards. Errors: RateLimited; those of the check.
func (s *Service) limitTries(ctx context.Context, limits []tryLimit, check func() error) error {
	counted := make([]tenancy.Allowance, 0, len(limits))
	isFailure := false
	defer func() {
		for i, allowance := range counted {
			if isFailure {
				return
			}
			done := context.WithoutCancel(ctx) // the caller may be gone, and the try must not count
			if err := s.Tenancy.UndoAllow(done, "admin "+limits[i].name, allowance); err != nil {
				s.Logger.Warn("a successful try to sign in could not be uncounted", "error", err)
			}
		}
	}()
	for _, limit := range limits {
		allowed, err := s.Tenancy.Allow(ctx, "admin "+limit.name, limit.max, tryWindow)
		if err != nil {
			return err
		}
		if !allowed.OK {
			return &laurel.Error{
				Code: laurel.RateLimited, Message: "Too many tries. Try again later", RetryAfter: int(allowed.Reset.Seconds()) + 1,
			}
		}
		counted = append(counted, allowed)
	}
	err := check()
	isFailure = err != nil && laurel.CodeOf(err) == laurel.Refused
	return err
}
