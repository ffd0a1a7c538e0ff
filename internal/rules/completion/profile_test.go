package completion_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// TestConnectedAccountsEarn: without the account each type is refused with its message, with it paid once per window,
// and a group mate's counts.
func TestConnectedAccountsEarn(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for _, c := range apptest.Connections {
			rule := s.Rule(c.Kind, object{"interval": "daily"})
			wallet, mate := "w-"+c.Kind, "m-"+c.Kind
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, c.Missing)
			s.Complete(rule, object{"walletAddress": wallet, "verifyOnly": true}).Refused(400, c.Missing)
			user := s.User(wallet, nil)
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, c.Missing)
			s.User(wallet, c.Written)
			switch c.Kind {
			case "connected_email":
				s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Email not verified")
			case "connected_phone":
				s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Phone not connected or not verified")
			}
			db.Connect(user, c.Connected)
			s.Complete(rule, object{"walletAddress": wallet, "verifyOnly": true}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, apptest.PaidAlready)
			s.Clock.Advance(24 * time.Hour)
			s.User(mate, object{"userGroupExternalIdentifier": c.Kind})
			s.Complete(rule, object{"walletAddress": mate}).Refused(400, c.Missing)
			s.User(wallet, object{"userGroupExternalIdentifier": c.Kind})
			s.Complete(rule, object{"walletAddress": mate}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, apptest.PaidAlready)
			if s.Balance(wallet) != "10" || s.Balance(mate) != "10" {
				t.Errorf("%s: balances %s and %s", c.Kind, s.Balance(wallet), s.Balance(mate))
			}
		}
	})
}

func TestNamesThatAreNoAccountsConnectNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for kind, fields := range map[string]object{"connected_microblog": {"microblogUser": "name"}, "connected_chat_server": {"chatServerUser": "name"},
			"connected_messenger": {"messengerUsername": "name"}, "connected_code_host": {"codeHostUser": "name"}, "connected_game_store": {"gameStoreUsername": "name"},
			"connected_video_platform": {"videoPlatformChannelId": ""}, "connected_email": {"emailAddress": nil}} {
			rule := s.Rule(kind, nil)
			s.User(kind, fields)
			if a := s.Complete(rule, object{"walletAddress": kind}); a.Status != 400 || s.Balance(kind) != "" {
				t.Errorf("%s with %v: %d %s", kind, fields, a.Status, a.Body)
			}
		}
	})
}

// TestAnAccountEarnsOncePerWindowWhoeverHoldsIt: an account that moves to another user has earned what it has earned.
func TestAnAccountEarnsOncePerWindowWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for _, c := range apptest.Connections {
			label, _, _ := strings.Cut(c.Missing, " not connected")
			used := "The same " + label + " account was already used by another user"
			for i, interval := range []object{{"interval": "daily"}, {"interval": "once"}, {"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}}, {"interval": "unlimited"}} {
				rule := s.Rule(c.Kind, interval)
				first, second := fmt.Sprint("w", i, c.Kind), fmt.Sprint("v", i, c.Kind)
				hold := func(wallet string) {
					db.Connect(s.User(wallet, c.Written), c.Connected)
				}
				drop := func(wallet string) {
					gone := object{}
					for name := range c.Written {
						gone[name] = nil
					}
					user := s.User(wallet, gone)
					for name := range c.Connected {
						db.Connect(user, object{name: nil})
					}
				}
				hold(first)
				s.Complete(rule, object{"walletAddress": first}).OK()
				drop(first)
				hold(second)
				again := s.Complete(rule, object{"walletAddress": second})
				if interval["interval"] == "unlimited" {
					again.OK()
					drop(second)
					continue
				}
				again.Refused(400, used)
				s.Complete(rule, object{"walletAddress": second, "verifyOnly": true}).Refused(400, used)
				s.Clock.Advance(24 * time.Hour)
				again = s.Complete(rule, object{"walletAddress": second})
				if interval["interval"] == "once" {
					again.Refused(400, used)
				} else {
					again.OK()
				}
				drop(second)
			}
		}
		// an account's memory is nobody's status
		if n := len(s.Get("/api/loyalty/rule_statuses?limit=1000").Data()); n != 12*(2*3+1) {
			t.Errorf("%d statuses", n)
		}
		for _, p := range s.Get("/api/loyalty/rules/status?limit=1000").Data() {
			if p["status"] != "completed" {
				t.Errorf("listed %v", p)
			}
		}
		s.Sound()
	})
}

