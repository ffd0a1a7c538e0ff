package apptest

import "context"

// Paths of badges and of those of members.
const (
	BadgesPath     = "/api/loyalty/badges"
	BadgeUsersPath = "/api/loyalty/badge_users"
)

// Badge makes a badge that is given by hand, with rewards, and returns its id.
func (s *Server) Badge(rewards ...Object) string {
	s.T.Helper()
	return s.BadgeWith(Object{"rewards": rewards})
}

// BadgeWith makes a badge with properties over those of one that is given by hand, and returns its id.
func (s *Server) BadgeWith(properties Object) string {
	s.T.Helper()
	return s.Post(BadgesPath, BadgeOf(properties)).OK()["id"].(string)
}

// BadgeOf is a badge as a caller writes it.
func BadgeOf(properties Object) Object {
	return Over(Object{
		"name": "Regular", "imageUrl": "https://files.example/b.png", "conditions": []Object{{"type": "api"}}, "rewards": []Object{},
	}, properties)
}

// PointsReward is a reward in the program's currency.
func (s *Server) PointsReward(amount any) Object {
	return Object{"rewardType": "points", "amount": amount, "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
}

// Award gives a wallet a badge by hand and returns the row.
func (s *Server) Award(badge, wallet string) Object {
	s.T.Helper()
	return s.Post(BadgesPath+"/"+badge+"/reward", Object{"walletAddress": wallet}).OK()["data"].(Object)
}

// Unaward takes a badge from a wallet and returns the row.
func (s *Server) Unaward(badge, wallet string) Object {
	s.T.Helper()
	return s.Post(BadgesPath+"/"+badge+"/revoke", Object{"walletAddress": wallet}).OK()["data"].(Object)
}

// BadgeStatus returns the status of a wallet's badge; "" where there is no row.
func (s *Server) BadgeStatus(badge, wallet string) string {
	s.T.Helper()
	for _, u := range s.Get(BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data() {
		return u["status"].(string)
	}
	return ""
}

// Unbadge revokes deleted badges from all their members.
func (s *Server) Unbadge() {
	s.T.Helper()
	if err := s.App.Badges.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}
