package claims_test

import (
	"context"
	"testing"

	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestWithAChainReaderTheTransactionMustBeThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, alice+",1\n", object{"claimContractAddress": carol})
		asked, there := []claims.ClaimTransaction{}, false
		s.App.Claims.Confirm = func(_ context.Context, r claims.ClaimTransaction) (bool, error) {
			asked = append(asked, r)
			return there, nil
		}
		report(s, id, bob).Refused(400, "Wallet has no allocation") // the chain is not asked
		report(s, id, alice).Refused(400, "Transaction not found")
		there = true
		report(s, id, alice).OK()
		report(s, id, alice).Refused(400, "Already claimed")
		if len(asked) != 2 || *asked[0].Contract != carol || *asked[0].ChainID != 8453 || asked[0].Wallet != alice ||
			asked[0].TxHash != hash {
			t.Errorf("asked %v", asked)
		}
	})
}

func TestCountriesAreThoseOfTheStandard(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"DE": true, "AD": true, "ZW": true, "UK": false, "": false, "D E": false, "E ": false, "de": false} {
		if claims.IsCountry(code) != want {
			t.Errorf("%q", code)
		}
	}
}
