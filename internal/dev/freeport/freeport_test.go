package freeport_test

import (
	"net"
	"strconv"
	"testing"

	"laurel.example/laurel/internal/dev/freeport"
)

// A caller can listen on the port, and the system gives it to no outgoing connection.
func TestFind(t *testing.T) {
	for range 100 {
		port, err := freeport.Find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if port < 1024 || port >= 32768 {
			t.Errorf("port %d is one that outgoing connections are given", port)
		}
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() }) // held, so that later rounds must pass it
	}
}
