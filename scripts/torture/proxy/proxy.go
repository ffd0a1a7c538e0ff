// Package proxy stands between servers and PostgreSQL and cuts connections inside COMMIT, so that a server does not
// know what became of its transaction. It is part of the torture and knows nothing of the service but the table whose
// rows make a transaction worth cutting.
package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Cut is what happens to one COMMIT on its way to PostgreSQL. The server never gets its answer.
type Cut struct {
	Name string
	pass bool          // COMMIT reaches PostgreSQL
	Hold time.Duration // so long after the server has lost the connection
	// fall ends PostgreSQL instead; when it is back, others take the transaction's number, which nothing durable
	// remembers, before the server can ask what became of it.
	fall bool
}

// Cuts are all kinds.
var Cuts = []Cut{
	{Name: "cut before COMMIT"},
	{Name: "answer of COMMIT lost", pass: true},
	{Name: "PostgreSQL falls at COMMIT", fall: true},
	{Name: "COMMIT arrives 0.4 s after the cut", pass: true, Hold: 400 * time.Millisecond},
	// later than a server that asks what became of it is patient
	{Name: "COMMIT arrives 7 s after the cut", pass: true, Hold: 7 * time.Second},
}

// linger is how long PostgreSQL has to carry out a COMMIT whose connection is given up.
const linger = 500 * time.Millisecond

// Proxy passes on what servers and PostgreSQL say and knows the protocol well enough to see COMMIT pass (PostgreSQL
// manual, message formats).
type Proxy struct {
	listener net.Listener
	target   string
	commits  atomic.Int64 // seen
	armed    chan Cut     // for the next COMMIT
	wg       sync.WaitGroup
	held     sync.WaitGroup // cuts under way
	gate     sync.RWMutex   // held while nobody may connect
	fall     func() error   // ends PostgreSQL and starts it again
	failed   error          // of fall
}

// Start listens and passes connections on to the target. fall ends PostgreSQL and starts it again.
func Start(ctx context.Context, target string, fall func() error) (*Proxy, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, fall: fall, armed: make(chan Cut)}
	p.wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.connect(ctx, client)
		}
	})
	return p, nil
}

// Address is where the servers connect.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Close ends listening.
func (p *Proxy) Close() {
	_ = p.listener.Close()
	p.wg.Wait()
}

// CutNext cuts the next COMMIT and waits until that has happened, all of it.
func (p *Proxy) CutNext(ctx context.Context, c Cut) error {
	before := p.commits.Load()
	p.held.Add(1)
	select {
	case p.armed <- c: // taken by a COMMIT that passes
	case <-ctx.Done():
		return fmt.Errorf(
			"no COMMIT passed the proxy (%d were seen meanwhile, %d before): %w",
			p.commits.Load()-before,
			before,
			ctx.Err(),
		)
	}
	p.held.Wait()
	return p.failed
}

// connect serves one connection until either side ends.
func (p *Proxy) connect(ctx context.Context, client net.Conn) {
	p.gate.RLock()
	server, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", p.target)
	p.gate.RUnlock()
	if err != nil {
		_ = client.Close()
		return
	}
	defer func() { _ = server.Close() }()
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
		_, _ = io.Copy(io.Discard, server) // the client is gone, but PostgreSQL may still be at work
	}()
	defer func() { _ = client.Close() }()
	in := bufio.NewReader(client)
	if err := greet(in, server); err != nil {
		return
	}
	seen := session{known: map[string]string{}}
	for {
		m, err := readMessage(in)
		if err != nil {
			return
		}
		if seen.commits(m) {
			p.commits.Add(1)
			select {
			case c := <-p.armed:
				p.cutHere(c, m, in, func() { _ = client.Close() }, server)
				return
			default:
			}
		}
		if _, err := server.Write(m); err != nil {
			return
		}
	}
}

// cutHere takes the connection from the client, with m, which commits, still in hand.
func (p *Proxy) cutHere(c Cut, m []byte, in *bufio.Reader, hangUp func(), server io.Writer) {
	defer p.held.Done()
	if c.fall {
		p.gate.Lock()
		defer p.gate.Unlock()
		p.failed = p.fall()
		return
	}
	rest := m
	for m[0] != 'Q' && m[0] != 'S' && c.pass { // of the extended protocol: all up to Sync is already under way
		var err error
		if m, err = readMessage(in); err != nil {
			break
		}
		rest = append(rest, m...)
	}
	hangUp()
	if !c.pass {
		return
	}
	time.Sleep(c.Hold)
	if _, err := server.Write(rest); err == nil {
		time.Sleep(linger)
	}
}

const (
	sslRequest    = 80877103
	gssRequest    = 80877104
	cancelRequest = 80877102
)

// greet passes on what comes before the first typed message.
func greet(in *bufio.Reader, server io.Writer) error {
	for {
		head, err := in.Peek(8)
		if err != nil {
			return err
		}
		m := make([]byte, binary.BigEndian.Uint32(head))
		if _, err := io.ReadFull(in, m); err != nil {
			return err
		}
		if _, err := server.Write(m); err != nil {
			return err
		}
		switch binary.BigEndian.Uint32(head[4:]) {
		case sslRequest, gssRequest:
		case cancelRequest:
			return io.EOF
		default:
			return nil
		}
	}
}

// readMessage reads one typed message: a letter, the length without the letter, the rest.
func readMessage(in *bufio.Reader) ([]byte, error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size < 4 || size > 1<<28 {
		return nil, fmt.Errorf("a message of %d bytes", size)
	}
	m := make([]byte, 1+size)
	copy(m, head)
	_, err := io.ReadFull(in, m[5:])
	return m, err
}

// session is what one connection has said so far.
type session struct {
	known map[string]string // prepared statements by name
	posts bool              // the present transaction has written entries
}

// posted is the table whose rows make a transaction worth cutting: others are too many, and nobody waits for them.
const posted = "loyalty_transaction_entries"

// commits reports whether a message makes PostgreSQL commit entries: a simple query, or the binding of a prepared
// statement.
func (s *session) commits(m []byte) bool {
	var query string
	switch body := m[5:]; m[0] {
	case 'Q':
		query = text(body)
	case 'P':
		name := text(body)
		s.known[name] = text(body[len(name)+1:])
		return false
	case 'B':
		portal := text(body)
		query = s.known[text(body[len(portal)+1:])]
	default:
		return false
	}
	query = strings.ToUpper(query)
	if strings.Contains(query, "INSERT") && strings.Contains(query, strings.ToUpper(posted)) {
		s.posts = true
	}
	first, _, _ := strings.Cut(strings.Trim(query, " ;\n"), " ")
	if first != "COMMIT" && first != "ROLLBACK" {
		return false
	}
	posts := s.posts
	s.posts = false
	return posts && first == "COMMIT"
}

// text reads a string that ends with a zero byte.
func text(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}
