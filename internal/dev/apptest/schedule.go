package apptest

import (
	"context"
	"encoding/json"
	"fmt"
)

// RunSchedule plans and executes runs until none is due.
func (s *Server) RunSchedule() {
	s.T.Helper()
	for {
		busy, err := s.App.Schedule.RunOnce(context.Background())
		if err != nil {
			s.T.Fatal(err)
		}
		if !busy {
			return
		}
	}
}

// Runs returns the runs of a rule, oldest first.
func (s *Server) Runs(rule string) []Object {
	s.T.Helper()
	list := s.Get("/api/loyalty/rules/" + rule + "/runs").Data()
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// RunCounts returns the result of a run as a text: status, evaluated/rewarded/refused/failed, message.
func RunCounts(r Object) string {
	n := func(name string) string { return r[name].(json.Number).String() }
	return fmt.Sprintf(
		"%s %s/%s/%s/%s %s",
		r["status"],
		n("evaluated"),
		n("rewarded"),
		n("refused"),
		n("failed"),
		r["message"],
	)
}

// EarnPoints creates a rule that pays an amount, and completes it for a wallet.
func (s *Server) EarnPoints(wallet string, amount any) {
	s.T.Helper()
	s.Complete(s.Rule("external_rule", Object{"amount": amount, "loyaltyCurrencyId": s.LoyaltyCurrencyID}), Object{"walletAddress": wallet}).
		OK()
}
