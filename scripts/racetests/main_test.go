package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestATestBelongsToTheListWhereItStartsAGoroutine(t *testing.T) {
	t.Parallel()
	file, shared := filepath.Join(t.TempDir(), "a_test.go"), filepath.Join(t.TempDir(), "shared.go")
	source := `package a
func TestItself(t *testing.T)         { go f() }
func TestByAGroup(t *testing.T)       { var all sync.WaitGroup; all.Go(f); all.Wait() }
func TestByAFunction(t *testing.T)    { twice(f) }
func TestByAMethod(t *testing.T)      { s.crowd() }
func TestByAMethodOfOne(t *testing.T) { s.calls() }
func TestAlone(t *testing.T)          { alone(); s.quiet() }
func TestByShared(t *testing.T)       { apptest.Twice(f) }
func TestBySharedMethod(t *testing.T) { s.Crowd() }
func TestOther(t *testing.T)          { apptest.Alone(); other.Twice(f); Twice(f) }
// TestOfALoad has many at once.
//
//racetests:plain
func TestOfALoad(t *testing.T)        { go f() }
func TestMain(m *testing.M)           { go f() }
func twice(f func())                  { once(f); once(f) }
func once(f func())                   { go f() }
func alone()                          {}
func (s *server) crowd()              { go f() }
func (s *server) calls()              { s.crowd() }
func (s *server) quiet()              {}
`
	help := `package apptest
func Twice(f func())      { once(f); once(f) }
func once(f func())       { go f() }
func Alone()              {}
func (s *Server) Crowd()  { go f() }
`
	for name, text := range map[string]string{file: source, shared: help} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := testsOf([]string{file}, []string{shared})
	want := map[string]bool{
		"TestItself": true, "TestByAGroup": true, "TestByAFunction": true, "TestByAMethod": true,
		"TestByAMethodOfOne": false, "TestAlone": false, "TestByShared": true, "TestBySharedMethod": true, "TestOther": false,
		"TestOfALoad": false,
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestATestOnTheListMayHaveNoNamesake(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for folder, source := range map[string]string{
		"a": "package a\nfunc TestOne(t *testing.T) { go f() }\n",
		"b": "package b\nfunc TestOne(t *testing.T) {}\n",
	} {
		if err := errors.Join(
			os.Mkdir(filepath.Join(root, folder), 0o700),
			os.WriteFile(filepath.Join(root, folder, folder+"_test.go"), []byte(source), 0o600),
		); err != nil {
			t.Fatal(err)
		}
	}
	if err := printRaceTests(root, nil, []string{"b"}); err == nil {
		t.Error("the test of b is skipped with its namesake of a, and runs nowhere")
	}
}
