package sandbox

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// What a child may have of the system.
const (
	// memory is how much address space a child may have beyond what Go reserves when it starts, without using it.
	memory     = 512 << 20
	cpuOfChild = 120 // seconds, in all
	openFiles  = 32
)

// confine gives up what a child does not need. Nothing of it needs root, and nothing can be had back.
func confine() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	reserved, err := addressSpace()
	if err != nil {
		return err
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // nobody looks into its memory: it may hold secrets
	for _, limit := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_AS, reserved + memory},
		{unix.RLIMIT_CPU, cpuOfChild},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, openFiles},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.most, Max: limit.most}); err != nil {
			return err
		}
	}
	return forbid()
}

// addressSpace returns the size of the address space of this process in bytes.
func addressSpace() (uint64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var pages uint64
	_, err = fmt.Sscan(string(text), &pages)
	return pages * uint64(os.Getpagesize()), err //nolint:gosec // a page has a few KiB
}

// attributes make a child end with the thread that started it, and keep signals of the terminal from it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
