package laurel

// Caps bounds how many records of one kind a website and its organization may have; 0 means no bound.
type Caps struct{ Website, Organization int }

// Check returns a Refused error if one more record would exceed a bound. things is the plural noun of the message, such
// as "websites". ofWebsite and ofOrganization are the numbers of existing records, without deleted ones. The caller
// must hold a lock, so that no one else adds a record until its own is committed.
func (c Caps) Check(things string, ofWebsite, ofOrganization int) error {
	switch {
	case c.Website > 0 && ofWebsite >= c.Website:
		return Errorf(Refused, "Website has %d %s already", c.Website, things)
	case c.Organization > 0 && ofOrganization >= c.Organization:
		return Errorf(Refused, "Organization has %d %s already", c.Organization, things)
	}
	return nil
}

// IsUnlimited reports whether there is no bound.
func (c Caps) IsUnlimited() bool { return c.Website <= 0 && c.Organization <= 0 }
