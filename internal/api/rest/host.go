package rest

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"laurel.example/laurel"
)

const maxHost = 255 // characters, as names have at most (RFC 1035, section 2.3.4)

var errHost = laurel.Errorf(laurel.Invalid,
	"Host header must be a name or an address with an optional port, at most %d characters", maxHost)

// hostPattern matches a name, an IPv4 address or an address in brackets, with an optional port.
var hostPattern = regexp.MustCompile(`^(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{1,5}))?$`)

// isValidHost reports whether the Host header is well-formed: a name or an address, and a port up to 65535 (RFC 9110,
// section 7.2). A malformed one is refused, so that no code has to handle it. HTTP/1.0 requests may have none.
func isValidHost(r *http.Request) bool {
	if r.Host == "" {
		return true
	}
	if len(r.Host) > maxHost {
		return false
	}
	parts := hostPattern.FindStringSubmatch(r.Host)
	if parts == nil {
		return false
	}
	port := strings.TrimLeft(parts[2], "0")
	if parts[1] != "" {
		address, err := netip.ParseAddr(parts[1])
		if err != nil || !address.Is6() {
			return false
		}
	}
	return len(port) < 5 || port <= "65535" // both have five digits, so they compare like numbers
}
