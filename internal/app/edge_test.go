package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// listenSubscription is a server on a listener of its own, as the program runs it: with all that ends connections.
type listenSubscription struct {
	*apptest.Server
	host string
	stop func() error // as the first signal does, and waits for the end
}

// hasty are limits that tests need not wait long for.
func hasty() app.Edge {
	e := app.DefaultEdge()
	e.BodyWithin, e.StallWithin = 300*time.Millisecond, time.Second
	return e
}

func eachListening(t *testing.T, config app.Config, f func(t *testing.T, l *listenSubscription)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) { f(t, listen(t, address, config)) })
}

func listen(t *testing.T, address string, config app.Config) *listenSubscription {
	t.Helper()
	l := &listenSubscription{Server: apptest.Open(t, address, config)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.host = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.App.Run(ctx, listener) }()
	stopped := false
	l.stop = func() error {
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if !stopped {
			_ = l.stop()
		}
	})
	return l
}

// patience bounds what hangs; nothing is measured by it.
const patience = 10 * time.Second

// dial opens a connection from a loopback address and sends the text.
func (l *listenSubscription) dial(from, text string) net.Conn {
	l.T.Helper()
	conn, err := l.tryDial(from, text)
	if err != nil {
		l.T.Fatal(err)
	}
	return conn
}

func (l *listenSubscription) tryDial(from, text string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := d.Dial("tcp", l.host)
	if err != nil {
		return nil, err
	}
	l.T.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, err = io.WriteString(conn, text)
	return conn, err
}

// served reports whether a connection from the address is answered.
func (l *listenSubscription) served(from string) bool {
	l.T.Helper()
	conn, err := l.tryDial(from, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	if err != nil {
		return false
	}
	text, _ := io.ReadAll(conn)
	_ = conn.Close()
	return strings.HasPrefix(string(text), "HTTP/1.1 200 ")
}

// overHTTP2 returns a client with connections of its own, without TLS.
func (l *listenSubscription) overHTTP2() *http.Client {
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	l.T.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: patience}
}

// request returns one to the listener. Headers come in pairs.
func (l *listenSubscription) request(method, path string, body io.Reader, headers ...string) *http.Request {
	l.T.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, "http://"+l.host+path, body)
	if err != nil {
		l.T.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// metric returns a value of /metrics.
func (l *listenSubscription) metric(name string) string {
	l.T.Helper()
	for line := range strings.Lines(l.Fetch(l.Server.HTTP.URL + "/metrics").Body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	l.T.Fatalf("no metric %s", name)
	return ""
}

func TestARequestWhoseBodyNeverComesEnds(t *testing.T) {
	t.Parallel()
	edge := hasty()
	eachListening(t, app.Config{NoRateLimits: true, Edge: &edge}, func(t *testing.T, l *listenSubscription) {
		signed, _ := l.RequestUpload("a.csv", 100, "loyalty")
		upload := strings.TrimPrefix(signed, l.HTTP.URL)
		key := "X-API-KEY: " + l.WebsiteAPIKey + "\r\nContent-Type: application/json\r\n"
		refusal := func(text string) bool {
			const body = `{"message":"Malformed JSON body","code":"malformed_json","errors":[]}` + "\n"
			return strings.HasPrefix(text, "HTTP/1.1 400 ") && strings.HasSuffix(text, body)
		}
		for name, head := range map[string]string{
			"GET":                   "GET /healthz HTTP/1.1\r\nContent-Length: 100\r\n",
			"GET in chunks":         "GET /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
			"without a key":         "POST /api/loyalty/rules HTTP/1.1\r\nContent-Length: 100\r\n",
			"with a key":            "POST /api/loyalty/rules HTTP/1.1\r\nContent-Length: 100\r\n" + key,
			"with a key in chunks":  "POST /api/loyalty/rules HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + key,
			"no such route":         "POST /nothing HTTP/1.1\r\nContent-Length: 100\r\n",
			"an upload":             "PUT " + upload + " HTTP/1.1\r\nContent-Length: 100\r\n",
			"an upload of nothing":  "PUT /uploads/nothing HTTP/1.1\r\nContent-Length: 100\r\n",
			"an upload of a length": "PUT " + upload + " HTTP/1.1\r\nContent-Length: 1000\r\n",
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				conn := l.dial("127.0.0.1", head+"Host: a\r\n\r\n")
				text, err := io.ReadAll(conn)
				answered := strings.HasPrefix(string(text), "HTTP/1.1 ")
				if err != nil || !answered || strings.HasPrefix(name, "with a key") && !refusal(string(text)) {
					t.Errorf("%v %q", err, text)
				}
			})
		}
		t.Run("over HTTP/2", func(t *testing.T) {
			t.Parallel()
			body, never := io.Pipe()
			defer func() { _ = never.Close() }()
			res, err := l.overHTTP2().Do(l.request("POST", "/api/loyalty/rules", body,
				"X-API-KEY", l.WebsiteAPIKey, "Content-Type", "application/json"))
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.ProtoMajor != 2 || res.StatusCode != 400 {
				t.Errorf("%s %d", res.Proto, res.StatusCode)
			}
		})
	})
}

