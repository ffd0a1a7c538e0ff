package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestATestBelongsToTheListWhereItStartsAGoroutine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a_test.go")
	source := `package a
func TestItself(t *testing.T)         { go f() }
func TestByAGroup(t *testing.T)       { var all sync.WaitGroup; all.Go(f); all.Wait() }
func TestByAFunction(t *testing.T)    { twice(f) }
func TestByAMethod(t *testing.T)      { s.crowd() }
func TestByAMethodOfOne(t *testing.T) { s.calls() }
func TestAlone(t *testing.T)          { alone(); s.quiet() }
func TestMain(m *testing.M)           { go f() }
func twice(f func())                  { once(f); once(f) }
func once(f func())                   { go f() }
func alone()                          {}
func (s *server) crowd()              { go f() }
func (s *server) calls()              { s.crowd() }
func (s *server) quiet()              {}
`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := concurrent([]string{file})
	if want := []string{
		"TestByAFunction",
		"TestByAGroup",
		"TestByAMethod",
		"TestItself",
	}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}
