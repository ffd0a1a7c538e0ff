package identity

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// PersonProfile holds what rules may check about a person: its own profile, and the connected accounts of its group,
// which count for each of its members (contract 5.16).
type PersonProfile struct {
	Own     Profile
	Members []Connections // the person first, then the others in order of joining
}

// Connections are the wallet and the connected accounts of one user.
type Connections struct {
	UserID     laurel.ID
	Wallet     string // "" without one
	WalletType string // "" while unknown
	Profile    Profile
}

// Account is a connected account of a user on a platform.
type Account struct {
	Platform string
	// Names are the account's id and, on platforms proven by a public profile, its name. Each of them identifies the
	// account.
	Names []string
}

// Accounts returns the connected accounts of the user by platform id (contract 3.5), each with all its names.
func (c Connections) Accounts() map[string]Account {
	out := map[string]Account{}
	for _, id := range c.Profile.identifiers() {
		if id.platform != "" {
			out[id.platform] = Account{id.platform, slices.Concat(out[id.platform].Names, []string{id.field + " " + id.value})}
		}
	}
	return out
}

// Email returns the user's e-mail address, folded for comparison, and whether it is verified; "" if there is none.
func (c Connections) Email() (address string, verified bool) {
	return foldCaseOrEmpty(c.Profile.EmailAddress), c.Profile.EmailVerifiedAt != nil
}

// Phone returns the user's phone number and whether it is verified; "" if there is none.
func (c Connections) Phone() (number string, verified bool) {
	return foldCaseOrEmpty(c.Profile.PhoneNumber), c.Profile.PhoneVerifiedAt != nil
}

// ProvenWalletTypes returns the type of the user's wallet, if the wallet is proven.
func (c Connections) ProvenWalletTypes() []string {
	if c.Profile.VerifiedLocallyAt == nil {
		return nil
	}
	return []string{c.WalletType}
}

// AmountOfCount converts a count to an amount. Counts beyond the range of amounts become the largest one, which
// exceeds what any rule requires.
func AmountOfCount(n int64) laurel.Amount {
	return laurel.Amount(min(max(n, 0), int64(laurel.MaxAmount/laurel.One)-1)) * laurel.One
}

// CustomerNames returns the names by which a shop may know the user: the e-mail address if it is verified, and the
// external identifier. Each begins with the name of its field.
func (c Connections) CustomerNames() []string {
	var names []string
	if email, verified := c.Email(); email != "" && verified {
		names = append(names, "emailAddress "+email)
	}
	if id := c.Profile.ExternalIdentifier; id != nil && *id != "" {
		names = append(names, "externalIdentifier "+*id)
	}
	return names
}

func foldCaseOrEmpty(value *string) string {
	if value == nil {
		return ""
	}
	return foldCase(*value)
}

// FilledFields returns the names of the fields that are filled, in the words of completeProfileConditions: profile
// fields of the person itself, and the e-mail address, phone number and connected accounts of any member of its group.
func (s PersonProfile) FilledFields() []string {
	fields := map[string]bool{}
	for name, value := range map[string]*string{"displayName": s.Own.DisplayName, "bio": s.Own.Bio, "logoUrl": s.Own.LogoURL,
		"location": s.Own.Location, "portfolioUrl": s.Own.PortfolioURL} {
		fields[name] = value != nil && *value != ""
	}
	for _, member := range s.Members {
		email, _ := member.Email()
		phone, _ := member.Phone()
		fields["email"], fields["phone"] = fields["email"] || email != "", fields["phone"] || phone != ""
		for platform := range member.Accounts() {
			fields[platform] = true
		}
	}
	maps.DeleteFunc(fields, func(_ string, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(fields))
}

// PersonProfile reads the profile of a person and the connections of its group. A new member, or one of another
// website, has only its wallet. Changes that are committed at the same moment may be missing.
func (s *Service) PersonProfile(ctx context.Context, scope laurel.Scope, p Person) (PersonProfile, error) {
	var out PersonProfile
	if p.NewMember || p.WebsiteID != scope.WebsiteID {
		return PersonProfile{Members: []Connections{{UserID: p.UserID, Wallet: p.Wallet}}}, nil
	}
	own, err := s.connections(ctx, p.member())
	if err != nil {
		return out, err
	}
	out.Own, out.Members = own.Profile, []Connections{own}
	for _, mate := range p.Group {
		if mate == p.UserID {
			continue
		}
		c, err := s.connections(ctx, memberKey{p.WebsiteID, mate})
		if err != nil {
			return out, err
		}
		out.Members = append(out.Members, c)
	}
	return out, nil
}

// connections reads the connections of one member. If there is no such user, they have only the id.
func (s *Service) connections(ctx context.Context, m memberKey) (Connections, error) {
	row, _, err := s.profiles.Get(ctx, m)
	if err != nil {
		return Connections{}, err
	}
	c := Connections{UserID: m.user}
	if row.Wallet != nil {
		c.Wallet = *row.Wallet
	}
	if row.WalletType != nil {
		c.WalletType = *row.WalletType
	}
	if row.Record != nil {
		err = json.Unmarshal([]byte(*row.Record), &c.Profile)
	}
	return c, err
}

// readProfiles reads the users and their metadata records for the loader, which asks for members of several websites.
func (s *Service) readProfiles(ctx context.Context, keys []memberKey) (map[memberKey]profileRow, error) {
	byWebsite := map[laurel.ID][]laurel.ID{}
	for _, k := range keys {
		byWebsite[k.website] = append(byWebsite[k.website], k.user)
	}
	out := make(map[memberKey]profileRow, len(keys))
	for website, users := range byWebsite {
		rows, err := selectProfiles(ctx, s.db, website, users)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[memberKey{website, r.UserID}] = r
		}
	}
	return out, nil
}

// newProfileLoader returns a loader that batches the reads of concurrent callers.
func newProfileLoader(s *Service) store.Loader[memberKey, profileRow] {
	return store.NewLoader(s.readProfiles)
}
