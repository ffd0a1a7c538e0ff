package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/app"
)

// connect writes what only connect flows write into a user's metadata.
func (db database) connect(user string, fields object) {
	db.t.Helper()
	var record string
	if err := db.Get(
		context.Background(),
		&record,
		"SELECT record FROM user_metadata WHERE user_id = ?",
		user,
	); err != nil {
		db.t.Fatal(err)
	}
	var m object
	if err := json.Unmarshal([]byte(record), &m); err != nil {
		db.t.Fatal(err)
	}
	b, err := json.Marshal(over(m, fields))
	if err != nil {
		db.t.Fatal(err)
	}
	db.exec("UPDATE user_metadata SET record = ? WHERE user_id = ?", string(b), user)
}

const verifiedAt = "2026-01-01T00:00:00.000Z"

// connections are the rule types that ask for something connected: what a user without it is told, and the metadata of
// one that has it.
var connections = []struct {
	kind, missing string
	written       object // by a secret key
	connected     object // by a connect flow
}{
	{
		"connected_email",
		"Email not connected or not verified",
		object{"emailAddress": "a@b.example"},
		object{"emailVerifiedAt": verifiedAt},
	},
	{
		"connected_phone",
		"Phone not connected or not verified",
		object{"phoneNumber": "+4915112345678"},
		object{"phoneVerifiedAt": verifiedAt},
	},
	{"connected_microblog", "Microblog not connected", object{"microblogUserId": "m1"}, nil},
	{"connected_photo_platform", "Photo platform not connected", nil, object{"photoPlatformUser": "p1"}},
	{"connected_chat_server", "Chat server not connected", object{"chatServerUserId": "c1"}, nil},
	{"connected_messenger", "Messenger not connected", object{"messengerUserId": "7"}, nil},
	{"connected_short_video", "Short video not connected", object{"shortVideoUser": "s1"}, nil},
	{"connected_video_platform", "Video platform not connected", object{"videoPlatformChannelId": "v1"}, nil},
	{"connected_forum_platform", "Forum platform not connected", object{"forumPlatformUser": "f1"}, nil},
	{"connected_code_host", "Code host not connected", object{"codeHostUserId": "h1"}, nil},
	{"connected_game_store", "Game store not connected", object{"gameStoreUserId": "g1"}, nil},
	{"connected_game_launcher", "Game launcher not connected", object{"gameLauncherAccountId": "l1"}, nil},
}

// TestConnectedAccountsEarn: without the account each type is refused with its message, with it paid once per window,
// and a group mate's counts.
func TestConnectedAccountsEarn(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		for _, c := range connections {
			rule := s.rule(c.kind, object{"interval": "daily"})
			wallet, mate := "w-"+c.kind, "m-"+c.kind
			s.complete(rule, object{"walletAddress": wallet}).refused(400, c.missing)
			s.complete(rule, object{"walletAddress": wallet, "verifyOnly": true}).refused(400, c.missing)
			user := s.user(wallet, nil)
			s.complete(rule, object{"walletAddress": wallet}).refused(400, c.missing)
			s.user(wallet, c.written)
			switch c.kind {
			case "connected_email":
				s.complete(rule, object{"walletAddress": wallet}).refused(400, "Email not verified")
			case "connected_phone":
				s.complete(rule, object{"walletAddress": wallet}).refused(400, "Phone not connected or not verified")
			}
			db.connect(user, c.connected)
			s.complete(rule, object{"walletAddress": wallet, "verifyOnly": true}).ok()
			s.complete(rule, object{"walletAddress": wallet}).ok()
			s.complete(rule, object{"walletAddress": wallet}).refused(400, paidAlready)
			s.clock.advance(24 * time.Hour)
			s.user(mate, object{"userGroupExternalIdentifier": c.kind})
			s.complete(rule, object{"walletAddress": mate}).refused(400, c.missing)
			s.user(wallet, object{"userGroupExternalIdentifier": c.kind})
			s.complete(rule, object{"walletAddress": mate}).ok()
			s.complete(rule, object{"walletAddress": wallet}).refused(400, paidAlready)
			if s.balance(wallet) != "10" || s.balance(mate) != "10" {
				t.Errorf("%s: balances %s and %s", c.kind, s.balance(wallet), s.balance(mate))
			}
		}
	})
}

func TestNamesThatAreNoAccountsConnectNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for kind, fields := range map[string]object{"connected_microblog": {"microblogUser": "name"}, "connected_chat_server": {"chatServerUser": "name"},
			"connected_messenger": {"messengerUsername": "name"}, "connected_code_host": {"codeHostUser": "name"}, "connected_game_store": {"gameStoreUsername": "name"},
			"connected_video_platform": {"videoPlatformChannelId": ""}, "connected_email": {"emailAddress": nil}} {
			rule := s.rule(kind, nil)
			s.user(kind, fields)
			if a := s.complete(rule, object{"walletAddress": kind}); a.status != 400 || s.balance(kind) != "" {
				t.Errorf("%s with %v: %d %s", kind, fields, a.status, a.body)
			}
		}
	})
}

// TestAnAccountEarnsOncePerWindowWhoeverHoldsIt: an account that moves to another user has earned what it has earned.
func TestAnAccountEarnsOncePerWindowWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		for _, c := range connections {
			for i, interval := range []object{{"interval": "daily"}, {"interval": "once"}, {"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}}, {"interval": "unlimited"}} {
				rule := s.rule(c.kind, interval)
				first, second := fmt.Sprint("w", i, c.kind), fmt.Sprint("v", i, c.kind)
				hold := func(wallet string) {
					db.connect(s.user(wallet, c.written), c.connected)
				}
				drop := func(wallet string) {
					gone := object{}
					for name := range c.written {
						gone[name] = nil
					}
					user := s.user(wallet, gone)
					for name := range c.connected {
						db.connect(user, object{name: nil})
					}
				}
				hold(first)
				s.complete(rule, object{"walletAddress": first}).ok()
				drop(first)
				hold(second)
				again := s.complete(rule, object{"walletAddress": second})
				if interval["interval"] == "unlimited" {
					again.ok()
					drop(second)
					continue
				}
				again.refused(400, paidAlready)
				s.complete(rule, object{"walletAddress": second, "verifyOnly": true}).refused(400, paidAlready)
				s.clock.advance(24 * time.Hour)
				again = s.complete(rule, object{"walletAddress": second})
				if interval["interval"] == "once" {
					again.refused(400, paidAlready)
				} else {
					again.ok()
				}
				drop(second)
			}
		}
		// an account's memory is nobody's status
		if n := len(s.get("/api/loyalty/rule_statuses?limit=1000").data()); n != 12*(2*3+1) {
			t.Errorf("%d statuses", n)
		}
		for _, p := range s.get("/api/loyalty/rules/status?limit=1000").data() {
			if p["status"] != "completed" {
				t.Errorf("listed %v", p)
			}
		}
		s.sound()
	})
}

func TestUsersOfOneAccountAtOnceAreOnePayment(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		rule := s.rule("connected_email", nil)
		for i := range 12 {
			db.connect(
				s.user(fmt.Sprint("w", i), object{"emailAddress": "One@b.example"}),
				object{"emailVerifiedAt": verifiedAt},
			)
		}
		var paid atomic.Int64
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if a := s.complete(rule, object{"walletAddress": fmt.Sprint("w", i)}); a.status == 200 {
					paid.Add(1)
				} else if a.json()["message"] != paidAlready {
					t.Errorf("%d %s", a.status, a.body)
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
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("connected_microblog", nil)
		s.user("x", object{"microblogUserId": "used"})
		s.complete(rule, object{"walletAddress": "x"}).ok()
		s.user("x", object{"microblogUserId": nil})
		s.user("w", object{"microblogUserId": "used", "userGroupExternalIdentifier": "family"})
		s.complete(rule, object{"walletAddress": "w"}).refused(400, paidAlready)
		s.user("v", object{"microblogUserId": "new", "userGroupExternalIdentifier": "family"})
		s.complete(rule, object{"walletAddress": "w"}).ok()
		s.user("v", object{"microblogUserId": nil})
		s.user("u", object{"microblogUserId": "new"})
		s.complete(rule, object{"walletAddress": "u"}).refused(400, paidAlready) // it is the account that was used up
	})
}

