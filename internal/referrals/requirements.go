package referrals

import (
	"context"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
)

// profileByDefault is a complete profile where the rule does not say what one is.
var profileByDefault = []string{"displayName", "bio", "logoUrl"}

// standing is what the requirements look at of a referee. The wallets of a group are one person: what one has counts for all.
type standing struct {
	profiles []identity.Profile
	balance  laurel.Amount // in the currency of the requirement
}

// met reports whether the requirements hold. It is pure.
func met(r rulebook.ReferralRequirements, s standing) bool {
	has := func(of func(identity.Profile) bool) bool { return slices.ContainsFunc(s.profiles, of) }
	switch {
	case r.Points != nil && (s.balance < r.Points.Amount || s.balance <= 0),
		r.ConnectEmail && !has(func(p identity.Profile) bool { return p.EmailVerifiedAt != nil }),
		r.ConnectMicroblog && !has(func(p identity.Profile) bool { return filled(p.MicroblogUserID) }),
		r.ConnectChatServer && !has(func(p identity.Profile) bool { return filled(p.ChatServerUserID) }):
		return false
	}
	if !r.CompleteProfile {
		return true
	}
	wanted := slices.Collect(maps.Keys(r.Profile))
	if len(wanted) == 0 {
		wanted = profileByDefault
	}
	return !slices.ContainsFunc(wanted, func(name string) bool { return !has(func(p identity.Profile) bool { return tells(p, name) }) })
}

func filled(s *string) bool { return s != nil && *s != "" }

// tells reports whether the profile has what completeProfileConditions calls by a name (contract 3.13). A name that nobody knows is never told.
func tells(p identity.Profile, name string) bool {
	either := func(values ...*string) bool { return slices.ContainsFunc(values, filled) }
	switch name {
	case "displayName":
		return filled(p.DisplayName)
	case "bio":
		return filled(p.Bio)
	case "logoUrl":
		return filled(p.LogoURL)
	case "location":
		return filled(p.Location)
	case "portfolioUrl":
		return filled(p.PortfolioURL)
	case "email":
		return p.EmailVerifiedAt != nil
	case "phone":
		return p.PhoneVerifiedAt != nil
	case "microblog":
		return filled(p.MicroblogUserID)
	case "photo_platform":
		return filled(p.PhotoPlatformUser)
	case "chat_server":
		return filled(p.ChatServerUserID)
	case "messenger":
		return filled(p.MessengerUserID)
	case "short_video":
		return either(p.ShortVideoUserID, p.ShortVideoUser)
	case "video_platform":
		return filled(p.VideoPlatformChannelID)
	case "web_account":
		return filled(p.WebAccountUserID)
	case "live_stream":
		return filled(p.LiveStreamUserID)
	case "forum_platform":
		return either(p.ForumPlatformUserID, p.ForumPlatformUser)
	case "code_host":
		return filled(p.CodeHostUserID)
	case "game_store":
		return filled(p.GameStoreUserID)
	case "game_launcher":
		return filled(p.GameLauncherAccountID)
	}
	return false
}

// standing reads what the rule's requirements look at, and nothing where there are none.
func (s *Service) standing(ctx context.Context, scope laurel.Scope, rule rules.Rule, referee identity.Person) (standing, error) {
	r := rule.Referral().Requirements
	people := referee.Group
	if len(people) == 0 {
		people = []laurel.ID{referee.UserID}
	}
	var out standing
	if r.Points != nil {
		currency := r.Points.CurrencyID
		if currency == nil {
			currency = rule.LoyaltyCurrencyID
		}
		if currency != nil {
			held, err := s.Ledger.Balances(ctx, s.DB, scope, *currency, people)
			if err != nil {
				return out, err
			}
			for _, amount := range held {
				out.balance += min(amount, laurel.MaxAmount-out.balance)
			}
		}
	}
	if r.CompleteProfile || r.ConnectEmail || r.ConnectMicroblog || r.ConnectChatServer {
		known, err := s.People.Metadatas(ctx, s.DB, scope, people)
		if err != nil {
			return out, err
		}
		for _, list := range known {
			for _, m := range list {
				out.profiles = append(out.profiles, m.Profile)
			}
		}
	}
	return out, nil
}
