package node

import "context"

// CheckAddresses asks each address of the network for its chain and its newest block, and returns what is wrong with
// each, in the order of the operator's file and without the address; "": nothing is.
func (c *Client) CheckAddresses(ctx context.Context) []string {
	out := make([]string, len(c.addresses))
	for i, a := range c.addresses {
		if err := c.prepare(ctx, a); err != nil {
			out[i] = problemOf(err)
		}
	}
	return out
}
