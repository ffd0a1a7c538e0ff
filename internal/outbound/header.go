package outbound

import (
	"slices"
	"strings"

	"laurel"
)

// MaxSecret is how long a credential may be, in characters.
const MaxSecret = 4096

// AuthTypes are the ways in which a call may say who makes it.
func AuthTypes() []string { return []string{"none", "basic", "bearer", "apiKey"} }

// CheckAuth notes what keeps credentials from being sent, under at followed by Type, Key or Value; nil is none. Their
// lengths are checked by others. A name that is blank stands for the usual one.
func CheckAuth(f *laurel.Faults, at string, kind, key, value *string) {
	text := func(p *string) string {
		if p == nil || len(*p) > MaxSecret {
			return ""
		}
		return *p
	}
	switch {
	case kind == nil:
	case !slices.Contains(AuthTypes(), *kind):
		f.Add(at+"Type", "must be one of: %s", strings.Join(AuthTypes(), ", "))
	case *kind == "apiKey":
		CheckHeaderName(f, at+"Key", text(key))
		CheckHeaderValue(f, at+"Value", text(value))
	case *kind == "bearer":
		CheckHeaderValue(f, at+"Value", text(value))
	}
}

// ownHeaders are set by the service or by the protocol.
var ownHeaders = []string{
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

// CheckHeaderName notes what keeps a name from being that of a header of RFC 9110 that is free.
func CheckHeaderName(f *laurel.Faults, path, name string) {
	isForbidden := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') &&
			!strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	if strings.ContainsFunc(name, isForbidden) || slices.Contains(ownHeaders, strings.ToLower(name)) {
		f.Add(path, "must be the name of a header that is not one of the protocol's")
	}
}

// CheckHeaderValue notes what keeps a value from being sent in a header. It is a secret: no fault repeats it.
func CheckHeaderValue(f *laurel.Faults, path, value string) {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) || len(value) > MaxSecret ||
		strings.TrimSpace(value) != value {
		f.Add(path, "must be at most %d printable characters of ASCII", MaxSecret)
	}
}
