package claims_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAReadingTellsWhatItFoundAndHowFarItIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, rows+carol+",\n"+strings.Repeat("no,1\n", 8), nil)
		claim, err := laurel.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.App.Claims.Get(t.Context(), s.WebsiteScope(), claim)
		if err != nil {
			t.Fatal(err)
		}
		_, j, err := s.App.Claims.WithJob(t.Context(), s.WebsiteScope(), c)
		if err != nil || j == nil {
			t.Fatal(j, err)
		}
		if j.IsOpen() || j.Rows != 16 || j.Skipped != 13 || j.Replaced != 1 || len(j.BadRows) != 10 ||
			j.BadRows[0] != "row 4: walletAddress must be 0x and 40 hexadecimal digits" {
			t.Errorf("found %+v", j)
		}
		if j.Total != 3 || j.Written != 3 { // two wallets and a block of their tree
			t.Errorf("written %d of %d", j.Written, j.Total)
		}
	})
}

// An import may complete between reading the claim and reading the import.
func TestACompleteImportNeverComesWithAClaimWithoutRoot(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post(path, object{
			"name": "Season one", "isDraft": false, "csvUrl": s.Upload("list.csv", rows), "contractId": token(s),
		}).OK()
		claim, err := laurel.ParseID(made["id"].(string))
		if err != nil {
			t.Fatal(err)
		}
		before, err := s.App.Claims.Get(t.Context(), s.WebsiteScope(), claim)
		if err != nil || before.MerkleRoot != nil {
			t.Fatal(before.MerkleRoot, err)
		}
		readAll(s)
		c, j, err := s.App.Claims.WithJob(t.Context(), s.WebsiteScope(), before)
		if err != nil || j == nil || j.Status != claims.Complete {
			t.Fatal(j, err)
		}
		if c.MerkleRoot == nil || c.Wallets != 2 {
			t.Errorf("the import is complete, and the claim has the root %v and %d wallets", c.MerkleRoot, c.Wallets)
		}
	})
}

func TestWalletsThatHaveClaimedAreListedAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := claimOf(s, alice+",2\n"+bob+",10\n"+carol+",3\n", nil)
		report(s, id, carol).OK()
		s.Clock.Advance(time.Minute)
		report(s, id, bob).OK()
		claim, err := laurel.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		page := laurel.PageRequest{Limit: 1}
		for more := true; more; {
			_, list, err := s.App.Claims.Users(
				t.Context(), s.WebsiteScope(), claim, claims.UserFilter{SortBy: "claimedAt", ClaimedOnly: true}, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range list.Data {
				got, page.StartingAfter = append(got, a.Wallet), a.ID
				if a.TxHash != hash {
					t.Errorf("the claim of %s is by %q", a.Wallet, a.TxHash)
				}
			}
			more = list.HasNextPage
		}
		if want := []string{bob, carol}; !reflect.DeepEqual(got, want) {
			t.Errorf("%v have claimed, want %v", got, want)
		}
	})
}
