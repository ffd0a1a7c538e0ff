package main

import (
	"fmt"
	"strings"
	"time"

	"laurel.example/laurel/internal/app"
)

// listenCommand prints the events of a website during development, and forwards them to an address.
type listenCommand struct {
	clientFlags
	ForwardTo string   `name:"forward-to" help:"URL that receives each event like a subscription's callback. Default: events are only printed." placeholder:"URL"`
	Tables    []string `help:"Platform tables whose changes are printed, separated by commas. Default: all." placeholder:"NAME,…"`
	Payload   bool     `help:"Print the full body of each event."`
}

// Run receives the events of --tables, or of all platform tables, until it is interrupted. It prints each and, with
// --forward-to, forwards it.
func (c listenCommand) Run(e environment) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	if len(c.Tables) == 0 {
		c.Tables = app.PlatformTables()
	}
	l := app.EventListener{
		Client: client, Forward: c.ForwardTo, Tables: c.Tables, Ready: c.printReady, OnEvent: c.printEvent,
	}
	return l.Listen(e.ctx)
}

// printReady prints that events are received, and how: the server calls this machine, or is polled. key is the key that
// signs the events.
func (c listenCommand) printReady(key string, isCallable bool) {
	how := "The server sends its events to this machine, and their signatures are verified."
	if !isCallable {
		how = "The server cannot reach this machine, so events are polled and signed here."
	}
	fmt.Printf("Listening for events of %s. %s\nSigning key for this session: %s\nStop with Ctrl-C.\n",
		strings.Join(c.Tables, ", "), how, key)
}

// printEvent prints a line about an event, with the result of forwarding it, and with --payload its body.
func (c listenCommand) printEvent(event app.ListenedEvent) {
	line := event.ReceivedAt.Format(time.TimeOnly) + " " + event.Type + " " + event.ID
	switch {
	case !event.SignatureValid:
		line += "  REFUSED: " + event.Err.Error()
	case event.Err != nil:
		line += "  → " + c.ForwardTo + ": " + event.Err.Error()
	case event.Forwarded:
		line += fmt.Sprintf("  → %s: %d", c.ForwardTo, event.Status)
	}
	fmt.Println(line)
	if c.Payload {
		fmt.Println("  " + printable(string(event.Body)))
	}
}