func TestAnUploadMayPauseButNotForLong(t *testing.T) {
	t.Parallel()
	edge := hasty()
	eachListening(t, app.Config{NoRateLimits: true, Edge: &edge}, func(t *testing.T, l *listenSubscription) {
		signed, public := l.RequestUpload("a.csv", 10, "loyalty")
		slow, pieces := io.Pipe()
		go func() {
			for i := range 10 { // longer in all than a body may take, and than a pause
				time.Sleep(150 * time.Millisecond)
				_, _ = fmt.Fprint(pieces, i)
			}
			_ = pieces.Close()
		}()
		res, err := http.DefaultClient.Do(l.request("PUT", strings.TrimPrefix(signed, l.HTTP.URL), slow))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if got := l.Fetch(public); res.StatusCode != 200 || got.Body != "0123456789" {
			t.Errorf("%d, and the file holds %q", res.StatusCode, got.Body)
		}
	})
}

// TestADownloadGoesOnAsLongAsItIsRead reads 24 MiB slowly.
//
//racetests:plain
func TestADownloadGoesOnAsLongAsItIsRead(t *testing.T) {
	t.Parallel()
	const size = 24 << 20
	edge := hasty()
	edge.StallWithin = 3 * time.Second // a busy machine may keep a reader waiting for some
	eachListening(t, app.Config{NoRateLimits: true, Edge: &edge}, func(t *testing.T, l *listenSubscription) {
		path := strings.TrimPrefix(l.Upload("a.csv", strings.Repeat("x", size)), l.HTTP.URL)
		idle := l.metric("laurel_http_requests")
		plain, streams := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, l.overHTTP2()
		streams.Timeout = 0 // it would end the slow reading
		for name, client := range map[string]*http.Client{"HTTP/1.1": plain, "HTTP/2": streams} {
			open := func() *http.Response {
				t.Helper()
				res, err := client.Do(l.request("GET", path, nil))
				if err != nil {
					t.Fatal(name, err)
				}
				return res
			}
			res, read := open(), 0
			piece := make([]byte, 64<<10)
			for ; read < 4<<20; time.Sleep(100 * time.Millisecond) { // longer in all than a pause may be
				n, err := io.ReadFull(res.Body, piece)
				if read += n; err != nil {
					break
				}
			}
			rest, _ := io.Copy(io.Discard, res.Body)
			read += int(rest)
			if _ = res.Body.Close(); read != size {
				t.Errorf("%s: a slow reader got %d bytes of %d", name, read, size)
			}
			res = open()
			l.WaitUntil(func() bool { return l.metric("laurel_http_requests") == idle })
			if n, err := io.Copy(io.Discard, res.Body); err == nil {
				t.Errorf("%s: who read nothing got all %d bytes in the end", name, n)
			}
			_ = res.Body.Close()
		}
	})
}

