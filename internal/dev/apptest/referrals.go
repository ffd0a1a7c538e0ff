package apptest

import (
	"context"
)

// UserOf returns the id of the wallet's user, which it makes where there is none.
func (s *Server) UserOf(wallet string) string { s.T.Helper(); return s.User(wallet, nil) }

// Code returns the wallet's referral code for the rule.
func (s *Server) Code(rule, wallet string) string {
	s.T.Helper()
	return s.Post("/api/referral/codes", Object{"loyaltyRuleId": rule, "walletAddress": wallet}).OK()["referralCode"].(string)
}

// Refer records that users came by a code.
func (s *Server) Refer(code string, users ...string) Answer {
	s.T.Helper()
	return s.Post("/api/referral/users", Object{"referralCode": code, "userIds": users})
}

// Referring runs the workers of referrals until the condition holds, or for twenty seconds.
func (s *Server) Referring(until func() bool) {
	s.T.Helper()
	consume := func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Referrals.Consumer()) }
	defer RunWorkers(s.App.Referrals.Run, consume)()
	s.Waits(until)
}

// Settled runs the workers until they have seen everything that happened so far.
func (s *Server) Settled() {
	s.T.Helper()
	mark, rule := s.UserOf(
		"the-mark",
	), s.Rule(
		"referred_user",
		Object{"amount": 1, "metadata": Object{"referralRequirements": Object{"points": Object{"amount": 1}}}},
	)
	wallet := "marked-" + rule
	s.Refer(s.Code(rule, "marker-"+mark), s.UserOf(wallet)).OK()
	s.Give(wallet, 1)
	s.Referring(func() bool { return s.Balance(wallet) == "2" })
}

// Give credits the wallet in the program's currency, by the caller's own transaction.
func (s *Server) Give(wallet string, amount int) {
	s.T.Helper()
	s.Post("/api/loyalty/transactions", Object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"entries": []any{Object{"walletAddress": wallet, "amount": amount}}}).OK()
}
