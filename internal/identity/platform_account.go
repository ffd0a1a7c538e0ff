package identity

import (
	"context"
	"strings"

	"laurel.example/laurel"
)

// PlatformAccount is a connected account as the platform knows it.
type PlatformAccount struct {
	ID, Name  string   // one of them may be ""
	Names     []string // as Account has them
	Followers *int64   // nil: unknown
}

// PlatformAccount returns the account that the user has connected on a platform; ok is false if there is none.
func (c Connections) PlatformAccount(platform string) (a PlatformAccount, ok bool) {
	names := c.Accounts()[platform].Names
	if len(names) == 0 {
		return PlatformAccount{}, false
	}
	fields, _ := c.Profile.accountFields(platform)
	a = PlatformAccount{ID: orEmpty(fields.id), Name: orEmpty(fields.name), Names: names}
	if platform == "microblog" {
		a.Followers = c.Profile.MicroblogFollowersCount
	}
	return a, true
}

// profileProven are the platforms of which a user name identifies an account (contract 3.5).
var profileProven = map[string]bool{"short_video": true, "forum_platform": true}

// AccountNames returns the names, as Account has them, of the account with an id of a platform.
func AccountNames(platform, id string) []string {
	var c Connections
	fields, ok := c.Profile.accountFields(platform)
	if !ok {
		return nil
	}
	*fields.id = &id
	if profileProven[platform] { // their names identify accounts, too
		*fields.name = &id
	}
	return c.Accounts()[platform].Names
}

// orEmpty returns the text of a field; "" if it has none.
func orEmpty(field **string) string {
	if field == nil || *field == nil {
		return ""
	}
	return **field
}

// IsAccountHeldByOther reports whether somebody other than the users and their groups has connected the account with an
// id of a platform.
func (s *Service) IsAccountHeldByOther(
	ctx context.Context, scope laurel.Scope, users []laurel.ID, platform, id string,
) (bool, error) {
	for _, name := range AccountNames(platform, id) {
		field, value, _ := strings.Cut(name, " ")
		held, err := isHeldByOther(ctx, s.db, scope, users, identifier{field: field, value: value})
		if held || err != nil {
			return held, err
		}
	}
	return false, nil
}
