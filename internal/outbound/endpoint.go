package outbound

import (
	"encoding/json"
	"net/textproto"
	"strings"
	"time"

	"laurel"
)

// Endpoint is an address of the operator that is called on its behalf, such as that of a driver, as a file tells it.
type Endpoint struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"` // of every call, such as Authorization with a secret
}

// ReadEndpoint reads the content of the file of a flag and notes what is wrong with it.
func ReadEndpoint(f *laurel.Faults, flag string, content []byte) Endpoint {
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

// Call posts a JSON body to the endpoint under a key that it carries out once. of says whose call it is, as Call.For
// does.
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
