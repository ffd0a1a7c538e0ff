package rest

import (
	"net/netip"
	"sync"
)

// Tally counts what is under way, in all and by address, and admits no more than its limits. Connections and requests
// have one each.
type Tally struct {
	all, each int

	mu      sync.Mutex
	now     int
	refused int
	by      map[netip.Addr]int
}

// NewTally makes a Tally that admits `all` at once and `each` of one address; 0 is no limit.
func NewTally(all, each int) *Tally {
	return &Tally{all: all, each: each, by: map[netip.Addr]int{}}
}

// Enter is Take of one. Leave takes it away again.
func (t *Tally) Enter(address netip.Addr) bool { return t.Take(address, 1) }

// Leave takes away what Enter counted for the address.
func (t *Tally) Leave(address netip.Addr) { t.Give(address, 1) }

// Take counts n more and reports whether that is within the limits; else it counts nothing. The zero address has no
// limit of its own. Give takes them away again.
func (t *Tally) Take(address netip.Addr, n int) bool {
	address = blockOf(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	limited := t.each > 0 && address.IsValid()
	if t.all > 0 && t.now+n > t.all || limited && t.by[address]+n > t.each {
		t.refused++
		return false
	}
	t.now += n
	if limited {
		t.by[address] += n
	}
	return true
}

// Give takes away what Take counted for the address.
func (t *Tally) Give(address netip.Addr, n int) {
	address = blockOf(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now -= n
	t.by[address] -= n
	if t.by[address] <= 0 {
		delete(t.by, address)
	}
}

// Counts returns how many are under way, and how many were refused so far.
func (t *Tally) Counts() (now, refused int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now, t.refused
}

// networkBits is the part of an IPv6 address that names a network of one customer (RFC 6177); the rest is theirs to
// choose.
const networkBits = 64

// blockOf returns what limits count an address as: itself, or the /64 of IPv6, since whoever has one address there has
// all.
func blockOf(address netip.Addr) netip.Addr {
	if !address.Is6() || address.Is4In6() {
		return address
	}
	prefix, err := address.Prefix(networkBits)
	if err != nil {
		return address
	}
	return prefix.Addr()
}
