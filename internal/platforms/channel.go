package platforms

import (
	"context"
	"errors"
	"fmt"

	"laurel.example/laurel"
)

// ChannelOf returns the id of the video channel that belongs to the account of an access token, by the driver's
// channel (contract 8.8). found is false if the account has none. Errors: *outbound.Fault, or one that says what is
// wrong with the answer.
func (c *Connector) ChannelOf(
	ctx context.Context, d *Driver, website laurel.ID, accessToken string,
) (id string, found bool, err error) {
	defer func() { c.record(d, website, err) }()
	answer, err := c.getJSON(ctx, d, d.Channel.URL, accessToken)
	switch {
	case errors.Is(err, errNotFound):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("channel: %w", err)
	}
	channel := Account{ID: textOf(valueAt(answer, d.Channel.Path))}
	if channel.ID == "" {
		return "", false, nil
	}
	err = channel.normalize()
	return channel.ID, err == nil, err
}