func TestAnswersThatNobodyReadsEnd(t *testing.T) {
	t.Parallel()
	edge := hasty()
	eachListening(t, app.Config{NoRateLimits: true, Edge: &edge}, func(t *testing.T, l *listenSubscription) {
		conn := l.dial("127.0.0.1", "")
		many := strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", 100)
		go func() {
			for err := error(nil); err == nil; {
				_, err = io.WriteString(conn, many)
			}
		}()
		l.WaitUntil(func() bool { return l.metric("laurel_http_connections") == "1" })
		l.WaitUntil(func() bool { return l.metric("laurel_http_connections") == "0" })
	})
}

func TestConnectionsAreCappedInAllAndByAddress(t *testing.T) {
	t.Parallel()
	edge := app.DefaultEdge()
	edge.Connections, edge.PerAddress = 5, 2
	eachListening(t, app.Config{NoRateLimits: true, Edge: &edge}, func(t *testing.T, l *listenSubscription) {
		hold := func(from string) net.Conn { // an answered one stays open for longer than one whose head has no end
			return l.dial(from, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
		}
		first := hold("127.0.0.2")
		hold("127.0.0.2")
		l.WaitUntil(func() bool { return l.metric("laurel_http_connections") == "2" })
		if l.served("127.0.0.2") || !l.served("127.0.0.3") {
			t.Error("an address with two connections: it gets a third, or another gets none")
		}
		hold("127.0.0.3")
		hold("127.0.0.3")
		hold("127.0.0.4")
		l.WaitUntil(func() bool { return l.metric("laurel_http_connections") == "5" })
		if l.served("127.0.0.5") {
			t.Error("a sixth connection is served")
		}
		_ = first.Close()
		l.WaitUntil(func() bool { return l.served("127.0.0.5") })
		if refused := l.metric("laurel_http_connections_refused_total"); refused == "0" {
			t.Error("no refusal is logged")
		}
	})
}

func TestBehindATrustedProxyRequestsAreCappedByTheAddressThatItNames(t *testing.T) {
	t.Parallel()
	edge := app.DefaultEdge()
	edge.PerAddress = 2
	config := app.Config{NoRateLimits: true, TrustedProxies: []string{"127.0.0.0/8"}, Edge: &edge}
	eachListening(t, config, func(t *testing.T, l *listenSubscription) {
		var under []net.Conn
		begin := func(address string) {
			t.Helper()
			conn := l.dial("127.0.0.1", fmt.Sprintf("POST /api/loyalty/rules HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %s\r\n"+
				"X-API-KEY: %s\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n",
				address, l.WebsiteAPIKey))
			under = append(under, conn)
			if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
				t.Fatalf("%q %v", line, err)
			}
		}
		get := func(client *http.Client, address string) *http.Response {
			t.Helper()
			r := l.request("GET", "/healthz", nil)
			if address != "" {
				r.Header.Set("X-Forwarded-For", address)
			}
			res, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			return res
		}
		for _, address := range []string{"192.0.2.1", "192.0.2.1", "2001:db8::1", "2001:db8::2"} {
			begin(address)
		}
		for _, client := range []*http.Client{http.DefaultClient, l.overHTTP2()} {
			for address, status := range map[string]int{
				"192.0.2.1": 429, "2001:db8::3": 429, "192.0.2.2": 200, "2001:db8:0:1::1": 200, "": 200,
			} {
				res := get(client, address)
				if res.StatusCode != status || (status == 429) != (res.Header.Get("Retry-After") == "1") {
					t.Errorf("%s %q: %d %v, want %d", res.Proto, address, res.StatusCode, res.Header, status)
				}
			}
		}
		for _, conn := range under {
			_ = conn.Close()
		}
		l.WaitUntil(func() bool { return get(http.DefaultClient, "192.0.2.1").StatusCode == 200 })
	})
}

