package functions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/worker"
)

const (
	maxName       = 255
	maxCron       = 100
	maxSecrets    = 50
	maxSecretName = 100
	maxSecret     = 4096
	minInterval   = time.Minute // between two runs of a cron expression
	farFuture     = 100 * 365 * 24 * time.Hour
)

// Input holds the properties of a function that a caller sets (contract 3.34). A new function needs name and code.
type Input struct {
	Name     laurel.Optional[string]            `json:"name,omitzero"`
	Code     laurel.Optional[string]            `json:"code,omitzero"`
	Cron     laurel.Optional[string]            `json:"cron,omitzero"`
	Secrets  laurel.Optional[map[string]string] `json:"secrets,omitzero"`
	Disabled laurel.Optional[bool]              `json:"disabled,omitzero"`
}

// Bounds returns what the properties accept, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"name", "code"}, NotNull: []string{"name", "code", "disabled"},
		Keywords: map[string]laurel.Keywords{
			"name": {"minLength": 1, "maxLength": maxName},
			"code": {"minLength": 1, "maxLength": sandbox.MaxCode},
			"cron": {"maxLength": maxCron},
		},
	}
}

// validate returns the faults of an input, except those of the code itself. A new function needs a name and code.
func (in Input) validate(isNew bool) laurel.Faults {
	var f laurel.Faults
	for _, p := range []struct {
		name  string
		value laurel.Optional[string]
		max   int
	}{{"name", in.Name, maxName}, {"code", in.Code, sandbox.MaxCode}} {
		if isNew || p.value.Set {
			f.Text(p.name, p.value.Value, 1, p.max)
		}
	}
	if in.Cron.Ptr() != nil {
		if err := checkCron(in.Cron.Value); err != nil {
			f.Add("cron", "%s", err)
		}
	}
	if len(in.Secrets.Value) > maxSecrets {
		f.Add("secrets", "must have at most %d items", maxSecrets)
	}
	for _, name := range slices.Sorted(maps.Keys(in.Secrets.Value)) {
		if name == "" || len(name) > maxSecretName {
			f.Add("secrets", "must have names of 1 to %d characters", maxSecretName)
			break
		}
		f.Text("secrets."+name, in.Secrets.Value[name], 0, maxSecret)
	}
	if in.Disabled.Null {
		f.Add("disabled", "must be a boolean")
	}
	return f
}

// validateInput returns the faults of an input, also those of the code, which is parsed in the sandbox and never in
// this process. Errors: Invalid; those of ValidateCode.
func (s *Service) validateInput(ctx context.Context, scope laurel.Scope, in Input, isNew bool) error {
	if err := in.validate(isNew).Err(); err != nil || !in.Code.Set {
		return err
	}
	return s.ValidateCode(ctx, scope, in.Code.Value)
}

// ValidateCode checks the code of a function without storing it. Errors: Invalid "Function code is invalid: <reason>";
// Unavailable while no child of the sandbox is free.
func (s *Service) ValidateCode(ctx context.Context, scope laurel.Scope, code string) error {
	problem, err := s.Sandbox.Check(ctx, worker.Tenant{Organization: scope.OrganizationID, Website: scope.WebsiteID}, code)
	if errors.Is(err, sandbox.ErrBusy) {
		return &laurel.Error{Code: laurel.Unavailable, Message: msgBusy, RetryAfter: 1}
	}
	if err != nil || problem == "" {
		return err
	}
	var f laurel.Faults
	f.AddText("code", "Function code is invalid: "+problem)
	return f.Err()
}

// applyInput sets the properties of a function that are in a valid input. It schedules the next tick if the cron
// expression changes or the function is enabled.
func (s *Service) applyInput(f *Function, in Input, now time.Time) error {
	if in.Name.Set {
		f.Name = in.Name.Value
	}
	if in.Code.Set {
		f.Code = in.Code.Value
	}
	if in.Disabled.Set {
		f.Disabled = in.Disabled.Value
	}
	if in.Secrets.Set {
		f.SealedSecrets = ""
		if len(in.Secrets.Value) > 0 {
			text, err := json.Marshal(in.Secrets.Value)
			if err != nil {
				return err
			}
			f.SealedSecrets = laurel.NullText(s.Vault.SealSecret(string(text), secretsPlace(f.ID)).Sealed())
		}
	}
	if in.Cron.Set {
		f.Cron = laurel.NullText(in.Cron.Value)
	}
	if in.Cron.Set || in.Disabled.Set && !in.Disabled.Value {
		f.scheduleNextTick(now)
	}
	return nil
}

// scheduleNextTick sets when the cron expression is due next after a moment. Without an expression, the function is
// never due.
func (f *Function) scheduleNextTick(after time.Time) {
	f.TickAt, f.DueAt = laurel.NullTimestamp{}, laurel.NullTimestamp{}
	if f.Cron == "" {
		return
	}
	at := nextTick(string(f.Cron), after)
	if at.IsZero() { // such as 30 February
		at = after.Add(farFuture)
	}
	f.TickAt.Time, f.DueAt.Time = at, at
}

var cronParser = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)

// parseCron parses a cron expression of five fields, whose times are in UTC. Errors: errCron.
func parseCron(text string) (cron.Schedule, error) {
	if len(text) > maxCron || strings.ContainsAny(text, "=@") { // no time zones, no words such as @daily
		return nil, errCron
	}
	fields := strings.Fields(text)
	if len(fields) == cronFields {
		fields[cronFields-1] = expandSundays(fields[cronFields-1])
	}
	s, err := cronParser.Parse(strings.Join(fields, " "))
	if err != nil {
		return nil, errCron
	}
	return s, nil
}

// checkCron returns an error for an expression that is malformed or never due, such as one for 30 February.
func checkCron(text string) error {
	s, err := parseCron(text)
	if err == nil && s.Next(leapYearStart).IsZero() {
		return errNeverDue
	}
	return err
}

const (
	cronFields  = 5
	sundayAlias = 7 // Sunday, which crontab also writes as 0
)

// leapYearStart is a moment after which every date of the calendar occurs.
var leapYearStart = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

// expandSundays rewrites the terms of a weekday field that reach 7, which the parser does not know: 5-7 becomes 5,6,0.
// Other terms stay.
func expandSundays(field string) string {
	terms := strings.Split(field, ",")
	for i, term := range terms {
		span, step, hasStep := strings.Cut(term, "/")
		from, to, isRange := strings.Cut(span, "-")
		first, err := strconv.Atoi(from)
		last, by := first, 1
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err == nil && hasStep {
			by, err = strconv.Atoi(step)
		}
		if err != nil || last != sundayAlias || first < 0 || first > last || by < 1 {
			continue
		}
		var days []string
		for day := first; day <= last; day += by {
			days = append(days, strconv.Itoa(day%sundayAlias))
			if by > sundayAlias { // the range has no second day, and the sum could overflow
				break
			}
		}
		terms[i] = strings.Join(days, ",")
	}
	return strings.Join(terms, ",")
}

var errNeverDue = errors.New("must be due some day: no date fits it")

var errCron = fmt.Errorf(
	"must be a cron expression of five fields, such as */5 * * * *, that is due every %s at most", minInterval,
)

// nextTick returns when a cron expression is due next after a moment, in UTC; the zero time if never.
func nextTick(text string, after time.Time) time.Time {
	s, err := parseCron(text)
	if err != nil {
		return time.Time{}
	}
	return s.Next(after.UTC())
}
