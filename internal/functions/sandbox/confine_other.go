//go:build !linux

package sandbox

import "syscall"

// confine does nothing: the system has no limits that a child could set. The limits of memory and time still hold.
func confine() (missing []string, err error) { return []string{"limits", "seccomp"}, nil }

func childAttributes() *syscall.SysProcAttr { return nil }
