package anvil

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Proxy stands in front of a node and makes its faults.
type Proxy struct {
	// URL has a key in its path and its query, as those of providers have.
	URL string

	upstream string
	mu       sync.Mutex
	fault    Fault
	calls    map[string]int
	posts    int
}

// ProxyKey is the key in the address of a Proxy.
const ProxyKey = "k3yOfTheOperator"

// Fault is how a Proxy answers. The zero Fault passes everything on.
type Fault struct {
	Status     int    // answers with this status
	RetryAfter string // with the header
	Remaining  string // with the header of providers that says how many calls are left
	Body       string // answers with this body
	IsEmpty    bool   // answers 200 with nothing
	Delay      time.Duration
	ChainID    uint64          // claims to be of this chain
	Behind     uint64          // claims to be so many blocks behind
	Result     map[string]any  // answers requests of a method with a result
	Error      map[string]any  // answers requests of a method with an error
	Refuses    map[string]bool // answers requests of a method as one that does not exist
	Before     func()          // is called before each answer
	Whole      *Fault          // is in place of this one for requests of blocks with their transactions
}

// NewProxy starts a proxy in front of a node. It ends with the test.
func NewProxy(t testing.TB, n *Node) *Proxy {
	t.Helper()
	p := &Proxy{upstream: n.URL, calls: map[string]int{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL + "/v2/" + ProxyKey + "?apikey=" + ProxyKey
	return p
}

// Set sets how the proxy answers from now on.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// Calls returns how many requests of a method have come, those in batches too.
func (p *Proxy) Calls(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

// CountAll returns how many requests have come, by method.
func (p *Proxy) CountAll() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.calls)
}

// Posts returns how many HTTP requests have come.
func (p *Proxy) Posts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.posts
}

type proxied struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

// ServeHTTP serves one call.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	requests, isBatch := parse(body)
	p.mu.Lock()
	f := p.fault
	p.posts++
	for _, q := range requests {
		p.calls[q.Method]++
		if f.Whole != nil && q.Method == "eth_getBlockByNumber" && bytes.HasSuffix(q.Params, []byte("true]")) {
			f = *f.Whole
		}
	}
	p.mu.Unlock()
	if f.Before != nil {
		f.Before()
	}
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
			return
		}
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if f.Remaining != "" {
		w.Header().Set("X-Ratelimit-Remaining", f.Remaining)
	}
	switch {
	case f.Status != 0:
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
		return
	case f.IsEmpty:
		return
	case f.Body != "":
		_, _ = io.WriteString(w, f.Body)
		return
	}
	answers := make([]proxied, len(requests))
	for i, q := range requests {
		answers[i] = p.answer(f, q)
	}
	w.Header().Set("Content-Type", "application/json")
	var out any = answers
	if !isBatch {
		out = answers[0]
	}
	_ = json.NewEncoder(w).Encode(out) //nolint:errchkjson // of values that were read from JSON
}

func parse(body []byte) (list []proxied, isBatch bool) {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		_ = json.Unmarshal(body, &list)
		return list, true
	}
	var one proxied
	_ = json.Unmarshal(body, &one)
	return []proxied{one}, false
}

// answer returns the answer to one request.
func (p *Proxy) answer(f Fault, q proxied) proxied {
	out := proxied{Version: "2.0", ID: q.ID}
	result, hasResult := f.Result[q.Method]
	fault, hasError := f.Error[q.Method]
	switch {
	case f.Refuses[q.Method]:
		out.Error = map[string]any{"code": -32601, "message": "the method " + q.Method + " does not exist"}
		return out
	case hasError:
		out.Error = fault
		return out
	case hasResult:
		out.Result = json.RawMessage("null")
		if result != nil {
			out.Result = result
		}
		return out
	case q.Method == "eth_chainId" && f.ChainID != 0:
		out.Result = hexOf(f.ChainID)
		return out
	case f.Behind > 0 && q.Method == "eth_blockNumber":
		out.Result = hexOf(p.height() - f.Behind)
		return out
	case f.Behind > 0 && q.Method == "eth_getBlockByNumber" && bytes.Contains(q.Params, []byte(`"latest"`)):
		q.Params = bytes.Replace(q.Params, []byte("latest"), []byte(hexOf(p.height()-f.Behind)), 1)
	}
	return p.forward(q)
}

// height returns that of the node.
func (p *Proxy) height() uint64 {
	ask := proxied{Version: "2.0", ID: []byte("1"), Method: "eth_blockNumber", Params: []byte("[]")}
	text, _ := p.forward(ask).Result.(string)
	n, _ := strconv.ParseUint(text, 0, 64)
	return n
}

// forward passes a request on to the node.
func (p *Proxy) forward(q proxied) (out proxied) {
	//nolint:errchkjson // it was read from JSON
	body, _ := json.Marshal(q)

	response, err := http.Post(p.upstream, "application/json", bytes.NewReader(body)) //nolint:noctx // ends with the node
	if err != nil {
		return proxied{Version: "2.0", ID: q.ID, Error: map[string]any{"code": -32000, "message": err.Error()}}
	}
	defer func() { _ = response.Body.Close() }()
	var raw struct {
		Result, Error json.RawMessage
	}
	_ = json.NewDecoder(response.Body).Decode(&raw)
	out = proxied{Version: "2.0", ID: q.ID}
	if len(raw.Error) > 0 && string(raw.Error) != "null" {
		out.Error = raw.Error
		return out
	}
	var text *string
	if out.Result = raw.Result; json.Unmarshal(raw.Result, &text) == nil && text != nil {
		out.Result = *text
	}
	return out
}

func hexOf(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }
