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

// Judged has members judged by everything that happened so far, and grants what they have earned. What a grant changes
// is judged the next time.
func (s *Server) Judged() {
	s.T.Helper()
	first := s.Badge()
	second := s.BadgeWith(Object{"conditions": []Object{
		{"type": "badge", "loyaltyBadgeIds": []string{first}}, {"type": "api"},
	}})
	s.Award(first, "the-marker")
	s.Judging(func() bool { return s.BadgeStatus(second, "the-marker") != "" })
	s.Work()
	s.Remove(BadgesPath + "/" + second)
	s.Remove(BadgesPath + "/" + first)
}

// Judging reads the change feed for badges until the condition holds.
func (s *Server) Judging(until func() bool) {
	s.T.Helper()
	defer RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Awards.Consumer()) })()
	s.Waits(until)
}

// Work carries on the jobs of badges that are due, and grants what is.
func (s *Server) Work() {
	s.T.Helper()
	if err := s.App.Awards.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// HeldBadge returns the row of a wallet's badge; nil where there is none.
func (s *Server) HeldBadge(badge, wallet string) Object {
	s.T.Helper()
	for _, u := range s.Get(BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data() {
		return u
	}
	return nil
}

// Toward returns how far a wallet is with a badge, as "status current/required …".
func (s *Server) Toward(badge, wallet string) string {
	s.T.Helper()
	row := s.HeldBadge(badge, wallet)
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

// DataJobs returns the jobs of a badge, newest first, as "status message".
func (s *Server) DataJobs(badge string) []string {
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
