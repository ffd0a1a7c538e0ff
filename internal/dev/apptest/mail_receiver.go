package apptest

import (
	"crypto/tls"
	"errors"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// MailReceiver is the SMTP server of an operator. It keeps the mails that it has accepted.
type MailReceiver struct {
	Address string // host and port
	server  *smtp.Server
	mu      sync.Mutex
	mails   []Mail
	// Password must be shown with the user name laurel, over TLS if TLS is set; "": nobody signs in.
	Password string
	// Refuse is called with each recipient; its error is the server's response.
	Refuse func(to string) error
	// RefuseText is called with each mail; its error is the server's response.
	RefuseText func(m Mail) error
}

// Mail is a mail as the receiver got it.
type Mail struct {
	From, To  string // of the envelope
	Header    mail.Header
	Text      string
	Encrypted bool
	User      string // who has signed in
}

// MailOptions configures a receiver.
type MailOptions struct {
	Password string
	TLS      *tls.Config // nil: none
	Implicit bool        // TLS from the first byte on, else STARTTLS
}

// NewMailReceiver starts a receiver that ends with the test.
func NewMailReceiver(t testing.TB, o MailOptions) *MailReceiver {
	t.Helper()
	r := &MailReceiver{Password: o.Password}
	r.server = smtp.NewServer(r)
	r.server.Domain, r.server.AllowInsecureAuth = "mail.example", o.TLS == nil
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.Address = listener.Addr().String()
	if o.TLS != nil && o.Implicit {
		listener = tls.NewListener(listener, o.TLS)
	} else {
		r.server.TLSConfig = o.TLS
	}
	go func() { _ = r.server.Serve(listener) }()
	t.Cleanup(func() { _ = r.server.Close() })
	return r
}

// Close stops the receiver.
func (r *MailReceiver) Close() { _ = r.server.Close() }

// Config returns the part email of the operator's file.
func (r *MailReceiver) Config() Object {
	return Object{"url": "smtp://" + r.Address, "from": "Acme <no-reply@acme.example>"}
}

// NewSession begins a session of the protocol.
func (r *MailReceiver) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &mailSession{receiver: r, conn: c}, nil
}

// Mails returns the mails that the receiver has accepted, in order.
func (r *MailReceiver) Mails() []Mail {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Mail(nil), r.mails...)
}

var mailLink = regexp.MustCompile(`https?://\S+`)

// LastLink returns the link in the mail that was accepted last.
func (r *MailReceiver) LastLink(t testing.TB) string {
	t.Helper()
	all := r.Mails()
	if len(all) == 0 {
		t.Fatal("the receiver has got no mail")
	}
	link := mailLink.FindString(all[len(all)-1].Text)
	if link == "" {
		t.Fatalf("no link in %q", all[len(all)-1].Text)
	}
	return link
}

// mailSession is a session of the protocol: at most one mail.
type mailSession struct {
	receiver *MailReceiver
	conn     *smtp.Conn
	mail     Mail
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "laurel" || password != s.receiver.Password {
			return errors.New("wrong password")
		}
		s.mail.User = user
		return nil
	}), nil
}

func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	if s.receiver.Password != "" && s.mail.User == "" {
		return smtp.ErrAuthRequired
	}
	s.mail.From = from
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.receiver.Refuse != nil {
		if err := s.receiver.Refuse(to); err != nil {
			return err
		}
	}
	s.mail.To = to
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := m.Body
	if m.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	_, s.mail.Encrypted = s.conn.TLSConnectionState()
	s.mail.Header, s.mail.Text = m.Header, strings.ReplaceAll(string(text), "\r\n", "\n")
	if s.receiver.RefuseText != nil {
		if err := s.receiver.RefuseText(s.mail); err != nil {
			return err
		}
	}
	s.receiver.mu.Lock()
	defer s.receiver.mu.Unlock()
	s.receiver.mails = append(s.receiver.mails, s.mail)
	return nil
}

func (s *mailSession) Reset()        {}
func (s *mailSession) Logout() error { return nil }
