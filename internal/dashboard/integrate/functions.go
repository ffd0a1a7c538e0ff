package integrate

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/jsontext"
)

var functionRoutes = []route{
	web.Get("/functions", admins.SeeProgram, "functions", functionsPage),
	web.Get("/functions/functions.csv", admins.SeeProgram, "functions", exportFunctions),
	web.Get("/functions/new", admins.ManageFunctions, "functions", newFunctionPage),
	web.Post("/functions", admins.ManageFunctions, "functions", "created a function", web.Idempotent(createFunction)),
	web.Get("/functions/{function}", admins.ManageFunctions, "functions", functionPage),
	web.Post("/functions/{function}/run", admins.ManageFunctions, "functions", "ran a function", runFunction),
	web.Get("/functions/{function}/runs", admins.ManageFunctions, "functions", functionRunsPage),
	web.Get("/functions/{function}/runs.csv", admins.ManageFunctions, "functions", exportFunctionRuns),
	web.Get("/functions/{function}/runs/{run}", admins.ManageFunctions, "functions", functionRunPage),
	web.Get("/functions/{function}/settings", admins.ManageFunctions, "functions", functionSettingsPage),
	web.Post("/functions/{function}/settings", admins.ManageFunctions, "functions",
		"changed a function", saveFunction),
	web.Post("/functions/{function}/enable", admins.ManageFunctions, "functions",
		"enabled or disabled a function", enableFunction),
	web.Get("/functions/{function}/delete", admins.ManageFunctions, "functions", confirmDeleteFunction),
	web.Post("/functions/{function}/delete", admins.ManageFunctions, "functions",
		"deleted a function", deleteFunction),
}

// functionRow is a function with its runs of the last day.
type functionRow struct {
	functions.Function
	Recent functions.Activity
}

type functionsData struct {
	Functions []functionRow
	Pager     web.Pager
}

// functionRows adds to each function how often it ran in the last day, and its newest run.
func (c *call) functionRows(list []functions.Function) ([]functionRow, error) {
	ids := web.UniqueIDs(list, func(f functions.Function) laurel.ID { return f.ID })
	activity, err := c.Functions.RecentActivity(c.Context(), c.Scope, ids, c.Now().Add(-24*time.Hour))
	out := make([]functionRow, len(list))
	for i, f := range list {
		out[i] = functionRow{f, activity[f.ID]}
	}
	return out, err
}

// functionsPage shows a page of the website's functions.
func functionsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Functions.List(c.Context(), c.Scope, nil, page) // nil: not only those with some ids
	if err != nil {
		return web.View{}, err
	}
	rows, err := c.functionRows(list.Data)
	if err != nil {
		return web.View{}, err
	}
	last := web.LastID(list, func(f functions.Function) laurel.ID { return f.ID })
	return web.Show("functions", "Functions", functionsData{rows, c.Pager(page, list.HasNextPage, last)})
}

// exportFunctions exports the website's functions as CSV, without their code, with their runs of the last day.
func exportFunctions(c *call) (web.View, error) {
	list := func(page laurel.PageRequest) (laurel.Page[functions.Function], error) {
		return c.Functions.List(c.Context(), c.Scope, nil, page) // nil: not only those with some ids
	}
	head := []string{"id", "name", "version", "cron", "disabled", "lastStatus", "lastRun", "runsOfDay", "made", "changed"}
	return web.ExportCSV("functions.csv", head, web.PagedRows(list, func(f functions.Function) laurel.ID { return f.ID },
		func(list []functions.Function) ([][]string, error) {
			rows, err := c.functionRows(list)
			out := make([][]string, len(rows))
			for i, f := range rows {
				out[i] = []string{
					web.IdCell(f.ID), f.Name, strconv.FormatInt(f.Version, 10), string(f.Cron), strconv.FormatBool(f.Disabled),
					f.Recent.Status,
					web.TimeCell(f.Recent.At), strconv.FormatInt(f.Recent.Runs, 10), web.TimeCell(f.CreatedAt),
					web.TimeCell(f.UpdatedAt),
				}
			}
			return out, err
		}))
}

