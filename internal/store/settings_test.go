package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestSettingIsMadeOnceForAllNodes(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		nodes := []*store.DB{storetest.Open(t, address, nil), storetest.Open(t, address, nil)}
		got := make([]string, 20)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				value, err := nodes[i%2].ChangeSetting(t.Context(), "instance_secret", func(old string) (string, error) {
					if old != "" {
						return old, nil
					}
					return fmt.Sprint("made by ", i), nil
				})
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
	})
}

func TestSettingsAreChangedAndRemoved(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		set := func(value string, fault error) (old string) {
			t.Helper()
			_, err := db.ChangeSetting(t.Context(), "other", func(was string) (string, error) {
				old = was
				return value, fault
			})
			if !errors.Is(err, fault) {
				t.Fatal(err)
			}
			return old
		}
		failed := errors.New("no")
		for i, step := range []struct {
			value, old, left string
			fault            error
		}{{"", "", "", nil}, {"a", "", "a", nil}, {"b", "a", "b", nil}, {"c", "b", "b", failed}, {"", "b", "", nil}} {
			old := set(step.value, step.fault)
			left, err := db.Setting(t.Context(), "other")
			if old != step.old || left != step.left || err != nil {
				t.Errorf("step %d: it was %q and is %q, %v", i, old, left, err)
			}
		}
	})
}
