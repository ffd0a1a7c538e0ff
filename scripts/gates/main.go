// Command gates checks what no test of a package can: that go.mod names the modules that the code uses, and that a
// binary to be released holds no planted fault. It owns no code of the service. scripts/lint.sh, scripts/fuzz.sh and
// scripts/vulnerabilities.sh are the other gates; their tests stand here, where each gate is shown red.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

const usage = `usage: gates modules       checks go.mod, tools/go.mod and the cached modules
       gates binary FILE   checks a binary that is to be released`

// main runs the gate. The exit status is 0 if it passes, 1 if there are problems, and 2 if the gate could not be run.
func main() {
	problems, err := run(context.Background(), os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gates:", err)
		os.Exit(2)
	}
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// run runs the gate that args name and returns the problems that it finds. It writes to out what passed.
func run(ctx context.Context, args []string, out io.Writer) (problems []string, err error) {
	switch {
	case len(args) == 1 && args[0] == "modules":
		return checkModules(ctx, out)
	case len(args) == 2 && args[0] == "binary":
		problems, err = checkBinary(args[1])
		if err == nil && len(problems) == 0 {
			fmt.Fprintln(out, args[1]+": built without tags and without planted faults")
		}
		return problems, err
	}
	return nil, fmt.Errorf("unknown arguments %q\n%s", args, usage)
}
