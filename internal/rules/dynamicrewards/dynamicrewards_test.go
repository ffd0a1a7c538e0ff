package dynamicrewards_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// fewAtOnce calls for each of many, some of them side by side.
func fewAtOnce(many int, call func(i int)) {
	for from := 0; from < many; from += 8 {
		apptest.CallConcurrently(min(8, many-from), func(i int) apptest.Response {
			call(from + i)
			return apptest.Response{}
		})
	}
}

// requirement is something that a rule asks of its members, and how a member comes to have it and loses it.
type requirement struct {
	name       string
	properties object
	gain, lose func(s *apptest.Server, db apptest.Database, rule, wallet string)
}

// written is a requirement that stands in the metadata of users.
func written(kind string, metadata, has, unmet object) requirement {
	set := func(fields object) func(s *apptest.Server, db apptest.Database, rule, wallet string) {
		return func(s *apptest.Server, _ apptest.Database, _, wallet string) { s.User(wallet, fields) }
	}
	return requirement{kind, object{"type": kind, "metadata": metadata}, set(has), set(unmet)}
}

// connected is one that connect flows write.
func connected(kind string, metadata, has, unmet object) requirement {
	set := func(fields object) func(s *apptest.Server, db apptest.Database, rule, wallet string) {
		return func(s *apptest.Server, db apptest.Database, _, wallet string) {
			db.Connect(s.User(wallet, nil), fields)
		}
	}
	return requirement{kind, object{"type": kind, "metadata": metadata}, set(has), set(unmet)}
}

func requirements(s *apptest.Server) []requirement {
	currency := s.LoyaltyCurrencyID.String()
	progress := func(value any) func(s *apptest.Server, db apptest.Database, rule, wallet string) {
		return func(s *apptest.Server, _ apptest.Database, rule, wallet string) {
			s.Post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": rule, "walletAddress": wallet, "progress": value}).OK()
		}
	}
	return []requirement{
		written("connected_chat_server", nil, object{"chatServerUserId": "c1"}, object{"chatServerUserId": nil}),
		written(
			"connected_microblog",
			object{"minimumFollowerCount": 100},
			object{"microblogUserId": "m1", "microblogFollowersCount": 100},
			object{"microblogFollowersCount": 99},
		),
		written(
			"profile_completed",
			object{"completeProfileConditions": object{"bio": true}},
			object{"bio": "B"},
			object{"bio": nil},
		),
		connected(
			"connected_email",
			nil,
			object{"emailAddress": "a@b.example", "emailVerifiedAt": apptest.VerifiedAt},
			object{"emailVerifiedAt": nil},
		),
		connected(
			"connected_phone",
			nil,
			object{"phoneNumber": "+4915112345678", "phoneVerifiedAt": apptest.VerifiedAt},
			object{"phoneVerifiedAt": nil},
		),
		connected("connect_wallet", nil, object{"verifiedLocallyAt": apptest.VerifiedAt}, object{"verifiedLocallyAt": nil}),
		connected(
			"check_in",
			object{"hasVerifiedMicroblog": true},
			object{"microblogUserId": "m2", "microblogVerifiedAccount": true},
			object{"microblogVerifiedAccount": false},
		),
		{"a balance", nil, func(s *apptest.Server, _ apptest.Database, rule, wallet string) {
			s.CreateChain(rule, "AND", object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{currency}})
			s.Transact(apptest.Points(wallet, 10)).OK()
		}, func(s *apptest.Server, _ apptest.Database, _, wallet string) {
			s.Transact(apptest.Points(wallet, 10, apptest.Debit)).OK()
		}},
		{"tracked progress", object{"trackProgress": true}, progress(100), progress(60)},
		{"a list", object{apptest.OnList: "later"}, func(s *apptest.Server, _ apptest.Database, rule, wallet string) {
			s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: s.Upload("in.csv", wallet+"\n")}).OK()
			s.ReadLists()
		}, func(s *apptest.Server, _ apptest.Database, rule, _ string) {
			s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: s.Upload("out.csv", "someone-else\n")}).OK()
			s.ReadLists()
		}},
	}
}

