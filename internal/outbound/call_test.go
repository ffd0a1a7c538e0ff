package outbound_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/outbound"
)

// outside is a server that counts what reaches it.
type outside struct {
	*httptest.Server
	calls atomic.Int64
}

func serve(t *testing.T, h func(call int64, w http.ResponseWriter, r *http.Request)) *outside {
	t.Helper()
	o := &outside{}
	o.Server = httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h(o.calls.Add(1), w, r) }),
	)
	t.Cleanup(o.Close)
	return o
}

func developer() *outbound.Client {
	return outbound.New(outbound.Options{Dev: true, Pause: 50 * time.Millisecond})
}

func TestACallCarriesItsHeadersAndBodyAndBringsTheAnswer(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, r.Method+" "+r.Header.Get("x-api-key")+" "+string(body))
	})
	a, err := developer().Do(context.Background(), outbound.Call{Method: "POST", URL: o.URL, Header: map[string]string{"x-api-key": "k1"}, Body: []byte("hello")})
	if err != nil || a.Status != 400 || string(a.Body) != "POST k1 hello" {
		t.Fatalf("%+v %v", a, err)
	}
}

func TestANameThatLeadsToAPrivateAddressIsNotDialled(t *testing.T) {
	t.Parallel()
	o := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(o.Close)
	_, port, _ := net.SplitHostPort(o.Listener.Addr().String())
	_, err := outbound.New(outbound.Options{}).Do(context.Background(), outbound.Call{URL: "https://localhost:" + port})
	var f *outbound.Fault
	if !errors.Is(err, outbound.ErrAddressNotAllowed) || !errors.As(err, &f) || f.Sent {
		t.Fatalf("%v", err)
	}
	allowed := outbound.New(
		outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}},
	)
	if _, err := allowed.Do(
		context.Background(),
		outbound.Call{URL: "https://localhost:" + port},
	); errors.Is(err, outbound.ErrAddressNotAllowed) ||
		err == nil {
		t.Fatalf("the certificate is nobody's, so another error is due: %v", err)
	}
}

func TestACallOfAForbiddenURLIsNotMade(t *testing.T) {
	t.Parallel()
	_, err := outbound.New(outbound.Options{}).Do(context.Background(), outbound.Call{URL: "http://example.com"})
	if err == nil || err.Error() != "url must use https" {
		t.Fatal(err)
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	end := serve(t, func(_ int64, w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the end") })
	to := ""
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
	to = end.URL
	if a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL}); err != nil ||
		a.Status != http.StatusFound ||
		end.calls.Load() != 0 {
		t.Fatalf("a call that does not follow: %+v %v", a, err)
	}
	if a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, FollowRedirects: true}); err != nil ||
		string(a.Body) != "the end" {
		t.Fatalf("a call that follows: %+v %v", a, err)
	}
	for _, bad := range []string{"http://169.254.169.254/", "http://user:pass@127.0.0.1/", "file:///etc/passwd"} {
		to = bad
		if a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, FollowRedirects: true}); err == nil {
			t.Fatalf("%s: %+v", bad, a)
		}
	}
	to = o.URL
	before := o.calls.Load()
	if _, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, FollowRedirects: true}); err == nil ||
		o.calls.Load()-before > 7 {
		t.Fatalf("a circle: %v after %d calls", err, o.calls.Load()-before)
	}
}

func TestAnAnswerIsNoLargerThanItMayBe(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/declared" {
			w.Header().Set("Content-Length", "1000")
		} else {
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
	})
	for _, path := range []string{"/declared", "/undeclared"} {
		if a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL + path, MaxBytes: 1000}); err != nil ||
			len(a.Body) != 1000 {
			t.Fatalf("%s: %d bytes, %v", path, len(a.Body), err)
		}
		before := o.calls.Load()
		if _, err := developer().Do(context.Background(), outbound.Call{URL: o.URL + path, MaxBytes: 999, Tries: 3, Pause: time.Millisecond}); !errors.Is(
			err,
			outbound.ErrTooLarge,
		) ||
			o.calls.Load() != before+1 {
			t.Fatalf("%s: %v", path, err)
		}
	}
}

