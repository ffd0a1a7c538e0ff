package reader

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
)

// payload is the data of an event (contract 7.1).
type payload struct {
	ChainID          uint64           `json:"chainId"`
	Contract         string           `json:"contractAddress"`
	EventName        string           `json:"eventName,omitempty"`
	EventSelector    string           `json:"eventSelector,omitempty"`
	FunctionName     string           `json:"functionName,omitempty"`
	FunctionSelector string           `json:"functionSelector,omitempty"`
	Args             json.RawMessage  `json:"args"`
	BlockNumber      string           `json:"blockNumber"`
	BlockTimestamp   laurel.Timestamp `json:"blockTimestamp"`
	TxHash           string           `json:"txHash"`
	TxFrom           string           `json:"txFrom"`
	TxValue          string           `json:"txValue,omitempty"`
	LogIndex         *uint64          `json:"logIndex,omitempty"`
	EventKey         string           `json:"eventKey"`
	DetectedAt       laurel.Timestamp `json:"detectedAt"`
	TriggerID        *string          `json:"triggerId"`
	Removed          bool             `json:"removed"`
}

// matcher finds the events of a watch.
type matcher struct {
	Watch
	event    *abi.Event
	function *abi.Function // of the two, one is set; neither if the ABI is not valid
}

// matchersOf returns the matchers of watches. Their ABIs are parsed once.
func (f *follower) matchersOf(watches []Watch) []*matcher {
	known := make(map[laurel.ID]*matcher, len(watches))
	out := make([]*matcher, len(watches))
	for i, w := range watches {
		m := &matcher{Watch: w}
		switch old := f.matchers[w.ID]; {
		case old != nil:
			m.event, m.function = old.event, old.function
		case w.IsFunction:
			m.function = abi.ParseFunction(new(laurel.Faults), "", w.ABI)
		default:
			m.event = abi.ParseEvent(new(laurel.Faults), "", w.ABI)
		}
		known[w.ID], out[i] = m, m
	}
	f.matchers = known
	return out
}

// mayBeIn reports whether the bloom of a block may have a log for the watch.
func (m *matcher) mayBeIn(h node.Header) bool {
	return m.event != nil && h.MayHave(m.Contract) && (m.event.Anonymous || h.MayHave(m.event.Topic))
}

// isOf reports whether a log is of the contract and event of the watch. Of an anonymous event only decoding tells.
func (m *matcher) isOf(l node.Log) bool {
	return m.event != nil && l.Address == m.Contract &&
		(m.event.Anonymous || len(l.Topics) > 0 && l.Topics[0] == m.event.Topic)
}

// findInBlock returns the events of the watches in a block: logs and calls.
func (f *follower) findInBlock(ctx context.Context, b node.Block, list []*matcher) ([]eventRow, error) {
	logs, err := f.logsOf(ctx, b, list)
	if err != nil {
		return nil, err
	}
	rows := f.findInLogs(b, logs, list)
	calls, err := f.findCalls(ctx, b, list)
	return append(rows, calls...), err
}

// logsOf returns the logs of a block that may be of the watches. Where the bloom of the block says that there is none,
// no node is asked; elsewhere the answer must explain the bloom, or the receipts of the block decide.
func (f *follower) logsOf(ctx context.Context, b node.Block, list []*matcher) ([]node.Log, error) {
	if !slices.ContainsFunc(list, func(m *matcher) bool { return m.event != nil }) || len(b.Transactions) == 0 {
		return nil, nil
	}
	if b.HasBloom() {
		if !slices.ContainsFunc(list, func(m *matcher) bool { return m.mayBeIn(b.Header) }) {
			return nil, nil
		}
		logs, err := f.client.AllLogs(ctx, b.Header)
		if !errors.Is(err, node.ErrTooMuch) {
			return logs, err
		}
	}
	logs, err := f.client.LogsOfBlock(ctx, *filterOf(list), b.Hash)
	if err != nil || len(logs) > 0 {
		return logs, err
	}
	receipts, err := f.client.Receipts(ctx, b)
	for _, r := range receipts {
		logs = append(logs, r.Logs...)
	}
	return logs, err
}

// maxFiltered is how many contracts a node is asked for at once; of more, it is asked for the topics alone.
const maxFiltered = 100

// filterOf returns the filter of the logs of watches; nil if none of them is of logs.
func filterOf(list []*matcher) *node.Filter {
	out := new(node.Filter)
	var topics []string
	isAny := false
	for _, m := range list {
		if m.event == nil {
			continue
		}
		isAny = isAny || m.event.Anonymous
		if !slices.Contains(out.Addresses, m.Contract) {
			out.Addresses = append(out.Addresses, m.Contract)
		}
		if !slices.Contains(topics, m.event.Topic) {
			topics = append(topics, m.event.Topic)
		}
	}
	if len(topics) == 0 {
		return nil
	}
	if !isAny {
		out.Topics = [][]string{topics}
	}
	if len(out.Addresses) > maxFiltered {
		out.Addresses = nil
	}
	return out
}

