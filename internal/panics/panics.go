// Package panics turns panics into errors, so that background work that panics is logged and tried again instead of
// ending the server. It imports nothing of the service.
package panics

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
)

// ErrCaught is wrapped by the error of a caught panic. The text of that error contains the stack.
var ErrCaught = errors.New("panicked")

// Try calls do and returns its results. If do panics, Try returns an error that wraps ErrCaught.
func Try[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrCaught, p, debug.Stack())
		}
	}()
	return do()
}

// Line returns the first line of an error's text. For a caught panic that is the text without the stack.
func Line(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// Safely is Try for a function that returns only an error.
func Safely(do func() error) error {
	_, err := Try(func() (struct{}, error) { return struct{}{}, do() })
	return err
}
