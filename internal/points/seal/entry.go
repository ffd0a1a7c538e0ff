package seal

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"laurel.example/laurel"
)

// Entry is a new entry before it is stored. A zero ID stands for NULL, and so does an empty text if the column may
// be NULL.
type Entry struct {
	ID, AccountID, CurrencyID, UserID laurel.ID
	Direction, RuleType               string // a rule type may be NULL
	Amount                            laurel.Amount
	Running                           *Running // NULL for entries of main accounts
	Key, Metadata                     string   // may be NULL
	CreatedAt                         int64    // microseconds since 1970, UTC
}

// Running is the part of a user's entry that depends on the entries before it: balances and version.
type Running struct {
	Start, End  laurel.Amount
	LockVersion int64
}

// Transaction has the columns that all entries of a transaction share.
type Transaction struct {
	ID, OrganizationID, WebsiteID laurel.ID
	Type, Description             string
	RuleID, CreatedByID           laurel.ID
	CreatedAt                     int64 // microseconds since 1970, UTC
}

// LeafOf returns the leaf of an entry and its transaction before they are stored. It is the same as Row.Leaf of their
// rows, with the columns in the same order, but does not make a text for each column.
func LeafOf(t *Transaction, e *Entry) Hash {
	var buffer [1024]byte
	b := appendLeafPrefix(buffer[:0])
	b = appendID(b, e.ID)
	b = appendID(b, t.OrganizationID)
	b = appendID(b, t.WebsiteID)
	b = appendID(b, t.ID)
	b = appendID(b, e.AccountID)
	b = appendID(b, e.CurrencyID)
	b = appendID(b, e.UserID)
	b = appendText(b, e.Direction)
	b = appendText(b, t.Type)
	b = appendID(b, t.RuleID)
	b = appendOptional(b, e.RuleType)
	b = appendDecimal(b, int64(e.Amount))
	if e.Running == nil {
		b = append(b, 0, 0, 0) // three times NULL
	} else {
		b = appendDecimal(b, int64(e.Running.Start))
		b = appendDecimal(b, int64(e.Running.End))
		b = appendDecimal(b, e.Running.LockVersion)
	}
	b = appendOptional(b, e.Key)
	b = appendOptional(b, e.Metadata)
	b = appendDecimal(b, e.CreatedAt)
	return sha256.Sum256(t.appendColumns(b))
}

// appendColumns appends the columns of the transaction that the leaf covers.
func (t *Transaction) appendColumns(b []byte) []byte {
	b = appendID(b, t.ID)
	b = appendID(b, t.OrganizationID)
	b = appendID(b, t.WebsiteID)
	b = appendText(b, t.Type)
	b = appendText(b, t.Description)
	b = appendID(b, t.RuleID)
	b = appendID(b, t.CreatedByID)
	return appendDecimal(b, t.CreatedAt)
}

// appendLeafPrefix appends the bytes with which the text of every leaf begins.
func appendLeafPrefix(b []byte) []byte { return append(append(b, leafPrefix), entryPrefix...) }

// appendText appends the encoding of a text column: 0x01, the length in bytes (four bytes, big endian) and the text.
func appendText(b []byte, s string) []byte {
	b = append(b, 1)
	b = binary.BigEndian.AppendUint32(b, uint32(len(s))) //nolint:gosec // a column of 4 GiB fits no database
	return append(b, s...)
}

// appendOptional is appendText for a column that may be NULL: an empty text stands for NULL, which is encoded as 0x00.
func appendOptional(b []byte, s string) []byte {
	if s == "" {
		return append(b, 0)
	}
	return appendText(b, s)
}

const (
	idLength  = 36
	hexDigits = "0123456789abcdef"
)

// appendID appends what appendOptional appends for the text of an id, which has 36 characters, but does not allocate
// that text. The zero id stands for NULL.
func appendID(b []byte, id laurel.ID) []byte {
	if id.IsZero() {
		return append(b, 0)
	}
	text := [...]byte{4: idLength, 4 + idLength: 0} // 0x01, the length in four bytes, then the digits
	text[0] = 1
	at := 5
	for i, v := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text[at] = '-'
			at++
		}
		text[at], text[at+1] = hexDigits[v>>4], hexDigits[v&15]
		at += 2
	}
	return append(b, text[:]...)
}

// appendDecimal is appendText for the decimal digits of an integer, which it does not allocate.
func appendDecimal(b []byte, n int64) []byte {
	at := len(b)
	b = strconv.AppendInt(append(b, 1, 0, 0, 0, 0), n, 10)
	b[at+4] = byte(len(b) - at - 5) //nolint:gosec // at most 20 digits
	return b
}
