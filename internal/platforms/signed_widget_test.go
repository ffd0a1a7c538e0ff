package platforms_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// TestAnAnswerOfAWidgetHasOneReading holds that lines which were signed apart are not read as one value.
func TestAnAnswerOfAWidgetHasOneReading(t *testing.T) {
	t.Parallel()
	d := &platforms.Driver{Platform: "messenger", Kind: platforms.SignedWidget, ClientID: "1", ClientSecret: "s3cret"}
	at := strconv.FormatInt(noon.Unix(), 10)
	key := sha256.Sum256([]byte(d.ClientSecret))
	sum := hmac.New(sha256.New, key[:])
	sum.Write([]byte(strings.Join([]string{"auth_date=" + at, "id=5", "last_name=L", "username=bob"}, "\n")))
	hash := hex.EncodeToString(sum.Sum(nil))
	c := platforms.NewConnector(outbound.New(outbound.Options{Trusted: true}), func() time.Time { return noon })
	identify := func(query url.Values) (string, error) {
		query.Set("auth_date", at)
		query.Set("hash", hash)
		found, err := c.Identify(context.Background(), d, platforms.Flow{}, query)
		return found.Account.ID, err
	}
	if id, err := identify(url.Values{"id": {"5"}, "last_name": {"L"}, "username": {"bob"}}); err != nil || id != "5" {
		t.Fatalf("%q, %v", id, err)
	}
	for _, forged := range []url.Values{
		{"id": {"5\nlast_name=L\nusername=bob"}},
		{"id": {"5\nlast_name=L"}, "username": {"bob"}},
		{"id=5\nlast_name": {"L"}, "username": {"bob"}},
	} {
		if id, err := identify(forged); err == nil {
			t.Errorf("%v proves the account %q", forged, id)
		}
	}
}
