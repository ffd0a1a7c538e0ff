package lists

import (
	"sync"

	"laurel"
)

// each bounds how many websites of one organization a node reads lists of at once. Whoever may make websites without
// end, each with an address that is slow to answer, leaves most places to others.
const each = crowd / 8

// fair counts the websites of each organization whose lists are read.
type fair struct {
	mu   sync.Mutex
	of   map[laurel.ID]laurel.ID // the organization of a website that is about to be read
	busy map[laurel.ID]int       // by organization
}

func newFair() *fair { return &fair{of: map[laurel.ID]laurel.ID{}, busy: map[laurel.ID]int{}} }

// found notes whose the website is, and reports whether the organization has a place left.
func (f *fair) found(at dueAt) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	free := f.busy[at.OrganizationID] < each
	if free {
		f.of[at.WebsiteID] = at.OrganizationID
	}
	return free
}

// enter takes a place for the website, and reports whether there was one. leave gives it back.
func (f *fair) enter(website laurel.ID) (leave func(), ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	organization := f.of[website]
	delete(f.of, website)
	if f.busy[organization] >= each {
		return nil, false
	}
	f.busy[organization]++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.busy[organization]--
		if f.busy[organization] == 0 {
			delete(f.busy, organization)
		}
	}, true
}
