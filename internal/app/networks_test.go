package app_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
)

// networksFile writes a file of --networks and returns its path.
func networksFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "networks.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConfiguredNetworksAreThoseOfRecords(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, Networks: networksFile(t, `{"networks": [{"name": "appnet", "chainId": 4242001}]}`)}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		collection := func(network string) object {
			return object{"name": "A", "collectionAddress": apptest.Alice, "network": network, "sortId": 1}
		}
		path := "/api/website_collections"
		s.Post(path, collection("appnet")).OK()
		s.Post(path, collection("base")).OK()
		s.Post(path, collection("nonet")).Refused(400, "network must be a known network")
		if document := s.Get("/openapi.json"); strings.Count(document.Body, `"appnet"`) < 4 {
			t.Errorf("the document names it %d times", strings.Count(document.Body, `"appnet"`))
		}
		if ready := s.Get("/readyz").Body; strings.Contains(ready, "networks") {
			t.Errorf("a network without a node is in %s", ready)
		}
	})
}

func TestAMistakeInTheFileOfNetworksStopsTheStart(t *testing.T) {
	t.Parallel()
	config := app.Config{
		Database: "sqlite:" + filepath.Join(t.TempDir(), "laurel.db"),
		Networks: networksFile(t, `{"networks": [{"name": "base", "rpcUrl": "http://10.0.0.1/s3cret"}, {"name": "appnet2"}]}`),
	}
	const want = "--networks networks.1.chainId is required"
	if _, err := app.Open(t.Context(), config); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if err := config.Check(); err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	config.Networks = filepath.Join(t.TempDir(), "none.json")
	if err := config.Check(); err == nil || !strings.HasPrefix(err.Error(), "--networks: ") {
		t.Errorf("%v", err)
	}
}

