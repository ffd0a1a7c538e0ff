package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laurel.example/laurel/internal/app"
)

// functionsCommand works on the functions of a running server over HTTP; invoke of a file needs none.
type functionsCommand struct {
	Deploy deployFunction  `cmd:"" help:"Create a function from a file, or update the function with that name."`
	List   listFunctions   `cmd:"" help:"List functions."`
	Logs   logsOfFunction  `cmd:"" help:"Print the newest runs of a function with their logs."`
	Invoke invokeFunctions `cmd:"" help:"Run a function: from a local file, without a server, or by its name on the server."`
}

// clientFlags are the flags of commands that call a running server.
type clientFlags struct {
	URL string `name:"url" help:"URL of the server, including the prefix." env:"LAUREL_URL" placeholder:"URL"`
	Key string `help:"Website key, or the key of an organization with one website." env:"LAUREL_API_KEY" placeholder:"KEY"`
}

// client returns a client of the server. It fails without a URL or a key.
func (s clientFlags) client() (app.Client, error) {
	return app.NewClient(strings.TrimSuffix(s.URL, "/"), s.Key)
}

type deployFunction struct {
	clientFlags
	File   string            `arg:"" help:"File with the code." type:"existingfile"`
	Name   string            `help:"Name of the function. Default: the file name without its extension."`
	Cron   string            `help:"Schedule of the function: a cron expression with five fields, in UTC." placeholder:"EXPRESSION"`
	Secret map[string]string `help:"A secret for the handler. Repeat the flag for several secrets; they replace all stored ones." placeholder:"NAME=VALUE" mapsep:"none"`
	JSON   bool              `name:"json" help:"Print JSON."`
}

// Run deploys the code of a file: it creates a function, or updates the one with the same name. The name is that of
// --name or, without it, of the file. It prints the version of the function.
func (c deployFunction) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	code, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	body := map[string]any{"code": string(code)}
	if c.Cron != "" {
		body["cron"] = c.Cron
	}
	if len(c.Secret) > 0 {
		body["secrets"] = c.Secret
	}
	name := c.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	}
	f, err := client.DeployFunction(e.ctx, name, body)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(f)
	}
	fmt.Printf("%s is version %d of %s\n", f.ID, f.Version, printable(f.Name))
	return nil
}

type listFunctions struct {
	clientFlags
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints a table of the functions on the server that the key may see.
func (c listFunctions) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	all, err := client.ListFunctions(e.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(all)
	}
	t := newTable("id", "name", "version", "cron", "state", "updated")
	for _, f := range all {
		cron, state := "", "live"
		if f.Cron != nil {
			cron = *f.Cron
		}
		if f.Disabled {
			state = "disabled"
		}
		t.addRow(f.ID, f.Name, fmt.Sprint(f.Version), cron, state, f.UpdatedAt)
	}
	return t.print()
}

type logsOfFunction struct {
	clientFlags
	Name  string `arg:"" help:"Name or ID of the function."`
	Limit int    `help:"Number of runs to print." default:"10"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run prints the newest runs of a function, at most --limit: the oldest of them first, each with its logs.
func (c logsOfFunction) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	runs, err := client.ListRuns(e.ctx, c.Name, c.Limit)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(runs)
	}
	for i := range runs {
		r := runs[len(runs)-1-i]
		fmt.Printf("%s %s %s of version %d, %d ms\n", r.CreatedAt, r.Trigger, r.Status, r.Version, r.DurationMS)
		if err := printRun(r.Logs, r.Error, nil); err != nil {
			fmt.Println("  " + err.Error())
		}
	}
	return nil
}

type invokeFunctions struct {
	clientFlags
	Name  string `arg:"" help:"File with the code, or the name or ID of a function on the server."`
	Input string `help:"JSON that the handler receives as input.input." default:"null" placeholder:"JSON"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run runs the code of a file in the sandbox of this machine. If there is no such file, it runs the function of that
// name on the server.
func (c invokeFunctions) Run(e environment) error {
	input := json.RawMessage(c.Input)
	if !json.Valid(input) {
		return errors.New("--input must be JSON")
	}
	code, err := os.ReadFile(c.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return c.invokeOnServer(e, input)
	}
	if err != nil {
		return err
	}
	handlerInput, err := json.Marshal(map[string]any{"trigger": "invoke", "input": input, "secrets": map[string]string{}})
	if err != nil {
		return err
	}
	run, err := app.TryFunction(e.ctx, string(code), handlerInput)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(run)
	}
	return printRun(run.Logs, nilIfEmpty(run.Error), run.Output)
}

// invokeOnServer runs a function on the server and prints the result.
func (c invokeFunctions) invokeOnServer(e environment, input json.RawMessage) error {
	if c.URL == "" {
		return fmt.Errorf("there is no file %s; to run a function on a server, set --url", c.Name)
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	run, err := client.InvokeFunction(e.ctx, c.Name, input)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(run)
	}
	return printRun(run.Logs, run.Error, run.Output)
}

// nilIfEmpty returns a pointer to the text; nil for "".
func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// printRun prints what a run logged, and its output if there is one. For a run that failed it returns the problem as an
// error instead.
func printRun(logs []string, problem *string, output json.RawMessage) error {
	for _, line := range logs {
		for part := range strings.SplitSeq(line, "\n") {
			fmt.Println("  " + printable(part))
		}
	}
	if problem != nil {
		return errors.New("the run failed: " + printable(*problem))
	}
	if output != nil {
		fmt.Println(string(output))
	}
	return nil
}
