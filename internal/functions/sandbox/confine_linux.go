package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// What a child may have of the system.
const (
	// memory is how much address space a child may have beyond what it has when it is ready, hardly used.
	memory     = 512 << 20
	cpuOfChild = 120 // seconds, in all
	// descriptors is below which those lie that a program inherits
	descriptors = 1024
)

// confine gives up what a child does not need beside what it was started without. Nothing of it needs root, and nothing
// can be had back. It returns which layers the system does not have.
func confine() (missing []string, err error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, err
	}
	time.Sleep(time.Microsecond) // the runtime has its descriptors then, and needs no others
	closeInherited()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // nobody looks into its memory: it may hold secrets
	for _, limit := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_CPU, cpuOfChild},
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
	isFiltered, err := filterCalls()
	if !isFiltered {
		missing = append(missing, "seccomp")
	}
	return missing, err
}

// closeInherited closes what the child has beside its pipes, but for the two descriptors by which the Go runtime waits:
// they lead nowhere.
func closeInherited() {
	for fd := 3; fd < descriptors; fd++ {
		link, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		if err == nil && (link == "anon_inode:[eventpoll]" || link == "anon_inode:[eventfd]") {
			continue
		}
		_ = unix.Close(fd)
	}
}

// boundMemory gives a child that is ready, and has not seen a function yet, as much address space as a run may need. Go
// reserves much when it starts, so what there is counts.
func boundMemory(pid int) error {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	most := pages*uint64(os.Getpagesize()) + memory //nolint:gosec // a page has a few KiB
	return unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most}, nil)
}

// programOf returns the program that runs children, and its arguments.
func programOf(command []string) ([]string, error) {
	if len(command) > 0 {
		return command, nil
	}
	if _, err := os.Stat(ownProgram); err == nil {
		return []string{ownProgram, ChildArgument}, nil
	}
	program, err := os.Executable()
	return []string{program, ChildArgument}, err
}

// attributes make a child end with the thread that started it, and keep signals of the terminal from it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
