//go:build !linux

package sandbox

import "syscall"

// confine does nothing where the system has no limits that the child could set: those of the machine and of time hold.
func confine() (missing []string, err error) { return []string{"limits", "seccomp"}, nil }

func attributes() *syscall.SysProcAttr { return nil }
