package store_test

import (
	"fmt"
	"sync"
	"testing"

	"laurel/internal/store"
	"laurel/internal/storetest"
)

func TestSettingIsMadeOnceForAllNodes(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		nodes := []*store.DB{storetest.Open(t, address, nil), storetest.Open(t, address, nil)}
		got := make([]string, 20)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				value, err := nodes[i%2].Setting(t.Context(), "instance_secret", func() string { return fmt.Sprint("made by ", i) })
				if err != nil {
					t.Error(err)
				}
				got[i] = value
			})
		}
		wg.Wait()
		for _, value := range got {
			if value == "" || value != got[0] {
				t.Fatalf("answers differ: %q", got)
			}
		}
		other, err := nodes[0].Setting(t.Context(), "other", func() string { return "x" })
		if err != nil || other != "x" {
			t.Fatalf("other: %q, %v", other, err)
		}
		again, err := nodes[1].Setting(t.Context(), "other", func() string { t.Error("made again"); return "y" })
		if err != nil || again != "x" {
			t.Fatalf("again: %q, %v", again, err)
		}
	})
}
