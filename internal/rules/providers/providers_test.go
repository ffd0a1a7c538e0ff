package providers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/providers"
	_ "laurel.example/laurel/internal/rules/ruletypes" // declares the types
	"laurel.example/laurel/internal/rules/schema"
)

func summaryOf(v providers.Verification, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case v.Value != nil:
		return map[bool]string{true: "yes ", false: "no "}[v.Fulfilled] + v.Value.String()
	}
	return map[bool]string{true: "yes", false: "no"}[v.Fulfilled]
}

func TestAnAnswerIsTakenByItsExactForm(t *testing.T) {
	t.Parallel()
	const object = "must be a JSON object"
	for text, want := range map[string]string{
		`{"fulfilled":true}`:                              "yes",
		` { "fulfilled" : false , "value" : null } `:      "no",
		`{"value":"12.500000","fulfilled":true}`:          "yes 12.5",
		`{"value":12.5,"fulfilled":false}`:                "no 12.5",
		`{"fulfilled":true,"value":0,"note":{"a":[1,2]}}`: "yes 0",
		`{"fulfilled":true,"value":1e3}`:                  "yes 1000",
		`{"fulfilled":true,"value":8999999999999.999999}`: "yes 8999999999999.999999",
		``:                                     object,
		`null`:                                 object,
		`[]`:                                   object,
		`{`:                                    object,
		`{"fulfilled":true`:                    object,
		`{"fulfilled":true,}`:                  object,
		`{"fulfilled":tru}`:                    object,
		`{"fulfilled":true}{}`:                 "must be one JSON object and nothing else",
		`{"fulfilled":true} x`:                 "must be one JSON object and nothing else",
		`{}`:                                   "fulfilled must be true or false",
		`{"Fulfilled":true}`:                   "fulfilled must be true or false",
		`{"fulfilled":null}`:                   "fulfilled must be true or false",
		`{"fulfilled":1}`:                      "fulfilled must be true or false",
		`{"fulfilled":"true"}`:                 "fulfilled must be true or false",
		`{"fulfilled":false,"fulfilled":true}`: `"fulfilled" is there twice`,
		`{"fulfilled":true,"value":1,"\u0076alue":2}`:         `"value" is there twice`,
		`{"fulfilled":true,"value":true}`:                     "value must be a number",
		`{"fulfilled":true,"value":""}`:                       "value must be a number",
		`{"fulfilled":true,"value":"1,5"}`:                    "value must be a number",
		`{"fulfilled":true,"value":[1]}`:                      "value must be a number",
		`{"fulfilled":true,"value":-0.000001}`:                "value must be at least 0",
		`{"fulfilled":true,"value":0.0000001}`:                "value must have at most 6 decimal places",
		`{"fulfilled":true,"value":9000000000000}`:            "value must be less than 9000000000000 in absolute value",
		`{"fulfilled":true,"value":1e999999999}`:              "value must be less than 9000000000000 in absolute value",
		strings.Repeat(`{"fulfilled":`, 20_000):               object,
		`{"fulfilled":true,"a":` + strings.Repeat("[", 20000): object,
	} {
		if got := summaryOf(providers.ReadVerdict([]byte(text))); got != want {
			t.Errorf("%.60s: %s, want %s", text, got, want)
		}
	}
}

// FuzzAnswer: what is taken as an answer is one JSON object that says so, and says the same when it is written again.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"fulfilled":true}`, `{"fulfilled":false,"value":"1.5"}`, `{"fulfilled":true,"fulfilled":false}`,
		`{"value":1e5,"fulfilled":true,"x":[{}]}`, `{"":1e700,"fulfilled":true}`, `{"fulfilled":true}{}`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := providers.ReadVerdict(text)
		if err != nil {
			if !reflect.DeepEqual(v, providers.Verification{}) {
				t.Errorf("%v beside %v", v, err)
			}
			return
		}
		// Numbers stay text: JSON bounds none, and a float64 would refuse 1e700 in a field that nobody reads.
		var plain map[string]any
		plainly := json.NewDecoder(bytes.NewReader(text))
		plainly.UseNumber()
		if !json.Valid(text) || plainly.Decode(&plain) != nil || plain["fulfilled"] != v.Fulfilled ||
			(plain["value"] == nil) != (v.Value == nil) {
			t.Errorf("%s: %+v", text, v)
		}
		if v.Value != nil && (*v.Value < 0 || *v.Value >= laurel.MaxAmount) {
			t.Errorf("%s: %s", text, v.Value)
		}
		again, err := json.Marshal(map[string]any{"fulfilled": v.Fulfilled, "value": v.Value})
		if err != nil {
			t.Fatal(err)
		}
		if w, err := providers.ReadVerdict(again); err != nil || !reflect.DeepEqual(v, w) {
			t.Errorf("%s: %+v, then %+v %v", text, v, w, err)
		}
	})
}

