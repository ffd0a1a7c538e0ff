package main

import (
	"fmt"

	"laurel.example/laurel/internal/app"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Println(app.Version())
	return err
}
