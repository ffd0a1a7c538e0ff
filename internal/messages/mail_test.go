package messages_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"mime"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
)

// certificate is that of the receivers. TestMain makes it a root of this process.
var certificate tls.Certificate

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "messages")
	if err != nil {
		panic(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail.example"}, IPAddresses: []net.IP{{127, 0, 0, 1}},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	certificate = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	file := filepath.Join(folder, "root.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		panic(err)
	}
	_ = os.Setenv("SSL_CERT_FILE", file) // read once, when the first connection is checked
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// readMailer reads the part email of a file.
func readMailer(text string) (*messages.Mailer, error) {
	var f laurel.Faults
	o, _ := configfile.Parse(&f, "email.", []byte(text), "url", "from")
	m := messages.ReadMailer(o)
	return m, f.Err()
}

// sendMail sends an e-mail through a server.
func sendMail(t *testing.T, url string, in messages.Message) error {
	t.Helper()
	m, err := readMailer(`{"url":"` + url + `","from":"Äcme <no-reply@acme.example>"}`)
	if err != nil {
		t.Fatal(err)
	}
	s := messages.New(messages.Config{
		Now: time.Now, Client: outbound.New(outbound.Options{Trusted: true}), Email: m, Logger: slog.New(slog.DiscardHandler),
	})
	return s.Send(context.Background(), laurel.Scope{}, messages.Sending{}, in)
}

var aMail = messages.Message{
	Kind: messages.Email, To: "anna@mail.example", Subject: "Confirm for Ä\r\nBcc: x@y.example", Text: "Grüße,\n\nhttps://x.example/?a=b\n",
}

func TestAMailReachesAServerOfEachKind(t *testing.T) {
	t.Parallel()
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	for name, c := range map[string]struct {
		options apptest.MailOptions
		scheme  string // with the credentials
		is      apptest.Mail
	}{
		"plain":    {apptest.MailOptions{}, "smtp://", apptest.Mail{}},
		"STARTTLS": {apptest.MailOptions{TLS: config}, "smtp://", apptest.Mail{Encrypted: true}},
		"STARTTLS, signed in": {
			apptest.MailOptions{TLS: config, Password: "p"}, "smtp://laurel:p@", apptest.Mail{Encrypted: true, User: "laurel"},
		},
		"TLS, signed in": {
			apptest.MailOptions{TLS: config, Implicit: true, Password: "p"}, "smtps://laurel:p@",
			apptest.Mail{Encrypted: true, User: "laurel"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := apptest.NewMailReceiver(t, c.options)
			if err := sendMail(t, c.scheme+r.Address, aMail); err != nil {
				t.Fatal(err)
			}
			all := r.Mails()
			if len(all) != 1 {
				t.Fatalf("%d mails", len(all))
			}
			got := all[0]
			subject, _ := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
			from, _ := new(mime.WordDecoder).DecodeHeader(got.Header.Get("From"))
			if got.From != "no-reply@acme.example" || got.To != aMail.To || got.Text != aMail.Text ||
				!strings.HasPrefix(subject, "Confirm for Ä") || got.Header.Get("Bcc") != "" || !strings.Contains(from, "Äcme") ||
				got.Encrypted != c.is.Encrypted || got.User != c.is.User || got.Header.Get("Message-Id") == "" {
				t.Errorf("%+v, subject %q", got, subject)
			}
		})
	}
}

func TestAPasswordIsNotSentInTheClear(t *testing.T) {
	t.Parallel()
	r := apptest.NewMailReceiver(t, apptest.MailOptions{Password: "s3cret"})
	err := sendMail(t, "smtp://laurel:s3cret@"+r.Address, aMail)
	if laurel.CodeOf(err) != laurel.Unanswered || strings.Contains(err.Error(), "s3cret") || len(r.Mails()) != 0 {
		t.Errorf("%v, %d mails", err, len(r.Mails()))
	}
}

func TestTheCauseOfNoSessionIsNamed(t *testing.T) {
	t.Parallel()
	open := apptest.NewMailReceiver(t, apptest.MailOptions{
		TLS: &tls.Config{Certificates: []tls.Certificate{certificate}}, Password: "s3cret",
	})
	_, port, _ := net.SplitHostPort(open.Address)
	for url, want := range map[string]string{
		"smtp://laurel:wr0ng@" + open.Address: "smtp: the server refused the session or the sign-in, code 454",
		"smtp://127.0.0.1:1":                  "smtp: no connection to the server",
		"smtp://localhost:" + port:            "smtp: the certificate of the server is not valid for its host",
	} {
		err := sendMail(t, url, aMail)
		if laurel.CodeOf(err) != laurel.Unanswered || !strings.Contains(causeOf(err), want) ||
			strings.Contains(causeOf(err), "wr0ng") {
			t.Errorf("%s: %s, want %s", url, causeOf(err), want)
		}
	}
}

// causeOf returns the texts of an error and of all that it wraps.
func causeOf(err error) string {
	text := ""
	for ; err != nil; err = errors.Unwrap(err) {
		text += err.Error() + "\n"
	}
	return text
}

func TestARefusedMailIsAFailureOfTheProvider(t *testing.T) {
	t.Parallel()
	r := apptest.NewMailReceiver(t, apptest.MailOptions{})
	for to, c := range map[string]struct {
		err     *smtp.SMTPError
		message string
	}{
		"gone@mail.example": {&smtp.SMTPError{Code: 550, Message: "no such user gone@mail.example"}, "Provider did not accept the message"},
		"busy@mail.example": {&smtp.SMTPError{Code: 451, Message: "later"}, "Provider failed"},
	} {
		r.Refuse = func(string) error { return c.err }
		in := aMail
		in.To = to
		err := sendMail(t, "smtp://"+r.Address, in)
		if laurel.CodeOf(err) != laurel.Unanswered || !strings.HasPrefix(err.Error(), c.message+": smtp: ") ||
			strings.Contains(err.Error(), to) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestRefusedRecipientsDoNotPauseTheServer(t *testing.T) {
	t.Parallel()
	r := apptest.NewMailReceiver(t, apptest.MailOptions{})
	r.Refuse = func(to string) error {
		switch {
		case strings.HasPrefix(to, "typo"):
			return &smtp.SMTPError{Code: 450, Message: "domain not found"}
		case strings.HasPrefix(to, "closing"):
			return &smtp.SMTPError{Code: 421, Message: "closing"}
		}
		return nil
	}
	m, err := readMailer(`{"url":"smtp://` + r.Address + `","from":"no-reply@acme.example"}`)
	if err != nil {
		t.Fatal(err)
	}
	for name, isPaused := range map[string]bool{"typo": false, "closing": true} {
		s := messages.New(messages.Config{
			Now: time.Now, Client: outbound.New(outbound.Options{Trusted: true}), Email: m,
			Logger: slog.New(slog.DiscardHandler),
		})
		send := func(to string) error {
			in := aMail
			in.To = to
			return s.Send(context.Background(), laurel.Scope{}, messages.Sending{}, in)
		}
		for i := range 6 {
			if err := send(name + "@mail.example"); err == nil {
				t.Errorf("%s: accepted", name)
			}
			status := s.Statuses(laurel.ID{})[1]
			if got, want := status.PausedUntil.After(time.Now()), isPaused && i >= 4; got != want {
				t.Errorf("after %d refusals of %s: paused %v, not %v", i+1, name, got, want)
			}
		}
		if err := send("anna@mail.example"); (err != nil) != isPaused {
			t.Errorf("after six refusals of %s: %v", name, err)
		}
	}
}

func TestAFaultOfTheMailerNamesItsPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"from":"a@b.example"}`:                                           "email.url is required",
		`{"url":"smtp://x.example"}`:                                       "email.from is required",
		`{"url":"http://x.example","from":"a@b.example"}`:                  "email.url must be an address such as smtp://",
		`{"url":"smtp://","from":"a@b.example"}`:                           "email.url must be an address such as smtp://",
		`{"url":"smtp://x.example:99999","from":"a@b.example"}`:            "email.url must be an address such as smtp://",
		`{"url":"smtp://u:s3cret@x.example/path","from":"a@b.example"}`:    "email.url must be an address such as smtp://",
		`{"url":"smtp://u:s3cret@x.example:x","from":"a@b.example"}`:       "email.url must be an address such as smtp://",
		`{"url":"smtp://u:p@x.example","from":"nobody"}`:                   "email.from must be an address such as Acme <",
		`{"url":"smtp://u:p@x.example","from":"a@b.example, c@d.example"}`: "email.from must be an address such as Acme <",
	} {
		if _, err := readMailer(text); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
