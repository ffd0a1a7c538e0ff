package dynamicrewards_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/identity"
)

// TestOnlyRulesThatAskForALostAccountAreCheckedAtOnce lets members lose accounts, and looks at which rules are due.
func TestOnlyRulesThatAskForALostAccountAreCheckedAtOnce(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		names := map[string]string{}
		for name, properties := range map[string]object{
			"chat":     {"type": "connected_chat_server"},
			"join":     {"type": "chat_server_join", "metadata": object{"chatServersToJoin": []object{{"id": "1"}}}},
			"profile":  {"type": "profile_completed", "metadata": object{"completeProfileConditions": object{"chat_server": true, "messenger": false}}},
			"blog":     {"type": "connected_microblog"},
			"verified": {"type": "check_in", "metadata": object{"hasVerifiedMicroblog": true}},
			"mail":     {"type": "connected_email"},
			"phone":    {"type": "connected_phone"},
			"any":      {"type": "check_in"},
		} {
			names[s.CreateDynamicRule(properties)] = name
		}
		due := func() string {
			t.Helper()
			var rules []laurel.ID
			const query = "SELECT loyalty_rule_id FROM lifetime_checks WHERE due_at <= ?"
			if err := db.Select(t.Context(), &rules, query, s.Clock.Now().UnixMicro()); err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, rule := range rules {
				list = append(list, names[rule.String()])
			}
			slices.Sort(list)
			return strings.Join(list, " ")
		}
		connect := func(wallet, platform, id string) (link string) {
			t.Helper()
			s.User(wallet, nil)
			link, err := s.App.Identity.ConnectAccount(t.Context(), s.WebsiteScope(), identity.Ref{Wallet: wallet},
				identity.VerifiedAccount{Platform: platform, ID: id, Name: id})
			if err != nil {
				t.Fatal(err)
			}
			return link
		}
		for platform, want := range map[string]string{
			"chat_server": "chat join profile", "microblog": "blog verified", "messenger": "", "web_account": "",
			identity.Email: "mail", identity.Phone: "phone",
		} {
			account := platform + "@mail.example"
			if platform == identity.Phone {
				account = "+15555550123"
			}
			s.CheckDynamicRewards(time.Second)
			connect(apptest.Alice, platform, account)
			link := connect(apptest.Bob, platform, account)
			if got := due(); link == "" || got != "" {
				t.Errorf("%s: %q is due after connecting, link %q", platform, got, link)
			}
			s.Post("/api/users/verify", object{"accountLinkData": link}).OK()
			if got := due(); got != want {
				t.Errorf("%s was moved: %q is due, not %q", platform, got, want)
			}
			s.CheckDynamicRewards(time.Second)
			if got := due(); got != "" {
				t.Errorf("%s: %q is due after the check", platform, got)
			}
			user := identity.Ref{Wallet: apptest.Bob}
			if err := s.App.Identity.DisconnectAccount(t.Context(), s.WebsiteScope(), user, platform); err != nil {
				t.Fatal(err)
			}
			if got := due(); got != want {
				t.Errorf("%s was disconnected: %q is due, not %q", platform, got, want)
			}
		}
	})
}
