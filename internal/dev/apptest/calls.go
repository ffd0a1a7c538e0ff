package apptest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// Object is a JSON object.
type Object = map[string]any

// Response is a response of the API.
type Response struct {
	T      testing.TB
	Status int
	Header http.Header
	Body   string
}

// Call sends a request with a key, or without one if key is "", and checks the response against the OpenAPI document.
// body may be nil, a string that is sent as it is, or a value that is encoded as JSON. headers are names and values in
// turn.
func (s *Server) Call(key, method, path string, body any, headers ...string) Response {
	s.T.Helper()
	var sent []byte
	switch b := body.(type) {
	case nil:
		// nothing is sent
	case string:
		sent = []byte(b)
	default:
		var err error
		if sent, err = json.Marshal(b); err != nil {
			s.T.Fatal(err)
		}
	}
	if len(sent) > 0 {
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	if key != "" {
		headers = append([]string{"X-API-KEY", key}, headers...)
	}
	out := s.Send(method, path, bytes.NewReader(sent), headers...)
	out.Body = strings.TrimSpace(out.Body)
	s.checkSchema(method, path, out)
	s.record(method, path, sent, out)
	return out
}

// Get sends a GET request with the website key.
func (s *Server) Get(path string) Response {
	s.T.Helper()
	return s.Call(s.WebsiteAPIKey, http.MethodGet, path, nil)
}

// Post sends a POST request with the website key.
func (s *Server) Post(path string, body any) Response {
	s.T.Helper()
	return s.Call(s.WebsiteAPIKey, http.MethodPost, path, body)
}

// OK fails unless the status is 200, and returns the decoded object. Numbers are json.Number, so that amounts are
// compared exactly.
func (a Response) OK() Object {
	a.T.Helper()
	if a.Status != http.StatusOK {
		a.T.Fatalf("status %d: %s", a.Status, a.Body)
	}
	return a.JSON()
}

// Created fails unless the status is 201, and returns the decoded object.
func (a Response) Created() Object {
	a.T.Helper()
	if a.Status != http.StatusCreated {
		a.T.Fatalf("status %d: %s", a.Status, a.Body)
	}
	return a.JSON()
}

// JSON decodes the object of a response, whatever its status.
func (a Response) JSON() Object {
	a.T.Helper()
	d := json.NewDecoder(strings.NewReader(a.Body))
	d.UseNumber()
	var o Object
	if err := d.Decode(&o); err != nil {
		a.T.Fatalf("%v: %s", err, a.Body)
	}
	return o
}

// Data returns the items of a list.
func (a Response) Data() []Object {
	a.T.Helper()
	var out []Object
	for _, item := range a.OK()["data"].([]any) {
		out = append(out, item.(Object))
	}
	return out
}

// Refused fails unless the response has the status and the exact message, and returns the decoded object.
func (a Response) Refused(status int, message string) Object {
	a.T.Helper()
	o := a.JSON()
	if a.Status != status || o["message"] != message {
		a.T.Fatalf("got %d %s, want %d %q", a.Status, a.Body, status, message)
	}
	if code, _ := o["code"].(string); code == "" {
		a.T.Errorf("a refusal without a code: %s", a.Body)
	}
	return o
}

// JSONNumber returns a number in the form that decoded responses hold.
func JSONNumber(text string) json.Number { return json.Number(text) }

// Number returns a decoded whole number as an int.
func Number(v any) int {
	n, err := strconv.Atoi(v.(json.Number).String())
	if err != nil {
		panic(err)
	}
	return n
}

// UnknownID is a well-formed id that names no record.
const UnknownID = "01890000-0000-7000-8000-000000000000"

// SecondUnknownID is another well-formed id that names no record.
const SecondUnknownID = "019bbc60-0000-7000-8000-000000000bad"

// TokenMissing is the refusal of a client key that acts for a user without a token.
const TokenMissing = "Member token is required"

// SameFaults fails unless a refusal has exactly the wanted faults, in any order. name is that of the case.
func SameFaults(t *testing.T, name string, refusal Object, want []Object) {
	t.Helper()
	list, _ := refusal["errors"].([]any)
	left := map[string]int{}
	for _, item := range list {
		fault := item.(Object)
		left[fmt.Sprint(fault["path"], ": ", fault["message"])]++
		if code, _ := fault["code"].(string); code == "" {
			t.Errorf("%s: a problem without a code: %v", name, fault)
		}
	}
	for _, fault := range want {
		left[fmt.Sprint(fault["path"], ": ", fault["message"])]--
	}
	for fault, n := range left {
		if n != 0 {
			t.Errorf("%s: %+d of %q in %v", name, n, fault, refusal)
		}
	}
}

// Token issues a member token for a wallet.
func (s *Server) Token(wallet string) string {
	s.T.Helper()
	return s.Post("/api/users/tokens", Object{"walletAddress": wallet}).OK()["token"].(string)
}

// MemberTokenHeaders returns the headers by which a client key acts for a user.
func (s *Server) MemberTokenHeaders(user string) []string {
	s.T.Helper()
	return []string{
		"Authorization",
		"Bearer " + s.Post("/api/users/tokens", Object{"userId": user}).OK()["token"].(string),
	}
}

// ClientKey creates a client key of a website of the server's organization.
func (s *Server) ClientKey(website string) string {
	s.T.Helper()
	id, err := laurel.ParseID(website)
	if err != nil {
		s.T.Fatal(err)
	}
	scope := laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization}
	made, err := s.App.Tenancy.CreateKey(
		context.Background(),
		scope,
		tenancy.CreateKeyInput{Role: laurel.RoleClient, WebsiteID: id, Name: "client"},
	)
	if err != nil {
		s.T.Fatal(err)
	}
	return made.Key
}