func TestUsersOfOneAccountAtOnceAreOnePayment(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := s.Rule("connected_email", nil)
		for i := range 12 {
			db.Connect(
				s.User(fmt.Sprint("w", i), object{"emailAddress": "One@b.example"}),
				object{"emailVerifiedAt": apptest.VerifiedAt},
			)
		}
		var paid atomic.Int64
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if a := s.Complete(rule, object{"walletAddress": fmt.Sprint("w", i)}); a.Status == 200 {
					paid.Add(1)
				} else if a.JSON()["message"] != "The same Email account was already used by another user" {
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		wg.Wait()
		if paid.Load() != 1 {
			t.Errorf("%d users were paid for one address", paid.Load())
		}
	})
}

// TestAnotherAccountOfTheGroupEarnsWhereTheFirstHas: a group earns a window by any of its accounts that has not earned
// it elsewhere.
func TestAnotherAccountOfTheGroupEarnsWhereTheFirstHas(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("connected_microblog", nil)
		s.User("x", object{"microblogUserId": "used"})
		s.Complete(rule, object{"walletAddress": "x"}).OK()
		s.User("x", object{"microblogUserId": nil})
		s.User("w", object{"microblogUserId": "used", "userGroupExternalIdentifier": "family"})
		const used = "The same Microblog account was already used by another user"
		s.Complete(rule, object{"walletAddress": "w"}).Refused(400, used)
		s.User("v", object{"userGroupExternalIdentifier": "family"})
		s.User("v", object{"microblogUserId": "new"}) // on joining, the group would have kept the first account
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.User("v", object{"microblogUserId": nil})
		s.User("u", object{"microblogUserId": "new"})
		s.Complete(rule, object{"walletAddress": "u"}).Refused(400, used) // it is the account that was used up
	})
}

func TestFollowersAndMarksOfTheMicroblogCount(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		many, text := s.Rule(
			"connected_microblog",
			object{"metadata": object{"minimumFollowerCount": 100}},
		), s.Rule(
			"connected_microblog",
			object{"metadata": object{"minimumFollowerCount": "100"}},
		)
		marked := s.Rule("check_in", object{"metadata": object{"hasVerifiedMicroblog": true}})
		s.Complete(marked, object{"walletAddress": "w"}).Refused(400, "Microblog not connected")
		user := s.User("w", object{"microblogUserId": "m1"})
		for _, rule := range []string{many, text, marked} {
			s.Complete(rule, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
		}
		s.User("w", object{"microblogFollowersCount": 99})
		s.Complete(many, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
		s.User("w", object{"microblogFollowersCount": 100})
		s.Complete(many, object{"walletAddress": "w"}).OK()
		s.Complete(text, object{"walletAddress": "w"}).OK()
		db.Connect(user, object{"microblogVerifiedAccount": true})
		s.Complete(marked, object{"walletAddress": "w"}).OK()
		s.User("v", object{"userGroupExternalIdentifier": "family"})
		s.User("w", object{"userGroupExternalIdentifier": "family"})
		s.Complete(s.Rule("bonus", object{"metadata": object{"hasVerifiedMicroblog": true}}), object{"walletAddress": "v"}).
			OK()
	})
}

