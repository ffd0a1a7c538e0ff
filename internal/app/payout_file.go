package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/points/payouts"
)

// payoutDrivers are the drivers in the file of --payouts; all nil without a file.
type payoutDrivers struct {
	pay      payouts.Driver
	transact functions.Driver
	serves   func(organization laurel.ID) bool // whether its functions may request transactions
}

// openPayoutDrivers returns the drivers that the file of --payouts describes: the address to call, and the
// organizations whose functions may use it.
func (c Config) openPayoutDrivers(client *outbound.Client) (payoutDrivers, error) {
	if c.Payouts == "" {
		return payoutDrivers{}, nil
	}
	const flag = "--payouts"
	content, err := os.ReadFile(c.Payouts)
	if err != nil {
		return payoutDrivers{}, fmt.Errorf("%s: %w", flag, err)
	}
	var f laurel.Faults
	rest, serves := parseServedOrganizations(&f, flag, content)
	endpoint, err := parseEndpoint(&f, client, flag, rest)
	sendTransaction := functionDriver(payouts.NewTransactionSender(client, endpoint))
	return payoutDrivers{payouts.HTTPDriver(client, endpoint), sendTransaction, serves}, err
}

// parseServedOrganizations parses the property functions in the file of --payouts, {"organizations": [ids] or "*"}.
// rest is the file without that property. serves reports whether the functions of an organization may use the driver.
// Without the property, none may (contract 7.6). If it is malformed, a fault is added, and none may.
func parseServedOrganizations(
	f *laurel.Faults, flag string, content []byte,
) (rest []byte, serves func(organization laurel.ID) bool) {
	servesNone := func(laurel.ID) bool { return false }
	var file map[string]json.RawMessage
	if json.Unmarshal(content, &file) != nil {
		return content, servesNone // ParseEndpoint reports the fault
	}
	functions, isThere := file["functions"]
	if !isThere {
		return content, servesNone
	}
	var functionsPart struct {
		Organizations json.RawMessage `json:"organizations"`
	}
	d := json.NewDecoder(bytes.NewReader(functions))
	d.DisallowUnknownFields()
	delete(file, "functions")
	rest, err := json.Marshal(file)
	if err != nil {
		return content, servesNone // never: it was read as JSON
	}
	var ids []laurel.ID
	switch err := d.Decode(&functionsPart); {
	case err == nil && string(functionsPart.Organizations) == `"*"`:
		return rest, func(laurel.ID) bool { return true }
	case err == nil && len(functionsPart.Organizations) > 0 &&
		json.Unmarshal(functionsPart.Organizations, &ids) == nil && ids != nil:
		// The organizations are in ids now.
	default:
		f.Add(flag+": functions", `must be {"organizations": [ids]} or {"organizations": "*"}`)
	}
	served := make(map[laurel.ID]bool, len(ids))
	for _, id := range ids {
		served[id] = true
	}
	return rest, func(organization laurel.ID) bool { return served[organization] }
}
