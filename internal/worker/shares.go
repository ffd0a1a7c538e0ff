package worker

import "laurel"

// Tenant is the organization and the website that work is done for.
type Tenant struct{ Organization, Website laurel.ID }

// Shares says who may take one of so many places. An organization takes another place only while more are free than it
// holds, so it never holds more than half, and leaves half of what it finds to others. A website takes another one only
// while its organization could take more than the website holds: a quarter of all for a website that is alone. Whoever
// holds none may take the last one. Shares has no lock of its own.
type Shares struct {
	Places        int
	taken         int
	organizations map[laurel.ID]int
	websites      map[laurel.ID]int
}

// May reports whether a tenant may take another place.
func (s *Shares) May(t Tenant) bool {
	free, held := s.Places-s.taken, s.organizations[t.Organization]
	left := (free - held + 1) / 2 // that the organization may still take
	return held < free && (s.websites[t.Website] == 0 || s.websites[t.Website] < left)
}

// Take takes a place, and reports whether the tenant might.
func (s *Shares) Take(t Tenant) bool {
	if !s.May(t) {
		return false
	}
	if s.organizations == nil {
		s.organizations, s.websites = map[laurel.ID]int{}, map[laurel.ID]int{}
	}
	s.taken++
	s.organizations[t.Organization]++
	s.websites[t.Website]++
	return true
}

// Leave gives a place back.
func (s *Shares) Leave(t Tenant) {
	s.taken--
	release(s.organizations, t.Organization)
	release(s.websites, t.Website)
}

func release(held map[laurel.ID]int, id laurel.ID) {
	held[id]--
	if held[id] == 0 {
		delete(held, id)
	}
}
