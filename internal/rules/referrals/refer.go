package referrals

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
)

const maxReferees = 100

// ReferInput says which users came by which code (contract 4.5).
type ReferInput struct {
	UserIDs []laurel.ID // 1 to 100 referees; duplicates count once
	Code    string      // referralCode, in upper or lower case
	CodeID  laurel.ID   // referralCodeId; has precedence over Code
}

// path returns the property that names the code.
func (in ReferInput) path() string {
	if in.CodeID.IsZero() {
		return "referralCode"
	}
	return "referralCodeId"
}

// Validate adds a fault for each invalid property.
func (in ReferInput) Validate(f *laurel.Faults) {
	if n := len(in.UserIDs); n < 1 || n > maxReferees {
		f.Add("userIds", "must have between 1 and %d items", maxReferees)
	}
	if in.Code == "" && in.CodeID.IsZero() {
		f.AddText("referralCode", "referralCode or referralCodeId is required")
	}
	f.Text("referralCode", in.Code, 0, maxCode)
}

// Refer stores referrals of users by a code: all of them or none. Rewards that are due at once are paid before it
// returns. Errors: Invalid, NotFound "User", Refused "Referral code not found", "Users cannot refer themselves",
// "Referral loop is not allowed", "User was already referred".
func (s *Service) Refer(ctx context.Context, scope laurel.Scope, in ReferInput) error {
	var f laurel.Faults
	in.Validate(&f)
	if err := f.Err(); err != nil {
		return err
	}
	users := slices.Clone(in.UserIDs)
	slices.SortFunc(users, laurel.ID.Compare)
	users = slices.Compact(users)
	code, rule, err := s.findCode(ctx, scope, in)
	if err != nil {
		return err
	}
	scope = scope.At(rule.WebsiteID)
	if err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		return s.refer(ctx, tx, scope, code, users)
	}); err != nil {
		return err
	}
	s.payNewReferrals(ctx, rule, users)
	return nil
}

// findCode returns the code of the input and its rule. It returns the refusal "Referral code not found" if either does
// not exist or the rule is deleted.
func (s *Service) findCode(ctx context.Context, scope laurel.Scope, in ReferInput) (Code, catalog.Rule, error) {
	unknown := laurel.Unknown(in.path(), "Referral code")
	code, err := selectCode(ctx, s.DB, scope, in)
	if store.IsNoRows(err) {
		return Code{}, catalog.Rule{}, unknown
	}
	if err != nil {
		return Code{}, catalog.Rule{}, err
	}
	rule, err := s.rule(ctx, scope, code.RuleID)
	if laurel.CodeOf(err) == laurel.NotFound {
		return Code{}, catalog.Rule{}, unknown
	}
	return code, rule, err
}

// refer stores the referrals of users by one code, after it has refused those that are not allowed. A lock lets only
// one transaction at a time add referrals of the website: otherwise two could close a loop together.
func (s *Service) refer(ctx context.Context, tx *store.Tx, scope laurel.Scope, code Code, users []laurel.ID) error {
	if err := tx.AdvisoryLock(ctx, "referrals of "+scope.WebsiteID.String()); err != nil {
		return err
	}
	refs := make([]identity.Ref, 0, len(users)+1)
	for _, id := range append([]laurel.ID{code.UserID}, users...) {
		refs = append(refs, identity.Ref{UserID: id})
	}
	people, err := s.People.ResolveMany(ctx, tx, scope, refs)
	if err != nil {
		return err
	}
	referrer := people[0]
	if slices.ContainsFunc(
		users,
		func(id laurel.ID) bool { return id == referrer.UserID || slices.Contains(referrer.Group, id) },
	) {
		return laurel.Errorf(laurel.Refused, "Users cannot refer themselves") // the wallets of a group are one person
	}
	loop, err := s.closesLoop(ctx, tx, scope, people)
	if err != nil {
		return err
	}
	if loop {
		return laurel.Errorf(laurel.Refused, "Referral loop is not allowed")
	}
	if err := admitNewPeople(ctx, tx, scope, people[1:]...); err != nil {
		return err
	}
	inserted, err := insertReferrals(ctx, tx, code, users)
	if err == nil && inserted < len(users) {
		return laurel.Errorf(laurel.Refused, "User was already referred")
	}
	return err
}

// closesLoop reports whether a new referral would close a loop: whether one of the referees is the referrer's referrer,
// directly or through further referrals. people holds the referrer first, then the referees. The wallets of a group
// count as one person at every level.
func (s *Service) closesLoop(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	people []identity.Person,
) (bool, error) {
	referees, visited := map[laurel.ID]bool{}, map[laurel.ID]bool{}
	for _, p := range people[1:] {
		for _, id := range userIDsOf(p) {
			referees[id] = true
		}
	}
	// Each round goes from the people of a level to all their referrers, and from these to the wallets of their groups,
	// which may have further referrers.
	level := userIDsOf(people[0])
	for len(level) > 0 {
		for _, id := range level {
			visited[id] = true
		}
		referrers, err := selectAllReferrers(ctx, tx, scope.WebsiteID, level)
		if err != nil {
			return false, err
		}
		var refs []identity.Ref
		for _, id := range referrers {
			if referees[id] {
				return true, nil
			}
			if !visited[id] {
				visited[id] = true
				refs = append(refs, identity.Ref{UserID: id})
			}
		}
		found, err := s.People.ResolveMany(ctx, tx, scope, refs)
		if err != nil {
			return false, err
		}
		level = nil
		for _, p := range found {
			for _, id := range userIDsOf(p) {
				if !visited[id] {
					level = append(level, id)
				}
			}
		}
	}
	return false, nil
}

// userIDsOf returns the user ids of a person: all members of its group.
func userIDsOf(p identity.Person) []laurel.ID {
	if p.GroupID.IsZero() {
		return []laurel.ID{p.UserID}
	}
	return p.Group
}
