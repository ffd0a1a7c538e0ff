package wallets_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/identity/wallets"
)

// vector is a proof that another library has made. testdata/proofs.json was made with the npm packages viem 2 (evm),
// tweetnacl and bs58 (solana), @mysten/sui, @cosmjs/amino, @polkadot/keyring (substrate), and @ton/ton with
// @ton/crypto: each signs the common message, a sign-in message or a ton_proof with the key 0x0102…20.
type vector struct {
	Name, Type, Address, Message, Signature string
	TON                                     *wallets.TONProof
}

func (v vector) proof() wallets.Proof {
	return wallets.Proof{Type: v.Type, Address: v.Address, Message: v.Message, Signature: v.Signature, TON: v.TON}
}

const website = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func vectors(t testing.TB) (list []vector) {
	t.Helper()
	text, err := os.ReadFile("testdata/proofs.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 40 {
		t.Fatalf("%d vectors, %v", len(list), err)
	}
	return list
}

func verify(t testing.TB, p wallets.Proof) (wallets.Statement, bool) {
	t.Helper()
	s, ok, _, err := p.Verify()
	if err != nil {
		t.Fatal(err)
	}
	return s, ok
}

func TestSignaturesOfOtherLibrariesAreValid(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		s, ok := verify(t, v.proof())
		if !ok {
			t.Errorf("%s: refused", v.Name)
			continue
		}
		if s.Nonce != "7f3a9c1e5b2d" || !s.IssuedAt.Equal(noon) || (s.Website == "") == (s.Domain == "") {
			t.Errorf("%s says %+v", v.Name, s)
		}
		if got := wallets.TypeOf(v.Address); got != v.Type && got != "evm" {
			t.Errorf("%s: by its form the address is %q", v.Name, got)
		}
		if !wallets.IsAddress(v.Type, v.Address) {
			t.Errorf("%s: the address is none of its type", v.Name)
		}
		want := wallets.Expected{
			Now: noon.Add(time.Minute), Website: website, Domains: []string{"shop.example", "shop.example:8443"}, Delegate: s.Delegate,
		}
		if ok, isOld := s.Check(want); !ok || isOld {
			t.Errorf("%s: expected %t, old %t", v.Name, ok, isOld)
		}
	}
}

func TestNothingElseIsValid(t *testing.T) {
	t.Parallel()
	list := vectors(t)
	for i, v := range list {
		changes := map[string]wallets.Proof{}
		change := func(name string, f func(p *wallets.Proof)) {
			p := v.proof()
			if v.TON != nil {
				copied := *v.TON
				p.TON = &copied
			}
			f(&p)
			changes[name] = p
		}
		for j, other := range list {
			if other.Type == v.Type && other.Address != v.Address && j != i {
				change("address of "+other.Name, func(p *wallets.Proof) { p.Address = other.Address })
			}
		}
		if v.TON == nil {
			change("other message", func(p *wallets.Proof) { p.Message += "\nBye" })
			change("other nonce", func(p *wallets.Proof) { p.Message = strings.Replace(p.Message, "7f3a9c1e5b2d", "7f3a9c1e5b2e", 1) })
			change("no signature", func(p *wallets.Proof) { p.Signature = "" })
			change("short signature", func(p *wallets.Proof) { p.Signature = p.Signature[:len(p.Signature)-4] })
			change("longer signature", func(p *wallets.Proof) { p.Signature += "00" })
			change("huge message", func(p *wallets.Proof) { p.Message += strings.Repeat(" ", wallets.MaxMessage) })
		} else {
			change("other domain", func(p *wallets.Proof) { p.TON.Proof.Domain.Value = "evil.example" })
			change("other nonce", func(p *wallets.Proof) { p.TON.Proof.Payload += "0" })
			change("other time", func(p *wallets.Proof) { p.TON.Proof.Timestamp++ })
			change("other key", func(p *wallets.Proof) { p.TON.PublicKey = strings.Repeat("11", 32) })
			change("no state", func(p *wallets.Proof) { p.TON.StateInit = "" })
			change("no proof", func(p *wallets.Proof) { p.TON = nil })
		}
		for _, walletType := range wallets.Types() {
			if same := map[string]bool{"evm": true, "agw": true, "imx": true}; walletType != "flow_cadence" &&
				walletType != v.Type && (!same[walletType] || !same[v.Type]) {
				change("as "+walletType, func(p *wallets.Proof) { p.Type = walletType })
			}
		}
		for name, p := range changes {
			if name == "address of "+v.Name || sameKey(v, p.Address) {
				continue
			}
			if _, ok := verify(t, p); ok {
				t.Errorf("%s with %s is valid", v.Name, name)
			}
		}
	}
}

