package laurel

// Caps bounds how many live things of one kind a website and its organization may have; 0 is no bound.
type Caps struct{ Website, Organization int }

// Check returns a Refused error that names the bound where another of the things would exceed one. The counts are of
// what is live now, and the caller keeps others from adding to them until its own is there.
func (c Caps) Check(things string, ofWebsite, ofOrganization int) error {
	switch {
	case c.Website > 0 && ofWebsite >= c.Website:
		return Errorf(Refused, "Website has %d %s already", c.Website, things)
	case c.Organization > 0 && ofOrganization >= c.Organization:
		return Errorf(Refused, "Organization has %d %s already", c.Organization, things)
	}
	return nil
}

// IsUnlimited reports whether nothing is bounded.
func (c Caps) IsUnlimited() bool { return c.Website <= 0 && c.Organization <= 0 }
