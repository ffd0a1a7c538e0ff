package outbound

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"laurel.example/laurel"
)

// ErrAddressNotAllowed is returned for an address that may not be called.
var ErrAddressNotAllowed = errors.New("must not point to a private address")

// Guard decides which addresses may be called (contract 7.2).
type Guard struct {
	dev     bool
	allow   []netip.Prefix
	trusted bool
}

const maxURL = 2048

// Check adds a fault under path if a URL may not be called. It checks an IP address in the URL; the addresses of a host
// name are checked at each call.
func (g *Guard) Check(f *laurel.Faults, path, address string) {
	if problem := g.problemOf(address); problem != "" {
		f.Add(path, "%s", problem)
	}
}

// problemOf returns why a URL may not be called, or "" if it may.
func (g *Guard) problemOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxURL || u.Scheme != "http" && u.Scheme != "https" ||
		strings.Contains(address, "#") ||
		!hasValidHost(u) {
		return "must be a valid url"
	}
	literal, err := netip.ParseAddr(u.Hostname())
	switch {
	case u.Scheme == "http" && !g.dev && !g.trusted:
		return "must use https"
	case u.User != nil:
		return "must not contain credentials"
	case err == nil && !g.Allows(literal):
		return ErrAddressNotAllowed.Error()
	}
	return ""
}

// hasValidHost reports whether a URL has a valid host and port. A host that ends in a number but is no IP address in
// the usual form, such as 127.1 or 0x7f000001, is not valid: some resolvers read it as an address, others as a name.
func hasValidHost(u *url.URL) bool {
	host := u.Hostname()
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	// last is the last label of the host, such as com
	last := host[strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')+1:]
	last = strings.TrimSuffix(last, ".")
	_, err := strconv.ParseUint(last, 0, 64)
	// the label must be no number, in Go's notation (0x7f) or of any length
	return last != "" && err != nil && strings.Trim(last, "0123456789") != "" &&
		!strings.ContainsAny(host, " \t\r\n%\\^|`{}<>\"")
}

// Allows reports whether an IP address may be called: a public one, one of the operator's allowed prefixes, or in
// development one of this machine. An IPv6 address that embeds an IPv4 address counts as that one.
func (g *Guard) Allows(a netip.Addr) bool {
	if g.trusted {
		return a.IsValid()
	}
	a = a.WithZone("")
	inner := embeddedIPv4(a)
	for _, p := range g.allow {
		if p.Contains(a.Unmap()) || p.Contains(inner) {
			return true
		}
	}
	if inner.IsLoopback() {
		return g.dev
	}
	inside := func(p netip.Prefix) bool { return p.Contains(inner) }
	return inner.IsValid() && (inner.Is4() || globalIPv6.Contains(inner)) && !slices.ContainsFunc(blockedPrefixes, inside)
}

// blockedPrefixes are addresses that are not on the public internet: the special-purpose registries of IANA (RFC
// 6890), and metadata services of clouds.
var blockedPrefixes = mustParsePrefixes(
	"0.0.0.0/8",
	"10.0.0.0/8",
	"100.64.0.0/10",
	"127.0.0.0/8",
	"169.254.0.0/16",
	"172.16.0.0/12",
	"192.0.0.0/24",
	"192.0.2.0/24",
	"192.31.196.0/24",
	"192.52.193.0/24",
	"192.88.99.0/24",
	"192.168.0.0/16",
	"192.175.48.0/24",
	"198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24",
	"224.0.0.0/4",
	"240.0.0.0/4",
	"168.63.129.16/32",
	"2001::/23",
	"2001:db8::/32",
	"2002::/16",
	"2620:4f:8000::/48",
	"3fff::/20",
)

// globalIPv6 is the range of IPv6 addresses that are assigned; loopback, unique-local, link-local, site-local and
// multicast addresses lie outside of it.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// mustParsePrefixes parses the prefixes of IP addresses, and panics on a malformed one.
func mustParsePrefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// ipv4Embeddings are the IPv6 prefixes that embed an IPv4 address, with the position of its four bytes.
var ipv4Embeddings = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 12},   // IPv4-mapped
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // IPv4-translated, RFC 2765
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64, RFC 6052
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4, RFC 3056
}

// embeddedIPv4 returns the IPv4 address that an IPv6 address embeds, or the address itself if it embeds none.
func embeddedIPv4(a netip.Addr) netip.Addr {
	if !a.Is6() {
		return a
	}
	b := a.As16()
	for _, w := range ipv4Embeddings {
		// Contains is false for an IPv4-mapped address in every prefix; its IPv4 address begins at byte 12 too
		if w.prefix.Contains(a) || w.at == 12 && a.Is4In6() {
			return netip.AddrFrom4([4]byte(b[w.at : w.at+4]))
		}
	}
	compatible := netip.MustParsePrefix("::/96") // IPv4-compatible, RFC 4291; but :: and ::1 embed no IPv4 address
	if compatible.Contains(a) && b[12] != 0 {
		return netip.AddrFrom4([4]byte(b[12:16]))
	}
	return a
}

// dialer returns a dialer that checks the IP address of every connection when it is opened, because a name that was
// checked earlier may resolve to another address by then.
func (g *Guard) dialer() *net.Dialer {
	return &net.Dialer{Timeout: dialTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.Allows(to.Addr()) {
			return ErrAddressNotAllowed
		}
		return nil
	}}
}
