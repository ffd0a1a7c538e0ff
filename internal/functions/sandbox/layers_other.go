//go:build !linux

package sandbox

import "os"

// giveUp gives up nothing: the system has no such layers.
func giveUp(string) (missing []string) {
	return []string{"no new privileges", "Landlock", "capabilities"}
}

// programOf returns the program that runs children, and its arguments.
func programOf(command []string) ([]string, error) {
	if len(command) > 0 {
		return command, nil
	}
	program, err := os.Executable()
	return []string{program, ChildArgument}, err
}

// boundMemory bounds nothing: the machine of a run has a limit of its own.
func boundMemory(int) error { return nil }