func TestWhatADynamicRuleGaveEndsWhenItsRequirementNoLongerHolds(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		all := requirements(s)
		type made struct{ ends, stays, once, wallet string }
		list := make([]made, len(all))
		for i, r := range all {
			if r.properties[apptest.OnList] != nil {
				r.properties[apptest.OnList] = s.Upload("first.csv", "nobody\n")
			}
			m := made{
				s.CreateDynamicRule(r.properties),
				s.CreateMultiplierRule(3, apptest.Over(r.properties, object{"rewardLifetime": "permanent"})),
				s.CreateDynamicRule(apptest.Over(r.properties, object{"interval": "once", "amount": 4})),
				apptest.Wallet(i),
			}
			for _, rule := range []string{m.ends, m.stays, m.once} {
				r.gain(s, db, rule, m.wallet)
				s.Complete(rule, object{"walletAddress": m.wallet}).OK()
			}
			list[i] = m
		}
		s.CheckDynamicRewards(23 * time.Hour) // nothing is due yet
		s.CheckDynamicRewards(2 * time.Hour)  // all of it holds
		for i, r := range all {
			if held := s.MultiplierValues(list[i].wallet); !slices.Equal(held, []string{"4", "3", "2"}) {
				t.Errorf("%s: %v while it holds", r.name, held)
			}
			for _, rule := range []string{list[i].ends, list[i].stays, list[i].once} {
				r.lose(s, db, rule, list[i].wallet)
			}
		}
		s.CheckDynamicRewards(22 * time.Hour)
		for i, r := range all {
			if held := s.MultiplierValues(list[i].wallet); len(held) != 3 {
				t.Errorf("%s: %v before the next day's check", r.name, held)
			}
		}
		s.CheckDynamicRewards(3 * time.Hour)
		for i, r := range all {
			if held := s.MultiplierValues(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v after the check", r.name, held)
			}
			s.Complete(list[i].ends, object{"walletAddress": list[i].wallet}).JSON()
			if held := s.MultiplierValues(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v was given without what the rule asks for", r.name, held)
			}
			for _, rule := range []string{list[i].ends, list[i].once} {
				if r.name == "a balance" {
					s.Transact(apptest.Points(list[i].wallet, 10)).OK()
					continue
				}
				r.gain(s, db, rule, list[i].wallet)
			}
		}
		s.CheckDynamicRewards(48 * time.Hour)
		for i, r := range all { // it does not come back by itself; whose window is open may earn it again
			if held := s.MultiplierValues(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v came back by itself", r.name, held)
			}
			s.Complete(list[i].once, object{"walletAddress": list[i].wallet}).Refused(400, apptest.PaidAlready)
			s.Complete(list[i].ends, object{"walletAddress": list[i].wallet}).OK()
			if held := s.MultiplierValues(list[i].wallet); !slices.Equal(held, []string{"2", "3"}) {
				t.Errorf("%s: %v was earned again", r.name, held)
			}
		}
		s.Sound()
	})
}

func TestAGroupKeepsWhatOneOfItsMembersMeets(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateDynamicRule(object{"type": "connected_chat_server"})
		s.User(apptest.Alice, object{"userGroupExternalIdentifier": "family"})
		s.User(apptest.Bob, object{"userGroupExternalIdentifier": "family", "chatServerUserId": "c1"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.CheckDynamicRewards(25 * time.Hour)
		if held := s.MultiplierValues(apptest.Alice); !slices.Equal(held, []string{"2"}) {
			t.Errorf("together: %v", held)
		}
		s.User(apptest.Bob, object{"userGroupId": nil})
		s.CheckDynamicRewards(25 * time.Hour)
		if held := s.MultiplierValues(apptest.Alice); len(held) != 0 {
			t.Errorf("alone: %v", held)
		}
	})
}

func TestWhatAMemberDidOnceIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		code := s.CreateDynamicRule(object{"type": "code_entry", "metadata": object{"promoCode": "C"}})
		s.Complete(code, object{"walletAddress": apptest.Alice, "verificationCode": "C"}).OK()
		s.Post("/api/loyalty/rules/"+code, object{"metadata": object{"promoCode": "D"}, "endTime": apptest.Noon.Add(time.Hour).Format(time.RFC3339)}).
			OK()
		claimed := s.CreateDynamicRule(object{"trackProgress": true, "metadata": object{"resetProgressOnClaim": true}})
		s.Post(
			"/api/loyalty/rule_statuses",
			object{"loyaltyRuleId": claimed, "walletAddress": apptest.Alice, "progress": 100},
		).OK()
		s.Complete(claimed, object{"walletAddress": apptest.Alice}).OK()
		s.Free(object{"isRequired": true})
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice, "isBlocked": true}).OK()
		s.CheckDynamicRewards(25 * time.Hour)
		if held := s.MultiplierValues(apptest.Alice); !slices.Equal(held, []string{"2", "2"}) {
			t.Errorf("alice holds %v", held)
		}
	})
}

func TestARuleThatIsSavedIsCheckedByWhatItSaysNow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		path := "/api/loyalty/rules/"
		lasting, ending := s.CreateDynamicRule(nil), s.CreateMultiplierRule(3, nil)
		for _, rule := range []string{lasting, ending} {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.CreateChain(
				rule,
				"AND",
				object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String()}},
			)
		}
		s.Post(path+lasting, object{"rewardLifetime": "permanent"}).OK()
		s.Post(path+ending, object{"rewardLifetime": "dynamic"}).OK()
		s.CheckDynamicRewards(12 * time.Hour)
		s.Post(path+ending, object{"name": "N"}).OK() // the check stays due when it was
		s.CheckDynamicRewards(13 * time.Hour)
		if held := s.MultiplierValues(apptest.Alice); !slices.Equal(held, []string{"2"}) {
			t.Errorf("alice holds %v", held)
		}
		s.Post(path+lasting, object{"rewardLifetime": "dynamic"}).OK()
		s.CheckDynamicRewards(25 * time.Hour)
		if held := s.MultiplierValues(apptest.Alice); len(held) != 0 {
			t.Errorf("alice holds %v", held)
		}
	})
}

func TestARunTakesBackWhatItGaveToThoseWhoLeftTheList(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateDynamicRule(
			object{
				"type":         "manual_upload",
				"frequency":    "daily",
				apptest.OnList: s.Upload("l.csv", apptest.Alice+"\n"+apptest.Bob+"\n"),
			},
		)
		s.ReadLists()
		s.RunSchedule()
		s.CheckDynamicRewards(0)
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 1 || len(b) != 1 {
			t.Fatalf("after the first run: %v %v", a, b)
		}
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: s.Upload("m.csv", apptest.Bob+"\n")}).OK()
		s.CheckDynamicRewards(12 * time.Hour)
		s.ReadLists()
		s.CheckDynamicRewards(11 * time.Hour) // no run since
		if len(s.MultiplierValues(apptest.Alice)) != 1 {
			t.Error("it ended before the run")
		}
		s.Clock.Advance(2 * time.Hour)
		s.RunSchedule()
		s.CheckDynamicRewards(0)
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 0 || len(b) != 1 {
			t.Errorf("after the second run: %v %v", a, b)
		}
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: s.Upload("n.csv", apptest.Alice+"\n")}).OK()
		s.Clock.Advance(24 * time.Hour)
		s.RunSchedule()
		s.CheckDynamicRewards(0) // a list that is not read yet takes nothing from anybody
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 0 || len(b) != 1 {
			t.Errorf("before the third run could begin: %v %v", a, b)
		}
		s.ReadLists()
		s.Clock.Advance(time.Minute)
		s.RunSchedule()
		s.CheckDynamicRewards(0)
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 1 || len(b) != 0 {
			t.Errorf("after the third run: %v %v", a, b)
		}
	})
}

