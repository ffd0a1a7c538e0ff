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

// The ports that Find returns are below those that systems give to outgoing connections (32768 on Linux, 49152
// elsewhere). Such a connection could take the port before the program starts, or while a server that is to listen on
// it again is down.
const (
	first = 10_000
	last  = 29_999
	tries = 200
)

// Find returns a port of 127.0.0.1, chosen at random, that no program listens on now.
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
