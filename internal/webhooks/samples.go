package webhooks

import (
	"encoding/json"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/feed"
)

const (
	someID   = "01900000-0000-7000-8000-000000000000"
	someTime = "2026-01-15T12:00:00.000Z"
	// contractSample is made-up data of a test event of a blockchain subscription.
	contractSample = `{"chainId":1,"contractAddress":"0x00000000000000000000000000000000000000aa","args":{},"blockNumber":"1",` +
		`"txHash":"0x0000000000000000000000000000000000000000000000000000000000000001","removed":false}`
)

// sampleEvent returns the data of a test event of a type, and its table, which is "" for a contract. Errors: Invalid
// for a type that is not in types.
func sampleEvent(kind string, types []string) (data json.RawMessage, table string, err error) {
	if !slices.Contains(types, kind) {
		var f laurel.Faults
		f.Add("type", "must be one of: %s", strings.Join(types, ", "))
		return nil, "", f.Err()
	}
	table, _, _ = strings.Cut(kind, ".")
	if table == "contract" {
		return testEvent(contractSample), "", nil
	}
	described, _ := findTable(feed.Table(table))
	return testEvent(`{"id":"` + someID + `",` + described.Sample[1:]), table, nil
}

// testEvent marks a sample as that of a test.
func testEvent(sample string) json.RawMessage {
	return json.RawMessage(sample[:len(sample)-1] + `,"test":true}`)
}
