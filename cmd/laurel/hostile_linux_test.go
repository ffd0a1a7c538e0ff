package main_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// Each request here is one that a stranger, or a caller gone wrong, could send. The server refuses it and spends next
// to nothing on it.

// hostileServer returns a server on SQLite that has answered once, and a program of it.
func hostileServer(t *testing.T, flags ...string) (*process, program) {
	t.Helper()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	made := initProgram(t, database)
	s := serve(t, database, flags...)
	s.caller(made.WebsiteAPIKey).get("/api/loyalty/rules").ok(t) // what the first request builds is no cost of the next
	return s, made
}

func TestMissingAmountsByTheThousandAreRefusedCheaply(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	body := []byte(`{"description":"x","entries":[` + strings.Repeat(`{"amount":null},`, 65_000) + `{}]}`)
	used := s.costOf(func() {
		if got := s.caller(made.WebsiteAPIKey).post(transactions, body); got.status != http.StatusBadRequest {
			t.Errorf("status %d: %.200s", got.status, got.body)
		}
	})
	used.mustBeCheap(t, "65,001 entries without an amount")
}
