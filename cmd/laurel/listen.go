package main

import (
	"fmt"
	"strings"
	"time"

	"laurel/internal/app"
)

// listenCommand prints the events of a website while somebody develops, and hands them on.
type listenCommand struct {
	server
	ForwardTo string   `name:"forward-to" help:"URL that receives each event like a subscription's callback. Default: events are only printed." placeholder:"URL"`
	Tables    []string `help:"Platform tables whose changes are printed, separated by commas. Default: all." placeholder:"NAME,…"`
	Payload   bool     `help:"Print the full body of each event."`
}

// Run listens until it is interrupted.
func (c listenCommand) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	if len(c.Tables) == 0 {
		c.Tables = app.PlatformTables()
	}
	l := app.Listener{Client: client, Forward: c.ForwardTo, Tables: c.Tables, Ready: c.ready, OnEvent: c.printEvent}
	return l.Listen(e.ctx)
}

func (c listenCommand) ready(key string, called bool) {
	how := "The server sends its events to this machine, and their signatures are verified."
	if !called {
		how = "The server cannot reach this machine, so events are polled and signed here."
	}
	fmt.Printf("Listening for events of %s. %s\nSigning key for this session: %s\nStop with Ctrl-C.\n",
		strings.Join(c.Tables, ", "), how, key)
}

func (c listenCommand) printEvent(h app.ListenedEvent) {
	line := h.At.Format(time.TimeOnly) + " " + h.Type + " " + h.ID
	switch {
	case !h.Signed:
		line += "  REFUSED: " + h.Err.Error()
	case h.Err != nil:
		line += "  → " + c.ForwardTo + ": " + h.Err.Error()
	case h.Forwarded:
		line += fmt.Sprintf("  → %s: %d", c.ForwardTo, h.Status)
	}
	fmt.Println(line)
	if c.Payload {
		fmt.Println("  " + plain(string(h.Body)))
	}
}
