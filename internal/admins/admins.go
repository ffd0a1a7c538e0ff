// Package admins owns the people who sign in to the dashboard: their accounts, passwords and second factors, the links
// that let them in for the first time, their sessions, and their roles in organizations. rights.go says what a role
// may do; roles on single websites belong to tenancy.
package admins

import (
	"context"
	"log/slog"
	"net/mail"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
)

// Users creates the users that admins act as. Package identity implements it.
type Users interface {
	// CreateServiceUser makes a user without wallet.
	CreateServiceUser(ctx context.Context, tx *store.Tx, organization laurel.ID) (laurel.ID, error)
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB      *store.DB
	Tenancy *tenancy.Service
	Users   Users
	Vault   *vault.Vault // seals the secrets of second factors
	Logger  *slog.Logger
	// QuickPasswords hashes passwords at next to no cost, for tests that sign in hundreds of times.
	QuickPasswords bool
}

// Service manages admins.
type Service struct {
	Config
	hashSlots chan struct{} // bounds the memory that password hashes take
	cost      *argon2id.Params
	dummyHash func() (string, error) // see newDummyHash
}

// New returns the service.
func New(c Config) *Service {
	cost := hashCost(c.QuickPasswords)
	return &Service{
		Config: c, hashSlots: make(chan struct{}, maxConcurrentHashes), cost: cost, dummyHash: newDummyHash(cost),
	}
}

// Admin is a person who signs in.
type Admin struct {
	ID           laurel.ID
	Email        string // in lower case
	Name         string
	TimeZone     string // of the IANA database; times are shown in it
	SecondFactor bool
	HasPassword  bool  // without one, the admin signs in at the identity provider or by links
	Credentials  int64 // version of password and second factor; sessions of an earlier version have ended
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// The limits of texts in characters.
const (
	maxName     = 200
	maxEmail    = 254 // RFC 5321, section 4.5.3.1.3
	minPassword = 10
	maxPassword = 200
)

// Account is the input for a new account.
type Account struct {
	Email    string
	Name     string // empty: the e-mail address
	Password string // 10..200 characters
}

// normalize changes the account: it writes the e-mail address in its normal form, trims the name, and takes the address
// as the name if there is none. It returns every fault as one error.
func (a *Account) normalize() error {
	var f laurel.Faults
	a.Email = NormalizeEmail(a.Email)
	checkEmail(&f, a.Email)
	if a.Name = strings.TrimSpace(a.Name); a.Name == "" {
		a.Name = a.Email
	}
	f.Text("name", a.Name, 1, maxName)
	checkPassword(&f, a.Password)
	return f.Err()
}

// NormalizeEmail returns the form in which addresses are stored and compared.
func NormalizeEmail(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// checkEmail adds a fault unless the text is an e-mail address without a name.
func checkEmail(f *laurel.Faults, email string) {
	parsed, err := mail.ParseAddress(email)
	if len(email) > maxEmail || err != nil || parsed.Address != email {
		f.Add("email", "must be an email address")
	}
}

// Admin returns an admin. Errors: NotFound "Admin".
func (s *Service) Admin(ctx context.Context, id laurel.ID) (Admin, error) {
	row, err := findAdmin(ctx, s.DB, id)
	if store.IsNoRows(err) {
		return Admin{}, laurel.Missing("Admin")
	}
	return row.admin(), err
}

// GetByEmail returns the admin with an e-mail address. Errors: NotFound "Admin".
func (s *Service) GetByEmail(ctx context.Context, email string) (Admin, error) {
	row, err := findAdminByEmail(ctx, s.DB, NormalizeEmail(email))
	if store.IsNoRows(err) {
		return Admin{}, laurel.Missing("Admin")
	}
	return row.admin(), err
}

// FindOrCreateOwner makes the admin with an e-mail address an owner of the organization. If there is no such admin, it
// creates one with the name and a random password, which nobody learns: the admin needs a link to sign in.
func (s *Service) FindOrCreateOwner(ctx context.Context, organization laurel.ID, email, name string) (Admin, error) {
	found, err := s.GetByEmail(ctx, email)
	if err == nil {
		return found, s.MakeOwner(ctx, found.ID, organization)
	}
	if laurel.CodeOf(err) != laurel.NotFound {
		return Admin{}, err
	}
	token, _, err := s.NewLink(ctx, Link{
		Kind: InviteLink, OrganizationID: organization, Role: tenancy.RoleSuperAdmin, Email: email,
	})
	if err != nil {
		return Admin{}, err
	}
	return s.JoinByLink(ctx, token, Account{Email: email, Name: name, Password: token})
}

// HasAdmins reports whether there is an admin. If not, the setup link creates the first one.
func (s *Service) HasAdmins(ctx context.Context) (bool, error) { return hasAdmins(ctx, s.DB) }

// Profile is the part of an account that admins edit themselves.
type Profile struct {
	Name     string
	TimeZone string
}

// ChangeProfile writes an admin's profile. Errors: Invalid.
func (s *Service) ChangeProfile(ctx context.Context, id laurel.ID, p Profile) (Admin, error) {
	var f laurel.Faults
	p.Name = strings.TrimSpace(p.Name)
	f.Text("name", p.Name, 1, maxName)
	if _, err := time.LoadLocation(p.TimeZone); err != nil || p.TimeZone == "" || p.TimeZone == "Local" {
		f.Add("timeZone", "must be a time zone, such as Europe/Berlin")
	}
	if err := f.Err(); err != nil {
		return Admin{}, err
	}
	return s.change(ctx, id, func(_ *store.Tx, row *adminRow) error {
		row.Name, row.TimeZone = p.Name, p.TimeZone
		return nil
	})
}

// change locks the row of an admin, calls edit and writes the row. If edit returns an error, nothing changes. Errors:
// NotFound "Admin", those of edit.
func (s *Service) change(
	ctx context.Context,
	id laurel.ID,
	edit func(tx *store.Tx, row *adminRow) error,
) (Admin, error) {
	var row adminRow
	err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		if row, err = lockAdmin(ctx, tx, id); err != nil {
			return err
		}
		if err := edit(tx, &row); err != nil {
			return err
		}
		row.UpdatedAt = store.Micros(tx.Now())
		return adminTable.Update(ctx, tx, &row)
	})
	if store.IsNoRows(err) {
		return Admin{}, laurel.Missing("Admin")
	}
	return row.admin(), err
}
