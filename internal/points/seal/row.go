package seal

import (
	"crypto/sha256"
	"fmt"
	"strconv"
)

// Text is the value of one column as text: ids in lower-case 36-character form, integers in decimal (amounts in
// millionths, times in microseconds since 1970, UTC), texts as they are stored.
type Text struct {
	Value string
	Null  bool
}

// EntryColumns are the columns of an entry that its leaf covers, in their order: all of them, since none may change.
var EntryColumns = [...]string{
	"id",
	"organization_id",
	"website_id",
	"loyalty_transaction_id",
	"loyalty_account_id",
	"loyalty_currency_id",
	"user_id",
	"direction",
	"type",
	"loyalty_rule_id",
	"loyalty_rule_type",
	"amount",
	"start_amount",
	"end_amount",
	"lock_version",
	"idempotency_key",
	"metadata",
	"created_at",
}

// TransactionColumns are the columns of the entry's transaction that its leaf covers, in their order: all but the facts
// that it was decided on, which explain it and prove nothing (docs/decisions/0022).
var TransactionColumns = [...]string{
	"id",
	"organization_id",
	"website_id",
	"type",
	"description",
	"loyalty_rule_id",
	"created_by_id",
	"created_at",
}

// Row is an entry with its transaction, column by column.
type Row struct {
	Entry       [len(EntryColumns)]Text
	Transaction [len(TransactionColumns)]Text
}

// entryPrefix is the prefix of a leaf's text. Another order, form or set of columns needs another version.
const entryPrefix = "laurel entry 1\x00"

// Leaf returns SHA-256 over 0x00, "laurel entry 1", 0x00 and each column of entry and transaction: 0x00 for NULL, else
// 0x01, the length in bytes as four bytes (big endian) and the text. No two rows have the same text. LeafOf returns the
// same for an entry that is not stored yet.
func (r *Row) Leaf() Hash {
	var buffer [1024]byte
	text := appendLeafPrefix(buffer[:0])
	for i := range r.Entry {
		text = r.Entry[i].appendEncoded(text)
	}
	for i := range r.Transaction {
		text = r.Transaction[i].appendEncoded(text)
	}
	return sha256.Sum256(text)
}

// appendEncoded appends the encoding of the column in the text that Leaf hashes.
func (t *Text) appendEncoded(b []byte) []byte {
	if t.Null {
		return append(b, 0)
	}
	return appendText(b, t.Value)
}

// Scan reads a column of any type. SQLite may return a type that the column should not have, if someone edited the file
// by hand; such a value becomes a text that no valid column has.
func (t *Text) Scan(src any) error {
	*t = Text{}
	switch v := src.(type) {
	case nil:
		t.Null = true
	case string:
		t.Value = v
	case int64:
		t.Value = strconv.FormatInt(v, 10)
	default:
		t.Value = fmt.Sprintf("\x00%T %v", v, v)
	}
	return nil
}
