package outbound

import (
	"encoding/json"
	"net/textproto"
	"strings"
	"time"

	"laurel.example/laurel"
)

// Endpoint is an address of the operator that the service calls, such as a driver, as configured in a file.
type Endpoint struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"` // of every call, such as Authorization with a secret
}

// ParseEndpoint parses the content of the JSON file that a command-line flag names. It adds a fault under the flag's
// name if the file is malformed, and for each header that cannot be sent.
func ParseEndpoint(f *laurel.Faults, flag string, content []byte) Endpoint {
	var e Endpoint
	d := json.NewDecoder(strings.NewReader(string(content)))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		f.Add(
			flag,
			`must be a file such as {"url":"https://driver.example.com","headers":{"Authorization":"Bearer secret"}}: %s`,
			err,
		)
		return e
	}
	for name := range e.Headers {
		if name == "" || textproto.TrimString(name) != name || strings.ContainsAny(name, ":\r\n") ||
			strings.ContainsAny(e.Headers[name], "\r\n") {
			f.Add(flag, "has a header that cannot be sent")
		}
	}
	return e
}

const (
	endpointTimeout  = 10 * time.Second // of one try
	endpointTries    = 2
	endpointMaxBytes = 64 << 10
)

// Call returns the call that posts a JSON body to the endpoint, with an Idempotency-Key: called again with the same
// key, the endpoint must not act again. tenant becomes Call.Tenant.
func (e Endpoint) Call(key laurel.ID, tenant string, body []byte) Call {
	header := map[string]string{
		"Content-Type":    "application/json",
		"Accept":          "application/json",
		"Idempotency-Key": key.String(),
	}
	for name, value := range e.Headers {
		header[name] = value
	}
	return Call{
		Method: "POST", URL: e.URL, Header: header, Body: body, Timeout: endpointTimeout, Tries: endpointTries,
		MaxBytes: endpointMaxBytes, Tenant: tenant,
	}
}
