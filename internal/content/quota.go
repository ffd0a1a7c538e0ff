package content

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Quotas are the most bytes that all files may have: per user of a website, per website, and in the whole service. A
// file counts from its announcement until its upload address expires or it is deleted; none counts less than
// minCharge.
type Quotas struct{ Member, Website, Instance int64 }

// DefaultQuotas are the quotas that apply unless the operator sets others.
func DefaultQuotas() Quotas { return Quotas{Member: 100 << 20, Website: 10 << 30, Instance: 100 << 30} }

// minCharge is the least that a file counts, a block of the disk. It bounds the number of rows that a quota of bytes
// allows. Migration 44 relies on it.
const minCharge = 4096

func (a *asset) charge() int64 { return max(a.Size, minCharge) }

// instanceUsage names the row that counts all files. Every change of usage locks it first, so changes run one by one
// on all nodes.
const instanceUsage = "instance"

func (a *asset) websiteUsage() string { return a.WebsiteID.String() }

func (a *asset) memberUsage() string { return a.WebsiteID.String() + "/" + a.UserID.String() }

// usages lists the names of the rows that count the file.
func (a *asset) usages() []string {
	if a.UserID.IsZero() {
		return []string{instanceUsage, a.websiteUsage()}
	}
	return []string{instanceUsage, a.websiteUsage(), a.memberUsage()}
}

// quotaError is the refusal of a file that would exceed a quota.
type quotaError struct{ refusal *laurel.Error }

func (e quotaError) Error() string { return e.refusal.Message }
func (e quotaError) Unwrap() error { return e.refusal }

// check returns a quotaError if the user, the website or the service of the file uses more bytes than its quota. usage
// has the used bytes by the names in a.usages.
func (q Quotas) check(a *asset, usage map[string]int64) error {
	const text = "The files of this %s may have at most %d bytes in all"
	switch {
	case !a.UserID.IsZero() && usage[a.memberUsage()] > q.Member:
		return quotaError{laurel.Errorf(laurel.Refused, text, "user", q.Member)}
	case usage[a.websiteUsage()] > q.Website:
		return quotaError{laurel.Errorf(laurel.Refused, text, "website", q.Website)}
	case usage[instanceUsage] > q.Instance:
		return quotaError{laurel.Errorf(laurel.Refused, text, "service", q.Instance)}
	}
	return nil
}

// inUsageTx calls fn in a transaction that changes usage. Such transactions run one by one on all nodes; on this node
// they wait before they take a connection, so that many of them do not use up the connections.
func (s *Service) inUsageTx(ctx context.Context, key *laurel.RequestKey, fn func(tx *store.Tx) error) error {
	select {
	case s.usageSlot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.usageSlot }()
	return s.db.Write(ctx, key, func(tx *store.Tx) error {
		if err := lockUsage(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// reserve adds the size of a new file to the used bytes of its user, website and service. It returns a quotaError if
// one of them then exceeds its quota; the caller then rolls back.
func (q Quotas) reserve(ctx context.Context, tx *store.Tx, a *asset) error {
	changes := map[string]int64{}
	for _, name := range a.usages() {
		changes[name] = a.charge()
	}
	if err := addUsage(ctx, tx, changes); err != nil {
		return err
	}
	usage, err := selectUsage(ctx, tx, a.usages())
	if err != nil {
		return err
	}
	return q.check(a, usage)
}

// releaseUsage subtracts the sizes of removed files from the used bytes of their users, websites and the service.
func releaseUsage(ctx context.Context, tx *store.Tx, files []asset) error {
	changes := map[string]int64{}
	for i := range files {
		for _, name := range files[i].usages() {
			changes[name] -= files[i].charge()
		}
	}
	return addUsage(ctx, tx, changes)
}

// addUsage adds bytes to the rows of asset_usage with these names; a negative number is subtracted. Missing rows are
// made.
func addUsage(ctx context.Context, tx *store.Tx, changes map[string]int64) error {
	var rows [][]any
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		rows = append(rows, []any{name, changes[name]})
	}
	_, err := tx.InsertRows(ctx, changeUsage, rows)
	return err
}
