// Package connect owns the flows in which members prove that an account elsewhere is theirs (contract 8), and the
// operator's configuration of them. It does not own the accounts that a member has (identity), nor how a platform is
// spoken to (platforms).
package connect

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins/sso"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// Config is the operator's configuration of identity (contract 8.8).
type Config struct {
	MaxAccountsPerPlatformID int
	Lifetimes                Lifetimes
	Limits                   messages.Limits
	Drivers                  []platforms.Driver
	SMS                      *messages.Gateway // nil: there is none
	Email                    *messages.Mailer  // nil: there is none
	Admins                   *sso.Provider     // at which admins sign in; nil: there is none
}

// Lifetimes say how long what a flow hands out is valid.
type Lifetimes struct{ State, ProfileProof, EmailLink, PhoneCode, AccountLink time.Duration }

const (
	maxAccounts = 1000
	maxSeconds  = 24 * 60 * 60
	maxPerHour  = 10_000
)

// DefaultConfig returns the configuration without a file.
func DefaultConfig() Config {
	return Config{
		MaxAccountsPerPlatformID: 1,
		Lifetimes: Lifetimes{
			State: 10 * time.Minute, ProfileProof: 30 * time.Minute, EmailLink: time.Hour, PhoneCode: 10 * time.Minute,
			AccountLink: 15 * time.Minute,
		},
		Limits: messages.DefaultLimits(),
	}
}

// ReadConfig reads the content of the operator's file. Faults are added to f, with prefix in front of their paths.
// ruleTypes returns the rule types that a platform can check.
func ReadConfig(
	f *laurel.Faults, prefix string, text []byte, guard *outbound.Guard, ruleTypes func(platform string) []string,
) Config {
	c := DefaultConfig()
	top, ok := configfile.Parse(f, prefix, text, "maxAccountsPerPlatformId", "seconds", "limits", "platforms", "sms", "email",
		"admins")
	if !ok {
		return c
	}
	c.MaxAccountsPerPlatformID = top.Int("maxAccountsPerPlatformId", 1, maxAccounts, c.MaxAccountsPerPlatformID)
	c.Lifetimes.read(top)
	if limits, ok := top.Object("limits", "phone", "email"); ok {
		readLimit(c.Limits, messages.SMS, limits, "phone")
		readLimit(c.Limits, messages.Email, limits, "email")
	}
	if o, ok := top.Object("sms", "url", "method", "headers", "body"); ok {
		c.SMS = messages.ReadGateway(o, guard)
	}
	if o, ok := top.Object("email", "url", "from"); ok {
		c.Email = messages.ReadMailer(o)
	}
	if o, ok := top.Object("admins", sso.Properties...); ok {
		c.Admins = sso.ReadProvider(o, guard)
	}
	c.Drivers = platforms.Reader{Faults: f, Guard: guard, RuleTypes: ruleTypes}.Drivers(top)
	return c
}

// read reads the property seconds.
func (l *Lifetimes) read(top configfile.Object) {
	o, ok := top.Object("seconds", "state", "profileProof", "emailLink", "phoneCode", "accountLink")
	if !ok {
		return
	}
	for name, life := range map[string]*time.Duration{
		"state": &l.State, "profileProof": &l.ProfileProof, "emailLink": &l.EmailLink, "phoneCode": &l.PhoneCode,
		"accountLink": &l.AccountLink,
	} {
		*life = time.Duration(o.Int(name, 1, maxSeconds, int(life.Seconds()))) * time.Second
	}
}

// readLimit reads the limit of a kind of messages.
func readLimit(to messages.Limits, kind messages.Kind, limits configfile.Object, name string) {
	if o, ok := limits.Object(name, "everySeconds", "perHour"); ok {
		l := to[kind]
		l.Every = time.Duration(o.Int("everySeconds", 0, maxSeconds, int(l.Every.Seconds()))) * time.Second
		l.PerHour = o.Int("perHour", 0, maxPerHour, l.PerHour)
		to[kind] = l
	}
}
