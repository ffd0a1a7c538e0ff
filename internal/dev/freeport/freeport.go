// Package freeport finds ports of this machine for programs that are started beside a measurement or a test and cannot
// choose one themselves.
package freeport

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// The ports that it returns lie below those that systems give to outgoing connections (32768 on Linux, 49152
// elsewhere): such a connection would take the port between the finding and the start, or while a server that is to
// come back on it is down.
const (
	first = 10_000
	last  = 29_999
	tries = 200
)

// Find returns a port of 127.0.0.1 that nothing listens on now.
func Find(ctx context.Context) (int, error) {
	var errs error
	for range tries {
		port := first + rand.IntN(last-first+1)
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, listener.Close()
		}
		errs = err
	}
	return 0, errors.Join(fmt.Errorf("no free port between %d and %d", first, last), errs)
}
