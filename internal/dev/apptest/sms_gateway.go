package apptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// SMSGateway is the HTTP gateway of an operator. It accepts requests that are made as its manual says, and keeps the
// messages that it has accepted.
type SMSGateway struct {
	*httptest.Server
	mu       sync.Mutex
	messages []SMS
	refused  []string
	// Say is called first. If it returns a status other than 0, that is the response; -1 cuts the connection.
	Say func(m SMS) int
}

// SMS is a message as the gateway got it.
type SMS struct{ To, Text string }

// SMSSecret is the Authorization header that the service must send to the gateway.
const SMSSecret = "Bearer sms-s3cret"

// NewSMSGateway starts a gateway that ends with the test.
func NewSMSGateway(t testing.TB) *SMSGateway {
	t.Helper()
	g := &SMSGateway{}
	g.Server = httptest.NewServer(http.HandlerFunc(g.respond))
	t.Cleanup(g.Close)
	return g
}

// Config returns the part sms of the operator's file.
func (g *SMSGateway) Config() Object {
	return Object{
		"url": g.URL + "/v1/messages", "headers": Object{"Authorization": SMSSecret},
		"body": Object{"to": "{phoneNumber}", "text": "{message}", "sender": "Acme"},
	}
}

// respond accepts a message. A request that is malformed gets 400, one with a wrong secret 401.
func (g *SMSGateway) respond(w http.ResponseWriter, r *http.Request) {
	var body struct{ To, Text, Sender string }
	err := json.NewDecoder(r.Body).Decode(&body)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case r.Header.Get("Authorization") != SMSSecret:
		g.refused = append(g.refused, "Authorization is "+r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
		return
	case err != nil, r.Method != http.MethodPost, r.URL.Path != "/v1/messages", body.Sender != "Acme", body.Text == "",
		r.Header.Get("Content-Type") != "application/json", !regexp.MustCompile(`^\+[1-9]\d{6,14}$`).MatchString(body.To):
		g.refused = append(g.refused, r.Method+" "+r.URL.Path+" to "+body.To)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	m := SMS{body.To, body.Text}
	if g.Say != nil {
		switch status := g.Say(m); {
		case status < 0:
			panic(http.ErrAbortHandler)
		case status > 0:
			w.WriteHeader(status)
			_, _ = fmt.Fprintln(w, r.Header, m) // careless gateways repeat what was sent
			return
		}
	}
	g.messages = append(g.messages, m)
	w.WriteHeader(http.StatusAccepted)
}

// Messages returns the messages that the gateway has accepted, in order. It fails if a request was malformed.
func (g *SMSGateway) Messages(t testing.TB) []SMS {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.refused) > 0 {
		t.Fatalf("the gateway got malformed requests: %q", g.refused)
	}
	return append([]SMS(nil), g.messages...)
}

var smsCode = regexp.MustCompile(`\b\d{6}\b`)

// LastCode returns the code in the message that the gateway accepted last.
func (g *SMSGateway) LastCode(t testing.TB) string {
	t.Helper()
	all := g.Messages(t)
	if len(all) == 0 {
		t.Fatal("the gateway has got no message")
	}
	code := smsCode.FindString(all[len(all)-1].Text)
	if code == "" {
		t.Fatalf("no code in %q", all[len(all)-1].Text)
	}
	return code
}

// IdentityFile writes the operator's file of --identity and returns its path.
func IdentityFile(t testing.TB, content Object) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "identity.json")
	text, err := json.Marshal(content)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