// TestTheMarkRaisesTheAmount multiplies by verifiedMultiplier before the member's own multipliers, rounds once, and
// cuts at the cap.
func TestTheMarkRaisesTheAmount(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		raise := func(more object) object {
			return apptest.Over(object{"enableVerifiedMultiplier": true, "verifiedMultiplier": 1.5}, more)
		}
		for i, c := range []struct {
			rule object
			call object
			want string
		}{
			{object{"metadata": raise(nil)}, nil, "15"},
			{object{"metadata": raise(object{"enableVerifiedMultiplier": false})}, nil, "10"},
			{object{"metadata": raise(object{"verifiedMultiplier": nil})}, nil, "10"},
			{object{"metadata": raise(object{"verifiedMultiplier": 0})}, nil, "0"},
			{object{"metadata": raise(object{"verifiedMultiplier": 0.333333}), "amount": 0.000002}, nil, "0.000001"},
			{object{"metadata": raise(object{"range": []object{{"startRange": 0, "endRange": 9, "amount": 3}}})}, nil, "4.5"},
			{object{"metadata": raise(nil)}, object{"amount": 7}, "10.5"},
			{object{"metadata": raise(nil), "maxAmountInterval": "daily", "maxAmountPerInterval": 12}, nil, "12"},
		} {
			rule := s.Rule("external_rule", c.rule)
			plain, marked := fmt.Sprint("p", i), fmt.Sprint("m", i)
			s.Complete(rule, object{"walletAddress": plain}).OK()
			db.Connect(s.User(marked, object{"microblogUserId": marked}), object{"microblogVerifiedAccount": true})
			s.Complete(rule, apptest.Over(object{"walletAddress": marked}, c.call)).OK()
			if s.Balance(marked) != c.want {
				t.Errorf("%v %v: paid %s, want %s", c.rule, c.call, s.Balance(marked), c.want)
			}
		}
		if s.Balance("p0") != "10" {
			t.Errorf("without the mark paid %s", s.Balance("p0"))
		}
		rule := s.Rule("external_rule", object{"amount": 0.000001, "metadata": raise(nil)})
		db.Connect(s.User("x", object{"microblogUserId": "x"}), object{"microblogVerifiedAccount": true})
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "x", "multiplier": 1.5}).OK()
		s.Complete(rule, object{"walletAddress": "x"}).OK()
		if s.Balance("x") != "0.000002" { // 2.25 rounded once
			t.Errorf("two factors paid %s", s.Balance("x"))
		}
		s.Post("/api/loyalty/rules", object{"name": "n", "type": "check_in", "metadata": object{"verifiedMultiplier": -1}}).
			Refused(400, "metadata.verifiedMultiplier must be a number of at least 0")
	})
}

func TestAProfileIsCompletedByTheChosenFields(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for field, filled := range map[string]object{"displayName": {"displayName": "W"}, "bio": {"bio": "b"}, "logoUrl": {"logoUrl": "https://l.example"}, "location": {"location": "here"},
			"portfolioUrl": {"portfolioUrl": "https://p.example"}, "email": {"emailAddress": "p@b.example"}, "phone": {"phoneNumber": "+491511234"}, "microblog": {"microblogUserId": "pm"},
			"chat_server": {"chatServerUserId": "pc"}, "messenger": {"messengerUserId": "77"}, "short_video": {"shortVideoUserId": "ps"}, "video_platform": {"videoPlatformChannelId": "pv"},
			"forum_platform": {"forumPlatformUserId": "pf"}, "code_host": {"codeHostUserId": "ph"}, "game_store": {"gameStoreUserId": "pg"}, "game_launcher": {"gameLauncherAccountId": "pl"},
			"web_account": {"webAccountUserId": "pw"}, "live_stream": nil, "photo_platform": nil} {
			rule := s.Rule(
				"profile_completed",
				object{
					"interval": "daily",
					"metadata": object{"completeProfileConditions": object{field: true, "bio": field == "bio", "location": nil}},
				},
			)
			if field == "location" {
				s.Update(rule, object{"metadata": object{"completeProfileConditions": object{"location": true}}})
			}
			wallet := "w-" + field
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Quest not completed")
			user := s.User(wallet, object{"displayName": ""})
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Quest not completed")
			s.User(wallet, filled)
			switch field {
			case "live_stream":
				db.Connect(user, object{"liveStreamUserId": "pt"})
			case "photo_platform":
				db.Connect(user, object{"photoPlatformUser": "pp"})
			}
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, apptest.PaidAlready)
		}
	})
}