func guard(dev bool, allow ...string) *outbound.Guard {
	var nets []netip.Prefix
	for _, a := range allow {
		nets = append(nets, netip.MustParsePrefix(a))
	}
	return outbound.New(outbound.Options{Dev: dev, Allow: nets}).Guard
}

func TestAConfigurationIsReadWhole(t *testing.T) {
	t.Parallel()
	var f laurel.Faults
	got := providers.ReadPartners(
		&f,
		"",
		[]byte(
			`{"partners":[{"type":"shop_spend","url":"https://shop.example/a?b=c","header":{"name":"X-Secret","value":"s 3"},"timeoutSeconds":0.5},
		{"type":"shop_spend","url":"https://10.1.2.3/","websiteId":"01890000-0000-7000-8000-000000000001","header":null,"timeoutSeconds":null},
		{"type":"attendance_token_claim","url":"https://t.example"}]}`,
		),
		guard(false, "10.0.0.0/8"),
	)
	site, _ := laurel.ParseID("01890000-0000-7000-8000-000000000001")
	want := []providers.Partner{
		{
			Type:    schema.TypeShopSpend,
			URL:     "https://shop.example/a?b=c",
			Header:  "X-Secret",
			Secret:  "s 3",
			Timeout: 500 * time.Millisecond,
		},
		{Type: schema.TypeShopSpend, URL: "https://10.1.2.3/", WebsiteID: site, Timeout: 3 * time.Second},
		{Type: schema.TypeAttendanceToken, URL: "https://t.example", Timeout: 3 * time.Second},
	}
	if f.Err() != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, f)
	}
}

