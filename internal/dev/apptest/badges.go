package apptest

import (
	"context"
	"fmt"
)

// The paths of badges, and of the badges of members.
const (
	BadgesPath     = "/api/loyalty/badges"
	BadgeUsersPath = "/api/loyalty/badge_users"
)

// CreateBadge creates a badge that is granted by calls only, with rewards, and returns its id.
func (s *Server) CreateBadge(rewards ...Object) string {
	s.T.Helper()
	return s.CreateBadgeWith(Object{"rewards": rewards})
}

// CreateBadgeWith creates a badge like that of CreateBadge, with other or further properties, and returns its id.
func (s *Server) CreateBadgeWith(properties Object) string {
	s.T.Helper()
	return s.Post(BadgesPath, BadgeBody(properties)).OK()["id"].(string)
}

// BadgeBody returns the body that creates a badge, with other or further properties.
func BadgeBody(properties Object) Object {
	return Over(Object{
		"name": "Regular", "imageUrl": "https://files.example/b.png", "conditions": []Object{{"type": "api"}}, "rewards": []Object{},
	}, properties)
}

// PointsReward returns a reward of a badge in the program's currency.
func (s *Server) PointsReward(amount any) Object {
	return Object{"rewardType": "points", "amount": amount, "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
}

// GrantBadge grants a wallet a badge by a call and returns the badge user of the response.
func (s *Server) GrantBadge(badge, wallet string) Object {
	s.T.Helper()
	return s.Post(BadgesPath+"/"+badge+"/reward", Object{"walletAddress": wallet}).OK()["data"].(Object)
}

// RevokeBadge revokes a wallet's badge and returns the badge user of the response.
func (s *Server) RevokeBadge(badge, wallet string) Object {
	s.T.Helper()
	return s.Post(BadgesPath+"/"+badge+"/revoke", Object{"walletAddress": wallet}).OK()["data"].(Object)
}

// BadgeStatus returns the status of a wallet's badge; "" if the wallet never had any progress toward it.
func (s *Server) BadgeStatus(badge, wallet string) string {
	s.T.Helper()
	for _, u := range s.Get(BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data() {
		return u["status"].(string)
	}
	return ""
}

// RunBadgeRevocations revokes deleted badges from all their holders.
func (s *Server) RunBadgeRevocations() {
	s.T.Helper()
	if err := s.App.Badges.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// GrantEarnedBadges grants the badges that members have earned by everything that happened so far. To know when the
// change feed is read that far, it grants a badge to a marker member last, and reads the feed until the badge that the
// marker earns by that is due. Badges that members earn by one of these grants are granted by the next call.
func (s *Server) GrantEarnedBadges() {
	s.T.Helper()
	first := s.CreateBadge()
	second := s.CreateBadgeWith(Object{"conditions": []Object{
		{"type": "badge", "loyaltyBadgeIds": []string{first}}, {"type": "api"},
	}})
	s.GrantBadge(first, "the-marker")
	s.ReadFeedForBadges(func() bool { return s.BadgeStatus(second, "the-marker") != "" })
	s.RunBadgeJobs()
	s.Remove(BadgesPath + "/" + second)
	s.Remove(BadgesPath + "/" + first)
}

// ReadFeedForBadges reads the change feed for badges until the condition holds.
func (s *Server) ReadFeedForBadges(until func() bool) {
	s.T.Helper()
	defer RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Awards.Consumer()) })()
	s.WaitUntil(until)
}

// RunBadgeJobs resumes the jobs of badges that are due, and grants due badges.
func (s *Server) RunBadgeJobs() {
	s.T.Helper()
	if err := s.App.Awards.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// BadgeUser returns the badge user of a wallet and a badge; nil if there is none.
func (s *Server) BadgeUser(badge, wallet string) Object {
	s.T.Helper()
	for _, u := range s.Get(BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data() {
		return u
	}
	return nil
}

// BadgeProgress returns a wallet's progress toward a badge, as "status current/required …"; "" if there is none.
func (s *Server) BadgeProgress(badge, wallet string) string {
	s.T.Helper()
	row := s.BadgeUser(badge, wallet)
	if row == nil {
		return ""
	}
	text := row["status"].(string)
	for _, p := range row["progress"].([]any) {
		state := p.(Object)
		text += fmt.Sprintf(" %v/%v", state["current"], state["required"])
	}
	return text
}

// BadgeJobs returns the jobs of a badge, newest first, as "status message".
func (s *Server) BadgeJobs(badge string) []string {
	s.T.Helper()
	out := []string{}
	for _, b := range s.Get(BadgesPath + "?includeDeleted=true&badgeIds=" + badge).Data() {
		for _, j := range b["dataJobs"].([]any) {
			job := j.(Object)
			text := job["status"].(string)
			if message, ok := job["message"].(string); ok {
				text += " " + message
			}
			out = append(out, text)
		}
	}
	return out
}
