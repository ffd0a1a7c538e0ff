package catalog_test

import (
	"errors"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// The comparison is part of the transaction that saves: it holds between nodes, too.
func TestOfTwoSavesOfOneVersionOfARuleOneIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		made := s.Call(s.WebsiteAPIKey, "GET", "/api/loyalty/rule_edits?loyaltyRuleId="+rule, nil).Data()[0]
		id, err := laurel.ParseID(rule)
		scope := s.WebsiteScope()
		if err == nil {
			scope.ActorID, err = laurel.ParseID(made["editedByUserId"].(string))
		}
		if err != nil {
			t.Fatal(err)
		}
		for round := range 20 {
			current, err := s.App.Rules.Rule(t.Context(), scope, id)
			if err != nil {
				t.Fatal(err)
			}
			var saves sync.WaitGroup
			var errs [2]error
			for i := range errs {
				saves.Go(func() {
					in := schema.Input{Amount: laurel.Some(laurel.Amount(1+2*round+i) * laurel.One)}
					_, errs[i] = s.App.Rules.Update(t.Context(), scope.IfUnchanged(id, current.UpdatedAt), id, in)
				})
			}
			saves.Wait()
			first, second := errors.Is(errs[0], laurel.ErrChanged), errors.Is(errs[1], laurel.ErrChanged)
			if first == second || errors.Join(errs[:]...) == nil {
				t.Fatalf("round %d: %v and %v", round, errs[0], errs[1])
			}
		}
	})
}
