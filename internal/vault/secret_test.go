package vault_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/vault"
)

func TestASecretIsNeverShownUnlessItIsRevealed(t *testing.T) {
	t.Parallel()
	v := open(t, first)
	type holder struct {
		Name   string
		Secret vault.Secret
		Ptr    *vault.Secret
	}
	s := v.SealSecret("pl41n-t3xt", vault.Place("currency", laurel.ID{1}, "apiAuthValue"))
	h := holder{"n", s, &s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+verb+"\n", s, &s, h, []vault.Secret{s})
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "s", s, "h", h, "p", &s)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "s", s, "h", h, "p", &s)
	for _, value := range []any{s, h, map[string]any{"s": s}, map[vault.Secret]int{s: 1}} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	for _, shown := range []string{"pl41n-t3xt", fmt.Sprintf("%x", "pl41n-t3xt"), s.Sealed()} {
		if strings.Contains(out.String(), shown) {
			t.Errorf("%s is shown in\n%s", shown, &out)
		}
	}
	if !strings.Contains(out.String(), "[sealed]") {
		t.Errorf("nothing tells that there is a secret:\n%s", &out)
	}
	if plain, err := v.Reveal(s); err != nil || plain != "pl41n-t3xt" {
		t.Fatalf("%q, %v", plain, err)
	}
	if _, err := v.Reveal(
		vault.StoredSecret(s.Sealed(), vault.Place("currency", laurel.ID{2}, "apiAuthValue")),
	); !errors.Is(
		err,
		vault.ErrBroken,
	) {
		t.Fatalf("in another row: %v", err)
	}
}

func TestNoSecretIsNone(t *testing.T) {
	t.Parallel()
	none := vault.StoredSecret("", "somewhere")
	if plain, err := open(t, first).Reveal(none); plain != "" || err != nil || !none.IsZero() || none.String() != "" {
		t.Fatalf("%q, %v", plain, err)
	}
	if empty := open(t, first).SealSecret("", "somewhere"); empty.IsZero() {
		t.Fatal("an empty text that is kept is none")
	}
	if text, err := json.Marshal(none); string(text) != "null" || err != nil {
		t.Fatalf("%s, %v", text, err)
	}
}

func TestSealedTextsMoveToTheKeyThatSeals(t *testing.T) {
	t.Parallel()
	old, both, fresh := open(t, first), open(t, second, first), open(t, second)
	moved, err := both.Reseal(old.Seal([]byte("kept"), "c"), "c")
	if err != nil || vault.KeyIDOf(moved) != fresh.KeyID() || !both.HasKey(old.KeyID()) || fresh.HasKey(old.KeyID()) {
		t.Fatalf("%s, %v", moved, err)
	}
	if plain, err := fresh.Open(moved, "c"); string(plain) != "kept" || err != nil {
		t.Fatalf("%q, %v", plain, err)
	}
	if again, err := both.Reseal(moved, "c"); again != moved || err != nil {
		t.Fatalf("moved again: %s, %v", again, err)
	}
	for _, bad := range []string{"", "kept", "v1.x", "v1.x.y.z", moved + "x"} {
		if out, err := both.Reseal(bad, "c"); err == nil || out != bad {
			t.Errorf("%q moved to %q", bad, out)
		}
	}
}