func TestFaultsAreTriedAgainAndRefusalsAreNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		statuses []int
		calls    int64
		status   int // of the fault; 0: an answer came
	}{
		{[]int{200}, 1, 0}, {[]int{400}, 1, 0}, {[]int{404}, 1, 0}, {[]int{500, 200}, 2, 0}, {[]int{503, 429, 200}, 3, 0}, {[]int{502, 502, 500, 200}, 3, 500},
	} {
		o := serve(t, func(call int64, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.statuses[call-1]) })
		_, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, Tries: 3, Pause: time.Millisecond})
		var f *outbound.Fault
		if o.calls.Load() != c.calls || (err != nil) != (c.status != 0) ||
			errors.As(err, &f) && (f.Status != c.status || !f.Sent) {
			t.Errorf("%v: %d calls, %v", c.statuses, o.calls.Load(), err)
		}
	}
}

func TestAFaultTellsWhetherTheRequestMayHaveArrived(t *testing.T) {
	t.Parallel()
	silent := serve(t, func(_ int64, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := developer().Do(context.Background(), outbound.Call{URL: silent.URL, Timeout: 50 * time.Millisecond})
	var f *outbound.Fault
	if !errors.As(err, &f) || !f.Sent || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("no answer in time: %v", err)
	}
	cut := serve(t, func(_ int64, w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.Close()
	})
	if _, err = developer().Do(context.Background(), outbound.Call{Method: "POST", URL: cut.URL, Body: []byte("x")}); !errors.As(
		err,
		&f,
	) ||
		!f.Sent {
		t.Errorf("a connection that is cut: %v", err)
	}
	gone := serve(t, nil)
	gone.Close()
	if _, err = developer().Do(context.Background(), outbound.Call{URL: gone.URL}); !errors.As(err, &f) || f.Sent {
		t.Errorf("nobody listens: %v", err)
	}
}

func TestAFaultTellsWhetherAnyTryMayHaveArrived(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	c := developer()
	for range 4 {
		_, _ = c.Do(context.Background(), outbound.Call{URL: o.URL})
	}
	// the first try is the fifth fault: the second is not made
	_, err := c.Do(context.Background(), outbound.Call{URL: o.URL, Tries: 2, Pause: time.Millisecond})
	var f *outbound.Fault
	if !errors.As(err, &f) || !errors.Is(err, outbound.ErrCircuitOpen) || !f.Sent {
		t.Fatalf("%v", err)
	}
}

func TestAHostThatFailsIsLeftAloneForAWhile(t *testing.T) {
	t.Parallel()
	var well atomic.Bool
	o := serve(t, func(_ int64, w http.ResponseWriter, _ *http.Request) {
		if !well.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	other := serve(t, func(int64, http.ResponseWriter, *http.Request) {})
	c := developer()
	for range 20 {
		_, _ = c.Do(context.Background(), outbound.Call{URL: o.URL})
	}
	if n := o.calls.Load(); n != 5 {
		t.Errorf("it was called %d times", n)
	}
	_, err := c.Do(context.Background(), outbound.Call{URL: o.URL})
	var f *outbound.Fault
	if !errors.Is(err, outbound.ErrCircuitOpen) || !errors.As(err, &f) || f.Sent {
		t.Errorf("while it rests: %v", err)
	}
	if _, err := c.Do(context.Background(), outbound.Call{URL: other.URL}); err != nil {
		t.Errorf("another host: %v", err)
	}
	well.Store(true)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := c.Do(context.Background(), outbound.Call{URL: o.URL}); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it is never called again")
		}
	}
}

func TestAHostThatFailsForOneTenantIsCalledForOthers(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	c := developer()
	for range 10 {
		_, _ = c.Do(context.Background(), outbound.Call{URL: o.URL + "/bad", Tenant: "acme"})
	}
	if _, err := c.Do(context.Background(), outbound.Call{URL: o.URL, Tenant: "acme"}); !errors.Is(err, outbound.ErrCircuitOpen) {
		t.Errorf("for the tenant: %v", err)
	}
	if _, err := c.Do(context.Background(), outbound.Call{URL: o.URL, Tenant: "rival"}); err != nil {
		t.Errorf("for another: %v", err)
	}
}

func TestAnAnswerThatIsOfNoUseTellsNothingOfTheHost(t *testing.T) {
	t.Parallel()
	o := serve(t, func(int64, http.ResponseWriter, *http.Request) {})
	c := developer()
	useless := errors.New("useless")
	for range 10 {
		err := c.Read(context.Background(), outbound.Call{URL: o.URL}, func(int, io.Reader) error { return useless })
		if !errors.Is(err, useless) {
			t.Fatal(err)
		}
	}
}

func TestACallEndsWhenNothingArrivesAnyMore(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		for range 4 { // slow, but never quiet for long
			time.Sleep(60 * time.Millisecond)
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
		}
		if r.URL.Path == "/stuck" {
			<-r.Context().Done()
		}
	})
	if a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, IdleTimeout: 200 * time.Millisecond}); err != nil ||
		string(a.Body) != "xxxx" {
		t.Errorf("slow: %q %v", a.Body, err)
	}
	begun := time.Now()
	if _, err := developer().Do(context.Background(), outbound.Call{URL: o.URL + "/stuck", IdleTimeout: 200 * time.Millisecond}); err == nil ||
		time.Since(begun) > 3*time.Second {
		t.Errorf("stuck: %v after %s", err, time.Since(begun))
	}
}

