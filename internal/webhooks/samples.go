package webhooks

import (
	"encoding/json"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
)

const (
	sampleID   = "01900000-0000-7000-8000-000000000000"
	sampleTime = "2026-01-15T12:00:00.000Z"
	// contractSample is made-up data of a test event of a blockchain subscription.
	contractSample = `{"chainId":1,"contractAddress":"0x00000000000000000000000000000000000000aa","args":{},"blockNumber":"1",` +
		`"txHash":"0x0000000000000000000000000000000000000000000000000000000000000001","removed":false}`
)

// sampleEvent returns made-up data for a test event of the type kind, and the table of the type, which is "" for events
// of contracts. Errors: Invalid if kind is not one of types.
func sampleEvent(kind string, types []string) (data json.RawMessage, table string, err error) {
	if !slices.Contains(types, kind) {
		var f laurel.Faults
		f.Add("type", "must be one of: %s", strings.Join(types, ", "))
		return nil, "", f.Err()
	}
	table, _, _ = strings.Cut(kind, ".")
	if table == "contract" {
		return markAsTest(contractSample), "", nil
	}
	described, _ := findTable(feed.Table(table))
	return markAsTest(`{"id":"` + sampleID + `",` + described.Sample[1:]), table, nil // without its {
}

// markAsTest returns a JSON object with the property "test": true added.
func markAsTest(sample string) json.RawMessage {
	return json.RawMessage(sample[:len(sample)-1] + `,"test":true}`)
}
