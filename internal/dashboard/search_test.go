package dashboard_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// scripts are names with parts that find them on both engines, and do not find others.
var scripts = []struct{ name, part string }{
	{"Maren Oduya", "REN OD"},
	{"Élodie Ångström", "éLODIE å"},
	{"E\u0301mile", "ÉMILE"}, // composed or not
	{"Straße 7", "STRASSE"},
	{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
	{"Юлия Щукина", "щУКИНА"},
	{"Ծովինար", "ծՈՎԻ"},
	{"ნინო", "ნინ"},
	{"İpek Çağlı", "IPEK çAĞLI"},
	{"山田太郎", "田太"},
	{"ﾀﾅｶ", "タナカ"}, // half and full width
	{"김민준", "민준"},
	{"محمد", "حمد"},
	{"आरती", "रती"},
	{"𐐔𐐯𐑅", "𐐼𐐯"}, // beyond the basic plane
	{"100%_sure", "%_s"},
}

// TestNamesOfEveryScriptAreFound walks everything that is searched by name.
func TestNamesOfEveryScriptAreFound(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleModerator)
		for i, one := range scripts {
			s.User(fmt.Sprint("cust_", i), apptest.Object{"displayName": one.name})
			s.Rule("external_rule", apptest.Object{"name": one.name, "interval": "unlimited"})
			s.Call(s.OrganizationAPIKey, "POST", "/api/websites", apptest.Object{"name": one.name}).OK()
			s.Subscribe("https://crm.example/hook", apptest.Object{"name": one.name}, "User")
			s.Post("/api/contracts", apptest.Object{
				"name": one.name, "address": fmt.Sprintf("0x%040x", i+1), "chainId": 8453, "type": "erc20",
			}).Created()
		}
		for i, one := range scripts {
			part := url.QueryEscape(one.part)
			b.Get(b.Site("/members?q="+part)).Shows(200, "1 member found", fmt.Sprint("cust_", i))
			search := b.Get(b.Site("/search?q="+part)).Shows(200, one.name)
			if n := strings.Count(search.Body, "/rules/"); n < 1 {
				t.Errorf("%s finds no rule", one.part)
			}
			for _, list := range []string{"/api/websites?name=", "/api/stratus/subscriptions?name=", "/api/contracts?search="} {
				got := s.Call(s.OrganizationAPIKey, "GET", list+part, nil).Data()
				if len(got) != 1 || got[0]["name"] != one.name {
					t.Errorf("%s%s lists %v", list, one.part, got)
				}
			}
		}
		b.Get(b.Site("/members?q=zzz")).Shows(200, "No member matches")
		s.User("cust_mail", apptest.Object{"displayName": "zora@mail.example"})
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(v.Site("/members?q=zora")).Shows(200, "No member matches")
		b.Get(b.Site("/members?q=zora")).Shows(200, "zora@mail.example")
	})
}
