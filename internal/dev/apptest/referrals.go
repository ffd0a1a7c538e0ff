package apptest

import (
	"context"
)

// UserOf returns the id of the wallet's user, which it creates if there is none.
func (s *Server) UserOf(wallet string) string { s.T.Helper(); return s.User(wallet, nil) }

// ReferralCode returns the wallet's referral code of a rule, which it creates if there is none.
func (s *Server) ReferralCode(rule, wallet string) string {
	s.T.Helper()
	return s.Post("/api/referral/codes", Object{"loyaltyRuleId": rule, "walletAddress": wallet}).OK()["referralCode"].(string)
}

// Refer records that users came by a referral code.
func (s *Server) Refer(code string, users ...string) Response {
	s.T.Helper()
	return s.Post("/api/referral/users", Object{"referralCode": code, "userIds": users})
}

// RunReferralsUntil runs the workers of referrals until the condition holds.
func (s *Server) RunReferralsUntil(until func() bool) {
	s.T.Helper()
	consume := func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Referrals.Consumer()) }
	defer RunWorkers(s.App.Referrals.Run, consume)()
	s.WaitUntil(until)
}

// RunReferrals runs the workers of referrals until they have handled everything that happened so far. To know when that
// is, it creates a referral last and waits until it is paid.
func (s *Server) RunReferrals() {
	s.T.Helper()
	marker, rule := s.UserOf(
		"the-mark",
	), s.Rule(
		"referred_user",
		Object{"amount": 1, "metadata": Object{"referralRequirements": Object{"points": Object{"amount": 1}}}},
	)
	wallet := "marked-" + rule
	s.Refer(s.ReferralCode(rule, "marker-"+marker), s.UserOf(wallet)).OK()
	s.Credit(wallet, 1)
	s.RunReferralsUntil(func() bool { return s.Balance(wallet) == "2" }) // the credit and the reward
}

// Credit credits a wallet in the program's currency by a posted transaction.
func (s *Server) Credit(wallet string, amount int) {
	s.T.Helper()
	s.Post("/api/loyalty/transactions", Object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"entries": []any{Object{"walletAddress": wallet, "amount": amount}}}).OK()
}
