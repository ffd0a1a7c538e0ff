package apptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
)

// Partner is a partner of the operator that verifies rules (contract 6). It knows which wallets have an account or an
// attendance token, and what customers bought.
type Partner struct {
	*httptest.Server
	Mu        sync.Mutex
	questions []PartnerQuestion
	Holders   map[string]bool // wallets with an account, or with a token
	Bought    []Purchase
	// Say is called first. If it returns a status other than 0, that is the response; -1 cuts the connection.
	Say func(q PartnerQuestion) (status int, body string)
}

// PartnerQuestion is the body of a verification request to a partner.
type PartnerQuestion struct {
	OrganizationID, WebsiteID string
	Rule                      struct {
		ID, Name, Type string
		Metadata       map[string]any
		Collections    []any
		ShopStoreURL   *string
	}
	User struct {
		ID                                                   *string
		WalletAddresses, EmailAddresses, ExternalIdentifiers []string
	}
	Since   *time.Time
	Until   time.Time
	Request struct {
		ContentURL, VerificationCode *string
		RangeValue                   *laurel.Amount
	}
}

// Purchase is what a customer bought.
type Purchase struct {
	Customer string // address or id
	At       time.Time
	Sum      laurel.Amount
}

// NewPartner starts a partner that ends with the test.
func NewPartner(t *testing.T) *Partner {
	t.Helper()
	p := &Partner{Holders: map[string]bool{}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.respond))
	t.Cleanup(p.Close)
	return p
}

// PartnerSecret is the Authorization header that the service must send to the partner.
const PartnerSecret = "Bearer s3cret"

// respond serves a verification request. If Say returns a response, that is sent. Otherwise the request is fulfilled if
// a wallet of the user is among the Holders or, for shop_spend, if the customer bought anything in the given time. A
// malformed request or a wrong secret gets 401.
func (p *Partner) respond(w http.ResponseWriter, r *http.Request) {
	var q PartnerQuestion
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" ||
		r.Header.Get("Authorization") != PartnerSecret ||
		json.NewDecoder(r.Body).Decode(&q) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.Mu.Lock()
	p.questions = append(p.questions, q)
	say := p.Say
	p.Mu.Unlock()
	if say != nil {
		if status, body := say(q); status != 0 {
			respond(w, status, body)
			return
		}
	}
	p.Mu.Lock()
	defer p.Mu.Unlock()
	if q.Rule.Type != "shop_spend" {
		_, _ = fmt.Fprintf(
			w,
			`{"fulfilled":%t}`,
			slices.ContainsFunc(q.User.WalletAddresses, func(wallet string) bool { return p.Holders[wallet] }),
		)
		return
	}
	var spent laurel.Amount
	for _, b := range p.Bought {
		isCustomer := slices.Contains(q.User.EmailAddresses, b.Customer) ||
			slices.Contains(q.User.ExternalIdentifiers, b.Customer)
		if isCustomer && (q.Since == nil || !b.At.Before(*q.Since)) && b.At.Before(q.Until) {
			spent += b.Sum
		}
	}
	_, _ = fmt.Fprintf(w, `{"fulfilled":%t,"value":%q,"currency":"EUR"}`, spent > 0, spent)
}

// Set changes the partner while no request is served.
func (p *Partner) Set(f func(p *Partner)) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	f(p)
}

// RespondAlways makes the partner give the same response from now on.
func (p *Partner) RespondAlways(status int, body string) {
	p.Set(func(p *Partner) { p.Say = func(PartnerQuestion) (int, string) { return status, body } })
}

// TakeQuestions returns the questions since it was called last.
func (p *Partner) TakeQuestions() []PartnerQuestion {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	list := p.questions
	p.questions = nil
	return list
}

// ConfigFile writes a file of partners that has this partner for all its types, and returns the path.
func (p *Partner) ConfigFile(t *testing.T) string {
	t.Helper()
	var list []string
	for _, kind := range append([]string{"listing"}, PartnerTypes...) {
		list = append(
			list,
			fmt.Sprintf(
				`{"type":%q,"url":%q,"header":{"name":"Authorization","value":%q},"timeoutSeconds":4}`,
				kind,
				p.URL+"/"+kind,
				PartnerSecret,
			),
		)
	}
	return WriteConfig(t, `{"partners":[`+strings.Join(list, ",")+`]}`)
}

// PartnerTypes are the rule types of partners that calls complete. Besides there is listing, which only runs complete.
var PartnerTypes = []string{"create_partner_account", "shop_spend", "attendance_token_claim", "governance_vote", "swap"}

// Refusals of rules that a partner decides.
const (
	NoCustomer = "Email not connected or not verified"
	Undone     = "Quest not completed"
)
