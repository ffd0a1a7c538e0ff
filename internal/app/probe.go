package app

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// probeTimeout bounds a probe. It is shorter than the timeouts of those who call laurel health.
const probeTimeout = 4 * time.Second

// Probe asks a server whether it is up, or with ready whether it can serve requests. listen is the address that it
// listens on; an address of all interfaces is asked on this machine. It returns an error if the server does not say so.
func Probe(ctx context.Context, listen, prefix string, ready bool) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return err
	}
	switch ip := net.ParseIP(host); { // by address: an image may know no names
	case host == "" || host == "0.0.0.0":
		host = "127.0.0.1"
	case ip != nil && ip.IsUnspecified():
		host = "::1"
	}
	path := "/healthz"
	if ready {
		path = "/readyz"
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	address := "http://" + net.JoinHostPort(host, port) + prefix + path
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s: %s: %s", address, response.Status, body)
	}
	return nil
}
