package webhooks

import (
	"encoding/json"
	"testing"
	"time"

	"laurel.example/laurel"
)

// The worked examples of contract 7.3 and 7.4.
func TestWorkedExamplesOfTheContract(t *testing.T) {
	t.Parallel()
	const key = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcY"
	id := func(text string) laurel.ID {
		out, err := laurel.ParseID(text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	e := Event{
		ID: id("0196f3a2-7c10-7b3e-9d52-4f6f0c1a2b3d"), Type: "LoyaltyTransactionEntry.created",
		TriggeredAt: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC),
		Data: json.RawMessage(`{"id":"0196f3a2-7a00-7c11-8a01-2b3c4d5e6f70","organizationId":"0196f000-0000-7000-8000-000000000001",` +
			`"websiteId":"0196f000-0000-7000-8000-000000000002","loyaltyAccountId":"0196f000-0000-7000-8000-000000000003",` +
			`"direction":"credit","type":"loyalty_rule","amount":10.5}`),
	}
	body := e.BodyV2()
	if len(body) != 400 {
		t.Errorf("%d bytes: %s", len(body), body)
	}
	signed, err := signV2([]string{key}, e.ID.String(), time.Unix(1768478400, 0), body)
	if err != nil || signed["webhook-signature"] != "v1,rpRJTWJt9cIM8MpEq+FdKh1o4rEb/c1UWSrldOMXtwE=" {
		t.Errorf("%v, %v", signed, err)
	}
	item := e.bodyV1(id("0196f000-0000-7000-8000-000000000004"), nil)
	body = append(append([]byte("["), item...), ']')
	if len(body) != 477 {
		t.Errorf("%d bytes: %s", len(body), body)
	}
	if got := signV1(key, body)["x-signature"]; got != "0ed1d537a9c689c5dcb4742f9935892b9ac8e80fcddf3572de2714af803e4718" {
		t.Error(got)
	}
}
