package main

import (
	"fmt"

	"laurel.example/laurel/internal/app"
)

type healthCommand struct {
	Listen string `help:"Address that the server listens on." env:"LAUREL_LISTEN" default:"127.0.0.1:8080"`
	Prefix string `help:"Path prefix of its routes." env:"LAUREL_PREFIX"`
	Ready  bool   `help:"Ask whether the server can serve requests, as /readyz does, and not only whether it is up."`
}

// Run asks the server on this machine, and fails unless it is well: for containers that have no other program.
func (c healthCommand) Run(e environment) error {
	if err := publicListen().check(e.ctx, c.Listen); err != nil {
		return err
	}
	if err := app.Probe(e.ctx, c.Listen, c.Prefix, c.Ready); err != nil {
		return err
	}
	fmt.Println("ok")
	return nil
}
