package transactions

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/points/ledger"
)

// Input is a transaction as a caller sends it (contract 3.10, POST /api/loyalty/transactions).
type Input struct {
	Description string
	Type        ledger.TransactionType // empty: api_key
	CurrencyID  laurel.ID              // of entries that name none
	Entries     []Entry                // 1..100
}

// Entry is one change of an account in an Input.
type Entry struct {
	Member     MemberRef        `json:"Party"` // the name in stored posts and hashes
	Amount     laurel.Amount    // > 0
	Direction  ledger.Direction // empty: credit
	CurrencyID laurel.ID
	Key        string          // idempotencyKey, 1..255 characters
	Metadata   json.RawMessage // an object
}

const (
	maxEntries     = 100
	maxDescription = 1000
	maxEntryKey    = 255
)

// normalize fills in defaults of the input and of its entries. The error is Invalid with every fault of the input.
func (in *Input) normalize() error {
	var f laurel.Faults
	if in.Type == "" {
		in.Type = ledger.TypeAPIKey
	}
	if in.Type != ledger.TypeAPIKey && in.Type != ledger.TypeOrder {
		f.Add("type", "must be one of: %s, %s", ledger.TypeAPIKey, ledger.TypeOrder)
	}
	f.Text("description", in.Description, 0, maxDescription)
	if n := len(in.Entries); n < 1 || n > maxEntries {
		f.Add("entries", "must have between 1 and %d items", maxEntries)
	}
	for i := range min(len(in.Entries), maxEntries) {
		in.Entries[i].normalize(&f, "entries."+strconv.Itoa(i), in.CurrencyID)
	}
	in.refuseRepeatedKeys(&f)
	return f.Err()
}

// normalize fills in defaults of an entry and adds its faults under a path. currency is that of the whole input.
func (e *Entry) normalize(f *laurel.Faults, path string, currency laurel.ID) {
	if e.Amount <= 0 {
		f.Add(path+".amount", "must be greater than 0")
	}
	if e.Direction == "" {
		e.Direction = ledger.Credit
	}
	if e.Direction != ledger.Credit && e.Direction != ledger.Debit {
		f.Add(path+".direction", "must be one of: %s, %s", ledger.Credit, ledger.Debit)
	}
	if e.Member.UserID.IsZero() && e.Member.Wallet == "" {
		f.AddText(path+".userId", path+".userId or walletAddress is required")
	}
	if e.CurrencyID.IsZero() {
		e.CurrencyID = currency
	}
	if e.CurrencyID.IsZero() {
		f.Add(path+".loyaltyCurrencyId", "is required")
	}
	f.Text(path+".idempotencyKey", e.Key, 0, maxEntryKey)
	if len(e.Metadata) > 0 && bytes.TrimSpace(e.Metadata)[0] != '{' {
		f.Add(path+".metadata", "must be an object")
	}
	budget.CheckJSON(f, path+".metadata", e.Metadata, budget.Metadata)
}

// refuseRepeatedKeys adds a fault for each key that an earlier entry has too.
func (in *Input) refuseRepeatedKeys(f *laurel.Faults) {
	used := map[string]bool{}
	for i, e := range in.Entries {
		if e.Key != "" && used[e.Key] {
			f.Add("entries."+strconv.Itoa(i)+".idempotencyKey", "is used by another entry of this transaction")
		}
		used[e.Key] = true
	}
}

// hash returns the hash of the whole input. The same keys with another input are refused.
func (in Input) hash() (string, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// nameCurrencyPath turns an UnknownCurrencyError into an Invalid error that names the path of the currency in the
// input, and returns any other error as it is.
func (in Input) nameCurrencyPath(err error) error {
	var unknown *ledger.UnknownCurrencyError
	if !errors.As(err, &unknown) {
		return err
	}
	path := "loyaltyCurrencyId"
	if i := slices.IndexFunc(in.Entries, func(e Entry) bool { return e.CurrencyID == unknown.ID }); i >= 0 &&
		unknown.ID != in.CurrencyID {
		path = "entries." + strconv.Itoa(i) + "." + path
	}
	return laurel.Unknown(path, "Loyalty currency")
}

// posting returns the input as a posting; members are in the order of its entries.
func (in Input) posting(scope laurel.Scope, members []ledger.Member) ledger.Posting {
	p := ledger.Posting{Scope: scope, Type: in.Type, Cause: ledger.CausePosted, Description: in.Description}
	for i, e := range in.Entries {
		p.Lines = append(
			p.Lines,
			ledger.Line{
				Member:     members[i],
				CurrencyID: e.CurrencyID,
				Direction:  e.Direction,
				Amount:     e.Amount,
				Key:        e.Key,
				Metadata:   e.Metadata,
			},
		)
	}
	return p
}
