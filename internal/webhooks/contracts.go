package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// The events of a contract's source have a stream of their own, in the place of a platform table: what one subscription
// gets of a log differs from what others get, by its trigger, its finality and its first block.

// contractPrefix begins the names of streams.
const contractPrefix = string(feed.TableContract) + ":"

// stream returns the name of the table or stream whose events the source gets.
func (s *Source) stream() feed.Table {
	if s.Table != "" {
		return s.Table
	}
	return feed.Table(contractPrefix + s.ID.String())
}

// streamOf returns the name of the table or stream of a change.
func streamOf(c feed.Change) feed.Table {
	if c.Table != feed.TableContract {
		return c.Table
	}
	return feed.Table(contractPrefix + c.EntityID.String())
}

// isOfContract reports whether a name is that of a stream, or of all of them.
func isOfContract(table feed.Table) bool {
	return table == feed.TableContract || strings.HasPrefix(string(table), contractPrefix)
}

// IsOfContract reports whether the event is of a contract of a blockchain, and of no platform table.
func (e Event) IsOfContract() bool { return isOfContract(feed.Table(e.Table)) }

const partsOfKey = 4 // chainId:blockHash:txHash:logIndex

// laneOfKey returns the lane of an event of a contract: that of its transaction. There its rollback follows the event,
// and then the event of the same transaction in another block, where logs have other numbers.
func laneOfKey(key string) (lane laurel.ID) {
	if parts := strings.Split(key, ":"); len(parts) == partsOfKey {
		key = parts[0] + ":" + parts[2]
	}
	hash := sha256.Sum256([]byte(key))
	copy(lane[:], hash[:])
	lane[6], lane[8] = lane[6]&0x0f|0x80, lane[8]&0x3f|0x80
	return lane
}

// beginAt sets what a new source of a contract says of its first block, if the newest block is known.
func (s *Source) beginAt(head uint64) {
	s.CreatedAtBlock = strconv.FormatUint(head, 10)
	if s.Table == "" && s.FromBlock == "" && head > 0 {
		s.FromBlock = s.CreatedAtBlock
	}
}

// IsReadingPast reports whether blocks before those that the reader follows are still to be read for the source.
func (s *Source) IsReadingPast() bool {
	return s.NextBlock != nil && s.UntilBlock != nil && *s.NextBlock <= *s.UntilBlock
}

// PastBlocksLeft returns how many blocks IsReadingPast means.
func (s *Source) PastBlocksLeft() int64 {
	if !s.IsReadingPast() {
		return 0
	}
	return *s.UntilBlock - *s.NextBlock + 1
}

// PastPercent returns how much of the past, from FromBlock on, is read: 0 to 99, rounded down, while blocks are left,
// and then 100.
func (s *Source) PastPercent() int64 {
	left := s.PastBlocksLeft()
	from, err := strconv.ParseInt(s.FromBlock, 10, 64)
	switch {
	case left == 0:
		return 100
	case err != nil || *s.NextBlock <= from:
		return 0
	}
	read := *s.NextBlock - from
	return read * 100 / (read + left)
}

// Watched returns the sources of live subscriptions to contracts of a network, for its reader.
func (s *Service) Watched(ctx context.Context, q store.Queryer, chainID uint64) ([]reader.Watch, error) {
	rows, err := selectWatched(ctx, q, chainID)
	out := make([]reader.Watch, len(rows))
	for i, r := range rows {
		out[i] = reader.Watch{
			ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Contract: r.Contract, ABI: r.ABI,
			IsFunction: r.Kind == "FUNCTION", TriggerID: r.TriggerID, IsInstant: r.Finality == finalityInstant,
			From: reader.NewestBlock,
		}
		if from, err := strconv.ParseInt(r.FromBlock, 10, 64); err == nil { // else the block is not set
			out[i].From = from
		}
		if r.NextBlock != nil && r.UntilBlock != nil {
			out[i].Past = &reader.Past{Next: *r.NextBlock, Until: *r.UntilBlock}
		}
	}
	return out, err
}

// Move stores the first block of sources, and how far their past is read.
func (s *Service) Move(ctx context.Context, tx *store.Tx, head int64, watches ...reader.Watch) error {
	for _, w := range watches {
		if err := saveBlocks(ctx, tx, head, w); err != nil {
			return err
		}
	}
	return nil
}

// Publish puts events of contracts into the change feed, from which they go to their subscriptions.
func (s *Service) Publish(ctx context.Context, tx *store.Tx, events ...reader.Event) error {
	changes := make([]feed.Change, len(events))
	for i, e := range events {
		changes[i] = feed.Change{
			OrganizationID: e.OrganizationID, WebsiteID: e.WebsiteID, EntityID: e.WatchID, Table: feed.TableContract,
			Action: feed.Event, Data: e.Data,
		}
		if e.IsFunction {
			changes[i].Action = feed.Function
		}
	}
	return feed.Record(ctx, tx, changes...)
}

// ContractEvent is what the data of an event of a contract says.
type ContractEvent struct {
	BlockNumber     string           `json:"blockNumber"`
	TxHash          string           `json:"txHash"`
	EventKey        string           `json:"eventKey"`
	ContractAddress string           `json:"contractAddress"`
	DetectedAt      laurel.Timestamp `json:"detectedAt"`
}

// Contract returns what the data of an event of a contract says; nil for an event of a platform table.
func (e Event) Contract() *ContractEvent {
	out := new(ContractEvent)
	if !e.IsOfContract() || json.Unmarshal(e.Data, out) != nil {
		return nil
	}
	return out
}
