package seal_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
)

// hashes returns n different leaves.
func hashes(n int) []seal.Hash {
	out := make([]seal.Hash, n)
	for i := range out {
		r := seal.Row{}
		r.Entry[0].Value = fmt.Sprint(i)
		out[i] = r.Leaf()
	}
	return out
}

// The vectors of RFC 6962 are over leaf data; here the tree of them is made of their leaf hashes.
func TestTheTreeIsThatOfRFC6962(t *testing.T) {
	t.Parallel()
	leaves := make([]seal.Hash, 8)
	for i, text := range []string{
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
		"0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7", "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
		"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b", "4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658",
		"b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f", "46f6ffadd3d06a09ff3c5860d2755c8b9819db7df44251788c7d8e3180de8eb1",
	} {
		if err := leaves[i].UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for size, want := range map[int]string{
		1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d", 2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77", 5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	} {
		if got := seal.Root(leaves[:size]).String(); got != want {
			t.Errorf("the root of %d leaves is %s, want %s", size, got, want)
		}
	}
}

func row(metadata *string) seal.Row {
	var r seal.Row
	for i := range r.Entry {
		r.Entry[i] = seal.Text{Value: fmt.Sprint("e", i)}
	}
	for i := range r.Transaction {
		r.Transaction[i] = seal.Text{Value: fmt.Sprint("t", i)}
	}
	r.Entry[0].Value = laurel.ID{1}.String()
	r.Entry[1].Value = laurel.ID{2}.String()
	r.Entry[3].Value, r.Transaction[0].Value = laurel.ID{3}.String(), laurel.ID{3}.String()
	r.Entry[16] = seal.Text{Null: metadata == nil}
	if metadata != nil {
		r.Entry[16].Value = *metadata
	}
	return r
}

func key(n byte) seal.Key { return seal.NewKey(bytes.Repeat([]byte{n}, seal.SeedSize)) }

// prove makes the proof of the row at a position among others, signed with the key.
func prove(r seal.Row, leaves []seal.Hash, position int, k seal.Key) seal.Proof {
	leaves[position] = r.Leaf()
	block := k.Seal(
		seal.Block{
			OrganizationID: laurel.ID{2},
			Number:         7,
			Size:           int64(len(leaves)),
			Root:           seal.Root(leaves),
			PreviousHash:   seal.Hash{9},
			CreatedAt:      1_700_000_000_000_000,
		},
	)
	return seal.Proof{Row: r, Block: block, Position: int64(position), Leaf: r.Leaf(), Path: seal.Path(leaves, position)}
}

func TestEveryEntryOfATreeOfAnySizeIsProvenAndNoOtherPlaceIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 300).Draw(t, "size")
		position := rapid.IntRange(0, size-1).Draw(t, "position")
		metadata := rapid.Ptr(rapid.String(), true).Draw(t, "metadata")
		p := prove(row(metadata), hashes(size), position, key(1))
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		read, err := seal.ParseProof(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if err := read.Check(key(2).Public(), key(1).Public()); err != nil {
			t.Fatal(err)
		}
		other := read
		other.Position = rapid.Int64Range(-1, int64(size)+1).
			Filter(func(n int64) bool { return n != int64(position) }).
			Draw(t, "other")
		if other.Check(key(1).Public()) == nil {
			t.Fatalf("position %d passes for %d of %d", other.Position, position, size)
		}
		other = read
		other.Path = append([]seal.Hash{{1}}, other.Path...)
		if other.Check(key(1).Public()) == nil {
			t.Fatal("a longer path passes")
		}
		if len(read.Path) > 0 {
			other.Path = read.Path[1:]
			if other.Check(key(1).Public()) == nil {
				t.Fatal("a shorter path passes")
			}
		}
	})
}

func TestAProofFailsWhenAnythingOfItIsChanged(t *testing.T) {
	t.Parallel()
	metadata := `{"a":1}`
	good, err := json.Marshal(prove(row(&metadata), hashes(5), 2, key(1)))
	if err != nil {
		t.Fatal(err)
	}
	check := func(text []byte) error {
		p, err := seal.ParseProof(text)
		if err != nil {
			return err
		}
		return p.Check(key(1).Public())
	}
	if err := check(good); err != nil {
		t.Fatal(err)
	}
	// Every letter and digit stands for something: changing any one, anywhere, must be noticed.
	for i, b := range good {
		changed := bytes.Clone(good)
		switch {
		case b >= '0' && b <= '8' || b >= 'a' && b <= 'e':
			changed[i]++
		case b == '9' || b == 'f':
			changed[i]--
		default:
			continue
		}
		if check(changed) == nil {
			t.Errorf("the change at %d passes: %s", i, changed[max(0, i-30):min(len(changed), i+10)])
		}
	}
}

func TestARebuiltTreeWithAnotherKeyFails(t *testing.T) {
	t.Parallel()
	forged := row(nil)
	forged.Entry[11].Value = "999000000"
	p := prove(forged, hashes(5), 2, key(66))
	if err := p.Check(p.Block.PublicKey); err != nil {
		t.Fatalf("the forgery must be consistent: %v", err)
	}
	if err := p.Check(key(1).Public()); err == nil || !strings.Contains(err.Error(), "signed with another key") {
		t.Errorf("answered %v", err)
	}
	p.Block.PublicKey = key(1).Public()
	if p.Check(key(1).Public()) == nil {
		t.Error("the right key's name under a wrong signature passes")
	}
	if p.Check() == nil {
		t.Error("passes without any key")
	}
}

