package dashboard

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/functions"
	"laurel/internal/jsontext"
)

var functionRoutes = []route{
	get("/functions", admins.SeeProgram, "functions", functionsPage),
	get("/functions/functions.csv", admins.SeeProgram, "functions", exportFunctions),
	get("/functions/new", admins.ManageFunctions, "functions", newFunctionPage),
	post("/functions", admins.ManageFunctions, "functions", "created a function", idempotent(createFunction)),
	get("/functions/{function}", admins.ManageFunctions, "functions", functionPage),
	post("/functions/{function}/run", admins.ManageFunctions, "functions", "ran a function", runFunction),
	get("/functions/{function}/runs", admins.ManageFunctions, "functions", functionRunsPage),
	get("/functions/{function}/runs.csv", admins.ManageFunctions, "functions", exportFunctionRuns),
	get("/functions/{function}/runs/{run}", admins.ManageFunctions, "functions", functionRunPage),
	get("/functions/{function}/settings", admins.ManageFunctions, "functions", functionSettingsPage),
	post("/functions/{function}/settings", admins.ManageFunctions, "functions",
		"changed a function", saveFunction),
	post("/functions/{function}/enable", admins.ManageFunctions, "functions",
		"enabled or disabled a function", enableFunction),
	get("/functions/{function}/delete", admins.ManageFunctions, "functions", confirmDeleteFunction),
	post("/functions/{function}/delete", admins.ManageFunctions, "functions",
		"deleted a function", deleteFunction),
}

// functionRow is a function with its runs of the last day.
type functionRow struct {
	functions.Function
	Recent functions.Activity
}

type functionsData struct {
	Functions []functionRow
	Pager     pager
}

// functionRows adds to each function how often it ran in the last day, and its newest run.
func (c *request) functionRows(list []functions.Function) ([]functionRow, error) {
	ids := uniqueIDs(list, func(f functions.Function) laurel.ID { return f.ID })
	activity, err := c.d.Functions.RecentActivity(c.Context(), c.scope, ids, c.d.Now().Add(-24*time.Hour))
	out := make([]functionRow, len(list))
	for i, f := range list {
		out[i] = functionRow{f, activity[f.ID]}
	}
	return out, err
}

// functionsPage shows a page of the website's functions.
func functionsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Functions.List(c.Context(), c.scope, nil, page) // nil: not only those with some ids
	if err != nil {
		return view{}, err
	}
	rows, err := c.functionRows(list.Data)
	if err != nil {
		return view{}, err
	}
	last := lastID(list, func(f functions.Function) laurel.ID { return f.ID })
	return pageView("functions", "Functions", functionsData{rows, c.pager(page, list.HasNextPage, last)})
}

// exportFunctions exports the website's functions as CSV, without their code, with their runs of the last day.
func exportFunctions(c *request) (view, error) {
	list := func(page laurel.PageRequest) (laurel.Page[functions.Function], error) {
		return c.d.Functions.List(c.Context(), c.scope, nil, page) // nil: not only those with some ids
	}
	head := []string{"id", "name", "version", "cron", "disabled", "lastStatus", "lastRun", "runsOfDay", "made", "changed"}
	return exportCSV("functions.csv", head, pagedRows(list, func(f functions.Function) laurel.ID { return f.ID },
		func(list []functions.Function) ([][]string, error) {
			rows, err := c.functionRows(list)
			out := make([][]string, len(rows))
			for i, f := range rows {
				out[i] = []string{
					idCell(f.ID), f.Name, strconv.FormatInt(f.Version, 10), string(f.Cron), strconv.FormatBool(f.Disabled),
					f.Recent.Status,
					timeCell(f.Recent.At), strconv.FormatInt(f.Recent.Runs, 10), timeCell(f.CreatedAt), timeCell(f.UpdatedAt),
				}
			}
			return out, err
		}))
}

// functionData is the data of the pages about one function.
type functionData struct {
	Function functions.Function
	Tab      string

	Code             string // of the version that is shown
	Version          int64
	Versions         []functions.Version
	IsEarlierVersion bool          // the version that is shown is not the present one
	More             bool          // there are versions before those of the list
	Changes          []changedLine // from the version before to the one that is shown

	Input    string // for a run
	ShownRun *runWithOutput
	Faults   map[string]string
	Error    string

	Runs     []functions.Run
	Pager    pager
	Status   string
	Statuses []string // states to narrow the runs to
}

// getFunction returns the function whose id is in the path, with its current code. A malformed or unknown id is not
// found.
func (c *request) getFunction() (functions.Function, error) {
	id, err := c.pathID("function", "Function")
	if err != nil {
		return functions.Function{}, err
	}
	return c.d.Functions.Get(c.Context(), c.scope, id, 0) // 0: the current version
}