func TestProfileRulesAskForAllOfTheirFieldsAndForSome(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		none, strange := s.Rule(
			"profile_completed",
			nil,
		), s.Rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": true, "shoeSize": true}}},
		)
		off := s.Rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": false}}},
		)
		both := s.Rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": true, "microblog": true}}},
		)
		s.User("w", object{"displayName": "W", "bio": "b"})
		s.Complete(none, object{"walletAddress": "w"}).Refused(400, "Rule is not setup")
		s.Complete(off, object{"walletAddress": "w"}).Refused(400, "Rule is not setup")
		s.Complete(strange, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
		s.Complete(both, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
		s.User("v", object{"microblogUserId": "m", "userGroupExternalIdentifier": "family"})
		s.User("w", object{"userGroupExternalIdentifier": "family"})
		// a name is nobody else's, an account is the group's
		s.Complete(both, object{"walletAddress": "v"}).Refused(400, "Quest not completed")
		s.Complete(both, object{"walletAddress": "w"}).OK()
	})
}

func TestProvenWalletsEarn(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		anyKind, evm, solana := s.Rule(
			"connect_wallet",
			nil,
		), s.Rule(
			"connect_wallet",
			object{"metadata": object{"walletType": "evm"}},
		), s.Rule(
			"connect_wallet",
			object{"metadata": object{"walletType": "solana"}},
		)
		user := s.User(apptest.Alice, nil)
		for _, rule := range []string{anyKind, evm, solana} {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "Quest not completed")
			s.Complete(rule, object{"walletAddress": "stranger"}).Refused(400, "Quest not completed")
		}
		db.Connect(user, object{"verifiedLocallyAt": apptest.VerifiedAt})
		s.Complete(anyKind, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(evm, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(evm, object{"walletAddress": apptest.Alice}).Refused(400, apptest.PaidAlready)
		s.Complete(solana, object{"walletAddress": apptest.Alice}).Refused(400, "Quest not completed")
		s.User("sol", object{"userGroupExternalIdentifier": "family"})
		s.User(apptest.Alice, object{"userGroupExternalIdentifier": "family"})
		db.Exec("UPDATE users SET wallet_type = 'solana' WHERE wallet_address = 'sol'")
		s.Complete(solana, object{"walletAddress": apptest.Alice}).Refused(400, "Quest not completed") // it is not proven
		db.Connect(s.User("sol", nil), object{"verifiedLocallyAt": apptest.VerifiedAt})
		s.Complete(solana, object{"walletAddress": apptest.Alice}).OK()
	})
}

func TestTheOperatorNamesThePlatforms(t *testing.T) {
	t.Parallel()
	apptest.EachWith(
		t,
		app.Config{NoRateLimits: true, PlatformLabels: map[string]string{"microblog": "Chirp", "code_host": "The Forge"}},
		func(_ *testing.T, s *apptest.Server) {
			for kind, label := range map[string]string{"connected_microblog": "Chirp", "connected_code_host": "The Forge", "connected_messenger": "Messenger"} {
				s.Complete(s.Rule(kind, nil), object{"walletAddress": "w"}).Refused(400, label+" not connected")
			}
		},
	)
	_, err := app.Open(
		context.Background(),
		app.Config{Database: "sqlite:" + t.TempDir() + "/a.db", PlatformLabels: map[string]string{"microblogg": "Chirp"}},
	)
	if err == nil ||
		err.Error() != "--platform-labels microblogg is none of: chat_server, code_host, forum_platform, game_launcher, game_store, live_stream, messenger, microblog, photo_platform, short_video, video_platform, web_account" {
		t.Errorf("an unknown platform: %v", err)
	}
}