func TestAConfigurationNamesTheFieldAtFault(t *testing.T) {
	t.Parallel()
	of := func(properties string) string {
		return `{"partners":[{"type":"shop_spend","url":"https://a.example"},{` + properties + `}]}`
	}
	const good = `"type":"create_partner_account","url":"https://a.example"`
	for text, want := range map[string]string{
		``:                       "-- must be a JSON object",
		`[]`:                     "-- must be a JSON object",
		`{}`:                     "-- partners must be an array of at most 1000",
		`{"partners":null}`:      "-- partners must be an array of at most 1000",
		`{"partners":{}}`:        "-- partners must be an array of at most 1000",
		`{"partners":[],"x":1}`:  "-- x is not known; known are: partners",
		`{"partners":[1]}`:       "-- partners.0 must be a JSON object",
		of(``):                   "-- partners.1.type is required; -- partners.1.url is required",
		of(good + `,"URL":"x"`):  "-- partners.1.URL is not known; known are: type, url, header, timeoutSeconds, websiteId",
		of(good + `,"url":"x"`):  `-- partners.1 "url" is there twice`,
		of(`"type":1,"url":[2]`): "-- partners.1.type must be a text; -- partners.1.url must be a text",
		of(`"type":"external_rule","url":"https://a.example"`):              "-- partners.1.type must be one of: attendance_token_claim, create_partner_account, governance_vote, listing, shop_spend, swap",
		of(`"type":"stratus_function","url":"https://a.example"`):           "-- partners.1.type must be one of: attendance_token_claim, create_partner_account, governance_vote, listing, shop_spend, swap",
		of(`"type":"shop_spend","url":"https://b.example"`):                 "-- partners.1 is the second of shop_spend for the same websites",
		of(`"type":"create_partner_account","url":"a.example"`):             "-- partners.1.url must be a valid url",
		of(`"type":"create_partner_account","url":"http://a.example"`):      "-- partners.1.url must use https",
		of(`"type":"create_partner_account","url":"https://127.0.0.1/"`):    "-- partners.1.url must not point to a private address",
		of(`"type":"create_partner_account","url":"https://u:p@a.example"`): "-- partners.1.url must not contain credentials",
		of(good + `,"timeoutSeconds":0`):                                    "-- partners.1.timeoutSeconds must be between 0.1 and 4",
		of(good + `,"timeoutSeconds":4.1`):                                  "-- partners.1.timeoutSeconds must be between 0.1 and 4",
		of(good + `,"timeoutSeconds":"soon"`):                               "-- partners.1.timeoutSeconds must be between 0.1 and 4",
		of(good + `,"websiteId":"x"`):                                       "-- partners.1.websiteId must be a uuid",
		of(good + `,"header":"Authorization: x"`):                           "-- partners.1.header must be a JSON object",
		of(good + `,"header":{"name":"A"}`):                                 "-- partners.1.header.value is required",
		of(good + `,"header":{"name":"A b","value":"x"}`):                   "-- partners.1.header.name must be the name of a header that is not one of the protocol's",
		of(good + `,"header":{"name":"hOst","value":"x"}`):                  "-- partners.1.header.name must be the name of a header that is not one of the protocol's",
		of(good + `,"header":{"name":"A","value":"s3cret\r\nB: c"}`):        "-- partners.1.header.value must be at most 4096 printable characters of ASCII",
		of(good + `,"header":{"name":"A","value":"x","secret":"y"}`):        "-- partners.1.header.secret is not known; known are: name, value",
	} {
		var f laurel.Faults
		providers.ReadPartners(&f, "-- ", []byte(text), guard(false))
		var got []string
		for _, fault := range f {
			got = append(got, fault.Message)
		}
		if strings.TrimSpace(strings.Join(got, "; ")) != want {
			t.Errorf("%s:\n%s, want\n%s", text, strings.Join(got, "; "), want)
		}
	}
}

func FuzzConfiguration(f *testing.F) {
	f.Add(
		[]byte(
			`{"partners":[{"type":"shop_spend","url":"https://shop.example","header":{"name":"A","value":"b"},"timeoutSeconds":1,"websiteId":"01890000-0000-7000-8000-000000000001"}]}`,
		),
	)
	f.Add([]byte(`{"partners":[{}]}`))
	g := guard(false)
	f.Fuzz(func(t *testing.T, text []byte) {
		var faults laurel.Faults
		for _, p := range providers.ReadPartners(&faults, "", text, g) {
			if _, err := url.Parse(p.URL); err != nil || p.Timeout < 100*time.Millisecond || p.Timeout > 4*time.Second ||
				p.Type.Kind().Provider != schema.PartnerProvider {
				t.Fatalf("%+v", p)
			}
			if strings.ContainsAny(p.Header, " :\r\n\x00") || strings.ContainsAny(p.Secret, "\r\n\x00") ||
				(p.Header == "") != (p.Secret == "") {
				t.Errorf("a header that cannot be sent: %+v", p)
			}
		}
	})
}

// asking makes a port with one partner.
func asking(t *testing.T, answer http.HandlerFunc) (providers.Registry, providers.VerificationRequest) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{Dev: true})
	asked := providers.NewPartners(
		client,
		[]providers.Partner{{Type: schema.TypeShopSpend, URL: server.URL, Timeout: time.Second}},
	)
	rule := &schema.Properties{
		Name:     "A rule",
		Type:     schema.TypeShopSpend,
		Metadata: json.RawMessage(`{"customRewardsApiKey":"hidden","link":"https://l.example"}`),
	}
	return providers.Registry{
			schema.PartnerProvider: asked,
		}, providers.VerificationRequest{
			RuleID: laurel.ID{15: 1},
			Rule:   rule,
			Until:  time.UnixMilli(1_700_000_000_123).UTC(),
		}
}

