package main_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestConnectionsOfOneAddressAreClosedCheaply(t *testing.T) {
	t.Parallel()
	s, _ := hostileServer(t, "--max-connections", "100", "--max-per-address", "20", "--trusted-proxies", "127.0.0.1/32")
	const many = 3000
	used := s.costOf(func() {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.2")}}
		for range many {
			conn, err := dialer.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
			if err != nil {
				continue // refused before it was there
			}
			t.Cleanup(func() { _ = conn.Close() })
			_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nX-Long: " + strings.Repeat("x", 16<<10)))
		}
	})
	used.mustBeCheap(t, "3,000 connections of one address that never end their head")
	metrics := s.caller("").get("/metrics").body // through a proxy: the address of the connections has no more
	// On a slow machine some of the 20 that are let in are closed meanwhile, and others take their places.
	var refused int
	if _, rest, ok := strings.Cut(metrics, "\nlaurel_http_connections_refused_total "); ok {
		_, _ = fmt.Sscan(rest, &refused)
	}
	if refused < many-200 || refused > many-20 {
		t.Errorf("%d of %d connections were refused", refused, many)
	}
}

// TestAskingForTheHealthIsCheap compares /readyz, which looks at the database, with /healthz, which looks at nothing.
func TestAskingForTheHealthIsCheap(t *testing.T) {
	t.Parallel()
	s, _ := hostileServer(t)
	anyone := s.caller("")
	ask := func(path string) cost {
		return s.costOf(func() {
			for range 2000 {
				if got := anyone.get(path); got.status != http.StatusOK {
					t.Fatal(got)
				}
			}
		})
	}
	before, used := ask("/healthz"), ask("/readyz")
	one := max(before.cpu, ask("/healthz").cpu)
	t.Logf("2,000 times /healthz: %v, /readyz: %v", one, used.cpu)
	if used.cpu > 3*one {
		t.Errorf("2,000 times /readyz took %v of CPU time, want at most 3 times that of /healthz, which is %v", used.cpu, one)
	}
	if used.memory > refusalMemory {
		t.Errorf("2,000 times /readyz took %d MiB", used.memory>>20)
	}
}

func TestLimitsOfConnectionsAreChecked(t *testing.T) {
	t.Parallel()
	output := run(t, "serve", "--listen", "127.0.0.1:0",
		"--max-connections=-1", "--max-per-address=-1", "--client-key-rate=-1", "--drain=-1s")
	for _, flag := range []string{"--max-connections", "--max-per-address", "--client-key-rate", "--drain"} {
		output.fails(flag + " must not be negative")
	}
	if output.status != 2 {
		t.Errorf("status %d", output.status)
	}
}

// TestBodiesThatNeverEndHoldLittleMemory sends large bodies of which the last byte never comes, from a few addresses.
func TestBodiesThatNeverEndHoldLittleMemory(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t, "--max-per-address", "0")
	const addresses, each, size = 20, 16, 1<<20 - 1
	body := strings.Repeat(" ", size-1)
	used := s.costOf(func() {
		var all sync.WaitGroup
		for i := range addresses {
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}}
			for range each {
				all.Go(func() {
					conn, err := dialer.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
					if err != nil {
						t.Error(err)
						return
					}
					t.Cleanup(func() { _ = conn.Close() })
					_, _ = fmt.Fprintf(
						conn,
						"POST /api/referral/users HTTP/1.1\r\nHost: laurel\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
						made.ClientAPIKey,
						size,
						body,
					)
				})
			}
		}
		all.Wait()
		answer := s.caller(made.WebsiteAPIKey).post(transactions, object{}) // others have room
		if answer.status != http.StatusBadRequest {
			t.Errorf("a small body meanwhile: %d %s", answer.status, answer.body)
		}
	})
	t.Logf("%v of CPU time, %d MiB", used.cpu, used.memory>>20)
	// What bodies may take, as much again that is yet to be collected, and what the server makes meanwhile. Without a
	// bound the bodies alone hold more than that.
	const most = 352 << 20
	if used.memory > most {
		t.Errorf("%d bodies of 1 MiB that never end hold %d MiB, want at most %d", addresses*each, used.memory>>20, most>>20)
	}
}
