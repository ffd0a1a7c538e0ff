package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

const functionsPath = "/api/stratus/functions"

// callTimeout limits a call of a Client. It is longer than a run of a function may wait and take.
const callTimeout = 90 * time.Second

// Client calls a server over HTTP, as the command line does.
type Client struct{ url, key string }

// NewClient returns a client of the server at address, which includes the path prefix of the server, if it has one. The
// client uses key for all calls.
func NewClient(address, key string) (Client, error) {
	if address == "" {
		return Client{}, errors.New("--url is required: the address of the server")
	}
	if key == "" {
		return Client{}, errors.New("--key is required: a website key")
	}
	return Client{address, key}, nil
}

// FunctionRecord is a function as the API returns it.
type FunctionRecord struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Version   int64   `json:"version"`
	Cron      *string `json:"cron"`
	Disabled  bool    `json:"disabled"`
	UpdatedAt string  `json:"updatedAt"`
}

// FunctionRunRecord is a run as the API returns it.
type FunctionRunRecord struct {
	ID         string          `json:"id"`
	Version    int64           `json:"version"`
	Trigger    string          `json:"trigger"`
	Status     string          `json:"status"`
	Output     json.RawMessage `json:"output"`
	Error      *string         `json:"error"`
	Logs       []string        `json:"logs"`
	DurationMS int64           `json:"durationMs"`
	CreatedAt  string          `json:"createdAt"`
}

// call makes an API call and decodes the JSON of its response into the last argument. A nil body sends none. A refusal
// is an error with the API's message.
func (c Client) call(ctx context.Context, method, path string, body, into any) error {
	call := outbound.Call{
		Method: method, URL: c.url + path, Timeout: callTimeout, MaxBytes: 16 << 20,
		Header: map[string]string{"X-API-KEY": c.key, "Accept": "application/json"},
	}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		call.Body, call.Header["Content-Type"] = text, "application/json"
	}
	response, err := outbound.New(outbound.Options{Trusted: true}).Exchange(ctx, call)
	if err != nil {
		return fmt.Errorf("%s: %w", c.url, err)
	}
	if response.Status/100 != 2 {
		var refusal struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(response.Body, &refusal) == nil && refusal.Message != "" {
			return errors.New(refusal.Message)
		}
		return fmt.Errorf("%s answered with status %d", c.url, response.Status)
	}
	return json.NewDecoder(bytes.NewReader(response.Body)).Decode(into)
}

// ListFunctions returns every function that the key may see, newest first.
func (c Client) ListFunctions(ctx context.Context) ([]FunctionRecord, error) {
	var all []FunctionRecord
	for after := ""; ; {
		var page struct {
			Data        []FunctionRecord `json:"data"`
			HasNextPage bool             `json:"hasNextPage"`
		}
		if err := c.call(ctx, "GET", functionsPath+"?limit=1000"+after, nil, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Data...); !page.HasNextPage {
			return all, nil
		}
		after = "&startingAfter=" + all[len(all)-1].ID
	}
}

// FindFunction returns the function with a name or an id, and whether it exists. It returns an error if several
// functions have the name.
func (c Client) FindFunction(ctx context.Context, name string) (FunctionRecord, bool, error) {
	all, err := c.ListFunctions(ctx)
	if err != nil {
		return FunctionRecord{}, false, err
	}
	var found []FunctionRecord
	for _, f := range all {
		if f.ID == name {
			return f, true, nil
		}
		if f.Name == name {
			found = append(found, f)
		}
	}
	if len(found) > 1 {
		return FunctionRecord{}, false, fmt.Errorf("%d functions have the name %q: name one by its id", len(found), name)
	}
	return append(found, FunctionRecord{})[0], len(found) == 1, nil
}

// getFunction is FindFunction for a function that must exist. Errors: NotFound "Function".
func (c Client) getFunction(ctx context.Context, name string) (FunctionRecord, error) {
	f, ok, err := c.FindFunction(ctx, name)
	if err == nil && !ok {
		err = laurel.Missing("Function")
	}
	return f, err
}

// DeployFunction updates the function that has a name or id, or creates one with that name. body has the properties to
// set, as the API names them; for a new function DeployFunction adds the name to it.
func (c Client) DeployFunction(ctx context.Context, name string, body map[string]any) (FunctionRecord, error) {
	path := functionsPath
	f, ok, err := c.FindFunction(ctx, name)
	if err != nil {
		return f, err
	}
	if ok {
		path += "/" + f.ID
	} else {
		body["name"] = name
	}
	err = c.call(ctx, "POST", path, body, &f)
	return f, err
}

// ListRuns returns the newest runs of a function, by its name or id, at most limit.
func (c Client) ListRuns(ctx context.Context, name string, limit int) ([]FunctionRunRecord, error) {
	f, err := c.getFunction(ctx, name)
	if err != nil {
		return nil, err
	}
	var page struct {
		Data []FunctionRunRecord `json:"data"`
	}
	query := url.Values{"limit": {fmt.Sprint(limit)}}
	err = c.call(ctx, "GET", functionsPath+"/"+f.ID+"/runs?"+query.Encode(), nil, &page)
	return page.Data, err
}

// InvokeFunction runs a function on the server, by its name or id, and returns its run.
func (c Client) InvokeFunction(ctx context.Context, name string, input json.RawMessage) (FunctionRunRecord, error) {
	id := name
	if _, err := laurel.ParseID(name); err != nil { // an id needs no lookup: function keys cannot list functions
		f, err := c.getFunction(ctx, name)
		if err != nil {
			return FunctionRunRecord{}, err
		}
		id = f.ID
	}
	var out struct {
		Data FunctionRunRecord `json:"data"`
	}
	err := c.call(ctx, "POST", functionsPath+"/"+id+"/invoke", map[string]any{"input": input}, &out)
	return out.Data, err
}
