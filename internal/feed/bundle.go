package feed

import (
	"encoding/json"
	"fmt"

	"laurel"
	"laurel/internal/store"
)

// A row of the feed holds the changes that one transaction made in one website, in their order, up to bundleSize of
// them: a row for each would be the larger part of what a completion writes (docs/decisions/0020-bundled-changes.md).
const (
	bundleBits = 6
	bundleSize = 1 << bundleBits
)

// bits mark in a row of which tables it tells, so that who looks for one table passes the others.
var bits = map[Table]int64{
	TransactionEntry: 1,
	Account:          2,
	Rule:             4,
	RuleStatus:       8,
	Badge:            16,
	BadgeUser:        32,
	UserMetadata:     64,
	User:             128,
	AuctionBid:       256,
	MintingAsset:     512,
	TokenClaim:       1024,
	Subscription:     2048,
	Multiplier:       4096,
	Hold:             8192,
	Member:           16384,
}

// bundle is a row to be written.
type bundle struct {
	organization, website laurel.ID
	size                  int
	tables                int64
	text                  []byte
	leaves                []byte
}

// sealed is NULL where there is nothing to seal.
func (b *bundle) sealed() any {
	if len(b.leaves) == 0 {
		return nil
	}
	return b.leaves
}

// item is a change as it stands in a row.
type item struct {
	Table  Table           `json:"t"`
	Action Action          `json:"a"`
	Entity laurel.ID       `json:"e"`
	Data   json.RawMessage `json:"d,omitempty"`
}

// bundled divides changes into rows. Those of a website keep their order, and with it those of an entity, which belongs
// to one.
func bundled(changes []Change) []*bundle {
	var rows []*bundle
	open := map[[2]laurel.ID]*bundle{}
	for _, c := range changes {
		owner := [2]laurel.ID{c.OrganizationID, c.WebsiteID}
		b := open[owner]
		if b == nil || b.size == bundleSize {
			b = &bundle{organization: c.OrganizationID, website: c.WebsiteID}
			open[owner] = b
			rows = append(rows, b)
		}
		b.add(c)
	}
	for _, b := range rows {
		b.text = append(b.text, ']')
	}
	return rows
}

// add writes by hand what item tells: names and ids need no escaping.
func (b *bundle) add(c Change) {
	mark, known := bits[c.Table]
	if !known {
		panic(fmt.Sprintf("feed: %q is no table of the feed", c.Table))
	}
	separator := byte(',')
	if b.size == 0 {
		separator = '['
	}
	b.text = append(b.text, separator)
	b.text = append(b.text, `{"t":"`...)
	b.text = append(b.text, c.Table...)
	b.text = append(b.text, `","a":"`...)
	b.text = append(b.text, c.Action...)
	b.text = append(b.text, `","e":"`...)
	b.text = append(b.text, c.EntityID.String()...)
	b.text = append(b.text, '"')
	if len(c.Data) > 0 {
		b.text = append(b.text, `,"d":`...)
		b.text = append(b.text, c.Data...)
	}
	b.text = append(b.text, '}')
	b.leaves = append(b.leaves, c.Leaves...)
	b.size++
	b.tables |= mark
}

// changesOf returns the changes of rows in the order of the feed.
func changesOf(rows []bundleRow) ([]Change, error) {
	var changes []Change
	for _, r := range rows {
		var items []item
		if err := json.Unmarshal([]byte(r.Changes), &items); err != nil {
			return nil, fmt.Errorf("row %d of the feed: %w", r.Seq, err)
		}
		for i, it := range items {
			if it.Data == nil {
				it.Data = json.RawMessage("{}")
			}
			changes = append(
				changes,
				Change{Seq: r.Seq<<bundleBits | int64(i), OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID,
					EntityID: it.Entity, Table: it.Table, Action: it.Action, Data: it.Data, At: store.Time(r.CreatedAt)},
			)
		}
	}
	return changes, nil
}

// rowOf returns the number of the row that a change is in.
func rowOf(seq int64) int64 { return seq >> bundleBits }
