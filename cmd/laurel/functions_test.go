package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const helloFunction = `module.exports.handler = async (input, output) => {
	console.log("asked", input.input, Object.keys(input.secrets).length);
	if (input.input === "loop") for (;;) {}
	output.setResult({ hello: input.input });
	return output.buildOutput();
};
`

// writeFunction writes the code of a function to a file.
func writeFunction(t testing.TB, code string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hello.js")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAFunctionIsTriedWithoutAServer(t *testing.T) {
	t.Parallel()
	file := writeFunction(t, helloFunction)
	if out := run(t, "functions", "invoke", file, "--input", `"you"`).ok(); out != "  asked you 0\n{\"hello\":\"you\"}\n" {
		t.Errorf("%q", out)
	}
	if out := run(t, "functions", "invoke", file, "--json").ok(); !strings.Contains(out, `"status": "succeeded"`) {
		t.Errorf("%q", out)
	}
	run(t, "functions", "invoke", file, "--input", `"loop"`).fails("CPU time")
	run(t, "functions", "invoke", file, "--input", `{`).fails("--input must be JSON")
	run(t, "functions", "invoke", writeFunction(t, "nonsense")).fails("function code is invalid")
	run(t, "functions", "invoke", "nobody").fails("--url")
	run(t, "functions", "list").fails("--url is required")
	run(t, "functions", "list", "--url", "http://127.0.0.1:1").fails("--key is required")
}

func TestFunctionsAreDeployedAndRunOnAServer(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	p := initProgram(t, database)
	s := serve(t, database)
	there := func(args ...string) ended {
		return runWith(t, []string{"LAUREL_URL=" + s.address, "LAUREL_API_KEY=" + p.WebsiteAPIKey}, append([]string{"functions"}, args...)...)
	}
	file := writeFunction(t, helloFunction)
	if out := there("deploy", file, "--secret", "k=v,w=x", "--secret", "l=2", "--cron", "0 0 1 1 *").ok(); !strings.Contains(out, "version 1 of hello") {
		t.Errorf("%q", out)
	}
	if out := there("deploy", writeFunction(t, helloFunction+"// changed"), "--name", "hello").ok(); !strings.Contains(out, "version 2 of hello") {
		t.Errorf("%q", out)
	}
	if out := there("invoke", "hello", "--input", "7").ok(); out != "  asked 7 2\n{\"hello\":7}\n" {
		t.Errorf("%q", out)
	}
	there("invoke", "hello", "--input", `"loop"`).fails("CPU time")
	if out := there("logs", "hello").ok(); !strings.Contains(out, "invoke succeeded of version 2") || !strings.Contains(out, "CPU time") {
		t.Errorf("%q", out)
	}
	if out := there("list").ok(); !strings.Contains(out, "0 0 1 1 *") || !strings.Contains(out, "live") {
		t.Errorf("%q", out)
	}
	there("logs", "nobody").fails("Function not found")
	there("deploy", writeFunction(t, "nonsense")).fails("Function code is invalid")
	if status := s.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("stopped with status %d", status)
	}
}
