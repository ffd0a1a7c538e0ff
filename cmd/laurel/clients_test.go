package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
)

// The Go client is a module of its own, so that programs can copy it. Its tests run here, with a server.
func TestTheGoClientRunsAShop(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + t.TempDir() + "/laurel.db"
	made, err := json.Marshal(initProgram(t, database))
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, database, "--dev") // which may call the test's receiver
	tests := exec.Command("go", "test", "-count=1", "./...")
	tests.Dir = "../../clients/go"
	tests.Env = append(os.Environ(), "LAUREL_TEST_ADDRESS="+s.address, "LAUREL_TEST_PROGRAM="+string(made), "GOWORK=off")
	if out, err := tests.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
