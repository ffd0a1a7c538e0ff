package main

import (
	"fmt"

	"laurel.example/laurel/internal/app"
)

// doctorCommand checks a set-up. It takes the flags and variables of laurel serve, so that it sees what that would see.
type doctorCommand struct {
	serveCommand
	JSON bool `help:"Print JSON."`
}

// doctorReport is what --json prints.
type doctorReport struct {
	OK       bool          `json:"ok"`
	Findings []app.Finding `json:"findings"`
}

// Run prints what is right and what is wrong with the set-up, and what to do. It fails if anything is wrong.
func (c doctorCommand) Run(e environment) error {
	findings := app.Checkup{Config: c.config(e), Listen: c.Listen, MetricsListen: c.MetricsListen}.Examine(e.ctx)
	counts := map[app.FindingState]int{}
	for _, f := range findings {
		counts[f.State]++
		if c.JSON {
			continue
		}
		fmt.Printf("%-5s %-16s %s\n", f.State, f.Check, printable(f.Message))
		if f.Advice != "" {
			fmt.Printf("      %-16s → %s\n", "", printable(f.Advice))
		}
	}
	if c.JSON {
		if err := printJSON(doctorReport{OK: counts[app.FindingFail] == 0, Findings: findings}); err != nil {
			return err
		}
	} else {
		fmt.Printf("%d ok, %d to look at, %d to mend\n",
			counts[app.FindingOK], counts[app.FindingWarn], counts[app.FindingFail])
	}
	if counts[app.FindingFail] > 0 {
		return fmt.Errorf("%d checks failed", counts[app.FindingFail])
	}
	return nil
}
