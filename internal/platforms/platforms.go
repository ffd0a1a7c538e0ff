// Package platforms knows the outside platforms on which members have accounts, and the drivers by which the operator
// connects them (contract 8.1, 8.8). It does not own which member has which account (identity), the flows in which
// members prove one (identity/connect), nor what an account earns (rules).
package platforms

import (
	"maps"
	"slices"

	"laurel.example/laurel"
)

// labels are the default display names of platforms by platform id (contract 2, PLATFORM label).
var labels = map[string]string{
	"microblog":      "Microblog",
	"photo_platform": "Photo platform",
	"chat_server":    "Chat server",
	"messenger":      "Messenger",
	"short_video":    "Short video",
	"video_platform": "Video platform",
	"live_stream":    "Live stream",
	"forum_platform": "Forum platform",
	"code_host":      "Code host",
	"game_store":     "Game store",
	"game_launcher":  "Game launcher",
	"web_account":    "Web account",
}

// provenByProfile are the platforms on which members prove an account by a text in its public profile (contract 2).
var provenByProfile = []string{"forum_platform", "photo_platform", "short_video"}

// IDs returns the platform ids (contract 2), in order.
func IDs() []string { return slices.Sorted(maps.Keys(labels)) }

// DefaultLabel returns the default display name of a platform id; "" if there is no such platform.
func DefaultLabel(platform string) string { return labels[platform] }

// Account is an account on a platform, as the platform shows it.
type Account struct {
	ID              string
	Name            string // without a leading @; "" if the platform tells none
	Followers       *int64 // nil: the platform tells none
	HasVerifiedMark bool   // the platform's own mark of verified accounts
}

// Registry holds the operator's drivers.
type Registry struct{ drivers map[driverKey]*Driver }

// driverKey names a driver by its platform and its website; the zero id stands for all websites.
type driverKey struct {
	platform string
	website  laurel.ID
}

// NewRegistry returns a registry of drivers, as ReadDrivers returns them.
func NewRegistry(drivers []Driver) *Registry {
	r := &Registry{drivers: make(map[driverKey]*Driver, len(drivers))}
	for i, d := range drivers {
		r.drivers[d.key()] = &drivers[i]
	}
	return r
}

// Find returns the driver of a platform for a website: the website's own, else that of all websites; nil if there is
// none.
func (r *Registry) Find(platform string, website laurel.ID) *Driver {
	if d := r.drivers[driverKey{platform, website}]; d != nil {
		return d
	}
	return r.drivers[driverKey{platform: platform}]
}

// Labels returns the display names that the drivers of all websites set, by platform id.
func (r *Registry) Labels() map[string]string {
	names := map[string]string{}
	for key, d := range r.drivers {
		if key.website.IsZero() && d.Label != "" {
			names[key.platform] = d.Label
		}
	}
	return names
}