// sameKey reports whether a TON or Substrate address is another form of the vector's, whose message does not name it.
func sameKey(v vector, address string) bool {
	return v.TON != nil && v.Address != address && strings.Contains(v.Name, "address")
}

func TestATypeWithoutACheckIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"flow_cadence", "", "EVM", "bitcoin"} {
		if _, ok, _, err := (wallets.Proof{Type: name}).Verify(); ok || !errors.Is(err, wallets.ErrUnsupported) {
			t.Errorf("%q: %t %v", name, ok, err)
		}
	}
}

func TestAContractWalletIsToBeAskedOnItsChain(t *testing.T) {
	t.Parallel()
	p := vectors(t)[0].proof()
	if _, ok, ask, err := p.Verify(); !ok || ask != nil || err != nil {
		t.Errorf("signed by a key: %t %v %v", ok, ask, err)
	}
	p.Signature = "0x0102"
	s, ok, ask, err := p.Verify()
	if ok || err != nil || ask == nil || ask.ChainID != 8453 || s.ChainID != 8453 || len(ask.Hash) != 32 ||
		!strings.EqualFold(ask.Address, p.Address) || string(ask.Signature) != "\x01\x02" {
		t.Errorf("%t %+v %v", ok, ask, err)
	}
	p.Signature = "0102" // no signature of any form
	if _, ok, ask, _ := p.Verify(); ok || ask != nil {
		t.Errorf("%t %+v", ok, ask)
	}
	p.Signature, p.Message = "0x0102", strings.Replace(p.Message, "Chain ID: 8453", "Chain ID: 8454", 1)
	if _, ok, ask, _ := p.Verify(); ok || ask != nil {
		t.Errorf("of an unknown chain: %t %+v", ok, ask)
	}
}

func TestMessagesAreHeldToWhatTheyMustSay(t *testing.T) {
	t.Parallel()
	s := wallets.Statement{Website: website, IssuedAt: noon}
	page := wallets.Statement{Domain: "Shop.example", IssuedAt: noon, ExpiresAt: noon.Add(5 * time.Minute), NotBefore: noon}
	toAlice := wallets.Statement{Website: website, IssuedAt: noon, Delegate: "0xA11CE"}
	for name, c := range map[string]struct {
		says      wallets.Statement
		now       time.Time
		delegate  string
		ok, isOld bool
	}{
		"now":                     {s, noon, "", true, false},
		"a clock a minute ahead":  {s, noon.Add(-time.Minute), "", true, false},
		"a clock further ahead":   {s, noon.Add(-61 * time.Second), "", false, false},
		"ten minutes":             {s, noon.Add(10 * time.Minute), "", true, false},
		"more than ten minutes":   {s, noon.Add(10*time.Minute + 1), "", true, true},
		"another website":         {wallets.Statement{Website: "x", IssuedAt: noon}, noon, "", false, false},
		"a domain, in any case":   {page, noon, "", true, false},
		"at its expiration":       {page, noon.Add(5 * time.Minute), "", true, true},
		"long before":             {page, noon.Add(-2 * time.Minute), "", false, false},
		"another domain":          {wallets.Statement{Domain: "shop.example.evil", IssuedAt: noon}, noon, "", false, false},
		"no domain":               {wallets.Statement{IssuedAt: noon}, noon, "", false, false},
		"a delegation to alice":   {toAlice, noon, "0xa11ce", true, false},
		"a delegation to bob":     {toAlice, noon, "0xb0b", false, false},
		"a delegation of nobody":  {s, noon, "0xa11ce", false, false},
		"a delegation for itself": {toAlice, noon, "", false, false},
	} {
		want := wallets.Expected{Now: c.now, Domains: []string{"shop.example"}, Website: website, Delegate: c.delegate}
		if ok, isOld := c.says.Check(want); ok != c.ok || isOld != c.isOld {
			t.Errorf("%s: %t, old %t", name, ok, isOld)
		}
	}
}
