package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// program is what laurel init prints.
type program struct {
	OrganizationID, WebsiteID, LoyaltyCurrencyID                                    string
	OrganizationAPIKey, WebsiteAPIKey, ReadOnlyAPIKey, ClientAPIKey, FunctionAPIKey string
}

func initProgram(t testing.TB, database string) program {
	t.Helper()
	return decode[program](
		t,
		run(
			t,
			"init",
			"--database",
			database,
			"--name",
			"Acme",
			"--website",
			"Acme site",
			"--currency",
			"Acme points",
			"--json",
		).ok(),
	)
}

// object is a JSON object.
type object = map[string]any

// caller sends requests with one key to one server.
type caller struct {
	t        testing.TB
	address  string
	key      string
	currency string // of its transfers
	client   *http.Client
}

// site returns a caller with the website key and connections of its own.
func (p *process) site(made program) caller {
	c := p.caller(made.WebsiteAPIKey)
	c.currency = made.LoyaltyCurrencyID
	return c
}

// caller returns a caller with connections of its own.
func (p *process) caller(key string) caller {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	p.t.Cleanup(transport.CloseIdleConnections)
	return caller{t: p.t, address: p.address, key: key, client: &http.Client{Transport: transport}}
}

// with returns the same connections with another key.
func (c caller) with(key string) caller {
	c.key = key
	return c
}

// reply is an answer that came back whole.
type reply struct {
	status int
	header http.Header
	body   string
}

// send sends a request once, with the body as JSON, or as it is where it is a []byte. An error means that no whole
// answer came back.
func (c caller) send(method, path string, body any, headers ...string) (reply, error) {
	var sent io.Reader
	switch body := body.(type) {
	case nil:
	case []byte:
		sent = bytes.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, c.address+path, sent)
	if err != nil {
		return reply{}, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		r.Header.Set("X-API-KEY", c.key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, string(text)}, err
}

// get and post demand an answer, whatever its status.
func (c caller) get(path string) reply {
	c.t.Helper()
	return c.must(c.send(http.MethodGet, path, nil))
}

func (c caller) post(path string, body any, headers ...string) reply {
	c.t.Helper()
	return c.must(c.send(http.MethodPost, path, body, headers...))
}

func (c caller) must(r reply, err error) reply {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// ok demands 200 and returns the object.
func (r reply) ok(t testing.TB) object {
	t.Helper()
	if r.status != http.StatusOK {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	return decode[object](t, r.body)
}

// refused demands a status and a message.
func (r reply) refused(t testing.TB, status int, message string) {
	t.Helper()
	if r.status != status || !strings.Contains(r.body, `"message":"`+message+`"`) {
		t.Fatalf("got %d %s, want %d %q", r.status, r.body, status, message)
	}
}

// rule makes an external rule that pays 10 and returns its id.
func (c caller) rule(interval string) string {
	c.t.Helper()
	return c.post("/api/loyalty/rules", object{"name": "A rule", "type": "external_rule", "amount": 10, "interval": interval}).ok(c.t)["id"].(string)
}

func completion(rule string) string { return "/api/loyalty/rules/" + rule + "/complete" }

const transactions = "/api/loyalty/transactions"

// transfer is a body that moves points between wallets: negative amounts are debits.
func (c caller) transfer(key string, amounts ...move) object {
	var entries []object
	for _, m := range amounts {
		entry := object{"walletAddress": m.wallet, "amount": max(m.amount, -m.amount), "direction": "credit"}
		if m.amount < 0 {
			entry["direction"] = "debit"
		}
		if key != "" {
			entry["idempotencyKey"] = key
		}
		entries = append(entries, entry)
	}
	return object{"description": "A test", "loyaltyCurrencyId": c.currency, "entries": entries}
}

// move is one entry of a transfer.
type move struct {
	wallet string
	amount int
}
