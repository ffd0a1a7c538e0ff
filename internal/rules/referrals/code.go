package referrals

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

const (
	// codeLetters leaves out letters and digits that people mistake for each other.
	codeLetters    = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	codeLength     = 8
	minCode        = 3
	maxCode        = 64
	maxIDsPerQuery = 500 // bounds the arguments of one statement
	maxCodeTries   = 20  // tries to find an unused code; with 2^40 codes a second try is rare
)

// Code is a member's referral code (contract 3.22).
type Code struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	UserID         laurel.ID `db:"user_id"`
	Code           string    `db:"code"`
	CreatedMicros  int64     `db:"created_at"`
	UpdatedMicros  int64     `db:"updated_at"`
}

// CreatedAt returns when the code was created.
func (c Code) CreatedAt() time.Time { return store.Time(c.CreatedMicros) }

// UpdatedAt returns when the code was last changed.
func (c Code) UpdatedAt() time.Time { return store.Time(c.UpdatedMicros) }

// CodeInput requests the code of a member for a rule of type referred_user (contract 4.5).
type CodeInput struct {
	RuleID laurel.ID
	User   identity.Ref
	Custom string // customReferralCode, 3..64 of A-Z a-z 0-9 _ -; empty: a random one
}

// Validate adds a fault for each invalid property.
func (in CodeInput) Validate(f *laurel.Faults) {
	if in.RuleID.IsZero() {
		f.Add("loyaltyRuleId", "is required")
	}
	in.User.Validate(f)
	if in.Custom == "" {
		return
	}
	if len(in.Custom) < minCode {
		f.Add("customReferralCode", "must be at least %d characters", minCode)
	}
	f.Text("customReferralCode", in.Custom, 0, maxCode)
	if strings.ContainsFunc(in.Custom, func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) {
		f.Add("customReferralCode", "must consist of letters, digits, _ and -")
	}
}

// CreateCode returns the member's code for the rule, and creates it if there is none. An existing code is returned even
// if the input has a custom one. A new wallet becomes a user. Errors: Invalid, NotFound "Loyalty rule" or "User",
// Refused "Referral code is already taken".
func (s *Service) CreateCode(ctx context.Context, scope laurel.Scope, in CodeInput) (Code, error) {
	var f laurel.Faults
	in.Validate(&f)
	if err := f.Err(); err != nil {
		return Code{}, err
	}
	rule, err := s.rule(ctx, scope, in.RuleID)
	if err != nil {
		return Code{}, err
	}
	if rule.Type != schema.TypeReferredUser {
		f.Add("loyaltyRuleId", "must name a rule of type %s", schema.TypeReferredUser)
		return Code{}, f.Err()
	}
	scope = scope.At(rule.WebsiteID)
	var code Code
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		p, err := s.People.Resolve(ctx, tx, scope, in.User)
		if err != nil {
			return err
		}
		if err := admitNewPeople(ctx, tx, scope, p); err != nil {
			return err
		}
		code, err = s.findOrInsertCode(ctx, tx, rule, p.UserID, in.Custom)
		return err
	})
	return code, err
}

// findOrInsertCode inserts the custom code of a user, or a random one if custom is empty. If the user has a code
// already, it returns that one. So of two simultaneous calls one inserts, and both return the same code. It refuses a
// custom code that another user has. If a random code is taken, it tries another, up to maxCodeTries times.
func (s *Service) findOrInsertCode(
	ctx context.Context,
	tx *store.Tx,
	rule catalog.Rule,
	user laurel.ID,
	custom string,
) (Code, error) {
	now := store.Micros(tx.Now())
	for range maxCodeTries {
		c := Code{
			ID:             tx.NewID(),
			OrganizationID: rule.OrganizationID,
			WebsiteID:      rule.WebsiteID,
			RuleID:         rule.ID,
			UserID:         user,
			Code:           custom,
			CreatedMicros:  now,
			UpdatedMicros:  now,
		}
		if custom == "" {
			c.Code = randomCode(tx)
		}
		inserted, err := insertCode(ctx, tx, c)
		if err != nil || inserted {
			return c, err
		}
		c, err = selectCodeOf(ctx, tx, rule.ID, user)
		if !store.IsNoRows(err) {
			return c, err
		}
		if custom != "" {
			return Code{}, laurel.Errorf(laurel.Refused, "Referral code is already taken")
		}
	}
	return Code{}, errors.New("referrals: no unused code was found")
}

// randomCode returns a code of 40 random bits. The 32 letters divide 256, so every letter is equally likely.
func randomCode(tx *store.Tx) string {
	b := make([]byte, codeLength)
	tx.Random(b)
	for i := range b {
		b[i] = codeLetters[int(b[i])%len(codeLetters)]
	}
	return string(b)
}

// codeKey returns the form of a code that is unique: codes that differ in case only are equal.
func codeKey(code string) string { return strings.ToUpper(code) }

// admitNewPeople stores those of the people who are new as users and members. If another transaction has stored the
// same wallet meanwhile, it returns store.ErrRerun, so that the transaction runs again.
func admitNewPeople(ctx context.Context, tx *store.Tx, scope laurel.Scope, people ...identity.Person) error {
	err := store.Run(ctx, tx, admitWork{scope, people})
	if errors.Is(err, store.ErrStale) {
		return store.ErrRerun
	}
	return err
}

// admitWork stores people who are new under the locks that payments use, so that nobody becomes a member twice.
type admitWork struct {
	scope  laurel.Scope
	people []identity.Person
}

// Locks returns the locks of every person.
func (a admitWork) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range a.people {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

// Judge stages the people who are new. It returns store.ErrStale if a person has changed since it was read.
func (a admitWork) Judge(b *store.Batch) error {
	for _, p := range a.people {
		if err := p.Check(b); err != nil {
			return err
		}
	}
	for _, p := range a.people {
		if err := p.Admit(b, a.scope); err != nil {
			return err
		}
	}
	return nil
}
