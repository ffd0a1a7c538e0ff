package integrate

import (
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/evm/node"
)

// Networks are the operator's, and whether they can be read concerns who integrates them.
var networkRoutes = []route{web.Get("/networks", admins.SeeKeys, "networks", networksPage)}

// networkRow is a network that Laurel reads, and what this server has seen of it.
type networkRow struct {
	Name          string
	ChainID       uint64
	Confirmations int
	BlockTime     string // how long the network takes for a block, in words
	IsUnread      bool   // its nodes were not called yet
	IsLate        bool   // the newest block is older than it should be
	Final         uint64 // the newest final block; 0: none was seen
	Read          readState
	node.State
}

// readState is how far the events of a network are read, for those who see it.
type readState struct {
	Cursor  *int64 // the last block whose events were read; nil: nobody watches a contract
	Stopped string // why a reader has stopped; "": none has
}

// Behind returns how many blocks are still to be read, as far as this server knows.
func (r networkRow) Behind() uint64 {
	if r.Read.Cursor == nil || uint64(*r.Read.Cursor) >= r.Head { //nolint:gosec // never negative
		return 0
	}
	return r.Head - uint64(*r.Read.Cursor) //nolint:gosec // never negative
}

// nodeRow is a node of a network.
type nodeRow struct {
	Network string
	node.AddressState
}

type networksData struct {
	Networks []networkRow
	Nodes    []nodeRow // for those who see nodes
	SeesRead bool      // whether to show how far networks are read
	Now      time.Time
}

// The newest block of a network is late if it is older than lateBlocks take, and older than lateAtLeast.
const (
	lateBlocks  = 20
	lateAtLeast = 2 * time.Minute
)

// networksPage shows the networks that Laurel reads, as this server sees them. How far their events are read is shown
// only if the server has one organization: it says whether somebody watches a contract. Nodes are shown to owners of
// that organization, who stand for the operator, by their numbers in the operator's file: addresses may hold keys.
func networksPage(c *call) (web.View, error) {
	isOnly, err := c.isOnlyOrganization()
	if err != nil {
		return web.View{}, err
	}
	data := networksData{SeesRead: isOnly, Now: c.Now()}
	reading := map[uint64]readState{}
	if isOnly {
		if reading, err = c.readStates(); err != nil {
			return web.View{}, err
		}
	}
	for _, client := range c.Networks.Clients() {
		row := newNetworkRow(client, data.Now)
		row.Read = reading[row.ChainID]
		data.Networks = append(data.Networks, row)
		for _, a := range row.Addresses {
			if isOnly && web.IsOwner(c.SiteOrganization.Membership) {
				data.Nodes = append(data.Nodes, nodeRow{row.Name, a})
			}
		}
	}
	return web.Show("networks", "Networks", data)
}

// readStates returns how far networks are read, by chain id: by the reader of events and that of how contracts are
// used. It leaves out networks that nobody reads.
func (c *call) readStates() (map[uint64]readState, error) {
	read, err := c.Reader.States(c.Context())
	if err != nil {
		return nil, err
	}
	stopped, err := c.Usage.Stopped(c.Context())
	if err != nil {
		return nil, err
	}
	out := map[uint64]readState{}
	for chain, state := range read {
		out[chain] = readState{Cursor: &state.Cursor, Stopped: state.Stopped}
	}
	for chain, reason := range stopped {
		if state := out[chain]; state.Stopped == "" {
			out[chain] = readState{Cursor: state.Cursor, Stopped: reason}
		}
	}
	return out, nil
}

// newNetworkRow returns what the page shows of a network.
func newNetworkRow(client *node.Client, now time.Time) networkRow {
	network, state := client.Network(), client.State()
	row := networkRow{
		Name: network.Name, ChainID: network.ChainID, Confirmations: network.Confirmations,
		BlockTime: strconv.FormatFloat(network.BlockTime.Seconds(), 'g', -1, 64) + " s", IsUnread: true, State: state,
	}
	for _, a := range state.Addresses {
		row.IsUnread = row.IsUnread && a.IsUnused()
	}
	if above := uint64(network.Confirmations); above < state.Head { //nolint:gosec // never negative
		row.Final = state.Head - above
	}
	row.IsLate = !state.HeadTime.IsZero() && now.Sub(state.HeadTime) > max(lateBlocks*network.BlockTime, lateAtLeast)
	return row
}

// isOnlyOrganization reports whether the server has no other organization.
func (c *call) isOnlyOrganization() (bool, error) {
	all, err := c.Tenancy.ListOrganizations(c.Context(), laurel.PageRequest{Limit: 2})
	return err == nil && len(all.Data) == 1, err
}
