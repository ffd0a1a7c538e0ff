package app

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
)

// Edge limits the connections and requests of callers. A count or rate of 0 is no limit.
type Edge struct {
	Connections int // open at once
	// PerAddress is how many connections one address may have open, and how many requests under way. In total there may
	// be as many requests as connections. Trusted proxies may have any number of connections; their requests count for
	// the addresses that they forward.
	PerAddress    int
	ClientKeyRate int           // requests per second of one client key, from all addresses together
	BodyWithin    time.Duration // how long a request may take to arrive, head and body; uploads take longer
	StallWithin   time.Duration // how long a caller may read nothing of a response, or send nothing of a file
}

// DefaultEdge returns the default limits.
func DefaultEdge() Edge {
	return Edge{Connections: 4096, PerAddress: 1024, ClientKeyRate: rest.DefaultLimits().ClientKey.Requests,
		BodyWithin: 30 * time.Second, StallWithin: 30 * time.Second}
}

// validate adds a fault for each limit of a flag that is negative.
func (e Edge) validate(f *laurel.Faults) {
	for _, limit := range []struct {
		flag  string
		value int
	}{{"--max-connections", e.Connections}, {"--max-per-address", e.PerAddress}, {"--client-key-rate", e.ClientKeyRate}} {
		if limit.value < 0 {
			f.Add(limit.flag, "must not be negative")
		}
	}
}

const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	// responseTimeout is how long a request may take from its head to the first bytes of its response. Bodies, waits for
	// another request with the same Idempotency-Key and statements end long before. From then on StallTimeout holds.
	responseTimeout = 2 * time.Minute
	// maxHead is the size of a request's head in bytes (contract 1.1). net/http accepts up to 4 KiB more, and then
	// responds with 431.
	maxHead = 64 << 10
	// maxStreams is how many requests one HTTP/2 connection may have under way: the least that RFC 9113, section 6.5.2,
	// recommends.
	maxStreams = 100
	// sendBuffer is how many bytes of a response the system buffers per connection. The server sees the progress of a
	// slow reader only when part of the buffer is free, so a large buffer would look like a stall; and callers could use
	// up its memory.
	sendBuffer = 256 << 10
)

// initTallies sets the limits in force, and makes the counters of connections and requests.
func (a *App) initTallies() {
	a.edge = DefaultEdge()
	if a.config.Edge != nil {
		a.edge = *a.config.Edge
	}
	a.connections = rest.NewTally(a.edge.Connections, a.edge.PerAddress)
	a.requests = rest.NewTally(a.edge.Connections, a.edge.PerAddress)
}

// server returns the HTTP server with limits for every request. Handlers extend them for the transfer of files.
func (a *App) server() *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	streams := http.HTTP2Config{MaxConcurrentStreams: maxStreams, WriteByteTimeout: a.edge.StallWithin,
		SendPingTimeout: idleTimeout, PingTimeout: a.edge.StallWithin}
	return &http.Server{
		Handler:           a.Handler,
		Protocols:         &protocols,
		HTTP2:             &streams,
		MaxHeaderBytes:    maxHead,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       a.edge.BodyWithin,
		WriteTimeout:      responseTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
}

// limitConnections returns the listener with its connections counted. A connection over the limit is closed at once,
// since a response would need a place of its own.
func (a *App) limitConnections(listener net.Listener) net.Listener {
	return &limitedListener{Listener: listener, connections: a.connections, proxies: a.proxies, log: a.log}
}

// limitedListener closes connections over the limits of a tally.
type limitedListener struct {
	net.Listener
	connections *rest.Tally
	proxies     []netip.Prefix
	log         *slog.Logger
	lastWarning time.Time // when refused connections were last logged; used by Accept only
}

// refusalWarningPause is the least time between two warnings about refused connections.
const refusalWarningPause = 10 * time.Second

// Accept returns the next connection within the limits. It closes those over them.
func (b *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := b.addressOf(conn)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(sendBuffer)
		}
		if b.connections.Enter(address) {
			return &countedConn{Conn: conn, leave: sync.OnceFunc(func() { b.connections.Leave(address) })}, nil
		}
		b.refuse(conn)
	}
}

// addressOf returns the address of a connection's peer; the zero address for a trusted proxy, which serves many
// callers.
func (b *limitedListener) addressOf(conn net.Conn) netip.Addr {
	peer, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	address := peer.Addr().Unmap()
	if err != nil || slices.ContainsFunc(b.proxies, func(p netip.Prefix) bool { return p.Contains(address) }) {
		return netip.Addr{}
	}
	return address
}

// refuse closes a connection over the limits, and logs a warning unless it has logged one shortly before.
func (b *limitedListener) refuse(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // so that the system does not keep it open either
	}
	_ = conn.Close()
	if now := time.Now(); now.Sub(b.lastWarning) >= refusalWarningPause {
		b.lastWarning = now
		open, refused := b.connections.Counts()
		b.log.Warn("connections are refused: too many are open", slog.Int("open", open), slog.Int("refused", refused))
	}
}

// countedConn is a connection that counts as open until it is closed.
type countedConn struct {
	net.Conn
	leave func()
}

func (c *countedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// CloseWrite lets net/http end a response before it closes the connection, so that the caller can read it.
func (c *countedConn) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return errors.ErrUnsupported
}

// edgeMetrics returns the metrics of connections and requests: how many are open or under way, and how many were
// refused.
func (a *App) edgeMetrics() []prometheus.Collector {
	var out []prometheus.Collector
	for _, m := range []struct {
		name, help, refused string
		tally               *rest.Tally
	}{
		{"connections", "Connections that are open.", "Connections that were closed at once: too many were open.", a.connections},
		{"requests", "Requests that are under way.", "Requests that were refused: too many of one address.", a.requests},
	} {
		current := func() float64 { n, _ := m.tally.Counts(); return float64(n) }
		refused := func() float64 { _, n := m.tally.Counts(); return float64(n) }
		name := "laurel_http_" + m.name
		out = append(out,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: m.help}, current),
			prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name + "_refused_total", Help: m.refused}, refused))
	}
	return out
}