func TestHeadsHaveASize(t *testing.T) {
	t.Parallel()
	eachListening(t, app.Config{NoRateLimits: true}, func(t *testing.T, l *listenSubscription) {
		for name, client := range map[string]*http.Client{"HTTP/1.1": http.DefaultClient, "HTTP/2": l.overHTTP2()} {
			for size, status := range map[int]int{60 << 10: 200, 72 << 10: 431} {
				res, err := client.Do(l.request("GET", "/healthz", nil, "X-Long", strings.Repeat("x", size)))
				if err != nil && name == "HTTP/2" && status == 431 {
					continue // the server announced its limit, and the client respects it
				}
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
				if res.StatusCode != status {
					t.Errorf("%s: a head of %d bytes: %d, want %d", name, size, res.StatusCode, status)
				}
			}
		}
		conn := l.dial("127.0.0.1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
		head := make([]byte, 9) // RFC 9113, section 4.1
		if _, err := io.ReadFull(conn, head); err != nil || head[3] != 4 {
			t.Fatal(head, err)
		}
		settings := make([]byte, int(head[1])<<8+int(head[2]))
		if _, err := io.ReadFull(conn, settings); err != nil {
			t.Fatal(err)
		}
		streams := []byte{0, 3, 0, 0, 0, 100} // SETTINGS_MAX_CONCURRENT_STREAMS
		if !bytes.Contains(settings, streams) {
			t.Errorf("%d settings: % x", binary.BigEndian.Uint16(head[1:])/6, settings)
		}
	})
}

func TestALoadBalancerLearnsOfAStopBeforeRequestsAreRefused(t *testing.T) {
	t.Parallel()
	eachListening(t, app.Config{NoRateLimits: true, Drain: 5 * time.Second}, func(t *testing.T, l *listenSubscription) {
		status := func(path string) int {
			t.Helper()
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			res, err := client.Do(l.request("GET", path, nil, "X-API-KEY", l.WebsiteAPIKey))
			if err != nil {
				return 0
			}
			_ = res.Body.Close()
			return res.StatusCode
		}
		if got := status("/readyz"); got != 200 {
			t.Fatal(got)
		}
		ended := make(chan error, 1)
		go func() { ended <- l.stop() }()
		l.WaitUntil(func() bool { return status("/readyz") != 200 })
		if ready, other := status("/readyz"), status("/api/loyalty/rules"); ready != 503 || other != 200 {
			t.Errorf("while it drains: /readyz %d, others %d", ready, other)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if got := status("/healthz"); got != 0 {
			t.Errorf("after the stop: %d", got)
		}
	})
}

func TestUploadsOfUnknownTokensAreRefusedBeforeTheyAreLookedUp(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, s *apptest.Server) {
		signed, public := s.RequestUpload("a.csv", 1, "loyalty")
		for range 20 {
			s.Put(s.HTTP.URL+"/uploads/nothing", strings.NewReader("x")).Refused(404, "Upload not found")
		}
		got := s.Put(signed, strings.NewReader("x")) // looked up, it would be taken
		got.Refused(429, "Too many requests, please try again later.")
		if !strings.HasPrefix(got.Header.Get("RateLimit"), `"failed-uploads";r=0;`) {
			t.Error(got.Header)
		}
		s.Fetch(public).Refused(404, "File not found")
	})
}

// TestWhoGuessesKeysBehindAnAddressEndsNoUploadsThere: an upload's address lives for minutes only.
func TestWhoGuessesKeysBehindAnAddressEndsNoUploadsThere(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, s *apptest.Server) {
		signed, _ := s.RequestUpload("a.csv", 1, "loyalty")
		for range 21 {
			s.Call("lrl_w_"+strings.Repeat("a", 43), "GET", "/api/loyalty/rules", nil)
		}
		if got := s.Put(signed, strings.NewReader("x")); got.Status != 200 {
			t.Error(got.Status, got.Body)
		}
	})
}

func TestUploadsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, s *apptest.Server) {
		signed, _ := s.RequestUpload("a.csv", 1, "loyalty")
		got := s.Put(signed, strings.NewReader("x"))
		if policy := got.Header.Get("RateLimit-Policy"); got.Status != 200 || policy != `"keyless";q=50;w=1` {
			t.Error(got.Status, got.Header)
		}
	})
}
