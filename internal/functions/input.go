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

	"laurel"
	"laurel/internal/functions/sandbox"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	maxName       = 255
	maxCron       = 100
	maxSecrets    = 50
	maxSecretName = 100
	maxSecret     = 4096
	closest       = time.Minute // between two runs of a cron expression
	never         = 100 * 365 * 24 * time.Hour
)

// Input is a function as a caller writes it (contract 3.34). On creation name and code are needed.
type Input struct {
	Name     laurel.Optional[string]            `json:"name,omitzero"`
	Code     laurel.Optional[string]            `json:"code,omitzero"`
	Cron     laurel.Optional[string]            `json:"cron,omitzero"`
	Secrets  laurel.Optional[map[string]string] `json:"secrets,omitzero"`
	Disabled laurel.Optional[bool]              `json:"disabled,omitzero"`
}

// Bounds returns what the properties accept.
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

// faults notes what is wrong with an input, but for the code.
func (in Input) faults(creating bool) laurel.Faults {
	var f laurel.Faults
	for _, p := range []struct {
		name  string
		value laurel.Optional[string]
		most  int
	}{{"name", in.Name, maxName}, {"code", in.Code, sandbox.MaxCode}} {
		if creating || p.value.Set {
			f.Text(p.name, p.value.Value, 1, p.most)
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

// check refuses an input that is not valid. The code is read in the sandbox, never here.
func (s *Service) check(ctx context.Context, scope laurel.Scope, in Input, creating bool) error {
	if err := in.faults(creating).Err(); err != nil || !in.Code.Set {
		return err
	}
	return s.Validate(ctx, scope, in.Code.Value)
}

// Validate checks the code of a function without keeping it. Errors: Invalid "Function code is invalid: <reason>";
// Unavailable while no place is free.
func (s *Service) Validate(ctx context.Context, scope laurel.Scope, code string) error {
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

// apply changes a row by an input that was checked.
func (s *Service) apply(r *functionRow, in Input, now time.Time) error {
	if in.Name.Set {
		r.Name = in.Name.Value
	}
	if in.Code.Set {
		r.Code = in.Code.Value
	}
	if in.Disabled.Set {
		r.Disabled = in.Disabled.Value
	}
	if in.Secrets.Set {
		r.Secrets = nil
		if len(in.Secrets.Value) > 0 {
			text, err := json.Marshal(in.Secrets.Value)
			if err != nil {
				return err
			}
			sealed := s.Vault.Keep(string(text), placeOf(r.ID)).Sealed()
			r.Secrets = &sealed
		}
	}
	if in.Cron.Set {
		r.Cron = in.Cron.Ptr()
	}
	if in.Cron.Set || in.Disabled.Set && !in.Disabled.Value {
		r.plan(now)
	}
	return nil
}

// plan sets when the cron expression is due after a moment.
func (r *functionRow) plan(after time.Time) {
	r.TickAt, r.DueAt = nil, nil
	if r.Cron == nil {
		return
	}
	at := next(*r.Cron, after)
	if at.IsZero() { // such as 30 February
		at = after.Add(never)
	}
	tick, due := store.Micros(at), store.Micros(at)
	r.TickAt, r.DueAt = &tick, &due
}

var cronParser = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)

// parseCron reads a 5-field expression, in UTC.
func parseCron(text string) (cron.Schedule, error) {
	if len(text) > maxCron || strings.ContainsAny(text, "=@") { // no time zones, no words such as @daily
		return nil, errCron
	}
	fields := strings.Fields(text)
	if len(fields) == cronFields {
		fields[cronFields-1] = sundays(fields[cronFields-1])
	}
	s, err := cronParser.Parse(strings.Join(fields, " "))
	if err != nil {
		return nil, errCron
	}
	return s, nil
}

// checkCron returns what is wrong with an expression: also that no day fits it, such as 30 February.
func checkCron(text string) error {
	s, err := parseCron(text)
	if err == nil && s.Next(leapYear).IsZero() {
		return errNeverDue
	}
	return err
}

const (
	cronFields = 5
	lastDay    = 7 // of the week: Sunday again, as crontab has it
)

// leapYear is followed by every date that there is.
var leapYear = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

// sundays writes the terms of a field of weekdays that reach 7 without it: 5-7 becomes 5,6,0. Others stay.
func sundays(field string) string {
	terms := strings.Split(field, ",")
	for i, term := range terms {
		span, step, stepped := strings.Cut(term, "/")
		from, to, ranged := strings.Cut(span, "-")
		first, err := strconv.Atoi(from)
		last, by := first, 1
		if err == nil && ranged {
			last, err = strconv.Atoi(to)
		}
		if err == nil && stepped {
			by, err = strconv.Atoi(step)
		}
		if err != nil || last != lastDay || first < 0 || first > last || by < 1 {
			continue
		}
		var days []string
		for day := first; day <= last; day += by {
			days = append(days, strconv.Itoa(day%lastDay))
			if by > lastDay {
				break
			}
		}
		terms[i] = strings.Join(days, ",")
	}
	return strings.Join(terms, ",")
}

var errNeverDue = errors.New("must be due some day: no date fits it")

var errCron = fmt.Errorf(
	"must be a cron expression of five fields, such as */5 * * * *, that is due every %s at most", closest,
)

// next returns when an expression is due after a moment, in UTC; the zero time: never.
func next(text string, after time.Time) time.Time {
	s, err := parseCron(text)
	if err != nil {
		return time.Time{}
	}
	return s.Next(after.UTC())
}
