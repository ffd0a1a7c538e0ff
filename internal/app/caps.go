package app

import "laurel.example/laurel"

// Caps limits how many live records of a kind tenants may have (contract 1.9). 0 is no limit.
type Caps struct {
	Subscriptions, Functions laurel.Caps
	Websites                 int // of an organization
}

// DefaultCaps returns the limits of contract 1.9.
func DefaultCaps() Caps {
	perTenant := laurel.Caps{Website: 200, Organization: 1000}
	return Caps{Subscriptions: perTenant, Functions: perTenant, Websites: 500}
}

// caps returns the caps in force: none if rate limits are off, those of the configuration, or the defaults.
func (c Config) caps() Caps {
	switch {
	case c.NoRateLimits:
		return Caps{}
	case c.Caps == nil:
		return DefaultCaps()
	}
	return *c.Caps
}

// validate adds a fault for each negative cap.
func (c Caps) validate(f *laurel.Faults) {
	for _, bound := range []struct {
		flag string
		n    int
	}{
		{"--max-subscriptions", c.Subscriptions.Website},
		{"--max-subscriptions-organization", c.Subscriptions.Organization},
		{"--max-functions", c.Functions.Website},
		{"--max-functions-organization", c.Functions.Organization},
		{"--max-websites", c.Websites},
	} {
		if bound.n < 0 {
			f.Add(bound.flag, "must not be negative")
		}
	}
}
