// Package panics makes errors of panics, so that what panics in the background is told and tried again instead of
// ending the server. It imports nothing of the service.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// ErrCaught is in the error of a caught panic, whose text holds the stack.
var ErrCaught = errors.New("panicked")

// Try returns what do returns, or an error in place of its panic.
func Try[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrCaught, p, debug.Stack())
		}
	}()
	return do()
}

// Line returns the first line of an error's text: of a caught panic, the text without the stack.
func Line(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// Safely is Try for what returns only an error.
func Safely(do func() error) error {
	_, err := Try(func() (struct{}, error) { return struct{}{}, do() })
	return err
}