func TestAProofThatReadersCouldTakeDifferentlyIsRefused(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(prove(row(nil), hashes(3), 1, key(1)))
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	for name, c := range map[string]struct{ text, says string }{
		"a column twice":         {strings.Replace(good, `"amount":`, `"amount":"5","amount":`, 1), "twice"},
		"a field twice":          {strings.Replace(good, `"position":`, `"position":0,"position":`, 1), "twice"},
		"in another letter case": {strings.Replace(good, `"position":`, `"Position":0,"position":`, 1), "twice"},
		"an unknown field":       {strings.Replace(good, `"position":`, `"note":"x","position":`, 1), "note"},
		"an unknown column":      {strings.Replace(good, `"amount":`, `"bonus":"5","amount":`, 1), "columns"},
		"a missing column":       {strings.Replace(good, `"amount":"e11",`, ``, 1), "columns"},
		"another column":         {strings.Replace(good, `"amount":`, `"amounts":`, 1), "lacks amount"},
		"something behind":       {good + `{}`, "one object"},
		"another version":        {strings.Replace(good, `"version":1`, `"version":2`, 1), "version"},
		"a short hash":           {strings.Replace(good, `"leaf":"`, `"leaf":"00`, 1), "hexadecimal"},
		"nothing":                {``, "no proof"},
		"an array":               {`[1]`, "no proof"},
		"deep":                   {strings.Repeat("[", 100_000), "deep"},
	} {
		if _, err := seal.ParseProof([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: answered %v", name, err)
		}
	}
}

func FuzzParseProof(f *testing.F) {
	metadata := "{}"
	for _, size := range []int{1, 2, 7} {
		text, err := json.Marshal(prove(row(&metadata), hashes(size), size-1, key(1)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"version":1,"entry":{},"transaction":null,"path":[null],"block":{"size":9223372036854775807}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := seal.ParseProof(text)
		if err != nil {
			return
		}
		holds := p.Check(key(1).Public()) == nil
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := seal.ParseProof(again)
		if err != nil || (q.Check(key(1).Public()) == nil) != holds {
			t.Errorf("written again: %v", err)
		}
	})
}

func TestNoTwoRowsHaveTheSameLeaf(t *testing.T) {
	t.Parallel()
	texts := rapid.Custom(func(t *rapid.T) seal.Text {
		if rapid.Bool().Draw(t, "null") {
			return seal.Text{Null: true}
		}
		return seal.Text{Value: rapid.StringOfN(rapid.RuneFrom([]rune{0, 1, 'a'}), 0, 3, -1).Draw(t, "text")}
	})
	draw := func(t *rapid.T, name string) seal.Row {
		var r seal.Row
		for i := 10; i < 14; i++ {
			r.Entry[i] = texts.Draw(t, name)
		}
		r.Transaction[0] = texts.Draw(t, name)
		return r
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if (a.Leaf() == b.Leaf()) != (a == b) {
			t.Fatalf("%v and %v", a, b)
		}
	})
}

func TestABlockTellsWhatOfItWasChanged(t *testing.T) {
	t.Parallel()
	good := key(1).Seal(seal.Block{OrganizationID: laurel.ID{2}, Number: 1, Size: 1, CreatedAt: 5})
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*seal.Block){
		"organization": func(b *seal.Block) { b.OrganizationID[0]++ }, "number": func(b *seal.Block) { b.Number++ }, "size": func(b *seal.Block) { b.Size++ },
		"root": func(b *seal.Block) { b.Root[0]++ }, "previous": func(b *seal.Block) { b.PreviousHash[0]++ }, "time": func(b *seal.Block) { b.CreatedAt++ },
		"key": func(b *seal.Block) { b.PublicKey = key(2).Public() }, "hash": func(b *seal.Block) { b.Hash[0]++ },
	} {
		b := good
		change(&b)
		if err := b.Check(); err != seal.ErrBlockHash { //nolint:errorlint // Check answers the error itself
			t.Errorf("%s: answered %v", name, err)
		}
	}
	b := good
	b.Signature = key(2).Seal(b).Signature
	if err := b.Check(); err != seal.ErrSignature { //nolint:errorlint // as above
		t.Errorf("answered %v", err)
	}
}

func TestKeysAreReadAndDerived(t *testing.T) {
	t.Parallel()
	text, err := key(3).PEM()
	if err != nil {
		t.Fatal(err)
	}
	read, err := seal.ParseKey(text)
	if err != nil || read.Public() != key(3).Public() {
		t.Errorf("read %s, %v", read.Public(), err)
	}
	a, errA := seal.DeriveKey([]byte("a secret of the operator"))
	b, errB := seal.DeriveKey([]byte("another secret of theirs"))
	if errA != nil || errB != nil || a.Public() == b.Public() {
		t.Errorf("derived %s and %s: %v %v", a.Public(), b.Public(), errA, errB)
	}
	// HKDF-SHA256 with the info "laurel seal ed25519": another derivation would orphan every key in use.
	if got := a.Public().String(); got != derived {
		t.Errorf("derived %s, want %s", got, derived)
	}
	x25519, err := ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{3}, 32))
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(x25519)
	if err != nil {
		t.Fatal(err)
	}
	other := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	for _, bad := range []string{"", "nonsense", hex.EncodeToString(text), strings.ReplaceAll(string(text), "PRIVATE", "PUBLIC"), other} {
		if _, err := seal.ParseKey([]byte(bad)); err == nil {
			t.Errorf("read %q", bad)
		}
	}
}

const derived = "734d92c73b68b326625d8c285ea27eea566055f9f13099534e21e44dbd3721bb"
