package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
)

// site is the program that is measured: its rules are completed with its keys.
type site struct {
	app.Program
	members int // how many; their ids and wallets follow from their numbers
}

// target returns the site as package bulk needs it, to insert rows.
func (s site) target(database string) bulk.Target {
	return bulk.Target{
		Database: database,
		Site:     bulk.Site{OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, CurrencyID: s.LoyaltyCurrencyID},
	}
}

// warningsOnly returns a logger that writes errors to the progress, and nothing below.
func (b *bench) warningsOnly() *slog.Logger {
	return slog.New(slog.NewTextHandler(b.Progress, &slog.HandlerOptions{Level: slog.LevelError}))
}

// createProgram creates the schema and a program in an empty database, through the service.
func (b *bench) createProgram(ctx context.Context, database string) (app.Program, error) {
	a, err := app.Open(ctx, app.Config{Database: database, Logger: b.warningsOnly()})
	if err != nil {
		return app.Program{}, err
	}
	p, err := a.CreateProgram(ctx, app.ProgramInput{Organization: "Bench", Website: "Bench", Currency: "Points"})
	return p, errors.Join(err, a.Close())
}

// api calls a server with an API key, for preparations that are not measured.
type api struct {
	wire *wire
	host string
	key  string
}

// api connects to the server.
func (s *server) api(ctx context.Context, key string) (*api, error) {
	w, err := dial(ctx, s.host)
	if err != nil {
		return nil, err
	}
	return &api{w, s.host, key}, nil
}

// post sends a body and decodes the response into out, unless that is nil.
func (a *api) post(path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if err := a.wire.sendOK(request{method: "POST", host: a.host, path: path, key: a.key, body: text}.bytes()); err != nil {
		return fmt.Errorf("POST %s: %w", path, err)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(a.wire.body, out)
}

// get requests a list and decodes the response into out.
func (a *api) get(path string, query url.Values, out any) error {
	q := request{method: "GET", host: a.host, path: path, key: a.key, query: query}
	if err := a.wire.sendOK(q.bytes()); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return json.Unmarshal(a.wire.body, out)
}

// request is one request of HTTP/1.1 as it is sent.
type request struct {
	method, host, path, key string
	query                   url.Values
	body                    []byte
}

// bytes encodes the request.
func (r request) bytes() []byte {
	target := r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nX-API-KEY: %s\r\n", r.method, target, r.host, r.key)
	if r.body != nil {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.body))
	}
	return append([]byte(head+"\r\n"), r.body...)
}

// object is a JSON object.
type object = map[string]any

// createRule creates an external rule that pays 10 and returns its id.
func (a *api) createRule(p app.Program, currency, interval string) (laurel.ID, error) {
	var made struct{ ID laurel.ID }
	err := a.post(
		"/api/loyalty/rules",
		object{"name": "Bench", "type": "external_rule", "amount": 10, "interval": interval,
			"websiteId": p.WebsiteID, "organizationId": p.OrganizationID, "loyaltyCurrencyId": currency},
		&made,
	)
	return made.ID, err
}
