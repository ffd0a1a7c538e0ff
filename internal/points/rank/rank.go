// Package rank holds the highest balances of a currency at a moment, and works out from them and from what was
// posted since those of a later one. It is pure: it knows no database. What is asked of it, and when snapshots are
// taken, is the business of ledger.
package rank

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"laurel"
)

// AccountBalance is an account with its balance at a moment.
type AccountBalance struct {
	Account laurel.ID
	Amount  laurel.Amount
}

// Snapshot holds the highest balances of a currency at a settled moment. What makes it useful is what it says of all
// others:
//
//	every user's account that is not in Top had a balance of at most Floor at the moment At.
//
// Blocked members' accounts are in it like any other, so it stays true when a block ends. Genesis is the snapshot
// before all entries.
type Snapshot struct {
	At    int64
	Floor laurel.Amount
	Top   []AccountBalance
}

// Genesis is the snapshot before all entries.
var Genesis = Snapshot{At: math.MinInt64}

// ChangedBalance is an account that has an entry between two moments, with its balance at one side of the entry. Of an
// account's many the one with the highest version counts.
type ChangedBalance struct {
	Account laurel.ID     `db:"loyalty_account_id"`
	Amount  laurel.Amount `db:"amount"`
	Version int64         `db:"lock_version"`
}

// Balances returns the balances at a later moment m of all accounts that have more than Floor there, given the entries
// dated in (At, m]: every debit, and every credit that ends above Floor. A balance at or below Floor may be told lower
// than it is, or not at all.
//
// An account in neither is not in Top, so it had at most Floor at At; a credit that went above it would be given; so it
// has at most Floor at m. An account with entries given has the end of the last of them, whether it rose into the list
// or fell out of it, unless credits that end at or below Floor came after: then it has at most Floor, and so is it
// told, for to get from above Floor to such a credit takes a debit that ends below it. An account of Top without
// entries given stands as it stood, at Floor or above.
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

// Pick makes the snapshot of a moment from balances there and a floor that no account without one exceeds. What it
// leaves out has no more than the new floor, which may only be higher.
func Pick(at int64, floor laurel.Amount, balances map[laurel.ID]laurel.Amount, most int) Snapshot {
	top := Above(balances, floor)
	slices.SortFunc(top, HighestFirst)
	if len(top) > most {
		floor, top = top[most].Amount, top[:most]
	}
	return Snapshot{At: at, Floor: floor, Top: top}
}

// Above returns the accounts with more, in no order.
func Above(balances map[laurel.ID]laurel.Amount, amount laurel.Amount) []AccountBalance {
	var out []AccountBalance
	for account, a := range balances {
		if a > amount {
			out = append(out, AccountBalance{account, a})
		}
	}
	return out
}

// HighestFirst orders standings by balance.
func HighestFirst(a, b AccountBalance) int {
	return -cmp.Or(cmp.Compare(a.Amount, b.Amount), bytes.Compare(a.Account[:], b.Account[:]))
}

const packedBytes = len(laurel.ID{}) + 8

// Pack is the stored form: per account the 16 bytes of its id and 8 of its balance, big endian.
func Pack(top []AccountBalance) []byte {
	out := make([]byte, 0, len(top)*packedBytes)
	for _, t := range top {
		out = append(out, t.Account[:]...)
		out = binary.BigEndian.AppendUint64(out, uint64(t.Amount)) //nolint:gosec // balances of users are not negative
	}
	return out
}

// Unpack reads what Packed wrote.
func Unpack(b []byte) []AccountBalance {
	out := make([]AccountBalance, 0, len(b)/packedBytes)
	for ; len(b) >= packedBytes; b = b[packedBytes:] {
		var t AccountBalance
		rest := b[copy(t.Account[:], b):]
		t.Amount = laurel.Amount(binary.BigEndian.Uint64(rest)) //nolint:gosec // see Packed
		out = append(out, t)
	}
	return out
}
