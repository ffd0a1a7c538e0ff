package feed

import (
	"encoding/json"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// A row of the feed bundles up to bundleSize changes that one transaction made in one website, in their order. One row
// per change would be most of the rows that a completion writes (docs/decisions/0020-bundled-changes.md).
const (
	bundleBits = 6
	bundleSize = 1 << bundleBits
)

// tableBits has a bit for each table that is read alone. A row stores the bits of its changes' tables, so that a reader
// of one table can skip other rows.
var tableBits = map[Table]int64{
	TableTransactionEntry: 1,
	TableAccount:          2,
	TableRule:             4,
	TableRuleStatus:       8,
	TableBadge:            16,
	TableBadgeUser:        32,
	TableUserMetadata:     64,
	TableUser:             128,
	TableAuctionBid:       256,
	TableMintingAsset:     512,
	TableTokenClaim:       1024,
	TableSubscription:     2048,
	TableMultiplier:       4096,
	TableHold:             8192,
	TableMember:           16384,
}

// otherTablesBit is the bit of all tables that have none of their own.
const otherTablesBit = int64(1) << 40

// tableBit returns the bit of a table.
func tableBit(t Table) int64 {
	if bit, ok := tableBits[t]; ok {
		return bit
	}
	return otherTablesBit
}

// bundle is a row of the feed to be inserted.
type bundle struct {
	organization, website laurel.ID
	size                  int
	tables                int64
	text                  []byte
	leaves                []byte
}

// leavesOrNull returns the leaves, or nil (NULL) if there are none.
func (b *bundle) leavesOrNull() any {
	if len(b.leaves) == 0 {
		return nil
	}
	return b.leaves
}

// encodedChange is the JSON form of a change in a row.
type encodedChange struct {
	Table  Table           `json:"t"`
	Action Action          `json:"a"`
	Entity laurel.ID       `json:"e"`
	Data   json.RawMessage `json:"d,omitempty"`
}

// bundleChanges divides changes into rows: each has changes of one website, at most bundleSize of them, in their order.
func bundleChanges(changes []Change) []*bundle {
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
		b.text = append(b.text, ']') // add has opened the array
	}
	return rows
}

// add appends a change to the row, in the JSON form of encodedChange, and the change's leaves of the audit log. It
// writes the JSON without an encoder, which would be slower: names and ids need no escaping.
func (b *bundle) add(c Change) {
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
	b.tables |= tableBit(c.Table)
}

// decodeChanges returns the changes in the rows, in feed order. The number of a change is its row's number times
// bundleSize plus its index in the row.
func decodeChanges(rows []bundleRow) ([]Change, error) {
	var changes []Change
	for _, r := range rows {
		var items []encodedChange
		if err := json.Unmarshal([]byte(r.Changes), &items); err != nil {
			return nil, fmt.Errorf("row %d of the feed: %w", r.Seq, err)
		}
		for i, item := range items {
			if item.Data == nil {
				item.Data = json.RawMessage("{}")
			}
			changes = append(
				changes,
				Change{Seq: r.Seq<<bundleBits | int64(i), OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID,
					EntityID: item.Entity, Table: item.Table, Action: item.Action, Data: item.Data, At: store.Time(r.CreatedAt)},
			)
		}
	}
	return changes, nil
}

// rowNumber returns the number of the row that contains a change.
func rowNumber(seq int64) int64 { return seq >> bundleBits }