// findInLogs returns the events of the watches among logs of a block.
func (f *follower) findInLogs(b node.Block, logs []node.Log, list []*matcher) (out []eventRow) {
	senders := make(map[string]string, len(b.Transactions))
	for _, tx := range b.Transactions {
		senders[tx.Hash] = tx.From
	}
	for _, l := range logs {
		var topics [][32]byte
		for _, text := range l.Topics {
			var topic [32]byte
			_, _ = hex.Decode(topic[:], []byte(strings.TrimPrefix(text, "0x"))) // the client has checked the form
			topics = append(topics, topic)
		}
		for _, m := range list {
			if !m.isOf(l) || int64(b.Number) < m.From { //nolint:gosec // heights have 63 bits
				continue
			}
			args, err := m.event.Decode(topics, l.Data)
			if err != nil {
				if !m.event.Anonymous { // any other log of the contract does not fit an anonymous event
					f.metrics.undecodable.WithLabelValues(f.network.Name).Inc()
				}
				continue
			}
			p := f.payload(b, m, args)
			p.EventName, p.EventSelector, p.LogIndex = m.event.Name, m.event.Topic, &l.Index
			p.TxHash, p.TxFrom = l.TxHash, senders[l.TxHash]
			p.EventKey = keyOf(p.ChainID, b.Hash, l.TxHash, strconv.FormatUint(l.Index, 10))
			out = append(out, newRow(f.network.ChainID, b, m, p, l.Index))
		}
	}
	return out
}

// findCalls returns the calls by successful transactions of a block that the watches watch.
func (f *follower) findCalls(ctx context.Context, b node.Block, list []*matcher) (out []eventRow, err error) {
	var succeeded map[string]bool
	for _, tx := range b.Transactions {
		for _, m := range list {
			if m.function == nil || tx.To != m.Contract || int64(b.Number) < m.From || //nolint:gosec // heights have 63 bits
				!strings.HasPrefix("0x"+hex.EncodeToString(tx.Input[:min(len(tx.Input), 4)]), m.function.Selector) {
				continue
			}
			if succeeded == nil {
				if succeeded, err = f.succeeded(ctx, b); err != nil {
					return nil, err
				}
			}
			if !succeeded[tx.Hash] {
				continue
			}
			args, err := m.function.DecodeCall(tx.Input)
			if err != nil {
				f.metrics.undecodable.WithLabelValues(f.network.Name).Inc()
				continue
			}
			p := f.payload(b, m, args)
			p.FunctionName, p.FunctionSelector, p.TxValue = m.function.Name, m.function.Selector, tx.Value.String()
			p.TxHash, p.TxFrom = tx.Hash, tx.From
			p.EventKey = keyOf(p.ChainID, b.Hash, tx.Hash, "call")
			out = append(out, newRow(f.network.ChainID, b, m, p, tx.Index))
		}
	}
	return out, nil
}

// succeeded returns the hashes of the transactions of a block that have succeeded.
func (f *follower) succeeded(ctx context.Context, b node.Block) (map[string]bool, error) {
	receipts, err := f.client.Receipts(ctx, b)
	out := make(map[string]bool, len(receipts))
	for _, r := range receipts {
		out[r.TxHash] = r.Succeeded
	}
	return out, err
}

func (f *follower) payload(b node.Block, m *matcher, args map[string]any) payload {
	return payload{
		ChainID: f.network.ChainID, Contract: m.Contract, Args: store.JSON(args),
		BlockNumber: strconv.FormatUint(b.Number, 10), BlockTimestamp: laurel.Timestamp{Time: b.Time},
		DetectedAt: laurel.Timestamp{Time: f.DB.Now()}, TriggerID: m.TriggerID,
	}
}

// keyOf returns the key of an event (contract 7.1 and 5.23).
func keyOf(chainID uint64, block, tx, last string) string {
	return strings.Join([]string{strconv.FormatUint(chainID, 10), block, tx, last}, ":")
}

func newRow(chainID uint64, b node.Block, m *matcher, p payload, place uint64) eventRow {
	return eventRow{
		ChainID: int64(chainID), WatchID: m.ID, OrganizationID: m.OrganizationID, WebsiteID: m.WebsiteID, //nolint:gosec // 53 bits
		Number: int64(b.Number), Place: int64(place), EventKey: p.EventKey, IsFunction: m.IsFunction, //nolint:gosec // 63 bits
		Data: string(store.JSON(p)),
	}
}

// event returns the event of a row, as one that was taken back or not.
func (r eventRow) event(isRemoved bool) (Event, error) {
	out := Event{
		WatchID: r.WatchID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, IsFunction: r.IsFunction,
		Data: json.RawMessage(r.Data),
	}
	if !isRemoved {
		return out, nil
	}
	var p payload
	if err := json.Unmarshal(out.Data, &p); err != nil {
		return Event{}, err
	}
	p.Removed = true
	out.Data = store.JSON(p)
	return out, nil
}
