package vault_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"laurel.example/laurel/internal/vault"
)

var (
	first  = []byte("the first key of the instance")
	second = []byte("the second key of the instance")
)

func open(t *testing.T, keys ...[]byte) *vault.Vault {
	t.Helper()
	v, err := vault.New(func(b []byte) { _, _ = rand.Read(b) }, keys...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSealedTextOpensUnderItsContextOnly(t *testing.T) {
	t.Parallel()
	v := open(t, first)
	for _, plain := range [][]byte{nil, []byte("s"), bytes.Repeat([]byte{0, 255}, 5000)} {
		sealed := v.Seal(plain, "member_secret:1")
		got, err := v.Open(sealed, "member_secret:1")
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("opened %q, %v", got, err)
		}
		if _, err := v.Open(sealed, "member_secret:2"); !errors.Is(err, vault.ErrBroken) {
			t.Fatalf("under another context: %v", err)
		}
	}
}

func TestSealedTextIsPrintableAndNeverTheSame(t *testing.T) {
	t.Parallel()
	v := open(t, first)
	seen := map[string]bool{}
	for range 100 {
		sealed := v.Seal([]byte("a secret text"), "c")
		if seen[sealed] || strings.Contains(sealed, "secret") {
			t.Fatalf("sealed: %s", sealed)
		}
		if i := strings.IndexFunc(sealed, func(r rune) bool { return r <= ' ' || r > '~' }); i >= 0 {
			t.Fatalf("not printable at %d: %q", i, sealed)
		}
		seen[sealed] = true
	}
}

func TestNewKeyInFrontSealsAndOldKeysStillOpen(t *testing.T) {
	t.Parallel()
	old := open(t, first).Seal([]byte("kept"), "c")
	rotated := open(t, second, first)
	if got, err := rotated.Open(old, "c"); err != nil || string(got) != "kept" {
		t.Fatalf("old text: %q, %v", got, err)
	}
	fresh := rotated.Seal([]byte("new"), "c")
	if _, err := open(t, first).Open(fresh, "c"); !errors.Is(err, vault.ErrUnknownKey) {
		t.Fatalf("the old key alone opened the new text: %v", err)
	}
	if got, err := open(t, second).Open(fresh, "c"); err != nil || string(got) != "new" {
		t.Fatalf("new text: %q, %v", got, err)
	}
}

func TestAnyChangeOfASealedTextIsNoticed(t *testing.T) {
	t.Parallel()
	v := open(t, first)
	sealed := v.Seal([]byte("points"), "c")
	for i := range sealed {
		for _, c := range []byte{'A', 'b', '.', '-'} {
			if sealed[i] == c {
				continue
			}
			changed := sealed[:i] + string(c) + sealed[i+1:]
			if got, err := v.Open(changed, "c"); err == nil {
				t.Fatalf("opened %q as %q", changed, got)
			}
		}
	}
	for cut := range sealed {
		if _, err := v.Open(sealed[:cut], "c"); err == nil {
			t.Fatalf("opened the first %d characters", cut)
		}
	}
}

func TestVaultRefusesMissingAndShortKeys(t *testing.T) {
	t.Parallel()
	fill := func([]byte) {}
	for _, keys := range [][][]byte{{}, {[]byte("fifteen bytes..")}, {first, nil}} {
		if _, err := vault.New(fill, keys...); err == nil {
			t.Fatalf("accepted %q", keys)
		}
	}
	if _, err := vault.New(fill, []byte("sixteen bytes...")); err != nil {
		t.Fatal(err)
	}
}

func FuzzOpenNeverPanics(f *testing.F) {
	v, err := vault.New(func(b []byte) { clear(b) }, first) // a fixed nonce: every process of the fuzzer seals alike
	if err != nil {
		f.Fatal(err)
	}
	sealed := v.Seal([]byte("x"), "c")
	f.Add(sealed)
	f.Add("v1..")
	f.Add(sealed + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := v.Open(text, "c"); err == nil && text != sealed {
			t.Fatalf("opened %q", text)
		}
	})
}