var tenant = laurel.Scope{OrganizationID: laurel.ID{15: 2}, WebsiteID: laurel.ID{15: 3}}

func TestAQuestionIsPutInFull(t *testing.T) {
	t.Parallel()
	var requestBody atomic.Value
	ports, q := asking(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		requestBody.Store(string(text))
		_, _ = io.WriteString(w, `{"fulfilled":true,"value":2}`)
	})
	q.Members = []providers.Member{
		{UserID: laurel.ID{15: 4}, Wallet: "0xa", Email: "a@b.example", ExternalID: "C-1"},
		{UserID: laurel.ID{15: 5}, Wallet: "0xb"},
		{},
	}
	if got := summaryOf(ports.Verify(t.Context(), tenant, q)); got != "yes 2" {
		t.Errorf("%s", got)
	}
	const want = `{"organizationId":"00000000-0000-0000-0000-000000000002","websiteId":"00000000-0000-0000-0000-000000000003",` +
		`"rule":{"id":"00000000-0000-0000-0000-000000000001","name":"A rule","type":"shop_spend","metadata":{"link":"https://l.example"},"collectionAddress":null,"collections":[],` +
		`"network":null,"shopStoreUrl":null,"externalIntegrationId":null},"user":{"id":"00000000-0000-0000-0000-000000000004","walletAddresses":["0xa","0xb"],` +
		`"emailAddresses":["a@b.example"],"externalIdentifiers":["C-1"]},"since":null,"until":"2023-11-14T22:13:20.123Z",` +
		`"request":{"contentUrl":null,"verificationCode":null,"rangeValue":null}}`
	if got := requestBody.Load(); got != want {
		t.Errorf("asked\n%s, want\n%s", got, want)
	}
}

func TestWhoeverIsNotConfiguredCannotBeAsked(t *testing.T) {
	t.Parallel()
	ports, q := asking(t, http.NotFound)
	for kind, want := range map[schema.Type]bool{schema.TypeShopSpend: true, schema.TypePartnerAccount: false, schema.TypeFunction: false, schema.TypeExternal: false} {
		q.Rule.Type = kind
		if able, err := ports.IsAvailable(t.Context(), tenant, q.Rule); able != want || err != nil {
			t.Errorf("%s: %t %v", kind, able, err)
		}
	}
	if able, err := (providers.Registry{}).IsAvailable(
		t.Context(),
		tenant,
		&schema.Properties{Type: schema.TypeShopSpend},
	); able ||
		err != nil {
		t.Errorf("%t %v", able, err)
	}
}

func TestAFaultIsTriedOnceMoreAndToldPlainly(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	ports, q := asking(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1)%2 == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, `{"fulfilled":true}`)
	})
	if got := summaryOf(ports.Verify(t.Context(), tenant, q)); got != "yes" || calls.Load() != 2 {
		t.Errorf("%s after %d calls", got, calls.Load())
	}
	ports, q = asking(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	_, err := ports.Verify(t.Context(), tenant, q)
	var refusal *laurel.Error
	if !errors.As(err, &refusal) || refusal.Code != laurel.Unanswered ||
		refusal.Message != "Provider did not give a valid answer" ||
		refusal.RetryAfter != 5 ||
		!strings.Contains(err.Error(), "401") {
		t.Errorf("%v", err)
	}
}

func TestAWebsiteAsksOnlySoMuchAtOnce(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	ports, q := asking(t, func(w http.ResponseWriter, _ *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(20 * time.Millisecond)
		now.Add(-1)
		_, _ = io.WriteString(w, `{"fulfilled":true}`)
	})
	var asking sync.WaitGroup
	for range 120 {
		asking.Go(func() {
			if got := summaryOf(ports.Verify(t.Context(), tenant, q)); got != "yes" {
				t.Error(got)
			}
		})
	}
	asking.Wait()
	if most.Load() > 24 {
		t.Errorf("%d at once", most.Load())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ports.Verify(gone, tenant, q); laurel.CodeOf(err) != laurel.Unanswered {
		t.Errorf("%v", err)
	}
}
