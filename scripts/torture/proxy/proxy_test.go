package proxy

import "testing"

func TestTheProxySeesWhatCommitsEntries(t *testing.T) {
	t.Parallel()
	s := session{statements: map[string]string{}}
	message := func(kind byte, body string) []byte { return append([]byte{kind, 0, 0, 0, 0}, body...) }
	for i, c := range []struct {
		kind byte
		body string
		want bool
	}{
		{'Q', "BEGIN\x00", false},
		{'Q', "COMMIT\x00", false}, // of nothing
		{'P', "s1\x00INSERT INTO loyalty_transaction_entries VALUES ($1)\x00", false},
		{'P', "s2\x00commit\x00", false},
		{'B', "\x00s1\x00", false},
		{'Q', "commit;\x00", true},
		{'Q', "COMMIT\x00", false}, // what was posted is committed
		{'B', "\x00s1\x00", false},
		{'Q', "ROLLBACK\x00", false},
		{'B', "\x00s2\x00", false}, // what was posted is gone
		{'B', "portal\x00s1\x00", false},
		{'B', "portal\x00s2\x00", true},
	} {
		if got := s.commitsEntries(message(c.kind, c.body)); got != c.want {
			t.Errorf("message %d, %c %q: %v", i, c.kind, c.body, got)
		}
	}
}
