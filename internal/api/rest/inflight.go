package rest

import (
	"net/netip"
	"sync"
)

// Tally counts requests, connections or bytes that are under way, in total and per address, and admits no more than its
// limits.
type Tally struct {
	maxTotal, maxPerAddress int

	mu        sync.Mutex
	current   int
	refused   int
	byAddress map[netip.Addr]int
}

// NewTally returns a Tally that admits total at once and perAddress of one address; 0 is no limit.
func NewTally(total, perAddress int) *Tally {
	return &Tally{maxTotal: total, maxPerAddress: perAddress, byAddress: map[netip.Addr]int{}}
}

// Enter counts one more of the address and reports true, if that is within the limits; else it counts nothing. Leave
// ends it.
func (t *Tally) Enter(address netip.Addr) bool { return t.Reserve(address, 1) }

// Leave counts one less of the address, after Enter returned true.
func (t *Tally) Leave(address netip.Addr) { t.Release(address, 1) }

// Reserve counts n more for the address and returns true if that is within the limits of the address and of all
// addresses; otherwise it counts nothing and returns false. The zero address has no limit of its own. Release gives the
// n back.
func (t *Tally) Reserve(address netip.Addr, n int) bool {
	address = networkOf(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	limited := t.maxPerAddress > 0 && address.IsValid()
	if t.maxTotal > 0 && t.current+n > t.maxTotal || limited && t.byAddress[address]+n > t.maxPerAddress {
		t.refused++
		return false
	}
	t.current += n
	if limited {
		t.byAddress[address] += n
	}
	return true
}

// Release gives back what Reserve counted for the address.
func (t *Tally) Release(address netip.Addr, n int) {
	address = networkOf(address)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current -= n
	t.byAddress[address] -= n
	if t.byAddress[address] <= 0 {
		delete(t.byAddress, address)
	}
}

// Counts returns how many are under way now, and how many reservations were refused so far.
func (t *Tally) Counts() (current, refused int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current, t.refused
}

// networkBits is the length of the IPv6 prefix that one customer gets (RFC 6177) and chooses addresses from.
const networkBits = 64

// networkOf returns the address under which limits count an address: itself, or the first address of its /64 network if
// it is IPv6, since one customer has all addresses there.
func networkOf(address netip.Addr) netip.Addr {
	if !address.Is6() || address.Is4In6() {
		return address
	}
	prefix, err := address.Prefix(networkBits)
	if err != nil {
		return address
	}
	return prefix.Addr()
}