// functionData is the data of the pages about one function.
type functionData struct {
	web.Refusal
	Function functions.Function
	Tab      string

	Code             string // of the version that is shown
	Version          int64
	Versions         []functions.Version
	IsEarlierVersion bool              // the version that is shown is not the present one
	More             bool              // there are versions before those of the list
	Changes          []web.ChangedLine // from the version before to the one that is shown

	Input    string // for a run
	ShownRun *runWithOutput

	Runs     []functions.Run
	Pager    web.Pager
	Status   string
	Statuses []string // states to narrow the runs to
}

// getFunction returns the function whose id is in the path, with its current code. A malformed or unknown id is not
// found.
func (c *call) getFunction() (functions.Function, error) {
	id, err := c.PathID("function", "Function")
	if err != nil {
		return functions.Function{}, err
	}
	return c.Functions.Get(c.Context(), c.Scope, id, 0) // 0: the current version
}

// readFunctionData reads the function whose id is in the path, its versions, the code of the version in the query, or
// of the current one, and what changed in that code since the version before.
func (c *call) readFunctionData() (functionData, error) {
	f, err := c.getFunction()
	if err != nil {
		return functionData{}, err
	}
	data := functionData{Function: f, Tab: "code", Code: f.Code, Version: f.Version, Input: "{}"}
	if text := c.URL.Query().Get("version"); text != "" {
		if data.Version, err = strconv.ParseInt(text, 10, 64); err != nil || data.Version < 1 {
			return functionData{}, laurel.Missing("Function version")
		}
		old, err := c.Functions.Get(c.Context(), c.Scope, f.ID, data.Version)
		if err != nil {
			return functionData{}, err
		}
		data.Code, data.IsEarlierVersion = old.Code, data.Version != f.Version
	}
	if data.Version > 1 {
		before, err := c.Functions.Get(c.Context(), c.Scope, f.ID, data.Version-1)
		if err != nil {
			return functionData{}, err
		}
		data.Changes = web.DiffLines(before.Code, data.Code)
	}
	data.Versions, err = c.Functions.Versions(c.Context(), c.Scope, f.ID)
	data.More = int64(len(data.Versions)) < f.Version // the list ends before the first version
	return data, err
}

// functionPage shows the code of a function and its versions.
func functionPage(c *call) (web.View, error) {
	data, err := c.readFunctionData()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("function", data.Function.Name+", function", data)
}

// runFunction runs the saved function with the typed input, which may be empty, and shows the result on the same page.
func runFunction(c *call) (web.View, error) {
	data, err := c.readFunctionData()
	if err != nil {
		return web.View{}, err
	}
	data.Input = c.PostFormValue("input")
	text := jsontext.ReplaceUnstorable([]byte(strings.TrimSpace(data.Input)))
	var result functions.Run
	if len(text) > 0 && !json.Valid(text) {
		var f laurel.Faults
		f.Add("input", `must be JSON, such as {"name": "Alice"}`)
		err = f.Err()
	}
	if err == nil {
		result, err = c.Functions.Invoke(c.Context(), c.Scope, data.Function.ID, text)
	}
	title := data.Function.Name + ", function"
	if err != nil {
		return c.ShowRefused(err, "function", title, func(r web.Refusal) any { data.Refusal = r; return data })
	}
	shown := newRunWithOutput(result)
	data.ShownRun = &shown
	return web.Show("function", "Run of "+title, data)
}

// enableFunction enables a function, or disables it if the form says "off".
func enableFunction(c *call) (web.View, error) {
	f, err := c.getFunction()
	if err != nil {
		return web.View{}, err
	}
	disabled := c.PostFormValue("to") == "off"
	in := functions.Input{Disabled: laurel.Some(disabled)}
	if _, err := c.Functions.Update(c.Context(), c.Scope, f.ID, in); err != nil {
		return web.View{}, err
	}
	if disabled {
		return c.Redirect(c.SitePath("functions", f.ID), "Function disabled. It no longer runs.")
	}
	return c.Redirect(c.SitePath("functions", f.ID), "Function enabled.")
}

