package app_test

import (
	"sync"
	"sync/atomic"
	"testing"
)

const alice = "0x00000000000000000000000000000000000a11ce"

func TestExternalRulePaysOncePerWindow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "once"})
		done := s.complete(rule, object{"walletAddress": alice}).ok()
		data := done["data"].(object)
		if done["message"] != "Completion request added to queue" || data["status"] != "completed" {
			t.Fatalf("answer: %v", done)
		}
		again := s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		if again["rewarded"] != true {
			t.Fatalf("rewarded is missing: %v", again)
		}
		if got := s.balance(alice); got != "10" {
			t.Fatalf("balance %s, want 10", got)
		}
	})
}

func TestConcurrentCompletionsOfOneWindowPayOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "daily"})
		var paid atomic.Int64
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if s.complete(rule, object{"walletAddress": alice}).status == 200 {
					paid.Add(1)
				}
			})
		}
		wg.Wait()
		if paid.Load() != 1 || s.balance(alice) != "10" {
			t.Fatalf("paid %d times, balance %s", paid.Load(), s.balance(alice))
		}
	})
}
