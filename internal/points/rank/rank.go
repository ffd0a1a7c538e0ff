// Package rank computes rank snapshots: the highest balances of a currency at a moment, and those of a later moment
// from a snapshot and the entries since. It is pure and knows no database. The ledger takes and stores the snapshots.
package rank

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"laurel.example/laurel"
)

// AccountBalance is an account with its balance at a moment.
type AccountBalance struct {
	Account laurel.ID
	Amount  laurel.Amount
}

// Snapshot has the highest balances of a currency at a settled moment. It also bounds all others:
//
//	every user's account that is not in Top had a balance of at most Floor at the moment At.
//
// Blocked members' accounts are in it like any other, so it stays valid when a block ends.
type Snapshot struct {
	At    int64
	Floor laurel.Amount
	Top   []AccountBalance
}

// Genesis is the snapshot before all entries: no account had a balance above 0.
var Genesis = Snapshot{At: math.MinInt64}

// ChangedBalance is an account that has an entry between two moments, with its balance before or after the entry. If an
// account has several, the one with the highest version counts.
type ChangedBalance struct {
	Account laurel.ID     `db:"loyalty_account_id"`
	Amount  laurel.Amount `db:"amount"`
	Version int64         `db:"lock_version"`
}

// Balances returns the balances at a later moment m of all accounts that have more than Floor there, given the entries
// dated in (At, m]: every debit, and every credit that ends above Floor. A balance at or below Floor may be too low in
// the result, or missing.
//
// This is correct for each kind of account. One that is neither in Top nor in the entries had at most Floor at At. A
// credit that went above Floor would be among the entries, so it has at most Floor at m. One with entries has the
// balance after the last of them, unless credits that end at or below Floor came after. Then it has at most Floor, and
// so has the result, because such a credit can only follow a debit that ends below Floor. One in Top without entries
// has not changed.
func (s Snapshot) Balances(since []ChangedBalance) map[laurel.ID]laurel.Amount {
	out := make(map[laurel.ID]laurel.Amount, len(s.Top)+len(since))
	for _, t := range s.Top {
		out[t.Account] = t.Amount
	}
	last := make(map[laurel.ID]int64, len(since))
	for _, e := range since {
		if version, found := last[e.Account]; !found || e.Version > version {
			out[e.Account], last[e.Account] = e.Amount, e.Version
		}
	}
	return out
}

// PickHighest returns the snapshot of the moment at. balances are the accounts' balances then; an account that is not
// among them must have at most floor. The snapshot has the highest balances above the floor, at most maxAccounts of
// them. If more are above it, the floor rises to the highest balance that is left out.
func PickHighest(at int64, floor laurel.Amount, balances map[laurel.ID]laurel.Amount, maxAccounts int) Snapshot {
	top := Above(balances, floor)
	slices.SortFunc(top, HighestFirst)
	if len(top) > maxAccounts {
		floor, top = top[maxAccounts].Amount, top[:maxAccounts]
	}
	return Snapshot{At: at, Floor: floor, Top: top}
}

// Above returns the accounts whose balance exceeds the amount, in no order.
func Above(balances map[laurel.ID]laurel.Amount, amount laurel.Amount) []AccountBalance {
	var out []AccountBalance
	for account, a := range balances {
		if a > amount {
			out = append(out, AccountBalance{account, a})
		}
	}
	return out
}

// HighestFirst compares accounts by balance, then by id, the highest first.
func HighestFirst(a, b AccountBalance) int {
	return -cmp.Or(cmp.Compare(a.Amount, b.Amount), bytes.Compare(a.Account[:], b.Account[:]))
}

const packedBytes = len(laurel.ID{}) + 8

// Pack returns the stored form: for each account the 16 bytes of its id and 8 of its balance, big endian.
func Pack(top []AccountBalance) []byte {
	out := make([]byte, 0, len(top)*packedBytes)
	for _, t := range top {
		out = append(out, t.Account[:]...)
		out = binary.BigEndian.AppendUint64(out, uint64(t.Amount)) //nolint:gosec // balances of users are not negative
	}
	return out
}

// Unpack returns the accounts and balances that Pack has encoded.
func Unpack(b []byte) []AccountBalance {
	out := make([]AccountBalance, 0, len(b)/packedBytes)
	for ; len(b) >= packedBytes; b = b[packedBytes:] {
		var t AccountBalance
		rest := b[copy(t.Account[:], b):]
		t.Amount = laurel.Amount(binary.BigEndian.Uint64(rest)) //nolint:gosec // see Pack
		out = append(out, t)
	}
	return out
}
