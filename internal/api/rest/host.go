package rest

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"

	"laurel"
)

const maxHost = 255 // characters, as names have at most (RFC 1035, section 2.3.4)

var errHost = laurel.Errorf(laurel.Invalid,
	"Host header must be a name or an address with an optional port, at most %d characters", maxHost)

// hostForm is a name, an IPv4 address or what brackets hold, with an optional port.
var hostForm = regexp.MustCompile(`^(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[([0-9A-Fa-f:.]+)\])(?::([0-9]{1,5}))?$`)

// knownHost reports whether the host that a request names is one by its form (RFC 9110, section 7.2). Nothing is made
// of it: it is only refused, so that nothing here ever holds what it may hold. HTTP/1.0 names none.
func knownHost(r *http.Request) bool {
	if r.Host == "" {
		return true
	}
	if len(r.Host) > maxHost {
		return false
	}
	parts := hostForm.FindStringSubmatch(r.Host)
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
	return len(port) < 5 || port <= "65535"
}
