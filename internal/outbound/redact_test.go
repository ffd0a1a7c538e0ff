package outbound_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/outbound"
)

func TestErrorsTellNoQueryAndNoCredentialsOfAnAddress(t *testing.T) {
	t.Parallel()
	const hush = "s3cret"
	to := ""
	o := serve(t, func(_ int64, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
	})
	for _, c := range []struct{ url, location string }{
		{url: "http://127.0.0.1:1/feed?token=" + hush},
		{url: "http://127.0.0.1:1/feed?a=1&token=" + hush + "&b=%zz"},
		{url: "http://127.0.0.1:1/feed?q=it's \"" + hush + "\" here"},
		{url: "http://me:" + hush + "@127.0.0.1:1/feed"},
		{url: "http://127.0.0.1:port/feed?token=" + hush},
		{url: o.URL + "/a?token=" + hush, location: "http://127.0.0.1:1/?token=" + hush},
		{url: o.URL + "/a?token=" + hush, location: "http://bad host/?token=" + hush},
		{url: o.URL + "/a?token=" + hush, location: "//[::1/?token=" + hush + " " + hush},
		{url: o.URL + "/a?token=" + hush, location: "http://me:" + hush + "@127.0.0.1:1/"},
		{url: o.URL + "/a?token=" + hush, location: "http://10.0.0.1/?token=" + hush},
	} {
		to = c.location
		_, err := developer().Do(context.Background(), outbound.Call{URL: c.url, FollowRedirects: true})
		if err == nil {
			t.Fatalf("%s: no error", c.url)
		}
		var f *outbound.Fault
		if text := fmt.Sprintf(
			"%v %+v",
			err,
			err,
		); strings.Contains(text, hush) ||
			errors.As(err, &f) && strings.Contains(f.TenantMessage(), hush) {
			t.Errorf("%+v: %s", c, text)
		}
	}
}

func TestErrorsTellOnlyTheHostOfAnAddressWithASecretPath(t *testing.T) {
	t.Parallel()
	const hush = "s3cret"
	broken := serve(t, func(int64, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	for address, host := range map[string]string{
		"http://127.0.0.1:1/" + hush + "/feed?a=" + hush: "127.0.0.1:1",
		"http://127.0.0.1:1/a\"" + hush + "/%22" + hush:  "127.0.0.1:1",
		broken.URL + "/v3/" + hush:                       broken.URL,
		"http://127.0.0.1:port/" + hush:                  "",
	} {
		call := outbound.Call{URL: address, HasSecretPath: true}
		_, err := developer().Do(context.Background(), call)
		_, again := developer().Exchange(context.Background(), call)
		for _, err := range []error{err, again} {
			var f *outbound.Fault
			text := fmt.Sprintf("%v %+v", err, err)
			if !errors.As(err, &f) || strings.Contains(text, hush) || !strings.Contains(text, host) {
				t.Errorf("%s: %s", address, text)
			}
		}
	}
}

func TestARedactedErrorIsStillWhatItIs(t *testing.T) {
	t.Parallel()
	err := outbound.Redact(fmt.Errorf(`get "https://api.example/a?b=c": %w`, context.DeadlineExceeded))
	if !errors.Is(err, context.DeadlineExceeded) ||
		err.Error() != `get "https://api.example/a?…": context deadline exceeded` {
		t.Fatal(err)
	}
	if outbound.Redact(nil) != nil {
		t.Fatal("nothing is an error")
	}
}
