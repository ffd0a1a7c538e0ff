//go:build !linux

package sandbox

import "os"

// dropPrivileges drops nothing: the system has no such layers.
func dropPrivileges(string) (missing []string) {
	return []string{"no new privileges", "Landlock", "capabilities"}
}

// childCommand returns the program of a child and its arguments.
func childCommand(command []string) ([]string, error) {
	if len(command) > 0 {
		return command, nil
	}
	program, err := os.Executable()
	return []string{program, ChildArgument}, err
}

// limitMemory does nothing: the JavaScript machine has a limit of its own.
func limitMemory(int) error { return nil }
