package webhooks

import (
	"crypto/hmac"
	"errors"
	"strconv"
	"strings"
	"time"
)

// maxClockSkew is how far the time of a request may be off (contract 7.3).
const maxClockSkew = 5 * time.Minute

// ErrSignature means that a request was not signed with the key, or not recently.
var ErrSignature = errors.New("the signature is not good")

// Sign returns the headers that sign a v2 body with a key, as deliveries have them. It fails if the key is malformed.
func Sign(key, id string, at time.Time, body []byte) (map[string]string, error) {
	return signV2([]string{key}, id, at, body)
}

// Verify checks the signature of a v2 request, as receivers do: one of its signatures must be made with the key, and
// its time must differ from now by at most maxClockSkew. header returns the value of a header of the request. Errors:
// ErrSignature; another one if the key is malformed.
func Verify(key string, header func(name string) string, body []byte, now time.Time) error {
	seconds, err := strconv.ParseInt(header("webhook-timestamp"), 10, 64)
	at := time.Unix(seconds, 0)
	if err != nil || now.Sub(at).Abs() > maxClockSkew {
		return ErrSignature
	}
	want, err := Sign(key, header("webhook-id"), at, body)
	if err != nil {
		return err
	}
	for one := range strings.FieldsSeq(header("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(want["webhook-signature"])) {
			return nil
		}
	}
	return ErrSignature
}