func TestFollowersAndMarksOfTheMicroblogCount(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		many, text := s.rule(
			"connected_microblog",
			object{"metadata": object{"minimumFollowerCount": 100}},
		), s.rule(
			"connected_microblog",
			object{"metadata": object{"minimumFollowerCount": "100"}},
		)
		marked := s.rule("check_in", object{"metadata": object{"hasVerifiedMicroblog": true}})
		s.complete(marked, object{"walletAddress": "w"}).refused(400, "Microblog not connected")
		user := s.user("w", object{"microblogUserId": "m1"})
		for _, rule := range []string{many, text, marked} {
			s.complete(rule, object{"walletAddress": "w"}).refused(400, "Quest not completed")
		}
		s.user("w", object{"microblogFollowersCount": 99})
		s.complete(many, object{"walletAddress": "w"}).refused(400, "Quest not completed")
		s.user("w", object{"microblogFollowersCount": 100})
		s.complete(many, object{"walletAddress": "w"}).ok()
		s.complete(text, object{"walletAddress": "w"}).ok()
		db.connect(user, object{"microblogVerifiedAccount": true})
		s.complete(marked, object{"walletAddress": "w"}).ok()
		s.user("v", object{"userGroupExternalIdentifier": "family"})
		s.user("w", object{"userGroupExternalIdentifier": "family"})
		s.complete(s.rule("bonus", object{"metadata": object{"hasVerifiedMicroblog": true}}), object{"walletAddress": "v"}).
			ok()
	})
}

// TestTheMarkRaisesTheAmount multiplies by verifiedMultiplier before the member's own multipliers, rounds once, and
// cuts at the cap.
func TestTheMarkRaisesTheAmount(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		raise := func(more object) object {
			return over(object{"enableVerifiedMultiplier": true, "verifiedMultiplier": 1.5}, more)
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
			rule := s.rule("external_rule", c.rule)
			plain, marked := fmt.Sprint("p", i), fmt.Sprint("m", i)
			s.complete(rule, object{"walletAddress": plain}).ok()
			db.connect(s.user(marked, object{"microblogUserId": marked}), object{"microblogVerifiedAccount": true})
			s.complete(rule, over(object{"walletAddress": marked}, c.call)).ok()
			if s.balance(marked) != c.want {
				t.Errorf("%v %v: paid %s, want %s", c.rule, c.call, s.balance(marked), c.want)
			}
		}
		if s.balance("p0") != "10" {
			t.Errorf("without the mark paid %s", s.balance("p0"))
		}
		rule := s.rule("external_rule", object{"amount": 0.000001, "metadata": raise(nil)})
		db.connect(s.user("x", object{"microblogUserId": "x"}), object{"microblogVerifiedAccount": true})
		s.post("/api/loyalty/multipliers", object{"walletAddress": "x", "multiplier": 1.5}).ok()
		s.complete(rule, object{"walletAddress": "x"}).ok()
		if s.balance("x") != "0.000002" { // 2.25 rounded once
			t.Errorf("two factors paid %s", s.balance("x"))
		}
		s.post("/api/loyalty/rules", object{"name": "n", "type": "check_in", "metadata": object{"verifiedMultiplier": -1}}).
			refused(400, "metadata.verifiedMultiplier must be a number of at least 0")
	})
}

func TestAProfileIsCompletedByTheChosenFields(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		for field, filled := range map[string]object{"displayName": {"displayName": "W"}, "bio": {"bio": "b"}, "logoUrl": {"logoUrl": "https://l.example"}, "location": {"location": "here"},
			"portfolioUrl": {"portfolioUrl": "https://p.example"}, "email": {"emailAddress": "p@b.example"}, "phone": {"phoneNumber": "+491511234"}, "microblog": {"microblogUserId": "pm"},
			"chat_server": {"chatServerUserId": "pc"}, "messenger": {"messengerUserId": "77"}, "short_video": {"shortVideoUserId": "ps"}, "video_platform": {"videoPlatformChannelId": "pv"},
			"forum_platform": {"forumPlatformUserId": "pf"}, "code_host": {"codeHostUserId": "ph"}, "game_store": {"gameStoreUserId": "pg"}, "game_launcher": {"gameLauncherAccountId": "pl"},
			"web_account": {"webAccountUserId": "pw"}, "live_stream": nil, "photo_platform": nil} {
			rule := s.rule(
				"profile_completed",
				object{
					"interval": "daily",
					"metadata": object{"completeProfileConditions": object{field: true, "bio": field == "bio", "location": nil}},
				},
			)
			if field == "location" {
				s.update(rule, object{"metadata": object{"completeProfileConditions": object{"location": true}}})
			}
			wallet := "w-" + field
			s.complete(rule, object{"walletAddress": wallet}).refused(400, "Quest not completed")
			user := s.user(wallet, object{"displayName": ""})
			s.complete(rule, object{"walletAddress": wallet}).refused(400, "Quest not completed")
			s.user(wallet, filled)
			switch field {
			case "live_stream":
				db.connect(user, object{"liveStreamUserId": "pt"})
			case "photo_platform":
				db.connect(user, object{"photoPlatformUser": "pp"})
			}
			s.complete(rule, object{"walletAddress": wallet}).ok()
			s.complete(rule, object{"walletAddress": wallet}).refused(400, paidAlready)
		}
	})
}

