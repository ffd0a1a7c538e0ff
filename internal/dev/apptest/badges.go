package apptest

import (
	"context"
	"fmt"
)

// Paths of badges and of those of members.
const (
	BadgesPath     = "/api/loyalty/badges"
	BadgeUsersPath = "/api/loyalty/badge_users"
)

// CreateBadge makes a badge that is given by hand, with rewards, and returns its id.
func (s *Server) CreateBadge(rewards ...Object) string {
	s.T.Helper()
	return s.CreateBadgeWith(Object{"rewards": rewards})
}

// CreateBadgeWith makes a badge with properties over those of one that is given by hand, and returns its id.
func (s *Server) CreateBadgeWith(properties Object) string {
	s.T.Helper()
	return s.Post(BadgesPath, BadgeBody(properties)).OK()["id"].(string)
}

// BadgeBody is a badge as a caller writes it.
func BadgeBody(properties Object) Object {
	return Over(Object{
		"name": "Regular", "imageUrl": "https://files.example/b.png", "conditions": []Object{{"type": "api"}}, "rewards": []Object{},
	}, properties)
}

// PointsReward is a reward in the program's currency.
func (s *Server) PointsReward(amount any) Object {
	return Object{"rewardType": "points", "amount": amount, "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
}

// GrantBadge gives a wallet a badge by hand and returns the row.
func (s *Server) GrantBadge(badge, wallet string) Object {
	s.T.Helper()
	return s.Post(BadgesPath+"/"+badge+"/reward", Object{"walletAddress": wallet}).OK()["data"].(Object)
}

// RevokeBadge takes a badge from a wallet and returns the row.
func (s *Server) RevokeBadge(badge, wallet string) Object {
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

// RunBadgeRevocations revokes deleted badges from all their members.
func (s *Server) RunBadgeRevocations() {
	s.T.Helper()
	if err := s.App.Badges.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// GrantEarnedBadges has members judged by everything that happened so far, and grants what they have earned. What a grant changes
// is judged the next time.
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

// RunBadgeJobs carries on the jobs of badges that are due, and grants what is.
func (s *Server) RunBadgeJobs() {
	s.T.Helper()
	if err := s.App.Awards.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// BadgeUser returns the row of a wallet's badge; nil where there is none.
func (s *Server) BadgeUser(badge, wallet string) Object {
	s.T.Helper()
	for _, u := range s.Get(BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data() {
		return u
	}
	return nil
}

// BadgeProgress returns how far a wallet is with a badge, as "status current/required …".
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
