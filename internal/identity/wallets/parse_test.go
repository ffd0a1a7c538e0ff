package wallets

import (
	"strings"
	"testing"
)

const (
	signer  = "0x00000000000000000000000000000000000a11ce"
	website = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
	common  = "Hello\n\nWallet: " + signer + "\nWebsite: " + website + "\nNonce: 12345678\nIssued At: 2026-11-27T12:00:00Z"
	signIn  = "shop.example" + signInSuffix + "\n" + signer + "\n\nHello\n\nURI: https://shop.example\nVersion: 1\n" +
		"Chain ID: 1\nNonce: 12345678\nIssued At: 2026-11-27T12:00:00Z"
)

func TestTheCommonFormHasEachLineOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to string
		want     bool
	}{
		"as it is":                {"", "", true},
		"lines of Windows":        {"\n", "\r\n", true},
		"the address alone":       {"Wallet: ", "", true},
		"the address in capitals": {"a11ce", "A11CE", true},
		"a website in capitals":   {website, strings.ToUpper(website), true},
		"a further line":          {"Hello", "Hello\nPlease sign: this", true},
		"no address":              {signer, "", false},
		"the address in a word":   {signer, signer + "x", false},
		"another address":         {"a11ce", "a11cf", false},
		"the address as delegate": {"Wallet: ", "Delegate: ", false},
		"no website":              {"Website: " + website, "", false},
		"an empty website":        {website, "", false},
		"no nonce":                {"Nonce: 12345678", "", false},
		"a short nonce":           {"12345678", "1234567", false},
		"a long nonce":            {"12345678", strings.Repeat("1", 256), false},
		"a nonce of spaces":       {"12345678", strings.Repeat(" ", 9), false},
		"two nonces":              {"Nonce", "Nonce: 12345678\nNonce", false},
		"two websites":            {"Website", "Website: x\nWebsite", false},
		"no time":                 {"Issued At: 2026-11-27T12:00:00Z", "", false},
		"a time without zone":     {"00Z", "00", false},
		"a date":                  {"T12:00:00Z", "", false},
	} {
		message := strings.ReplaceAll(common, c.from, c.to)
		if c.from == "" {
			message = common
		}
		if s, ok := parseCommon(message, signer); ok != c.want {
			t.Errorf("%s: %t %+v", name, ok, s)
		}
	}
	if s, ok := parseCommon(common+"\nDelegate: "+signer, signer); !ok || s.Delegate != signer {
		t.Errorf("a delegation: %t %+v", ok, s)
	}
}

func TestSignInMessagesFollowTheirGrammar(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to string
		want     bool
	}{
		"as it is":                 {"", "", true},
		"a scheme":                 {"shop.example wants", "https://shop.example wants", true},
		"a port":                   {"shop.example wants", "shop.example:8443 wants", true},
		"no statement":             {"Hello\n\n", "", true},
		"an empty statement":       {"Hello\n", "\n", false},
		"two empty lines":          {"Hello\n\n", "\n", true},
		"a statement of two lines": {"Hello", "Hello\nyou", false},
		"an expiration":            {"00Z", "00Z\nExpiration Time: 2026-11-27T13:00:00Z", true},
		"all that may follow":      {"00Z", "00Z\nExpiration Time: 2026-11-27T13:00:00Z\nNot Before: 2026-11-27T12:00:00Z\nRequest ID: \nResources:\n- a\n- b", true},
		"another order":            {"00Z", "00Z\nNot Before: 2026-11-27T12:00:00Z\nExpiration Time: 2026-11-27T13:00:00Z", false},
		"resources without dash":   {"00Z", "00Z\nResources:\na", false},
		"more lines":               {"00Z", "00Z\n", false},
		"a user in the domain":     {"shop.example wants", "a@shop.example wants", false},
		"a path in the domain":     {"shop.example wants", "shop.example/a wants", false},
		"no domain":                {"shop.example wants", " wants", false},
		"another address":          {"a11ce", "a11cf", false},
		"version 2":                {"Version: 1", "Version: 2", false},
		"chain 0":                  {"Chain ID: 1", "Chain ID: 0", false},
		"chain 01":                 {"Chain ID: 1", "Chain ID: 01", false},
		"a word as chain":          {"Chain ID: 1", "Chain ID: base", false},
		"a nonce with a dash":      {"12345678", "1234-5678", false},
		"a short nonce":            {"12345678", "1234567", false},
		"no URI":                   {"URI: https://shop.example\n", "", false},
		"a relative URI":           {"URI: https://shop.example", "URI: /login", false},
		"a time in words":          {"2026-11-27T12:00:00Z", "today", false},
	} {
		message := signIn
		if c.from != "" {
			message = strings.Replace(signIn, c.from, c.to, 1)
		}
		if s, ok := parseSignIn(message, signer); ok != c.want {
			t.Errorf("%s: %t %+v", name, ok, s)
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add(common)
	f.Add(signIn)
	f.Fuzz(func(t *testing.T, message string) {
		if s, ok := parseCommon(message, signer); ok && (s.Website == "" || s.Nonce == "" || !strings.Contains(message, s.Nonce)) {
			t.Errorf("%q says %+v", message, s)
		}
		s, ok := parseSignIn(message, signer)
		if ok && (!isSignIn(message) || s.Domain == "" || s.ChainID == 0 || len(s.Nonce) < minNonce || s.IssuedAt.IsZero()) {
			t.Errorf("%q says %+v", message, s)
		}
	})
}

func FuzzSignatures(f *testing.F) {
	f.Add(signer, "0x00", "te6cc", "00")
	f.Fuzz(func(t *testing.T, address, signature, state, key string) {
		ton := &TONProof{PublicKey: key, StateInit: state}
		ton.Proof.Payload, ton.Proof.Domain.Value, ton.Proof.Signature = "12345678", "shop.example", signature
		for _, name := range Types() {
			p := Proof{Type: name, Address: address, Message: strings.ReplaceAll(common, signer, address), Signature: signature, TON: ton}
			if _, ok, _, _ := p.Verify(); ok {
				t.Errorf("%s accepts %+v", name, p)
			}
		}
		TypeOf(address)
	})
}
