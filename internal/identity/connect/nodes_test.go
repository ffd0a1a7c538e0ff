package connect_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// TestAFlowThatOneNodeStartsEndsOnceOnAnyNode sends the browser to both nodes at the same moment: one connects the
// account, and the provider is asked once.
func TestAFlowThatOneNodeStartsEndsOnceOnAnyNode(t *testing.T) {
	t.Parallel()
	p := apptest.NewProvider(t)
	text, err := json.Marshal(object{"platforms": []object{p.Driver("code_host", "oidc")}})
	if err != nil {
		t.Fatal(err)
	}
	nodes, _ := apptest.NodesWith(t, app.Config{
		NoRateLimits: true, PublicURL: publicURL, Identity: apptest.WriteConfig(t, string(text)),
	})
	user := nodes[0].User(apptest.Alice, nil)
	for range 5 {
		leads := nodes[0].Get("/api/code_host/auth?responseType=json&userId=" + user).OK()["url"].(string)
		back := strings.TrimPrefix(p.LogIn(t, leads, account), publicURL)
		pages := make([]apptest.Page, len(nodes))
		var both sync.WaitGroup
		for i, node := range nodes {
			both.Go(func() { pages[i] = node.NewBrowser().Get(back) })
		}
		both.Wait()
		if pages[0].Status+pages[1].Status != 200+400 {
			t.Errorf("%d %s\n%d %s", pages[0].Status, pages[0].Body, pages[1].Status, pages[1].Body)
		}
	}
	if got := nodes[1].Get("/api/users?userId=" + user).Data()[0]["userMetadata"].([]any)[0].(object)["codeHostUserId"]; got != "77" {
		t.Errorf("connected %v", got)
	}
}
