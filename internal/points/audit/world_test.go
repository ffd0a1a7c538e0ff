package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// world is a program whose ledger is posted to, sealed and tampered with.
type world struct {
	t       testing.TB
	address string
	app     *app.App
	db      *store.DB // a second connection, for tampering
	scope   laurel.Scope
	points  laurel.ID
	log     *storetest.Log
}

var ctx = context.Background()

func key(n byte) seal.Key { return seal.NewKey(bytes.Repeat([]byte{n}, seal.SeedSize)) }

func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) { f(t, newWorld(t, address)) })
}

func eachBench(b *testing.B, f func(b *testing.B, w *world)) {
	b.Helper()
	for _, e := range storetest.Engines() {
		b.Run(e.Name, func(b *testing.B) { f(b, newWorld(b, e.URL(b))) })
	}
}

func newWorld(t testing.TB, address string) *world {
	t.Helper()
	a, err := app.Open(ctx, app.Config{Database: address, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	w := &world{t: t, address: address, app: a, db: storetest.Open(t, address, nil), log: &storetest.Log{}}
	w.scope, w.points = w.program("Acme")
	return w
}

func (w *world) program(name string) (laurel.Scope, laurel.ID) {
	w.t.Helper()
	p, err := w.app.CreateProgram(ctx, app.ProgramInput{Organization: name, Website: name, Currency: name})
	if err != nil {
		w.t.Fatal(err)
	}
	scope, err := w.app.ScopeOf(ctx, p.WebsiteAPIKey)
	if err != nil {
		w.t.Fatal(err)
	}
	return scope, p.LoyaltyCurrencyID
}

// post gives wallets a point each, in one transaction.
func (w *world) post(wallets ...int) ledger.Transaction {
	w.t.Helper()
	made, err := w.try(wallets...)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

func (w *world) try(wallets ...int) (ledger.Transaction, error) {
	in := transactions.Input{Description: "A gift", CurrencyID: w.points}
	for _, n := range wallets {
		in.Entries = append(
			in.Entries,
			transactions.Entry{
				Member:   transactions.MemberRef{Wallet: fmt.Sprintf("0x%040x", n)},
				Amount:   laurel.One,
				Metadata: []byte(`{"why":"a gift"}`),
			},
		)
	}
	return w.app.Transactions.Post(ctx, w.scope, in)
}

// node is a sealer with connections and a clock of its own.
type node struct {
	sealer *audit.Sealer
	ahead  atomic.Int64
}

func (w *world) node() *node {
	n := &node{}
	db := storetest.Open(w.t, w.address, func() time.Time { return time.Now().Add(time.Duration(n.ahead.Load())) })
	log := slog.New(slog.NewTextHandler(w.log, nil))
	n.sealer = audit.NewSealer(db, feed.NewFeed(db, log), log)
	return n
}

// run seals until the answered function is called.
func (n *node) run(t testing.TB, k seal.Key) (stop func()) {
	working, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.sealer.Run(working, k)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (n *node) state(t testing.TB) audit.SealState {
	t.Helper()
	state, err := n.sealer.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// seal runs a sealer until nothing waits.
func (w *world) seal() {
	w.t.Helper()
	n := w.node()
	stop := n.run(w.t, key(1))
	defer stop()
	wait.Until(w.t, "all is sealed", func() bool { s := n.state(w.t); return s.Started && s.Entries == 0 })
}

func (w *world) verify(trust audit.Trust) audit.VerifyReport {
	w.t.Helper()
	report, err := w.app.Audit.Verify(ctx, trust)
	if err != nil {
		w.t.Fatal(err)
	}
	return report
}

func (w *world) green() audit.VerifyReport {
	w.t.Helper()
	report := w.verify(audit.Trust{Keys: []seal.PublicKey{key(1).Public()}})
	for _, d := range report.Discrepancies {
		w.t.Error(d)
	}
	if w.t.Failed() {
		w.t.FailNow()
	}
	return report
}

// exec changes rows by hand.
func (w *world) exec(statements ...string) {
	w.t.Helper()
	err := w.db.InTx(ctx, func(tx *store.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) id(query string) laurel.ID {
	w.t.Helper()
	var id laurel.ID
	if err := w.db.Get(ctx, &id, query); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return id
}

func (w *world) count(query string) int64 {
	w.t.Helper()
	var n int64
	if err := w.db.Get(ctx, &n, query); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// kept are the tables that a tamperer changes.
var kept = []string{"loyalty_transaction_entries", "seal_blocks", "seal_heads", "seal_backlog"}

func (w *world) keep() {
	w.t.Helper()
	for _, table := range kept {
		w.exec("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table)
	}
}

func (w *world) restore() {
	w.t.Helper()
	for _, table := range kept {
		w.exec("DELETE FROM "+table, "INSERT INTO "+table+" SELECT * FROM kept_"+table)
	}
}

// members returns what block 1, 2 … lists.
func (w *world) members(block int) []seal.BlockEntry {
	w.t.Helper()
	var list []byte
	if err := w.db.Get(ctx, &list, "SELECT members FROM seal_blocks WHERE number = ?", block); err != nil {
		w.t.Fatal(err)
	}
	members, whole := seal.DecodeBlockEntries(list)
	if !whole {
		w.t.Fatalf("block %d lists %d bytes", block, len(list))
	}
	return members
}

// relist is a statement that has a block list other bytes.
func (w *world) relist(block int, list []byte) string {
	literal := fmt.Sprintf("X'%x'", list)
	if w.db.Engine() == store.Postgres {
		literal = fmt.Sprintf("'\\x%x'::bytea", list)
	}
	return fmt.Sprintf("UPDATE seal_blocks SET members = %s WHERE number = %d", literal, block)
}
