package connect_test

import (
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
)

func read(text string) (connect.Config, error) {
	var f laurel.Faults
	guard := outbound.New(outbound.Options{Trusted: true}).Guard
	c := connect.ReadConfig(&f, "--identity ", []byte(text), guard, func(string) []string { return nil })
	return c, f.Err()
}

func TestAConfigurationIsReadOverTheDefaults(t *testing.T) {
	t.Parallel()
	c, err := read(`{"maxAccountsPerPlatformId":3,"seconds":{"state":60},"limits":{"email":{"perHour":0}},"platforms":[
		{"platform":"game_store","kind":"openid2","authorizeUrl":"https://games.example/openid"}]}`)
	d := connect.DefaultConfig()
	if err != nil || c.MaxAccountsPerPlatformID != 3 || c.Lifetimes.State != time.Minute ||
		c.Lifetimes.AccountLink != d.Lifetimes.AccountLink || c.Limits[messages.Email].PerHour != 0 ||
		c.Limits[messages.Email].Every != 30*time.Second || c.Limits[messages.SMS] != d.Limits[messages.SMS] || len(c.Drivers) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestPasswordsStayUnlessTheConfigurationSaysOtherwise(t *testing.T) {
	t.Parallel()
	for text, off := range map[string]bool{"": false, `,"passwordSignIn":true`: false, `,"passwordSignIn":false`: true} {
		c, err := read(`{"admins":{"issuer":"https://id.example","clientId":"laurel"` + text + `}}`)
		if err != nil || c.Admins.PasswordsOff != off || c.Admins.Label != "single sign-on" {
			t.Errorf("%s: %+v, %v", text, c.Admins, err)
		}
	}
}

func TestAFaultOfTheConfigurationNamesItsPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                 "--identity must be a JSON object",
		`{"platform":[]}`:                  "--identity platform is not known; known are: ",
		`{"maxAccountsPerPlatformId":0}`:   "--identity maxAccountsPerPlatformId must be a whole number between 1 and 1000",
		`{"seconds":{"state":0.5}}`:        "--identity seconds.state must be a whole number between 1 and 86400",
		`{"seconds":{"states":1}}`:         "--identity seconds.states is not known; known are: ",
		`{"limits":{"phone":{"every":1}}}`: "--identity limits.phone.every is not known; known are: ",
		`{"sms":{}}`:                       "--identity sms.url is required",
		`{"email":{"from":"a@b.example"}}`: "--identity email.url is required",
		`{"admins":{"clientId":"a"}}`:      "--identity admins.issuer is required",
		`{"admins":{"issuer":"x"}}`:        "--identity admins.issuer must be",
		`{"admins":{"clientID":"a"}}`:      "--identity admins.clientID is not known; known are: ",
		`{"admins":{"issuer":"https://id.example","clientId":"a","passwordSignIn":"no"}}`: "--identity admins.passwordSignIn must be",
	} {
		if _, err := read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