// readFunctionData reads the function whose id is in the path, its versions, the code of the version in the query, or
// of the current one, and what changed in that code since the version before.
func (c *request) readFunctionData() (functionData, error) {
	f, err := c.getFunction()
	if err != nil {
		return functionData{}, err
	}
	data := functionData{Function: f, Tab: "code", Code: f.Code, Version: f.Version, Input: "{}"}
	if text := c.URL.Query().Get("version"); text != "" {
		if data.Version, err = strconv.ParseInt(text, 10, 64); err != nil || data.Version < 1 {
			return functionData{}, laurel.Missing("Function version")
		}
		old, err := c.d.Functions.Get(c.Context(), c.scope, f.ID, data.Version)
		if err != nil {
			return functionData{}, err
		}
		data.Code, data.IsEarlierVersion = old.Code, data.Version != f.Version
	}
	if data.Version > 1 {
		before, err := c.d.Functions.Get(c.Context(), c.scope, f.ID, data.Version-1)
		if err != nil {
			return functionData{}, err
		}
		data.Changes = diffLines(before.Code, data.Code)
	}
	data.Versions, err = c.d.Functions.Versions(c.Context(), c.scope, f.ID)
	data.More = int64(len(data.Versions)) < f.Version // the list ends before the first version
	return data, err
}

// functionPage shows the code of a function and its versions.
func functionPage(c *request) (view, error) {
	data, err := c.readFunctionData()
	if err != nil {
		return view{}, err
	}
	return pageView("function", data.Function.Name+", function", data)
}

// runFunction runs the saved function with the typed input, which may be empty, and shows the result on the same page.
func runFunction(c *request) (view, error) {
	data, err := c.readFunctionData()
	if err != nil {
		return view{}, err
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
		result, err = c.d.Functions.Invoke(c.Context(), c.scope, data.Function.ID, text)
	}
	title := data.Function.Name + ", function"
	if err != nil {
		return c.showRefused(err, "function", title, func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	shown := newRunWithOutput(result)
	data.ShownRun = &shown
	return pageView("function", "Run of "+title, data)
}

// enableFunction enables a function, or disables it if the form says "off".
func enableFunction(c *request) (view, error) {
	f, err := c.getFunction()
	if err != nil {
		return view{}, err
	}
	disabled := c.PostFormValue("to") == "off"
	in := functions.Input{Disabled: laurel.Some(disabled)}
	if _, err := c.d.Functions.Update(c.Context(), c.scope, f.ID, in); err != nil {
		return view{}, err
	}
	if disabled {
		return c.redirect(c.sitePath("functions", f.ID), "Function disabled. It no longer runs.")
	}
	return c.redirect(c.sitePath("functions", f.ID), "Function enabled.")
}

// confirmDeleteFunction shows the page that asks before a function is deleted.
func confirmDeleteFunction(c *request) (view, error) {
	f, err := c.getFunction()
	if err != nil {
		return view{}, err
	}
	return pageView("function-delete", "Delete "+f.Name+"?", functionData{Function: f})
}

// deleteFunction deletes a function.
func deleteFunction(c *request) (view, error) {
	id, err := c.pathID("function", "Function")
	if err == nil {
		_, err = c.d.Functions.Delete(c.Context(), c.scope, id)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("functions"), "Function deleted.")
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
func functionRunsPage(c *request) (view, error) {
	f, err := c.getFunction()
	if err != nil {
		return view{}, err
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	data := functionData{Function: f, Tab: "runs", Statuses: functions.Statuses(), Status: c.runStatus()}
	list, err := c.d.Functions.ListRuns(c.Context(), c.scope, f.ID, statusesOf(data.Status), page)
	if err != nil {
		return view{}, err
	}
	data.Runs = list.Data
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(r functions.Run) laurel.ID { return r.ID }))
	return pageView("function-runs", "Runs of "+f.Name, data)
}

// runStatus returns the status in the query by which runs are filtered; empty if there is none or it is unknown.
func (c *request) runStatus() string {
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
func exportFunctionRuns(c *request) (view, error) {
	f, err := c.getFunction()
	if err != nil {
		return view{}, err
	}
	statuses := statusesOf(c.runStatus())
	list := func(page laurel.PageRequest) (laurel.Page[functions.Run], error) {
		return c.d.Functions.ListRuns(c.Context(), c.scope, f.ID, statuses, page)
	}
	head := []string{"id", "begun", "version", "trigger", "status", "durationMs", "error"}
	return exportCSV("runs.csv", head, pagedRows(list, func(r functions.Run) laurel.ID { return r.ID },
		cellsOfEach(func(r functions.Run) []string {
			return []string{
				idCell(r.ID), timeCell(r.CreatedAt), strconv.FormatInt(r.Version, 10), r.Trigger, r.Status,
				strconv.FormatInt(r.Milliseconds, 10), string(r.Error),
			}
		})))
}

// functionRunPage shows one run of a function with its input, output and log.
func functionRunPage(c *request) (view, error) {
	f, err := c.getFunction()
	if err != nil {
		return view{}, err
	}
	id, err := c.pathID("run", "Function run")
	if err != nil {
		return view{}, err
	}
	run, err := c.d.Functions.GetRun(c.Context(), c.scope, f.ID, id)
	if err != nil {
		return view{}, err
	}
	shown := newRunWithOutput(run)
	return pageView("function-run", "Run of "+f.Name, functionData{Function: f, Tab: "runs", ShownRun: &shown})
}
