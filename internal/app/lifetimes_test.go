package app_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

// check lets time pass, then checks what dynamic rules gave.
func (s *server) check(after time.Duration) {
	s.t.Helper()
	s.clock.advance(after)
	if err := s.app.Lifetimes.RunDue(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

// fewAtOnce calls for each of many, some of them side by side.
func fewAtOnce(many int, call func(i int)) {
	for from := 0; from < many; from += 8 {
		atOnce(min(8, many-from), func(i int) answer {
			call(from + i)
			return answer{}
		})
	}
}

// dynamic makes a rule that gives a multiplier for as long as it asks for something that holds.
func (s *server) dynamic(properties object) string {
	s.t.Helper()
	return s.gift(2, over(object{"rewardLifetime": "dynamic"}, properties))
}

// requirement is something that a rule asks of its members, and how a member comes to have it and loses it.
type requirement struct {
	name       string
	properties object
	gain, lose func(s *server, db database, rule, wallet string)
}

// written is a requirement that stands in the metadata of users.
func written(kind string, metadata, has, lacks object) requirement {
	set := func(fields object) func(s *server, db database, rule, wallet string) {
		return func(s *server, _ database, _, wallet string) { s.user(wallet, fields) }
	}
	return requirement{kind, object{"type": kind, "metadata": metadata}, set(has), set(lacks)}
}

// connected is one that connect flows write.
func connected(kind string, metadata, has, lacks object) requirement {
	set := func(fields object) func(s *server, db database, rule, wallet string) {
		return func(s *server, db database, _, wallet string) { db.connect(s.user(wallet, nil), fields) }
	}
	return requirement{kind, object{"type": kind, "metadata": metadata}, set(has), set(lacks)}
}

func requirements(s *server) []requirement {
	currency := s.LoyaltyCurrencyID.String()
	progress := func(value any) func(s *server, db database, rule, wallet string) {
		return func(s *server, _ database, rule, wallet string) {
			s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": rule, "walletAddress": wallet, "progress": value}).ok()
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
			object{"emailAddress": "a@b.example", "emailVerifiedAt": verifiedAt},
			object{"emailVerifiedAt": nil},
		),
		connected(
			"connected_phone",
			nil,
			object{"phoneNumber": "+4915112345678", "phoneVerifiedAt": verifiedAt},
			object{"phoneVerifiedAt": nil},
		),
		connected("connect_wallet", nil, object{"verifiedLocallyAt": verifiedAt}, object{"verifiedLocallyAt": nil}),
		connected(
			"check_in",
			object{"hasVerifiedMicroblog": true},
			object{"microblogUserId": "m2", "microblogVerifiedAccount": true},
			object{"microblogVerifiedAccount": false},
		),
		{"a balance", nil, func(s *server, _ database, rule, wallet string) {
			s.chain(rule, "AND", object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{currency}})
			s.transact(points(wallet, 10)).ok()
		}, func(s *server, _ database, _, wallet string) { s.transact(points(wallet, 10, debit)).ok() }},
		{"tracked progress", object{"trackProgress": true}, progress(100), progress(60)},
		{"a list", object{onList: "later"}, func(s *server, _ database, rule, wallet string) {
			s.post("/api/loyalty/rules/"+rule, object{onList: s.upload("in.csv", wallet+"\n")}).ok()
			s.readLists()
		}, func(s *server, _ database, rule, _ string) {
			s.post("/api/loyalty/rules/"+rule, object{onList: s.upload("out.csv", "someone-else\n")}).ok()
			s.readLists()
		}},
	}
}

func TestWhatADynamicRuleGaveEndsWhenItsRequirementNoLongerHolds(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		all := requirements(s)
		type made struct{ ends, stays, once, wallet string }
		list := make([]made, len(all))
		for i, r := range all {
			if r.properties[onList] != nil {
				r.properties[onList] = s.upload("first.csv", "nobody\n")
			}
			m := made{
				s.dynamic(r.properties),
				s.gift(3, over(r.properties, object{"rewardLifetime": "permanent"})),
				s.dynamic(over(r.properties, object{"interval": "once", "amount": 4})),
				wallet(i),
			}
			for _, rule := range []string{m.ends, m.stays, m.once} {
				r.gain(s, db, rule, m.wallet)
				s.complete(rule, object{"walletAddress": m.wallet}).ok()
			}
			list[i] = m
		}
		s.check(23 * time.Hour) // nothing is due yet
		s.check(2 * time.Hour)  // all of it holds
		for i, r := range all {
			if held := s.held(list[i].wallet); !slices.Equal(held, []string{"4", "3", "2"}) {
				t.Errorf("%s: %v while it holds", r.name, held)
			}
			for _, rule := range []string{list[i].ends, list[i].stays, list[i].once} {
				r.lose(s, db, rule, list[i].wallet)
			}
		}
		s.check(22 * time.Hour)
		for i, r := range all {
			if held := s.held(list[i].wallet); len(held) != 3 {
				t.Errorf("%s: %v before the next day's check", r.name, held)
			}
		}
		s.check(3 * time.Hour)
		for i, r := range all {
			if held := s.held(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v after the check", r.name, held)
			}
			s.complete(list[i].ends, object{"walletAddress": list[i].wallet}).json()
			if held := s.held(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v was given without what the rule asks for", r.name, held)
			}
			for _, rule := range []string{list[i].ends, list[i].once} {
				if r.name == "a balance" {
					s.transact(points(list[i].wallet, 10)).ok()
					continue
				}
				r.gain(s, db, rule, list[i].wallet)
			}
		}
		s.check(48 * time.Hour)
		for i, r := range all { // it does not come back by itself; whose window is open may earn it again
			if held := s.held(list[i].wallet); !slices.Equal(held, []string{"3"}) {
				t.Errorf("%s: %v came back by itself", r.name, held)
			}
			s.complete(list[i].once, object{"walletAddress": list[i].wallet}).refused(400, paidAlready)
			s.complete(list[i].ends, object{"walletAddress": list[i].wallet}).ok()
			if held := s.held(list[i].wallet); !slices.Equal(held, []string{"2", "3"}) {
				t.Errorf("%s: %v was earned again", r.name, held)
			}
		}
		s.sound()
	})
}

