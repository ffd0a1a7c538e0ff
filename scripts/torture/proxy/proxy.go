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

// Cut is what happens to one COMMIT on its way to PostgreSQL. The server that sent it never gets a response.
type Cut struct {
	Name         string
	passesCommit bool          // COMMIT reaches PostgreSQL
	Hold         time.Duration // how long after the server has lost the connection
	// restart crashes PostgreSQL instead and starts it again. Then others take the number of the transaction, which
	// nothing durable remembers, before the server can look up whether it was committed.
	restart bool
}

// Cuts are all kinds of cuts.
var Cuts = []Cut{
	{Name: "cut before COMMIT"},
	{Name: "answer of COMMIT lost", passesCommit: true},
	{Name: "PostgreSQL falls at COMMIT", restart: true},
	{Name: "COMMIT arrives 0.4 s after the cut", passesCommit: true, Hold: 400 * time.Millisecond},
	// longer than a server waits that looks up whether it was committed
	{Name: "COMMIT arrives 7 s after the cut", passesCommit: true, Hold: 7 * time.Second},
}

// commitTime is how long PostgreSQL has to execute a COMMIT whose connection is given up.
const commitTime = 500 * time.Millisecond

// Proxy forwards messages between servers and PostgreSQL, and cuts a connection at a COMMIT on request. It knows the
// protocol well enough to recognize COMMIT (PostgreSQL manual, message formats).
type Proxy struct {
	listener        net.Listener
	target          string
	commits         atomic.Int64 // seen
	armed           chan Cut     // for the next COMMIT
	wg              sync.WaitGroup
	cutsUnderWay    sync.WaitGroup
	gate            sync.RWMutex // locked while no one may connect
	restartPostgres func() error // ends PostgreSQL and starts it again
	failed          error        // of restartPostgres
}

// Start starts a proxy that forwards connections to target, the address of PostgreSQL. restartPostgres crashes
// PostgreSQL and starts it again; a cut of that kind calls it.
func Start(ctx context.Context, target string, restartPostgres func() error) (*Proxy, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: l, target: target, restartPostgres: restartPostgres, armed: make(chan Cut)}
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

// CutNext cuts, in the manner of c, the next COMMIT of a transaction that has written entries, and waits until the
// whole cut is done. It returns the error of restarting PostgreSQL, or one if no such COMMIT comes before ctx ends.
func (p *Proxy) CutNext(ctx context.Context, c Cut) error {
	before := p.commits.Load()
	p.cutsUnderWay.Add(1)
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
	p.cutsUnderWay.Wait()
	return p.failed
}

// connect forwards one connection until either side ends it, or it is cut.
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
	if err := passStartup(in, server); err != nil {
		return
	}
	state := session{statements: map[string]string{}}
	for {
		message, err := readMessage(in)
		if err != nil {
			return
		}
		if state.commitsEntries(message) {
			p.commits.Add(1)
			select {
			case c := <-p.armed:
				p.cutHere(c, message, in, func() { _ = client.Close() }, server)
				return
			default:
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

// cutHere cuts a connection at a COMMIT that was read from the client and not yet forwarded. hangUp closes the client's
// side. By the kind of the cut, the COMMIT never reaches PostgreSQL, reaches it c.Hold after hangUp, or PostgreSQL is
// crashed and started again instead; then no one may connect meanwhile.
func (p *Proxy) cutHere(c Cut, message []byte, in *bufio.Reader, hangUp func(), server io.Writer) {
	defer p.cutsUnderWay.Done()
	if c.restart {
		p.gate.Lock()
		defer p.gate.Unlock()
		p.failed = p.restartPostgres()
		return
	}
	rest := message
	for message[0] != 'Q' && message[0] != 'S' && c.passesCommit { // extended protocol: the messages up to Sync
		var err error
		if message, err = readMessage(in); err != nil {
			break
		}
		rest = append(rest, message...)
	}
	hangUp()
	if !c.passesCommit {
		return
	}
	time.Sleep(c.Hold)
	if _, err := server.Write(rest); err == nil {
		time.Sleep(commitTime)
	}
}

const (
	sslRequest    = 80877103
	gssRequest    = 80877104
	cancelRequest = 80877102
)

// passStartup forwards the messages with which a connection begins, which have no type letter: requests for encryption,
// if any, and then the startup message. For a request to cancel, which ends its connection, it returns io.EOF.
func passStartup(in *bufio.Reader, server io.Writer) error {
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

// readMessage reads one typed message: a letter, the length without the letter, the rest. It returns all of it.
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

// session is what the proxy remembers of the messages of one connection.
type session struct {
	statements map[string]string // prepared statements by name
	hasPosted  bool              // the current transaction has written entries
}

// entriesTable is the table whose rows make a transaction worth cutting: others are too many, and no client waits for
// them.
const entriesTable = "loyalty_transaction_entries"

// commitsEntries reports whether a message makes PostgreSQL commit entries: a simple query, or the binding of a
// prepared statement. It remembers prepared statements, and whether the transaction has written entries.
func (s *session) commitsEntries(m []byte) bool {
	var query string
	switch body := m[5:]; m[0] {
	case 'Q':
		query = zeroTerminated(body)
	case 'P':
		name := zeroTerminated(body)
		s.statements[name] = zeroTerminated(body[len(name)+1:])
		return false
	case 'B':
		portal := zeroTerminated(body)
		query = s.statements[zeroTerminated(body[len(portal)+1:])]
	default:
		return false
	}
	query = strings.ToUpper(query)
	if strings.Contains(query, "INSERT") && strings.Contains(query, strings.ToUpper(entriesTable)) {
		s.hasPosted = true
	}
	first, _, _ := strings.Cut(strings.Trim(query, " ;\n"), " ")
	if first != "COMMIT" && first != "ROLLBACK" {
		return false
	}
	posts := s.hasPosted
	s.hasPosted = false
	return posts && first == "COMMIT"
}

// zeroTerminated returns the text before the first zero byte.
func zeroTerminated(b []byte) string {
	before, _, _ := bytes.Cut(b, []byte{0})
	return string(before)
}