func TestACallerWhoLeavesTellsNothingOfTheHost(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, _ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
		}
	})
	c := developer()
	for range 10 {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, _ = c.Do(ctx, outbound.Call{URL: o.URL + "/slow"})
		cancel()
	}
	if _, err := c.Do(context.Background(), outbound.Call{URL: o.URL}); err != nil {
		t.Fatal(err)
	}
}

func TestACallerWhoLeavesDoesNotMakeUpForFaults(t *testing.T) {
	t.Parallel()
	o := serve(t, func(_ int64, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
		}
		w.WriteHeader(http.StatusInternalServerError)
	})
	c := developer()
	for range 5 { // faults in a row, with somebody who leaves between them
		_, _ = c.Do(context.Background(), outbound.Call{URL: o.URL})
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_, _ = c.Do(ctx, outbound.Call{URL: o.URL + "/slow"})
		cancel()
	}
	if _, err := c.Do(context.Background(), outbound.Call{URL: o.URL}); !errors.Is(err, outbound.ErrCircuitOpen) {
		t.Fatal(err)
	}
}

func TestAnAnswerTellsWhetherAnEarlierTryMayHaveArrived(t *testing.T) {
	t.Parallel()
	for first, again := range map[int]bool{http.StatusBadGateway: true, http.StatusNotFound: false} {
		o := serve(t, func(call int64, w http.ResponseWriter, _ *http.Request) {
			if call == 1 {
				w.WriteHeader(first)
				return
			}
			w.WriteHeader(http.StatusNotFound)
		})
		a, err := developer().Do(context.Background(), outbound.Call{URL: o.URL, Tries: 2, Pause: time.Millisecond})
		if err != nil || a.Status != http.StatusNotFound || a.MayBeDuplicate != again {
			t.Errorf("%d: %+v %v", first, a, err)
		}
	}
}

func TestNoProxyOfTheEnvironmentIsUsed(t *testing.T) {
	proxy := serve(t, func(int64, http.ResponseWriter, *http.Request) {})
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	_, _ = developer().Do(context.Background(), outbound.Call{URL: "http://nobody.invalid/", Timeout: time.Second})
	if proxy.calls.Load() != 0 {
		t.Fatal("the proxy was asked")
	}
}

func TestAFaultIsToldByItsKindAlone(t *testing.T) {
	t.Parallel()
	secret := errors.New("dial 10.1.2.3")
	for want, f := range map[string]outbound.Fault{
		"answered with status 503":       {Status: 503, Sent: true, Err: secret},
		"not an allowed address":         {Err: fmt.Errorf("%w: %w", outbound.ErrAddressNotAllowed, secret)},
		"the answer is not valid":        {Sent: true, Err: outbound.ErrTooLarge},
		"no answer in time":              {Sent: true, Err: fmt.Errorf("%w: %w", context.DeadlineExceeded, secret)},
		"no connection":                  {Err: secret},
		"the connection broke off":       {Sent: true, Err: secret},
		string(outbound.KindCircuitOpen): {Err: outbound.ErrCircuitOpen},
	} {
		if got := f.TenantMessage(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if f := (outbound.Fault{Err: context.DeadlineExceeded}); f.Kind() != outbound.KindTimedOut {
		t.Errorf("without a connection in time: %q", f.Kind())
	}
}
