package main

import (
	"fmt"

	"laurel.example/laurel/internal/app"
)

type networksCommand struct {
	Resume networksResume `cmd:"" help:"Restart the reader of a network that has stopped after a deep reorganization. It takes the chain of the nodes as it is."`
}

type networksResume struct {
	Name string `arg:"" help:"Name of the network."`
}

// Run lets the reader go on. The server that reads the network sees it within a second.
func (c networksResume) Run(e environment) error {
	return e.withApp(func(a *app.App) error {
		if err := a.ResumeNetwork(e.ctx, c.Name); err != nil {
			return err
		}
		fmt.Println("The reader of " + c.Name + " goes on.")
		return nil
	})
}
