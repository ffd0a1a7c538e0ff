package integrate

import (
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/dashboard/web"
	"laurel/internal/evm/node"
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
	node.State
}

// nodeRow is a node of a network.
type nodeRow struct {
	Network string
	node.AddressState
}

type networksData struct {
	Networks []networkRow
	Nodes    []nodeRow // for those who see nodes
	Now      time.Time
}

// The newest block of a network is late if it is older than lateBlocks take, and older than lateAtLeast.
const (
	lateBlocks  = 20
	lateAtLeast = 2 * time.Minute
)

// networksPage shows the networks that Laurel reads, as this server sees them. Nodes are shown to admins who may see
// them, by their numbers in the operator's file: addresses may hold keys.
func networksPage(c *call) (web.View, error) {
	sees, err := c.seesNodes()
	if err != nil {
		return web.View{}, err
	}
	data := networksData{Now: c.Now()}
	for _, client := range c.Networks.Clients() {
		row := newNetworkRow(client, data.Now)
		data.Networks = append(data.Networks, row)
		for _, a := range row.Addresses {
			if sees {
				data.Nodes = append(data.Nodes, nodeRow{row.Name, a})
			}
		}
	}
	return web.Show("networks", "Networks", data)
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

// seesNodes reports whether the admin sees the nodes: an owner of the only organization of a server stands for its
// operator. Owners of one of several do not.
func (c *call) seesNodes() (bool, error) {
	if !web.IsOwner(c.SiteOrganization.Membership) {
		return false, nil
	}
	all, err := c.Tenancy.ListOrganizations(c.Context(), laurel.PageRequest{Limit: 2})
	return err == nil && len(all.Data) == 1, err
}
