package worker

import "laurel.example/laurel"

// Tenant is the organization and the website of some work.
type Tenant struct{ Organization, Website laurel.ID }

// TenantSlots divides a number of slots among tenants. An organization may take another slot only while more are free
// than it has, so it gets at most half of all, and leaves half of the free ones to others. A website may take another
// slot only while its organization could take more than the website has: a quarter of all if no other tenant has any. A
// tenant without a slot may take the last one. TenantSlots is not safe for concurrent use.
type TenantSlots struct {
	Total         int
	used          int
	organizations map[laurel.ID]int
	websites      map[laurel.ID]int
}

// CanAcquire reports whether a tenant may take another slot.
func (s *TenantSlots) CanAcquire(t Tenant) bool {
	free, own := s.Total-s.used, s.organizations[t.Organization]
	left := (free - own + 1) / 2 // slots that the organization may still take
	return own < free && (s.websites[t.Website] == 0 || s.websites[t.Website] < left)
}

// TryAcquire takes a slot if the tenant may, and reports whether it did.
func (s *TenantSlots) TryAcquire(t Tenant) bool {
	if !s.CanAcquire(t) {
		return false
	}
	if s.organizations == nil {
		s.organizations, s.websites = map[laurel.ID]int{}, map[laurel.ID]int{}
	}
	s.used++
	s.organizations[t.Organization]++
	s.websites[t.Website]++
	return true
}

// Release frees a slot of the tenant.
func (s *TenantSlots) Release(t Tenant) {
	s.used--
	release(s.organizations, t.Organization)
	release(s.websites, t.Website)
}

// release counts one slot less for an id.
func release(used map[laurel.ID]int, id laurel.ID) {
	used[id]--
	if used[id] == 0 {
		delete(used, id)
	}
}
