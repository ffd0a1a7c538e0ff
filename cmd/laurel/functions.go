package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laurel/internal/app"
)

// functionsCommand works on the functions of a running server over HTTP; invoke of a file needs none.
type functionsCommand struct {
	Deploy deployFunction  `cmd:"" help:"Create a function from a file, or update the function with that name."`
	List   listFunctions   `cmd:"" help:"List functions."`
	Logs   logsOfFunction  `cmd:"" help:"Print the newest runs of a function with their logs."`
	Invoke invokeFunctions `cmd:"" help:"Run a function: from a local file, without a server, or by its name on the server."`
}

// server is where functions are.
type server struct {
	URL string `name:"url" help:"URL of the server, including the prefix." env:"LAUREL_URL" placeholder:"URL"`
	Key string `help:"Website key, or the key of an organization with one website." env:"LAUREL_API_KEY" placeholder:"KEY"`
}

func (s server) client() (app.Client, error) {
	return app.NewClient(strings.TrimSuffix(s.URL, "/"), s.Key)
}

type deployFunction struct {
	server
	File   string            `arg:"" help:"File with the code." type:"existingfile"`
	Name   string            `help:"Name of the function. Default: the file name without its extension."`
	Cron   string            `help:"Schedule of the function: a cron expression with five fields, in UTC." placeholder:"EXPRESSION"`
	Secret map[string]string `help:"A secret for the handler. Repeat the flag for several secrets; they replace all stored ones." placeholder:"NAME=VALUE" mapsep:"none"`
	JSON   bool              `name:"json" help:"Print JSON."`
}

// Run deploys the file.
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
	f, err := client.Deploy(e.ctx, name, body)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(f)
	}
	fmt.Printf("%s is version %d of %s\n", f.ID, f.Version, plain(f.Name))
	return nil
}

type listFunctions struct {
	server
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints the functions.
func (c listFunctions) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	all, err := client.List(e.ctx)
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
		t.row(f.ID, f.Name, fmt.Sprint(f.Version), cron, state, f.UpdatedAt)
	}
	return t.print()
}

type logsOfFunction struct {
	server
	Name  string `arg:"" help:"Name or ID of the function."`
	Limit int    `help:"Number of runs to print." default:"10"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run prints the newest runs, the oldest of them first.
func (c logsOfFunction) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	runs, err := client.Runs(e.ctx, c.Name, c.Limit)
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
	server
	Name  string `arg:"" help:"File with the code, or the name or ID of a function on the server."`
	Input string `help:"JSON that the handler receives as input.input." default:"null" placeholder:"JSON"`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Run runs a file in the sandbox of this machine, or a function of the server.
func (c invokeFunctions) Run(e environment) error {
	input := json.RawMessage(c.Input)
	if !json.Valid(input) {
		return errors.New("--input must be JSON")
	}
	code, err := os.ReadFile(c.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return c.remote(e, input)
	}
	if err != nil {
		return err
	}
	whole, err := json.Marshal(map[string]any{"trigger": "invoke", "input": input, "secrets": map[string]string{}})
	if err != nil {
		return err
	}
	run, err := app.TryFunction(e.ctx, string(code), whole)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(run)
	}
	return printRun(run.Logs, textOf(run.Error), run.Output)
}

// remote runs a function of the server.
func (c invokeFunctions) remote(e environment, input json.RawMessage) error {
	if c.URL == "" {
		return fmt.Errorf("there is no file %s; to run a function on a server, set --url", c.Name)
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	run, err := client.Invoke(e.ctx, c.Name, input)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(run)
	}
	return printRun(run.Logs, run.Error, run.Output)
}

func textOf(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// printRun prints what a run logged and came to, and returns why it failed.
func printRun(logs []string, problem *string, output json.RawMessage) error {
	for _, line := range logs {
		for part := range strings.SplitSeq(line, "\n") {
			fmt.Println("  " + plain(part))
		}
	}
	if problem != nil {
		return errors.New("the run failed: " + plain(*problem))
	}
	if output != nil {
		fmt.Println(string(output))
	}
	return nil
}
