package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// proven waits until the entry is sealed and returns its proof.
func proven(t testing.TB, database, entry string) string {
	t.Helper()
	var proof string
	wait.Until(t, "the entry is sealed", func() bool {
		e := run(t, "verify", "--database", database, "--proof", entry)
		if e.status != 0 && !strings.Contains(e.stderr, "is not sealed yet") {
			t.Fatalf("%s: %s", e.line, e.stderr)
		}
		proof = e.stdout
		return e.status == 0
	})
	return proof
}

func TestAProofIsCheckedWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		dir := t.TempDir()
		keyFile := filepath.Join(dir, "made", "seal-key")
		run(t, "seal-key", "--database", database, "--seal-key", keyFile).fails("is not there yet")
		s := serve(t, database, "--seal-key", keyFile)
		answer := s.site(p).post(transactions, s.site(p).transfer("", move{walletOf(1), 3})).ok(t)
		entry := answer["entries"].([]any)[0].(object)["id"].(string)
		if mode, err := os.Stat(keyFile); err != nil || mode.Mode().Perm() != 0o600 {
			t.Errorf("the key file: %v %v", mode, err)
		}
		key := strings.TrimSpace(run(t, "seal-key", "--seal-key", keyFile).ok())
		proof := proven(t, database, entry)
		check := func(text, key string) ended {
			file := filepath.Join(t.TempDir(), "proof.json")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return run(t, "verify", "--check", file, "--public-key", key, "--database", "sqlite:/nowhere/at/all.db")
		}
		if output := check(
			proof,
			key,
		).ok(); !strings.Contains(output, "the proof holds: entry "+entry) ||
			!strings.Contains(output, key) {
			t.Errorf("said %s", output)
		}
		stranger := strings.TrimSpace(runWith(t, []string{"LAUREL_SECRET=the secret of a stranger"}, "seal-key").ok())
		for _, c := range []struct{ text, key, says string }{
			{proof, stranger, "the proof is not valid: the block is signed with another key: " + key},
			{strings.Replace(proof, `"amount": "3000000"`, `"amount": "9000000"`, 1), key, "the proof is not valid: the entry was changed"},
			{proof[:len(proof)/2], key, "the proof is not valid: it is no proof"},
		} {
			if c.text == proof && c.key == key {
				t.Fatal("nothing was changed")
			}
			if e := check(c.text, c.key).fails(c.says); e.status != 1 || e.stdout != "" {
				t.Errorf("status %d\n%s", e.status, e.stdout)
			}
		}
		if e := run(t, "verify", "--check", "proof.json").fails("--check needs --public-key"); e.status != 2 {
			t.Errorf("status %d", e.status)
		}
		run(t, "verify", "--check", "proof.json", "--public-key", "abc").fails("--public-key must be 64 hexadecimal digits")
		run(t, "verify", "--check", filepath.Join(dir, "missing"), "--public-key", key).fails("no such file")
		run(t, "verify", "--database", database, "--proof", p.WebsiteID).fails("Entry not found")
	})
}

func TestVerifyHoldsTheChainAgainstWhatIsKeptElsewhere(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		const secret = "LAUREL_SECRET=an operator's own secret"
		p := initProgram(t, database)
		key := strings.TrimSpace(runWith(t, []string{secret}, "seal-key").ok())
		other := strings.TrimSpace(runWith(t, []string{"LAUREL_SECRET=another secret altogether"}, "seal-key").ok())
		s := start(t, serving, []string{secret}, "serve", "--listen", "127.0.0.1:0", "--database", database)
		answer := s.site(p).post(transactions, s.site(p).transfer("", move{walletOf(1), 3}, move{walletOf(2), 5})).ok(t)
		entry := answer["entries"].([]any)[1].(object)["id"].(string)
		proven(t, database, entry)
		found := regexp.MustCompile(`msg=sealed .*block=1 .*hash=([0-9a-f]{64})`).FindStringSubmatch(s.out.String())
		if found == nil {
			t.Fatal("the log tells no head")
		}
		verify := func(flags ...string) ended {
			return run(t, append([]string{"verify", "--database", database}, flags...)...)
		}
		if output := verify().ok(); !strings.Contains(output, key+", a key from the database; use --public-key for an independent check") ||
			!strings.Contains(output, found[1]) {
			t.Errorf("said %s", output)
		}
		if output := verify(
			"--public-key",
			other,
			"--public-key",
			key,
			"--head",
			found[1],
		).ok(); strings.Contains(output, "independent check") ||
			!strings.Contains(output, "3 entries sealed in 1 blocks, 0 waiting") {
			t.Errorf("said %s", output)
		}
		verify("--public-key", other).fails("block 1 is signed with another key: "+key, " 1 discrepancies")
		verify("--head", strings.Repeat("0", 64)).fails("is in no chain")
		s.kill()
		db := open(t, database)
		execute(t, db, "UPDATE loyalty_transaction_entries SET metadata = '{}' WHERE CAST(id AS TEXT) = '"+entry+"'")
		verify("--public-key", key).fails("entry "+entry+": it is not what was sealed in block 1", "first bad entry: "+entry)
		execute(t, db, "DELETE FROM loyalty_transaction_entries WHERE CAST(id AS TEXT) = '"+entry+"'")
		verify("--public-key", key).fails("entry "+entry+": it was sealed in block 1 and is gone", "first bad entry: "+entry)
	})
}

func TestAServerWithoutAPlaceForItsKeyEndsWithAMessage(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
			t.Fatal(err)
		}
		run(
			t,
			"serve",
			"--listen",
			"127.0.0.1:0",
			"--database",
			database,
			"--seal-key",
			file,
		).fails(file + ": must hold an Ed25519 private key")
		run(
			t,
			"serve",
			"--listen",
			"127.0.0.1:0",
			"--database",
			database,
			"--seal-key",
			filepath.Join(file, "below"),
		).fails("not a directory")
	})
}
