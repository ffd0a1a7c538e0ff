package messages

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/textproto"
	"net/url"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
)

// Mailer is the SMTP server through which e-mails are sent, and their sender.
type Mailer struct {
	host               string
	port               int
	isTLS              bool // from the first byte on; else STARTTLS, where the server offers it
	username, password string
	from               netmail.Address
}

// The ports of SMTP servers that take mail from programs (RFC 8314): with STARTTLS, and with TLS from the start.
const (
	submissionPort  = 587
	submissionsPort = 465
)

const mailTimeout = 10 * time.Second

// ReadMailer reads the part email of the operator's file (contract 8.8):
//
//	{"url": "smtp://user:password@mail.example.com:587", "from": "Acme <no-reply@example.com>"}
//
// smtps:// is TLS from the start, smtp:// uses STARTTLS where the server offers it. Faults repeat nothing of the
// address, which holds a password.
func ReadMailer(o configfile.Object) *Mailer {
	m := &Mailer{}
	if text := o.RequiredText("url"); text != "" && !m.readAddress(text) {
		o.Fault("url", "must be an address such as smtp://user:password@mail.example.com:587")
	}
	if text := o.RequiredText("from"); text != "" {
		from, err := netmail.ParseAddress(text)
		if err != nil {
			o.Fault("from", "must be an address such as Acme <no-reply@example.com>")
			return m
		}
		m.from = *from
	}
	return m
}

// readAddress reads the address of an SMTP server. It returns false if the address is malformed.
func (m *Mailer) readAddress(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return false
	}
	switch m.host = u.Hostname(); u.Scheme {
	case "smtp":
		m.port = submissionPort
	case "smtps":
		m.port, m.isTLS = submissionsPort, true
	default:
		return false
	}
	if port := u.Port(); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return false
		}
		m.port = int(n)
	}
	m.username = u.User.Username()
	m.password, _ = u.User.Password()
	return true
}

// mailSender sends e-mails through a mailer, under the circuit breakers of the client.
type mailSender struct {
	mailer *Mailer
	client *outbound.Client
}

// send delivers an e-mail to the SMTP server, unless that has failed several times in a row for the website and is left
// alone for a while.
func (s mailSender) send(ctx context.Context, scope laurel.Scope, m Message) error {
	host := net.JoinHostPort(s.mailer.host, strconv.Itoa(s.mailer.port))
	err := s.client.Protect(ctx, scope.WebsiteID.String(), host, func() (hostErr, err error) {
		err = s.deliver(ctx, m)
		if f := (*failure)(nil); errors.As(err, &f) && f.isOfHost {
			hostErr = &outbound.Fault{Err: f} // it learns of a pause that begins with it
			return hostErr, hostErr
		}
		return nil, err
	})
	var fault *outbound.Fault
	if !errors.As(err, &fault) {
		return err
	}
	if f := (*failure)(nil); errors.As(fault.Err, &f) {
		f.pausedFor = fault.PausedFor
		return f
	}
	return gatewayFailure("smtp", err)
}

// deliver delivers an e-mail to the SMTP server, over a connection of its own.
func (s mailSender) deliver(ctx context.Context, m Message) error {
	message, err := s.mailer.compose(m)
	if err != nil {
		return err
	}
	client, err := s.mailer.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	connection, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return mailFailure(err)
	}
	err = client.SendWithSMTPClient(connection, message)
	_ = client.CloseWithSMTPClient(connection) // what the server has accepted stays accepted
	if err != nil && !message.IsDelivered() {
		return mailFailure(err)
	}
	return nil
}

// compose returns the e-mail of a message.
func (m *Mailer) compose(in Message) (*mail.Msg, error) {
	message := mail.NewMsg()
	if err := message.FromFormat(m.from.Name, m.from.Address); err != nil {
		return nil, errors.New("messages: the sender of e-mails is malformed")
	}
	if err := message.To(in.To); err != nil {
		return nil, errors.New("messages: the address of an e-mail is malformed")
	}
	message.Subject(in.Subject)
	message.SetDate()
	message.SetMessageID()
	message.SetBodyString(mail.TypeTextPlain, in.Text)
	message.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody answers it automatically
	return message, nil
}

// client returns a client of the SMTP server. A password is sent over an encrypted connection only.
func (m *Mailer) client() (*mail.Client, error) {
	options := []mail.Option{
		mail.WithPort(m.port), mail.WithTimeout(mailTimeout), mail.WithTLSPolicy(mail.TLSOpportunistic),
		mail.WithTLSConfig(&tls.Config{ServerName: m.host, MinVersion: tls.VersionTLS12}),
	}
	if m.isTLS {
		options = append(options, mail.WithSSL())
	}
	if m.username != "" {
		options = append(options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(m.username), mail.WithPassword(m.password))
	}
	return mail.NewClient(m.host, options...)
}

// mailFailure returns the failure of an e-mail that was not accepted. The cause names the step and the server's code
// only: the texts of servers may repeat the message.
func mailFailure(err error) error {
	var refused *mail.SendError
	if errors.As(err, &refused) {
		cause := fmt.Errorf("smtp: %s, code %d", refused.Reason, refused.ErrorCode())
		if refused.IsTemp() {
			// 4xx to a recipient, such as of an unknown domain, says nothing about the server, except that it closes
			isOfHost := refused.Reason != mail.ErrSMTPRcptTo || refused.ErrorCode() == codeClosing
			return &failure{message: outbound.ProviderFailed, cause: cause, isOfHost: isOfHost}
		}
		return &failure{message: msgRefused, cause: cause}
	}
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		cause := errors.New("smtp: no answer in time")
		return &failure{message: outbound.ProviderSlow, cause: cause, isUnsent: true, isOfHost: true}
	}
	return &failure{message: outbound.ProviderUnreachable, cause: connectionCause(err), isUnsent: true, isOfHost: true}
}

// codeClosing is the code of a server that is not available and closes the connection (RFC 5321, 4.2.3).
const codeClosing = 421

// connectionCause returns why there is no session with the server, in words of ours.
func connectionCause(err error) error {
	var certificate *tls.CertificateVerificationError
	var refused *textproto.Error
	var dial *net.OpError
	switch {
	case errors.As(err, &certificate):
		return errors.New("smtp: the certificate of the server is not valid for its host")
	case errors.As(err, &refused):
		return fmt.Errorf("smtp: the server refused the session or the sign-in, code %d", refused.Code)
	case errors.As(err, &dial) && dial.Op == "dial":
		return errors.New("smtp: no connection to the server")
	}
	return errors.New("smtp: no TLS, or no sign-in that both sides know")
}
