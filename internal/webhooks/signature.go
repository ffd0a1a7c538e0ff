package webhooks

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Event is one change of a record as subscriptions get it.
type Event struct {
	ID          laurel.ID
	Table       string // "": of a contract
	Type        string
	TriggeredAt time.Time
	Data        json.RawMessage
}

// BodyV2 returns the request body of v2 (contract 7.3). Every attempt sends the same bytes.
func (e Event) BodyV2() []byte {
	var b bytes.Buffer
	b.WriteString(`{"id":"`)
	b.WriteString(e.ID.String())
	b.WriteString(`","type":"`)
	b.WriteString(e.Type) // one of our own names, which need no escaping
	b.WriteString(`","timestamp":"`)
	b.WriteString(laurel.Timestamp{Time: e.TriggeredAt}.String())
	b.WriteString(`","data":`)
	b.Write(e.Data)
	b.WriteByte('}')
	return b.Bytes()
}

// v1EventInfo is the property _event of a v1 item (contract 7.4).
type v1EventInfo struct {
	ID             laurel.ID        `json:"id"`
	Type           string           `json:"type"`
	Timestamp      laurel.Timestamp `json:"timestamp"`
	SubscriptionID laurel.ID        `json:"subscriptionId"`
	TriggerID      *string          `json:"triggerId"`
}

// bodyV1 returns one item of a v1 request: the JSON object of the event's data, with the property _event added. Data
// that is no object becomes an empty one.
func (e Event) bodyV1(subscription laurel.ID, trigger *string) []byte {
	info := store.JSON(v1EventInfo{e.ID, e.Type, laurel.Timestamp{Time: e.TriggeredAt}, subscription, trigger})
	data := bytes.TrimSpace(e.Data)
	if len(data) < 2 || data[0] != '{' {
		data = []byte("{}")
	}
	out := append([]byte{}, data[:len(data)-1]...)
	if len(bytes.TrimSpace(data[1:len(data)-1])) > 0 {
		out = append(out, ',')
	}
	out = append(out, `"_event":`...)
	out = append(out, info...)
	return append(out, '}')
}

// signV2 returns the headers of a v2 request: the id of the event, the time, and a signature of both and the body with
// each key (Standard Webhooks). It fails if a key is malformed.
func signV2(keys []string, id string, at time.Time, body []byte) (map[string]string, error) {
	stamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(keys))
	for i, plain := range keys {
		key, err := decodeKey(plain)
		if err != nil {
			return nil, err
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + stamp + "."))
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return map[string]string{
		"webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": strings.Join(signatures, " "),
	}, nil
}

// signV1 returns the header of a v1 request: a signature of the body. The key is the whole text, prefix included.
func signV1(key string, body []byte) map[string]string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return map[string]string{"x-signature": hex.EncodeToString(mac.Sum(nil))}
}
