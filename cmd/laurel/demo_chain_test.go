package main_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/wait"
)

// onChain waits until the demo has read its blockchain with the blocks that leave it, and looks at what rules have paid
// for it.
func onChain(t *testing.T, s *process, site caller, kind string) {
	t.Helper()
	if want := "blockchain         devnet: " + kind; !strings.Contains(s.out.String(), want) {
		t.Errorf("printed is not %q:\n%s", want, s.out)
	}
	rules := map[any]string{}
	for _, r := range site.get("/api/loyalty/rules?limit=100").ok(t)["data"].([]any) {
		rules[r.(object)["name"]] = r.(object)["id"].(string)
	}
	entries := func(name, direction string) (wallets []any) {
		path := "/api/loyalty/transaction_entries?limit=100&direction=" + direction + "&loyaltyRuleId=" + rules[name]
		for _, e := range site.get(path).ok(t)["data"].([]any) {
			wallets = append(wallets, e.(object)["loyaltyAccount"].(object)["user"].(object)["walletAddress"])
		}
		return wallets
	}
	// Member 4 got a token in a block that leaves the chain, and member 6 in one that takes its place.
	const member4, member6 = "0x00000000000000000000000000000000001a7bbc", "0x00000000000000000000000000000000001ab99a"
	wait.Until(t, "a block has left the chain", func() bool { return len(entries("Get a piece of pottery", "debit")) > 0 })
	wait.Until(t, "others have taken its place", func() bool { return len(entries("Get a piece of pottery", "credit")) == 14 })
	got := entries("Get a piece of pottery", "credit")
	if back := entries("Get a piece of pottery", "debit"); len(back) != 1 || back[0] != member4 || got[0] != member6 {
		t.Errorf("taken back from %v, paid to %v", back, got)
	}
	wait.Until(t, "all coins are read", func() bool { return len(entries("Earn beans", "credit")) == 7 })
	if owners := entries("Owners of pottery", "credit"); len(owners) != 5 {
		t.Errorf("the run has paid %v", owners)
	}
	ready := site.get("/readyz").ok(t)["checks"].(object)["networks"].(object)["devnet"].(object)
	if ready["status"] != "ok" || ready["chainId"] != 31337.0 {
		t.Errorf("the network is %v", ready)
	}
	removed := 0
	for _, sub := range site.get("/api/stratus/subscriptions").ok(t)["data"].([]any) {
		if sub.(object)["name"] != "Pottery on the chain" {
			continue
		}
		events := site.get("/api/stratus/subscriptions/" + sub.(object)["id"].(string) + "/events?limit=100").ok(t)["data"]
		for _, e := range events.([]any) {
			if data := e.(object)["payload"].(object)["data"].(object); data["removed"] == true {
				removed++
			}
		}
		if removed != 1 {
			t.Errorf("%d events are rolled back of %v", removed, events)
		}
	}
}

// withAnvil returns the environment in which a demo finds the node that npm has put in this checkout. Without it the
// demo plays a chain back, and CI fails.
func withAnvil(t *testing.T) []string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "..", "scripts", "anvil", "node_modules", "@foundry-rs",
		"anvil-"+runtime.GOOS+"-"+runtime.GOARCH, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "anvil")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Log("anvil is missing, so no demo starts one: npm --prefix scripts/anvil ci --ignore-scripts")
	}
	return []string{"PATH=" + os.Getenv("PATH") + string(filepath.ListSeparator) + folder}
}
