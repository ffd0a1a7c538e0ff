package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// NewTest serves the operations and a few that show one rule of the frame each.
func NewTest(cfg Config, operations []Operation) (http.Handler, error) {
	a, err := newAPI(context.Background(), cfg)
	if err != nil {
		return nil, err
	}
	return a.handler(append(operations, a.testRoutes()...), nil), nil
}

// Failing is what GET /api/test/fail/{code} fails with, by code.
var Failing = map[string]error{
	"refused":     laurel.Errorf(laurel.Refused, "Loyalty rule has expired"),
	"rewarded":    &laurel.Error{Code: laurel.Refused, Message: "You have already been rewarded", Rewarded: true},
	"missing":     laurel.Missing("Account"),
	"limited":     &laurel.Error{Code: laurel.RateLimited, RetryAfter: 7},
	"unavailable": &laurel.Error{Code: laurel.Unavailable, Message: "the database is away"},
	"unanswered": fmt.Errorf(
		"%w: a cause for the log only",
		&laurel.Error{Code: laurel.Unanswered, Message: "Provider did not answer in time", RetryAfter: 5},
	),
	"fault":  errors.New("a cause for the log only"),
	"cursor": laurel.ErrCursor(),
}

// Echo is what the test routes answer: what they read.
type Echo struct {
	Organization laurel.ID         `json:"organization"`
	Website      *laurel.ID        `json:"website"`
	Limit        int               `json:"limit"`
	After        *laurel.ID        `json:"after"`
	IDs          []laurel.ID       `json:"ids"`
	Null         bool              `json:"null"`
	Texts        []string          `json:"texts"`
	Text         string            `json:"text"`
	Flag         *bool             `json:"flag"`
	Since        *laurel.Timestamp `json:"since"`
	Member       string            `json:"member"`
}

type echoInput struct {
	Paging
	UserID        IDs       `query:"userId"`
	WalletAddress Addresses `query:"walletAddress"`
	UserGroupID   ID        `query:"userGroupId"`
	Text          string    `query:"text"`
	Kind          string    `query:"kind" enum:"credit,debit"`
	Flag          Bool      `query:"flag"`
	Since         Moment    `query:"since"`
}

type neededInput struct {
	RuleID ID      `query:"loyaltyRuleId" required:"true"`
	Limit  Limit10 `query:"limit"`
}

type writeInput struct {
	Body struct {
		Name    string                         `json:"name" minLength:"1" maxLength:"10"`
		UserID  laurel.ID                      `json:"userId,omitzero"`
		Amount  laurel.Amount                  `json:"amount,omitempty"`
		Percent *float64                       `json:"percent,omitempty" minimum:"1" maximum:"100"`
		Kind    string                         `json:"kind,omitempty" enum:"credit,debit"`
		Flag    bool                           `json:"flag,omitempty"`
		At      *laurel.Timestamp              `json:"at,omitempty"`
		Note    laurel.Optional[string]        `json:"note,omitzero"`
		Extra   laurel.Optional[laurel.Amount] `json:"extra,omitzero"`
		Entries []writeEntry                   `json:"entries,omitempty" maxItems:"3"`
		More    laurel.Object                  `json:"metadata,omitempty"`
	}
}

type writeEntry struct {
	ChainID int           `json:"chainId"`
	Amount  laurel.Amount `json:"amount"`
}

// Written is the answer of POST /api/test/write.
type Written struct {
	Name   string            `json:"name"`
	UserID *laurel.ID        `json:"userId"`
	Amount laurel.Amount     `json:"amount"`
	At     *laurel.Timestamp `json:"at"`
	Note   string            `json:"note"`
	More   laurel.Object     `json:"metadata"`
	Total  laurel.Amount     `json:"total"`
	Chains []int             `json:"chains,omitempty"`
	Key    string            `json:"key"`
}

// Tidied returns how the body of POST /api/test/write is read.
func Tidied() func(body []byte) (tidy []byte, misread laurel.Faults) {
	s, _ := writeShape()
	return func(body []byte) ([]byte, laurel.Faults) {
		t := tidyBody(s, body)
		return t.out, t.unreadable
	}
}

func writeShape() (*shape, huma.Registry) {
	r := newHuma("").Components.Schemas
	registerTypes(r, reflect.TypeFor[writeInput](), typeSet{})
	body := reflect.TypeFor[writeInput]().Field(0).Type
	return shaper{registry: r}.shapeOf(body, r.Schema(body, true, "write")), r
}

// Judged returns what the frame and huma find wrong with a body of POST /api/test/write, and whether part of it was
// dropped before.
func Judged() func(body []byte) (own, humas laurel.Faults, dropped bool) {
	s, r := writeShape()
	return func(body []byte) (own, humas laurel.Faults, dropped bool) {
		t := tidyBody(s, body)
		j := bodyChecker{registry: r, path: huma.NewPathBuffer(nil, 0), reported: t.unreadable}
		j.check(s, bytes.TrimSpace(t.out))
		var v any
		if err := json.Unmarshal(t.out, &v); err != nil {
			panic(err)
		}
		var found huma.ValidateResult
		huma.Validate(r, s.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, v, &found)
		for _, err := range found.Errors {
			humas.AddText("", err.Error())
		}
		return slices.Concat(j.nullRequired, j.invalid), humas, len(t.unreadable) > 0
	}
}

type pathInput struct{ PathID }

type completeInput struct {
	PathID
	Body struct {
		Text *string `json:"text,omitempty"`
	}
}

