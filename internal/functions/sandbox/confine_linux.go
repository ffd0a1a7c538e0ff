package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The limits of a child.
const (
	// memoryAllowance is how much address space a child may take beyond what it has when it is ready.
	memoryAllowance = 512 << 20
	childCPUSeconds = 120 // seconds, in all
	// maxDescriptor bounds the file descriptors that a program may have inherited.
	maxDescriptor = 1024
)

// confine drops the privileges that a child does not need. The child need not be root for that, and cannot regain them.
// confine returns the names of the layers of protection that the system does not have.
func confine() (missing []string, err error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, err
	}
	time.Sleep(time.Microsecond) // the Go runtime opens its file descriptors at the first wait
	closeInherited()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // no process may read its memory, which may hold secrets
	for _, limit := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_CPU, childCPUSeconds},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, 0},
		{unix.RLIMIT_MEMLOCK, 0},
		{unix.RLIMIT_MSGQUEUE, 0},
		{unix.RLIMIT_RTPRIO, 0},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.most, Max: limit.most}); err != nil {
			return nil, err
		}
	}
	isFiltered, err := installFilter()
	if !isFiltered {
		missing = append(missing, "seccomp")
	}
	return missing, err
}

// closeInherited closes all inherited file descriptors except standard input, output and error. It leaves open the two
// by which the Go runtime waits for input and output (epoll and eventfd), which are harmless.
func closeInherited() {
	for fd := 3; fd < maxDescriptor; fd++ {
		link, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		if err == nil && (link == "anon_inode:[eventpoll]" || link == "anon_inode:[eventfd]") {
			continue
		}
		_ = unix.Close(fd)
	}
}

// limitMemory limits the address space of a child process that is ready and has no function yet: to its present size
// and memoryAllowance, which is for a run. A fixed limit would not do, as Go reserves much at its start.
func limitMemory(pid int) error {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	limit := pages*uint64(os.Getpagesize()) + memoryAllowance //nolint:gosec // a page has a few KiB
	return unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}, nil)
}

// childCommand returns the program of a child and its arguments: command or, if that is empty, this program with
// ChildArgument.
func childCommand(command []string) ([]string, error) {
	if len(command) > 0 {
		return command, nil
	}
	if _, err := os.Stat(ownProgram); err == nil {
		return []string{ownProgram, ChildArgument}, nil
	}
	program, err := os.Executable()
	return []string{program, ChildArgument}, err
}

// childAttributes makes a child end with the thread that started it, and keeps signals of the terminal from it.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
