package outbound

import (
	"slices"
	"strings"

	"laurel.example/laurel"
)

// MaxSecret is the most characters of a credential.
const MaxSecret = 4096

// AuthTypes lists the ways in which a call may authenticate.
func AuthTypes() []string { return []string{"none", "basic", "bearer", "apiKey"} }

// CheckAuth adds a fault for each problem of a call's authentication: of its kind (one of AuthTypes; nil: none), its
// key and its value. The paths of the faults are path followed by Type, Key or Value. For the kind apiKey the key is
// the name of a header, and "" the default one. Lengths are checked elsewhere.
func CheckAuth(f *laurel.Faults, path string, kind, key, value *string) {
	text := func(p *string) string {
		if p == nil || len(*p) > MaxSecret {
			return ""
		}
		return *p
	}
	switch {
	case kind == nil: // no authentication
	case !slices.Contains(AuthTypes(), *kind):
		f.Add(path+"Type", "must be one of: %s", strings.Join(AuthTypes(), ", "))
	case *kind == "apiKey":
		CheckHeaderName(f, path+"Key", text(key))
		CheckHeaderValue(f, path+"Value", text(value))
	case *kind == "bearer":
		CheckHeaderValue(f, path+"Value", text(value))
	}
}

// reservedHeaders are the headers that the service or the protocol sets.
var reservedHeaders = []string{
	"accept",
	"accept-encoding",
	"connection",
	"content-length",
	"content-type",
	"expect",
	"host",
	"keep-alive",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
	"user-agent",
}

// CheckHeaderName adds a fault unless the name is "" or a valid header name of RFC 9110 that neither the service nor
// the protocol sets.
func CheckHeaderName(f *laurel.Faults, path, name string) {
	isForbidden := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') &&
			!strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	if strings.ContainsFunc(name, isForbidden) || slices.Contains(reservedHeaders, strings.ToLower(name)) {
		f.Add(path, "must be the name of a header that is not one of the protocol's")
	}
}

// CheckHeaderValue adds a fault if a value cannot be sent in a header. The value is a secret, so the fault does not
// repeat it.
func CheckHeaderValue(f *laurel.Faults, path, value string) {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) || len(value) > MaxSecret ||
		strings.TrimSpace(value) != value {
		f.Add(path, "must be at most %d printable characters of ASCII", MaxSecret)
	}
}
