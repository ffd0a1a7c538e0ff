package platforms_test

import (
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// ruleTypes are what the platforms of these tests can check.
func ruleTypes(platform string) []string {
	if platform == "live_stream" {
		return nil
	}
	return []string{platform + "_follow", platform + "_post"}
}

// read reads the drivers of a configuration, and returns the faults in one text.
func read(text string) ([]platforms.Driver, string) {
	var f laurel.Faults
	guard := outbound.New(outbound.Options{Trusted: true}).Guard
	top, _ := configfile.Parse(&f, "--identity ", []byte(text), "platforms")
	list := platforms.Reader{Faults: &f, Guard: guard, RuleTypes: ruleTypes}.Drivers(top)
	var messages []string
	for _, fault := range f {
		messages = append(messages, fault.Message)
	}
	return list, strings.Join(messages, "; ")
}

func TestADriverIsReadWhole(t *testing.T) {
	t.Parallel()
	website, _ := laurel.ParseID("01890000-0000-7000-8000-000000000001")
	list, faults := read(`{"platforms":[
		{"platform":"code_host","label":"Our code","kind":"oauth2","clientId":"id","clientSecret":"s3cret","tokenAuth":"post",
			"authorizeUrl":"https://code.example/authorize","tokenUrl":"https://code.example/token",
			"userInfoUrl":"https://code.example/user","scopes":["read"],
			"mapping":{"id":"id","name":"user.login","followers":"n","verified":"v"},
			"checks":{"code_host_follow":{"url":"https://code.example/{platformId}?to={metadata.link}","method":"POST",
				"headers":{"Authorization":"Bearer x"},"path":"data.0"}}},
		{"platform":"web_account","websiteId":"01890000-0000-7000-8000-000000000001","kind":"oidc","clientId":"id",
			"issuer":"https://id.example","channel":{"url":"https://v.example/me","path":"items.0.id"}},
		{"platform":"game_store","kind":"openid2","authorizeUrl":"https://games.example/openid"},
		{"platform":"messenger","kind":"signed_widget","clientId":"1","clientSecret":"x","authorizeUrl":"https://m.example"},
		{"platform":"forum_platform","kind":"profile_proof","userInfoUrl":"https://f.example/u/{name}.json",
			"mapping":{"id":"id","text":"about"}},
		{"platform":"microblog","checks":{"microblog_post":{"url":"https://m.example/{contentId}"}}}]}`)
	if faults != "" || len(list) != 6 {
		t.Fatalf("%d drivers, %s", len(list), faults)
	}
	want := platforms.Driver{
		Platform: "code_host", Label: "Our code", Kind: platforms.OAuth2, ClientID: "id", ClientSecret: "s3cret",
		AuthorizeURL: "https://code.example/authorize", TokenURL: "https://code.example/token", TokenAuth: "post",
		UserInfoURL: "https://code.example/user", Scopes: []string{"read"},
		Mapping: platforms.Mapping{ID: "id", Name: "user.login", Followers: "n", Verified: "v"},
		Checks: map[string]platforms.Check{"code_host_follow": {
			URL: "https://code.example/{platformId}?to={metadata.link}", Method: "POST",
			Headers: map[string]string{"Authorization": "Bearer x"}, Path: "data.0",
		}},
	}
	if !reflect.DeepEqual(list[0], want) {
		t.Errorf("read\n%+v, want\n%+v", list[0], want)
	}
	if d := list[1]; d.Mapping.ID != "sub" || !reflect.DeepEqual(d.Scopes, []string{"openid", "profile"}) ||
		d.TokenAuth != "basic" || d.Channel == nil || d.Channel.Path != "items.0.id" {
		t.Errorf("read %+v", d)
	}
	r := platforms.NewRegistry(list)
	if r.Find("web_account", laurel.ID{}) != nil || r.Find("web_account", website) == nil ||
		r.Find("code_host", website) == nil || r.Find("short_video", website) != nil {
		t.Error("a driver is found for other websites than its own, or not for its own")
	}
	if got := r.Labels(); !reflect.DeepEqual(got, map[string]string{"code_host": "Our code"}) {
		t.Errorf("labels %v", got)
	}
}

func TestABuiltInDriverIsReadWithItsDefaults(t *testing.T) {
	t.Parallel()
	list, faults := read(`{"platforms":[{"platform":"code_host","api":{}},
		{"platform":"microblog","api":{"url":"https://m.example/2","token":"t0ken"}}]}`)
	if faults != "" || len(list) != 2 {
		t.Fatalf("%d drivers, %s", len(list), faults)
	}
	if list[0].Kind != "" || !strings.HasPrefix(list[0].API.URL, "https://") || list[0].API.Token != "" {
		t.Errorf("read %+v", list[0].API)
	}
	if *list[1].API != (platforms.API{URL: "https://m.example/2", Token: "t0ken"}) {
		t.Errorf("read %+v", list[1].API)
	}
}

func TestAFaultOfADriverNamesItsPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"platforms":{}}`: "--identity platforms must be an array of at most 1000",
		`{"platforms":[{"kind":"oidc"}]}`: "--identity platforms.0.platform is required; " +
			"--identity platforms.0.clientId is required for drivers of kind oidc; " +
			"--identity platforms.0.issuer is required for drivers of kind oidc",
		`{"platforms":[{"platform":"blog","kind":"openid2","authorizeUrl":"https://a.example"}]}`: "--identity platforms.0.platform must be one of: " +
			strings.Join(platforms.IDs(), ", "),
		`{"platforms":[{"platform":"code_host"}]}`: "--identity platforms.0.kind is required",
		`{"platforms":[{"platform":"code_host","kind":"saml"}]}`: "--identity platforms.0.kind must be one of: " +
			"oauth2, oidc, openid2, signed_widget, profile_proof",
		`{"platforms":[{"platform":"code_host","kind":"profile_proof","userInfoUrl":"https://a.example/{name}","mapping":{"id":"i","text":"t"}}]}`://
		"--identity platforms.0.kind profile_proof is for the platforms forum_platform, photo_platform, short_video",
		`{"platforms":[{"platform":"short_video","kind":"profile_proof","userInfoUrl":"https://{name}.example","mapping":{"id":"i"}}]}`://
		"--identity platforms.0.userInfoUrl must not hold a variable in its host; --identity platforms.0.mapping must name the text of the profile",
		`{"platforms":[{"platform":"code_host","checks":{"code_host_star":{"url":"https://a.example"}}}]}`://
		"--identity platforms.0.checks.code_host_star is not known; known are: code_host_follow, code_host_post",
		`{"platforms":[{"platform":"live_stream","checks":{"live_stream_follow":{"url":"https://a.example"}}}]}`://
		"--identity platforms.0.checks must be absent: no rule type asks this platform; --identity platforms.0.kind is required",
		`{"platforms":[{"platform":"code_host","checks":{"code_host_post":{"url":"https://a.example/{user}","method":"PUT"}}}]}`: //
		"--identity platforms.0.checks.code_host_post.method must be one of: GET, POST; " +
			"--identity platforms.0.checks.code_host_post.url must not hold {user}; known are: {platformId}, {platformName}, {contentId}, {contentUrl}, {metadata.X}",
		`{"platforms":[{"platform":"code_host","checks":{"code_host_post":{"url":"https://a.example","headers":{"X-User":"{user}"}}}}]}`://
		"--identity platforms.0.checks.code_host_post.headers.X-User must not hold {user}; known are: {platformId}, {platformName}, {contentId}, {contentUrl}, {metadata.X}",
		`{"platforms":[{"platform":"game_launcher","api":{}}]}`: //
		"--identity platforms.0.api is for the platforms " + strings.Join(platforms.BuiltIn(), ", ") +
			"; --identity platforms.0.kind is required",
		`{"platforms":[{"platform":"messenger","api":{"url":"ftp://a.example"}}]}`://
		"--identity platforms.0.api.url must be a valid url; --identity platforms.0.api.token is required",
		`{"platforms":[{"platform":"code_host","api":{"token":"a\nb","key":"x"}}]}`://
		"--identity platforms.0.api.key is not known; known are: url, token; --identity platforms.0.api.token must be at most 4096 printable characters of ASCII",
		`{"platforms":[{"platform":"code_host","kind":"openid2","authorizeUrl":"https://a.example"},` +
			`{"platform":"code_host","kind":"openid2","authorizeUrl":"https://b.example"}]}`: "--identity platforms.1 is the second driver of code_host for the same websites",
	} {
		if list, got := read(text); got != want {
			t.Errorf("%s:\n%s, want\n%s (%d drivers)", text, got, want, len(list))
		}
	}
}