func (a *API) testRoutes() []Operation {
	return []Operation{
		Get("/api/test/echo", "OWRC", "Echo the query", Handle(a.echo)),
		Get(
			"/api/test/needed",
			"OWRC",
			"Need a parameter",
			Handle(func(context.Context, *neededInput) (*Response[health], error) { return ok() }),
		),
		Get(
			"/api/test/secret",
			"OW",
			"For trusted servers",
			Handle(func(context.Context, *struct{}) (*Response[health], error) { return ok() }),
		),
		Get("/api/test/things/{id}", "OWRC", "One thing", Handle(a.oneThing)),
		Post("/api/test/things/{id}/complete", "OWC", "Complete a thing", Handle(a.completeThing, IDName("loyaltyRuleId"))),
		Get("/api/test/fail/{code}", "OWRC", "Fail", Handle(a.failing)),
		Post("/api/test/fail/{code}", "OWRC", "Fail", Handle(a.failing)),
		Post("/api/test/write", "OWC", "Echo the body", Handle(a.write, Secret("key"))),
	}
}

func ok() (*Response[health], error) { return &Response[health]{Body: health{Status: "ok"}}, nil }

func (a *API) echo(ctx context.Context, in *echoInput) (*Response[Echo], error) {
	scope, err := a.cfg.Tenancy.Narrow(
		ctx,
		ScopeOf(ctx),
		in.OrganizationID.ID,
		in.WebsiteID.ID,
		tenancy.WebsiteOptional,
	)
	if err != nil {
		return nil, err
	}
	page := in.Page()
	out := Echo{
		Organization: scope.OrganizationID,
		Website:      scope.WebsiteID.Ptr(),
		Limit:        page.Limit,
		After:        page.StartingAfter.Ptr(),
		IDs:          in.UserID.Values,
		Null:         in.UserID.Null,
		Texts:        in.WalletAddress.Values,
		Text:         in.Text,
		Flag:         in.Flag.Ptr(),
		Since:        laurel.Stamp(in.Since.Time),
		Member:       requestOf(ctx).bearer,
	}
	return &Response[Echo]{Body: out}, nil
}

func (a *API) oneThing(_ context.Context, in *pathInput) (*Response[laurel.ID], error) {
	return &Response[laurel.ID]{Body: in.ID.ID}, nil
}

func (a *API) completeThing(context.Context, *completeInput) (*Response[health], error) {
	return ok()
}

type failInput struct {
	Code string `path:"code"`
}

func (a *API) failing(_ context.Context, in *failInput) (*Response[health], error) {
	if in.Code == "panic" {
		panic("a cause for the log only")
	}
	return nil, Failing[in.Code]
}

func (a *API) write(_ context.Context, in *writeInput) (*Response[Written], error) {
	b := in.Body
	out := Written{
		Name:   b.Name,
		UserID: b.UserID.Ptr(),
		Amount: b.Amount,
		At:     b.At,
		Note:   b.Note.Value,
		More:   b.More,
		Key:    "shown once",
	}
	for _, e := range b.Entries {
		out.Total += e.Amount
		out.Chains = append(out.Chains, e.ChainID)
	}
	return &Response[Written]{Body: out}, nil
}

// Outage counts the requests of an outage.
type Outage = outage

// Note reports whether the request is logged, and how many of an earlier second were not.
func (o *outage) Note(now time.Time) (bool, int) { return o.countRequest(now) }

// Tests that read huma's texts without a server run beside others that make the first one.
func init() { configureHuma() }

// What the codes of errors are made from.
var (
	CodeOfMessage = codeOfMessage
	ErrorCodes    = errorCodes
	FaultCodes    = faultCodes
)

// CodeOfProblem returns the code of one problem of an input.
func CodeOfProblem(path, message string) string {
	return codeOfProblem(laurel.Fault{Path: path, Message: message})
}

// Messages returns the messages that have a code.
func Messages() []string {
	var out []string
	for _, m := range messageCodes {
		out = append(out, m.message)
	}
	return out
}

// ErrorRows returns the rows of the table of error codes.
func ErrorRows() []string {
	messages := map[string][]string{
		codeInvalid: {"every fault of an input"}, codeMalformed: {"`" + msgMalformed + "`"},
		codeRefused: {"what a function, a platform or a ledger outside says"}, codeForbidden: {"any other 403"},
		codeNotFound: {"any other 404"}, codeRateLimited: {"every 429"}, codeUnavailable: {"`Service unavailable`"},
		codeUnanswered: {"every 503 of a provider"}, codeInternal: {"`Internal server error`"},
	}
	for _, m := range messageCodes {
		messages[m.code] = append(messages[m.code], "`"+m.message+"`")
	}
	for _, thing := range missingThings {
		messages[missingCode(thing)] = append(messages[missingCode(thing)], "`"+thing+" not found`")
	}
	var out []string
	for _, code := range errorCodes() {
		out = append(out, "| `"+code+"` | "+strings.Join(messages[code], "<br>")+" |")
	}
	return out
}

// ProblemRows returns the rows of the table of the codes of problems.
func ProblemRows() []string {
	messages := map[string][]string{
		codeLength: {"a limit in characters or bytes"}, codeDecimalPlaces: {"`must have at most … decimal places`"},
		codeNotFound: {"`<thing> not found`"}, codeMalformed: {"`" + msgMalformed + "`"}, codeOtherProblem: {"anything else"},
	}
	for _, p := range problemCodes {
		messages[p.code] = append(messages[p.code], "`"+strings.TrimRight(p.text, ": ")+"`")
	}
	var out []string
	for _, code := range faultCodes() {
		out = append(out, "| `"+code+"` | "+strings.Join(messages[code], "<br>")+" |")
	}
	return out
}