func TestProfileRulesAskForAllOfTheirFieldsAndForSome(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		none, strange := s.rule(
			"profile_completed",
			nil,
		), s.rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": true, "shoeSize": true}}},
		)
		off := s.rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": false}}},
		)
		both := s.rule(
			"profile_completed",
			object{"metadata": object{"completeProfileConditions": object{"displayName": true, "microblog": true}}},
		)
		s.user("w", object{"displayName": "W", "bio": "b"})
		s.complete(none, object{"walletAddress": "w"}).refused(400, "Rule is not setup")
		s.complete(off, object{"walletAddress": "w"}).refused(400, "Rule is not setup")
		s.complete(strange, object{"walletAddress": "w"}).refused(400, "Quest not completed")
		s.complete(both, object{"walletAddress": "w"}).refused(400, "Quest not completed")
		s.user("v", object{"microblogUserId": "m", "userGroupExternalIdentifier": "family"})
		s.user("w", object{"userGroupExternalIdentifier": "family"})
		// a name is nobody else's, an account is the group's
		s.complete(both, object{"walletAddress": "v"}).refused(400, "Quest not completed")
		s.complete(both, object{"walletAddress": "w"}).ok()
	})
}

func TestProvenWalletsEarn(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		anyKind, evm, solana := s.rule(
			"connect_wallet",
			nil,
		), s.rule(
			"connect_wallet",
			object{"metadata": object{"walletType": "evm"}},
		), s.rule(
			"connect_wallet",
			object{"metadata": object{"walletType": "solana"}},
		)
		user := s.user(alice, nil)
		for _, rule := range []string{anyKind, evm, solana} {
			s.complete(rule, object{"walletAddress": alice}).refused(400, "Quest not completed")
			s.complete(rule, object{"walletAddress": "stranger"}).refused(400, "Quest not completed")
		}
		db.connect(user, object{"verifiedLocallyAt": verifiedAt})
		s.complete(anyKind, object{"walletAddress": alice}).ok()
		s.complete(evm, object{"walletAddress": alice}).ok()
		s.complete(evm, object{"walletAddress": alice}).refused(400, paidAlready)
		s.complete(solana, object{"walletAddress": alice}).refused(400, "Quest not completed")
		s.user("sol", object{"userGroupExternalIdentifier": "family"})
		s.user(alice, object{"userGroupExternalIdentifier": "family"})
		db.exec("UPDATE users SET wallet_type = 'solana' WHERE wallet_address = 'sol'")
		s.complete(solana, object{"walletAddress": alice}).refused(400, "Quest not completed") // it is not proven
		db.connect(s.user("sol", nil), object{"verifiedLocallyAt": verifiedAt})
		s.complete(solana, object{"walletAddress": alice}).ok()
	})
}

func TestTheOperatorNamesThePlatforms(t *testing.T) {
	t.Parallel()
	eachWith(
		t,
		app.Config{NoRateLimits: true, PlatformLabels: map[string]string{"microblog": "Chirp", "code_host": "The Forge"}},
		func(_ *testing.T, s *server) {
			for kind, label := range map[string]string{"connected_microblog": "Chirp", "connected_code_host": "The Forge", "connected_messenger": "Messenger"} {
				s.complete(s.rule(kind, nil), object{"walletAddress": "w"}).refused(400, label+" not connected")
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