// networksOf is a file with two networks; the second has another chain id than any node of the tests but one.
func networksOf(t *testing.T, first, second string) string {
	t.Helper()
	return networksFile(t, fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": "%s"},
		{"name": "othernet", "chainId": 31338, "rpcUrl": "%s"}]}`, anvil.ChainID, first, second))
}

func TestNetworksAreInReadyz(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	n.Mine(7)
	config := app.Config{NoRateLimits: true, Networks: networksOf(t, n.URL, n.URL)}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		networks := func() object {
			time.Sleep(1100 * time.Millisecond) // what /readyz found counts for a second
			r := s.Get("/readyz")
			if r.Status != 200 || r.JSON()["status"] != "ok" {
				t.Errorf("%d %s", r.Status, r.Body)
			}
			return r.JSON()["checks"].(object)["networks"].(object)
		}
		if got := networks()["devnet"].(object); got["status"] != "down" || got["head"] != nil || got["error"] == nil {
			t.Errorf("before the first look: %v", got)
		}
		s.App.Networks.Look(t.Context())
		got := networks()
		if one := got["devnet"].(object); fmt.Sprint(one) != "map[chainId:31337 cursor:<nil> head:7 status:ok]" {
			t.Errorf("%v", one)
		}
		if other := got["othernet"].(object); other["status"] != "wrong_chain" ||
			other["error"] != "the node is of chain 31337; configured is 31338" {
			t.Errorf("%v", other)
		}
		metrics := s.Get("/metrics").Body
		for _, line := range []string{
			`laurel_network_head{network="devnet"} 7`, `laurel_network_calls_total{address="1",network="devnet"} 3`,
			`laurel_network_failures_total{address="1",network="othernet"} 1`, `laurel_network_call_seconds_count{network="devnet"} 2`,
		} {
			if !strings.Contains(metrics, line) {
				t.Errorf("no %s", line)
			}
		}
	})
}

// contractWallet is a contract wallet, and a node that signs for its owner.
type contractWallet struct {
	node    *anvil.Node
	address string
	nonce   int
}

// owned deploys a contract wallet that First owns.
func owned(n *anvil.Node) *contractWallet {
	return &contractWallet{node: n, address: n.Deploy("wallets", "OwnedWallet", anvil.Word(anvil.First))}
}

// signIn returns the body by which the wallet signs in with a message of EIP-4361 for a chain, signed by an account.
func (w *contractWallet) signIn(at time.Time, chainID int, signer string) object {
	w.nonce++
	return w.sign(fmt.Sprintf("shop.example wants you to sign in with your Ethereum account:\n%s\n\nURI: https://shop.example\n"+
		"Version: 1\nChain ID: %d\nNonce: %s%04d\nIssued At: %s", w.address, chainID, w.address[2:12], w.nonce, at.Format(time.RFC3339)), signer)
}

// common returns the body by which the wallet signs a message of the common form, with further lines.
func (w *contractWallet) common(website string, at time.Time, lines ...string) object {
	w.nonce++
	return w.sign(strings.Join(append([]string{w.address, "Website: " + website, fmt.Sprintf("Nonce: %s%04d", w.address[2:12], w.nonce),
		"Issued At: " + at.Format(time.RFC3339)}, lines...), "\n"), anvil.First)
}

func (w *contractWallet) sign(message, signer string) object {
	signature := w.node.Text("eth_sign", signer, "0x"+hex.EncodeToString([]byte(message)))
	return object{"walletAddress": w.address, "walletType": "evm",
		"verificationData": object{"message": message, "signature": signature}}
}

func TestContractWalletsProveThemselves(t *testing.T) {
	t.Parallel()
	n, other := anvil.Start(t), anvil.Start(t, "--chain-id", "31338")
	other.Do("anvil_setNonce", anvil.First, "0x100") // else its contracts have the addresses of those of the first
	config := app.Config{NoRateLimits: true, PublicURL: "https://shop.example", Networks: networksOf(t, n.URL, other.URL)}
	apptest.EachWith(t, config, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		now := s.Clock.Now()
		wallet := owned(n)
		body := wallet.signIn(now, anvil.ChainID, anvil.First)
		user := s.sign(body, "").OK()
		if user["walletAddress"] != wallet.address || user["token"] == nil {
			t.Errorf("connected %v", user)
		}
		s.sign(body, "").Refused(400, "Invalid signature") // the nonce was used
		s.sign(wallet.common(s.WebsiteID.String(), now), "").OK()
		for name, refused := range map[string]object{
			"signed by another":     wallet.signIn(now, anvil.ChainID, anvil.Second),
			"on another chain":      wallet.signIn(now, 31338, anvil.First),
			"on a chain not read":   wallet.signIn(now, 1, anvil.First),
			"on a chain unknown":    wallet.signIn(now, 31339, anvil.First),
			"of another website":    wallet.common(apptest.UnknownID, now),
			"a delegation":          wallet.common(s.WebsiteID.String(), now, "Delegate: "+apptest.Alice),
			"of an account of keys": (&contractWallet{node: n, address: anvil.Second}).signIn(now, anvil.ChainID, anvil.First),
			"echo":                  (&contractWallet{node: n, address: n.Deploy("wallets", "EchoWallet", "")}).signIn(now, anvil.ChainID, anvil.First),
			"true":                  (&contractWallet{node: n, address: n.Deploy("wallets", "TrueWallet", "")}).signIn(now, anvil.ChainID, anvil.First),
			"reverting":             (&contractWallet{node: n, address: n.Deploy("wallets", "RevertingWallet", "")}).signIn(now, anvil.ChainID, anvil.First),
			"looping":               (&contractWallet{node: n, address: n.Deploy("wallets", "LoopingWallet", "")}).signIn(now, anvil.ChainID, anvil.First),
			"an identity contract":  (&contractWallet{node: n, address: "0x0000000000000000000000000000000000000004"}).signIn(now, anvil.ChainID, anvil.First),
		} {
			if got := s.sign(refused, ""); got.Status != 400 || got.JSON()["message"] != "Invalid signature" {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			if got := s.Post(connectPath, refused); got.Status != 400 || got.JSON()["message"] != "Invalid signature" {
				t.Errorf("%s, by a secret key: %d %s", name, got.Status, got.Body)
			}
		}
		s.sign(wallet.signIn(now.Add(-11*time.Minute), anvil.ChainID, anvil.First), "").Refused(400, "Signature has expired")

		// A message of the common form names no chain: the networks are asked in order. agw and imx are wallets of that kind.
		far := owned(other)
		for _, kind := range []string{"evm", "agw", "imx"} {
			body := far.common(s.WebsiteID.String(), now)
			body["walletType"] = kind
			s.sign(body, "").OK()
		}
		cold := wallet.common(s.WebsiteID.String(), now, "Delegate: "+apptest.Alice)["verificationData"].(object)
		cold["delegatorWalletAddress"], cold["walletAddress"] = wallet.address, apptest.Alice
		s.UserOf(apptest.Alice)
		delegate := func() apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", delegationsPath, cold, "Authorization", "Bearer "+s.Token(apptest.Alice))
		}
		if delegation := delegate().OK(); delegation["delegatorWalletAddress"] != wallet.address {
			t.Errorf("%v", delegation)
		}
		delegate().Refused(400, "Invalid signature") // the nonce was used
	})
}

func TestContractWalletsProveNothingByAnswersThatDoNotCount(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	config := app.Config{NoRateLimits: true, PublicURL: "https://shop.example", Networks: networksFile(t,
		fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q}]}`, anvil.ChainID, p.URL))}
	apptest.EachWith(t, config, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		wallet := owned(n)
		accepts := "0x1626ba7e" + strings.Repeat("0", 56)
		for name, c := range map[string]struct {
			fault  anvil.Fault
			status int
			text   string
		}{
			"down":        {anvil.Fault{Status: 500}, 503, "Provider failed"},
			"limited":     {anvil.Fault{Status: 429, RetryAfter: "1"}, 503, "Provider is rate limited, please try again later"},
			"empty":       {anvil.Fault{IsEmpty: true}, 503, "Provider did not give a valid answer"},
			"wrong chain": {anvil.Fault{ChainID: 1}, 503, "Provider did not give a valid answer"},
			"no code":     {anvil.Fault{Result: map[string]any{"eth_getCode": "0x", "eth_call": accepts}}, 400, "Invalid signature"},
			"code of nothing": {anvil.Fault{Result: map[string]any{"eth_getCode": nil, "eth_call": accepts}}, 503,
				"Provider did not give a valid answer"},
			"a result of nothing":   {anvil.Fault{Result: map[string]any{"eth_call": nil}}, 503, "Provider did not give a valid answer"},
			"four bytes":            {anvil.Fault{Result: map[string]any{"eth_call": "0x1626ba7e"}}, 400, "Invalid signature"},
			"more than it must say": {anvil.Fault{Result: map[string]any{"eth_call": accepts + "00"}}, 400, "Invalid signature"},
			"an error": {anvil.Fault{Error: map[string]any{"eth_call": object{"code": -32000, "message": "header not found"}}}, 503,
				"Provider did not give a valid answer"},
		} {
			s.sign(wallet.signIn(s.Clock.Now(), anvil.ChainID, anvil.First), "").OK() // so the address is in use already
			p.Set(c.fault)
			body := wallet.signIn(s.Clock.Now(), anvil.ChainID, anvil.First)
			got := s.sign(body, "")
			if got.Status != c.status || got.JSON()["message"] != c.text || strings.Contains(got.Body, anvil.ProxyKey) {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			p.Set(anvil.Fault{})
			s.Clock.Advance(2 * time.Minute)
			s.sign(body, "").OK() // the refusal has not used up the nonce
		}
		calls := p.Calls("eth_call")
		s.sign(wallet.signIn(s.Clock.Now().Add(-time.Hour), anvil.ChainID, anvil.First), "").Refused(400, "Signature has expired")
		s.sign(wallet.common(apptest.UnknownID, s.Clock.Now()), "").Refused(400, "Invalid signature")
		if p.Calls("eth_call") != calls {
			t.Error("a message that does not count has caused a call")
		}
	})
}

func TestWithoutNetworksContractWalletsProveNothing(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	apptest.EachWith(t, app.Config{NoRateLimits: true, PublicURL: "https://shop.example"}, func(t *testing.T, server *apptest.Server) {
		s := walletCalls{server}
		wallet := owned(n)
		s.sign(wallet.common(s.WebsiteID.String(), s.Clock.Now()), "").Refused(400, "Invalid signature")
		s.sign(wallet.signIn(s.Clock.Now(), 1, anvil.First), "").Refused(400, "Invalid signature")
	})
}