// confirmDeleteFunction shows the page that asks before a function is deleted.
func confirmDeleteFunction(c *call) (web.View, error) {
	f, err := c.getFunction()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("function-delete", "Delete "+f.Name+"?", functionData{Function: f})
}

// deleteFunction deletes a function.
func deleteFunction(c *call) (web.View, error) {
	id, err := c.PathID("function", "Function")
	if err == nil {
		_, err = c.Functions.Delete(c.Context(), c.Scope, id)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("functions"), "Function deleted.")
}

// runWithOutput is a run with its output in lines.
type runWithOutput struct {
	functions.Run
	Output string
}

// newRunWithOutput returns a run with its output indented. An output that is no JSON stays as it is.
func newRunWithOutput(run functions.Run) runWithOutput {
	var output bytes.Buffer
	if json.Indent(&output, run.Output, "", "  ") != nil {
		output.Reset()
		output.Write(run.Output)
	}
	return runWithOutput{run, output.String()}
}

// triggerNames are the labels of the triggers of runs.
var triggerNames = map[string]string{
	"subscription": "Event", "cron": "Schedule", "invoke": "Call", "rule": "Rule",
}

// functionRunsPage shows a page of a function's runs, newest first, only those of a status if the query names one.
func functionRunsPage(c *call) (web.View, error) {
	f, err := c.getFunction()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	data := functionData{Function: f, Tab: "runs", Statuses: functions.Statuses(), Status: c.runStatus()}
	list, err := c.Functions.ListRuns(c.Context(), c.Scope, f.ID, statusesOf(data.Status), page)
	if err != nil {
		return web.View{}, err
	}
	data.Runs = list.Data
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, func(r functions.Run) laurel.ID { return r.ID }))
	return web.Show("function-runs", "Runs of "+f.Name, data)
}

// runStatus returns the status in the query by which runs are filtered; empty if there is none or it is unknown.
func (c *call) runStatus() string {
	for _, status := range functions.Statuses() {
		if status == c.URL.Query().Get("status") {
			return status
		}
	}
	return ""
}

func statusesOf(status string) []string {
	if status == "" {
		return nil
	}
	return []string{status}
}

// exportFunctionRuns exports the runs of a function, without their logs, as CSV, filtered as on the page.
func exportFunctionRuns(c *call) (web.View, error) {
	f, err := c.getFunction()
	if err != nil {
		return web.View{}, err
	}
	statuses := statusesOf(c.runStatus())
	list := func(page laurel.PageRequest) (laurel.Page[functions.Run], error) {
		return c.Functions.ListRuns(c.Context(), c.Scope, f.ID, statuses, page)
	}
	head := []string{"id", "begun", "version", "trigger", "status", "durationMs", "error"}
	return web.ExportCSV("runs.csv", head, web.PagedRows(list, func(r functions.Run) laurel.ID { return r.ID },
		web.CellsOfEach(func(r functions.Run) []string {
			return []string{
				web.IdCell(r.ID), web.TimeCell(r.CreatedAt), strconv.FormatInt(r.Version, 10), r.Trigger, r.Status,
				strconv.FormatInt(r.Milliseconds, 10), string(r.Error),
			}
		})))
}

// functionRunPage shows one run of a function with its input, output and log.
func functionRunPage(c *call) (web.View, error) {
	f, err := c.getFunction()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("run", "Function run")
	if err != nil {
		return web.View{}, err
	}
	run, err := c.Functions.GetRun(c.Context(), c.Scope, f.ID, id)
	if err != nil {
		return web.View{}, err
	}
	shown := newRunWithOutput(run)
	return web.Show("function-run", "Run of "+f.Name, functionData{Function: f, Tab: "runs", ShownRun: &shown})
}
