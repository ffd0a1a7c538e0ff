package messages_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
)

// readGateway reads the part sms of a file.
func readGateway(text string) (*messages.Gateway, error) {
	var f laurel.Faults
	o, _ := configfile.Parse(&f, "sms.", []byte(text), "url", "method", "headers", "body")
	g := messages.ReadGateway(o, outbound.New(outbound.Options{Trusted: true}).Guard)
	return g, f.Err()
}

// awkward is a message with characters that have a meaning in every place.
var awkward = messages.Message{
	Kind: messages.SMS, To: "+4915112345678", Text: "123456 is \"yours\" & 100% {phoneNumber}\\ of Ä/B?\r\nX: y",
}

func TestAMessageIsEscapedForItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ config, want string }{
		"JSON": {
			`{"url":"URL/v1","headers":{"X-Key":"k"},"body":{"to":["{phoneNumber}"],"m":{"text":"T: {message}"},"n":15551234567,"b":true}}`,
			`POST /v1 application/json k {"b":true,"m":{"text":"T: 123456 is \"yours\" \u0026 100% {phoneNumber}\\ of Ä/B?\r\nX: y"},"n":15551234567,"to":["+4915112345678"]}`,
		},
		"a form from an object": {
			`{"url":"URL","headers":{"content-type":"application/x-www-form-urlencoded","X-Key":"k"},"body":{"To":"{phoneNumber}","A b":"x&y","Body":"{message}"}}`,
			`POST / application/x-www-form-urlencoded k A+b=x%26y&Body=123456+is+%22yours%22+%26+100%25+%7BphoneNumber%7D%5C+of+%C3%84%2FB%3F%0D%0AX%3A+y&To=%2B4915112345678`,
		},
		"a form from a text": {
			`{"url":"URL","headers":{"Content-Type":"application/x-www-form-urlencoded; charset=utf-8","X-Key":"k"},"body":"to={phoneNumber}&text={message}"}`,
			`POST / application/x-www-form-urlencoded; charset=utf-8 k to=%2B4915112345678&text=123456+is+%22yours%22+%26+100%25+%7BphoneNumber%7D%5C+of+%C3%84%2FB%3F%0D%0AX%3A+y`,
		},
		"a query and a path": {
			`{"url":"URL/sms/{phoneNumber}?text={message}","method":"GET","headers":{"X-Key":"k"}}`,
			`GET /sms/+4915112345678?text=123456+is+%22yours%22+%26+100%25+%7BphoneNumber%7D%5C+of+%C3%84%2FB%3F%0D%0AX%3A+y  k `,
		},
		"a path": {
			`{"url":"URL/{message}","method":"PUT","headers":{"X-Key":"{phoneNumber}"}}`,
			`PUT /123456%20is%20%22yours%22%20&%20100%25%20%7BphoneNumber%7D%5C%20of%20%C3%84%2FB%3F%0D%0AX:%20y  +4915112345678 `,
		},
		"a header": {
			`{"url":"URL?to={phoneNumber}","headers":{"X-Key":"{message}"}}`,
			`POST /?to=%2B4915112345678  123456 is "yours" & 100%25 {phoneNumber}\ of %C3%84/B?%0D%0AX: y `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got string
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = strings.Join([]string{
					r.Method, r.RequestURI, r.Header.Get("Content-Type"), r.Header.Get("X-Key"), string(body),
				}, " ")
			}))
			t.Cleanup(server.Close)
			g, err := readGateway(strings.ReplaceAll(c.config, "URL", server.URL))
			if err != nil {
				t.Fatal(err)
			}
			s := messages.New(messages.Config{
				Now:    time.Now,
				Client: outbound.New(outbound.Options{Trusted: true}), SMS: g, Logger: slog.New(slog.DiscardHandler),
			})
			if err := s.Send(context.Background(), laurel.Scope{}, messages.Sending{}, awkward); err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestAFaultOfTheGatewayNamesItsPath(t *testing.T) {
	t.Parallel()
	const body = `"body":{"to":"{phoneNumber}","text":"{message}"}`
	for text, want := range map[string]string{
		`{` + body + `}`:                                          "sms.url is required",
		`{"url":"ftp://x.example",` + body + `}`:                  "sms.url must be a valid url",
		`{"url":"https://u:p@x.example",` + body + `}`:            "sms.url must not contain credentials",
		`{"url":"https://{message}.example",` + body + `}`:        "sms.url must be a valid url",
		`{"url":"https://x.example","method":"post"}`:             "sms.method must be one of: POST, GET, PUT",
		`{"url":"https://x.example","method":"GET",` + body + `}`: "sms.body must be left out with method GET",
		`{"url":"https://x.example","body":"to={phoneNumber}"}`: "sms.body must be an object, unless the header " +
			"Content-Type is application/x-www-form-urlencoded",
		`{"url":"https://x.example","body":[]}`:                     "sms.body must be an object or a text",
		`{"url":"https://x.example","body":{"to":"{phoneNumber}"}}`: "sms must hold {message} in its url, headers or body",
		`{"url":"https://x.example","body":{"text":"{message}"}}`:   "sms must hold {phoneNumber} in its url, headers or body",
		`{"url":"https://x.example","headers":{"Content-Type":"text/xml"},` + body + `}`: "sms.headers.Content-Type must be " +
			"one of: application/json, application/x-www-form-urlencoded",
		`{"url":"https://x.example","headers":{"Content-Type":"application/x-www-form-urlencoded"},"body":{"n":1}}`: "sms.body.n " +
			"must be a text",
		`{"url":"https://x.example","headers":{"Host":"y"},` + body + `}`: "sms.headers.Host must be the name of a header " +
			"that is not one of the protocol's",
		`{"url":"https://x.example","headers":{"X":"s3cret\n"},` + body + `}`: "sms.headers.X must be at most 4096 printable " +
			"characters of ASCII",
	} {
		_, err := readGateway(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if faults, _ := json.Marshal(err); strings.Contains(string(faults), "s3cret") {
			t.Errorf("a fault tells a secret: %s", faults)
		}
	}
}