func TestAGroupKeepsWhatOneOfItsMembersMeets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.dynamic(object{"type": "connected_chat_server"})
		s.user(alice, object{"userGroupExternalIdentifier": "family"})
		s.user(bob, object{"userGroupExternalIdentifier": "family", "chatServerUserId": "c1"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.check(25 * time.Hour)
		if held := s.held(alice); !slices.Equal(held, []string{"2"}) {
			t.Errorf("together: %v", held)
		}
		s.user(bob, object{"userGroupId": nil})
		s.check(25 * time.Hour)
		if held := s.held(alice); len(held) != 0 {
			t.Errorf("alone: %v", held)
		}
	})
}

func TestWhatAMemberDidOnceIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		code := s.dynamic(object{"type": "code_entry", "metadata": object{"promoCode": "C"}})
		s.complete(code, object{"walletAddress": alice, "verificationCode": "C"}).ok()
		s.post("/api/loyalty/rules/"+code, object{"metadata": object{"promoCode": "D"}, "endTime": noon.Add(time.Hour).Format(time.RFC3339)}).
			ok()
		claimed := s.dynamic(object{"trackProgress": true, "metadata": object{"resetProgressOnClaim": true}})
		s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": claimed, "walletAddress": alice, "progress": 100}).ok()
		s.complete(claimed, object{"walletAddress": alice}).ok()
		s.free(object{"isRequired": true})
		s.post(metadatasPath, object{"walletAddress": alice, "isBlocked": true}).ok()
		s.check(25 * time.Hour)
		if held := s.held(alice); !slices.Equal(held, []string{"2", "2"}) {
			t.Errorf("alice holds %v", held)
		}
	})
}

func TestARuleThatIsSavedIsCheckedByWhatItSaysNow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		path := "/api/loyalty/rules/"
		lasting, ending := s.dynamic(nil), s.gift(3, nil)
		for _, rule := range []string{lasting, ending} {
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.chain(
				rule,
				"AND",
				object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String()}},
			)
		}
		s.post(path+lasting, object{"rewardLifetime": "permanent"}).ok()
		s.post(path+ending, object{"rewardLifetime": "dynamic"}).ok()
		s.check(12 * time.Hour)
		s.post(path+ending, object{"name": "N"}).ok() // the check stays due when it was
		s.check(13 * time.Hour)
		if held := s.held(alice); !slices.Equal(held, []string{"2"}) {
			t.Errorf("alice holds %v", held)
		}
		s.post(path+lasting, object{"rewardLifetime": "dynamic"}).ok()
		s.check(25 * time.Hour)
		if held := s.held(alice); len(held) != 0 {
			t.Errorf("alice holds %v", held)
		}
	})
}

func TestARunTakesBackWhatItGaveToThoseWhoLeftTheList(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.dynamic(
			object{"type": "manual_upload", "frequency": "daily", onList: s.upload("l.csv", alice+"\n"+bob+"\n")},
		)
		s.readLists()
		s.run()
		s.check(0)
		if a, b := s.held(alice), s.held(bob); len(a) != 1 || len(b) != 1 {
			t.Fatalf("after the first run: %v %v", a, b)
		}
		s.post("/api/loyalty/rules/"+rule, object{onList: s.upload("m.csv", bob+"\n")}).ok()
		s.check(12 * time.Hour)
		s.readLists()
		s.check(11 * time.Hour) // no run since
		if len(s.held(alice)) != 1 {
			t.Error("it ended before the run")
		}
		s.clock.advance(2 * time.Hour)
		s.run()
		s.check(0)
		if a, b := s.held(alice), s.held(bob); len(a) != 0 || len(b) != 1 {
			t.Errorf("after the second run: %v %v", a, b)
		}
		s.post("/api/loyalty/rules/"+rule, object{onList: s.upload("n.csv", alice+"\n")}).ok()
		s.clock.advance(24 * time.Hour)
		s.run()
		s.check(0) // a list that is not read yet takes nothing from anybody
		if a, b := s.held(alice), s.held(bob); len(a) != 0 || len(b) != 1 {
			t.Errorf("before the third run could begin: %v %v", a, b)
		}
		s.readLists()
		s.clock.advance(time.Minute)
		s.run()
		s.check(0)
		if a, b := s.held(alice), s.held(bob); len(a) != 1 || len(b) != 0 {
			t.Errorf("after the third run: %v %v", a, b)
		}
	})
}

