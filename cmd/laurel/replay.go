package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"laurel.example/laurel/internal/app"
)

type replayCommand struct {
	Rule string `help:"File with the changed rule, in the format of the API, with id, organizationId and websiteId. Properties that it leaves out stay unchanged." required:"" placeholder:"FILE"`
	From string `help:"Start of the period: a date or an RFC 3339 time." required:"" placeholder:"TIME"`
	To   string `help:"End of the period (exclusive): a date or an RFC 3339 time." required:"" placeholder:"TIME"`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run decides past completions again by the changed rule in the file of --rule, and prints what the rule would have
// paid. It writes nothing.
func (c replayCommand) Run(e environment) error {
	text, err := os.ReadFile(c.Rule)
	if err != nil {
		return err
	}
	return e.withApp(func(a *app.App) error {
		replay, err := a.Replay(e.ctx, app.ReplayInput{Rule: text, From: c.From, To: c.To})
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(replay)
		}
		return printReplay(replay)
	})
}

// printReplay prints a line for each member and one for the whole rule, and what the lines leave out.
func printReplay(r app.ReplayRecord) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(name string, r app.ReplayedRecord) {
		_, _ = fmt.Fprintf(
			w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t\n",
			name, r.Completions, r.Refused, r.Overridden, r.Paid, r.WouldPay, r.Difference,
		)
	}
	_, _ = fmt.Fprintf(w, "member\tcompletions\trefused\tamount set\tpaid\twould pay\tdifference\t\n")
	for _, m := range r.Members {
		line(m.UserID.String(), m)
	}
	line("rule "+r.RuleID.String(), r.Total)
	if err := w.Flush(); err != nil {
		return err
	}
	if r.Overridden > 0 {
		fmt.Printf("%d completions do not change, as the caller set their amount\n", r.Overridden)
	}
	if r.WithoutFacts > 0 {
		fmt.Printf("%d payments could not be replayed and are not included in the totals\n", r.WithoutFacts)
	}
	return nil
}