func TestADynamicRuleIsCheckedDailyWhenItsRunsAreOver(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		both, one := s.Upload("both.csv", apptest.Alice+"\n"+apptest.Bob+"\n"), s.Upload("one.csv", apptest.Bob+"\n")
		rules := []string{
			s.CreateDynamicRule(object{"type": "manual_upload", "frequency": "once", apptest.OnList: both}),
			s.CreateDynamicRule(
				object{
					"type":         "manual_upload",
					"frequency":    "daily",
					"endTime":      apptest.Noon.Add(time.Hour).Format(time.RFC3339),
					apptest.OnList: both,
				},
			),
		}
		s.ReadLists()
		s.RunSchedule()
		s.CheckDynamicRewards(0)
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 2 || len(b) != 2 {
			t.Fatalf("after the runs: %v %v", a, b)
		}
		for _, rule := range rules {
			s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: one}).OK()
		}
		s.ReadLists()
		s.CheckDynamicRewards(23 * time.Hour)
		if a := s.MultiplierValues(apptest.Alice); len(a) != 2 {
			t.Errorf("before the day is over: %v", a)
		}
		s.RunSchedule()
		s.CheckDynamicRewards(2 * time.Hour)
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 0 || len(b) != 2 {
			t.Errorf("the next day: %v %v", a, b)
		}
	})
}

func TestManyAreCheckedInStepsAndByAnyNodeOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const many = 300 // more of them are ended than one transaction ends
		rule := s.CreateDynamicRule(object{"type": "connected_chat_server"})
		kept := map[string]bool{}
		for i := 0; i < many; i += 10 {
			kept[apptest.Wallet(i)] = true
		}
		fewAtOnce(many, func(i int) {
			s.User(apptest.Wallet(i), object{"chatServerUserId": fmt.Sprint("c", i)})
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
			if !kept[apptest.Wallet(i)] {
				s.User(apptest.Wallet(i), object{"chatServerUserId": nil})
			}
		})
		s.Clock.Advance(25 * time.Hour)
		var nodes sync.WaitGroup
		for range 3 {
			nodes.Go(func() {
				if err := s.App.DynamicRewards.RunDue(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		live := s.Get(apptest.MultipliersPath + "?limit=1000").Data()
		if len(live) != many/10 {
			t.Errorf("%d are live, want %d", len(live), many/10)
		}
		for _, m := range live {
			if connected := m["user"].(object)["walletAddress"]; !kept[connected.(string)] {
				t.Errorf("live: %v", m)
			}
		}
		counts := map[string]int{}
		for _, line := range multiplierChanges(s) {
			counts[line]++
			if counts[line] > 1 {
				t.Errorf("logged twice: %s", line)
			}
			counts[line[:7]]++
		}
		if counts["deleted"] != many-many/10 {
			t.Errorf("%d endings were recorded", counts["deleted"])
		}
	})
}

func TestACheckGoesOnWhereADeadNodeLeftIt(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := s.CreateDynamicRule(object{"type": "connected_chat_server"})
		users := map[string]string{}
		for i := range 4 {
			users[s.User(apptest.Wallet(i), object{"chatServerUserId": fmt.Sprint("c", i)})] = apptest.Wallet(i)
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
			s.User(apptest.Wallet(i), object{"chatServerUserId": nil})
		}
		inOrder := slices.Sorted(maps.Keys(users))
		held := func() (n []int) {
			for _, user := range inOrder {
				n = append(n, len(s.MultiplierValues(users[user])))
			}
			return n
		}
		began := apptest.Noon.Add(26 * time.Hour)
		s.Clock.Set(began)
		db.Exec(
			"UPDATE lifetime_checks SET began_at = ?, due_at = ?, last_user_id = ?",
			began.UnixMicro(),
			began.Add(30*time.Second).UnixMicro(),
			inOrder[1],
		)
		s.CheckDynamicRewards(20 * time.Second) // the dead node's lease lasts
		if got := held(); !slices.Equal(got, []int{1, 1, 1, 1}) {
			t.Errorf("while the lease lasts: %v", got)
		}
		s.CheckDynamicRewards(20 * time.Second)
		if got := held(); !slices.Equal(got, []int{1, 1, 0, 0}) {
			t.Errorf("behind the position: %v", got)
		}
		s.Clock.Set(began.Add(24*time.Hour - time.Minute))
		s.CheckDynamicRewards(0)
		if got := held(); !slices.Equal(got, []int{1, 1, 0, 0}) {
			t.Errorf("before the next day: %v", got)
		}
		s.CheckDynamicRewards(time.Minute)
		if got := held(); !slices.Equal(got, []int{0, 0, 0, 0}) {
			t.Errorf("the next day: %v", got)
		}
	})
}