func TestADynamicRuleIsCheckedDailyWhenItsRunsAreOver(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		both, one := s.upload("both.csv", alice+"\n"+bob+"\n"), s.upload("one.csv", bob+"\n")
		rules := []string{
			s.dynamic(object{"type": "manual_upload", "frequency": "once", onList: both}),
			s.dynamic(
				object{
					"type":      "manual_upload",
					"frequency": "daily",
					"endTime":   noon.Add(time.Hour).Format(time.RFC3339),
					onList:      both,
				},
			),
		}
		s.readLists()
		s.run()
		s.check(0)
		if a, b := s.held(alice), s.held(bob); len(a) != 2 || len(b) != 2 {
			t.Fatalf("after the runs: %v %v", a, b)
		}
		for _, rule := range rules {
			s.post("/api/loyalty/rules/"+rule, object{onList: one}).ok()
		}
		s.readLists()
		s.check(23 * time.Hour)
		if a := s.held(alice); len(a) != 2 {
			t.Errorf("before the day is over: %v", a)
		}
		s.run()
		s.check(2 * time.Hour)
		if a, b := s.held(alice), s.held(bob); len(a) != 0 || len(b) != 2 {
			t.Errorf("the next day: %v %v", a, b)
		}
	})
}

func TestManyAreCheckedInStepsAndByAnyNodeOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		const many = 300 // of whom more are ended than one transaction ends
		rule := s.dynamic(object{"type": "connected_chat_server"})
		kept := map[string]bool{}
		for i := 0; i < many; i += 10 {
			kept[wallet(i)] = true
		}
		fewAtOnce(many, func(i int) {
			s.user(wallet(i), object{"chatServerUserId": fmt.Sprint("c", i)})
			s.complete(rule, object{"walletAddress": wallet(i)}).ok()
			if !kept[wallet(i)] {
				s.user(wallet(i), object{"chatServerUserId": nil})
			}
		})
		s.clock.advance(25 * time.Hour)
		var nodes sync.WaitGroup
		for range 3 {
			nodes.Go(func() {
				if err := s.app.Lifetimes.RunDue(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		live := s.get(multipliersPath + "?limit=1000").data()
		if len(live) != many/10 {
			t.Errorf("%d are live, want %d", len(live), many/10)
		}
		for _, m := range live {
			if connected := m["user"].(object)["walletAddress"]; !kept[connected.(string)] {
				t.Errorf("live: %v", m)
			}
		}
		told := map[string]int{}
		for _, line := range s.told() {
			told[line]++
			if told[line] > 1 {
				t.Errorf("told twice: %s", line)
			}
			told[line[:7]]++
		}
		if told["deleted"] != many-many/10 {
			t.Errorf("%d endings were told", told["deleted"])
		}
	})
}

func TestACheckGoesOnWhereADeadNodeLeftIt(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		rule := s.dynamic(object{"type": "connected_chat_server"})
		users := map[string]string{}
		for i := range 4 {
			users[s.user(wallet(i), object{"chatServerUserId": fmt.Sprint("c", i)})] = wallet(i)
			s.complete(rule, object{"walletAddress": wallet(i)}).ok()
			s.user(wallet(i), object{"chatServerUserId": nil})
		}
		inOrder := slices.Sorted(maps.Keys(users))
		held := func() (n []int) {
			for _, user := range inOrder {
				n = append(n, len(s.held(users[user])))
			}
			return n
		}
		began := noon.Add(26 * time.Hour)
		s.clock.set(began)
		db.exec(
			"UPDATE lifetime_checks SET began_at = ?, due_at = ?, last_user_id = ?",
			began.UnixMicro(),
			began.Add(30*time.Second).UnixMicro(),
			inOrder[1],
		)
		s.check(20 * time.Second) // the dead node's lease lasts
		if got := held(); !slices.Equal(got, []int{1, 1, 1, 1}) {
			t.Errorf("while the lease lasts: %v", got)
		}
		s.check(20 * time.Second)
		if got := held(); !slices.Equal(got, []int{1, 1, 0, 0}) {
			t.Errorf("behind the position: %v", got)
		}
		s.clock.set(began.Add(24*time.Hour - time.Minute))
		s.check(0)
		if got := held(); !slices.Equal(got, []int{1, 1, 0, 0}) {
			t.Errorf("before the next day: %v", got)
		}
		s.check(time.Minute)
		if got := held(); !slices.Equal(got, []int{0, 0, 0, 0}) {
			t.Errorf("the next day: %v", got)
		}
	})
}
