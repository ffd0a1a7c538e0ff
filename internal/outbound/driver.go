package outbound

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"laurel.example/laurel"
)

// Driver is a program of the operator that carries out one kind of work over HTTP, such as payouts.
type Driver struct {
	Client   *Client
	Endpoint Endpoint
	Name     string            // in errors, such as "payout driver"
	Statuses map[string]string // by the status in a response: the status of the work. One is refused
}

// DriverResponse has what the bodies of responses of all drivers hold.
type DriverResponse struct {
	Status  string `json:"status"`
	TxHash  string `json:"txHash"`
	Message string `json:"message"`
}

// DriverBody is the body of a driver's response, which embeds DriverResponse.
type DriverBody interface {
	Common() *DriverResponse // what all drivers send
	// ImpliedStatus returns the status of a body that has none; empty if it implies none.
	ImpliedStatus() string
}

// Common returns the response itself.
func (r *DriverResponse) Common() *DriverResponse { return r }

const (
	refused          = "refused" // the status by which every driver refuses work
	maxDriverStatus  = 256
	maxDriverMessage = 500
)

// Ask sends the request for one piece of work to the driver, decodes the response into body and returns the status of
// the work. key and tenant are those of Endpoint.Call. A response of 400 or 422 refuses the work, as the status refused
// does; body then has a message that is not blank. Errors: those of Client.Do; any other error is an outage, which
// leaves open what the driver has done.
func (d Driver) Ask(
	ctx context.Context, key laurel.ID, tenant string, request any, body DriverBody,
) (status string, err error) {
	text, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	response, err := d.Client.Do(ctx, d.Endpoint.Call(key, tenant, text))
	if err != nil {
		return "", err
	}
	return d.read(response, body)
}

// read decodes a response into body, and returns what Ask does.
func (d Driver) read(response Response, body DriverBody) (string, error) {
	err := json.Unmarshal(response.Body, body)
	common := body.Common()
	switch {
	case response.Status == http.StatusBadRequest || response.Status == http.StatusUnprocessableEntity:
		common.Status = refused
	case response.Status/100 != 2:
		return "", &Fault{Status: response.Status, Sent: true}
	case err != nil:
		return "", fmt.Errorf("the %s's response is no JSON with a status", d.Name)
	case common.Status == "":
		common.Status = body.ImpliedStatus()
	}
	status, isKnown := d.Statuses[common.Status]
	if !isKnown {
		return "", fmt.Errorf("the %s's response has the status %q", d.Name, Truncate(common.Status, maxDriverStatus))
	}
	if common.Message = Truncate(common.Message, maxDriverMessage); common.Status == refused &&
		strings.TrimSpace(common.Message) == "" {
		common.Message = "Refused by the " + d.Name
	}
	return status, nil
}

// Truncate returns a text from a response as valid UTF-8 without NUL, with up to maxRunes characters.
func Truncate(s string, maxRunes int) string {
	text := []rune(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), ""))
	return string(text[:min(len(text), maxRunes)])
}
