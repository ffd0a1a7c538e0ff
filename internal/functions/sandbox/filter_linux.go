package sandbox

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowedCalls are the system calls that the Go runtime and a JavaScript machine need once a child is ready, with any
// arguments. All others are refused, also those that later kernels add.
var allowedCalls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_EPOLL_PWAIT, // pipes, and waiting for them
	unix.SYS_MUNMAP, unix.SYS_MADVISE, // memory
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, // threads and time
	unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_GETRUSAGE, unix.SYS_GETPID, unix.SYS_GETTID,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_RESTART_SYSCALL, unix.SYS_GETRANDOM,
	unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST, // a C library calls them for each thread, if one is linked
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// architectures are those whose call numbers are known here, with the names that filters use.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

const (
	seccompFilter  = 1 // SECCOMP_SET_MODE_FILTER
	seccompThreads = 1 // SECCOMP_FILTER_FLAG_TSYNC
	seccompAllow   = 0x7fff0000
	seccompErrno   = 0x00050000
	loadWord       = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jumpEqual      = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpSet        = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	jumpAtLeast    = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	returnCode     = unix.BPF_RET | unix.BPF_K
	ofNumber       = 0  // offsets in struct seccomp_data
	ofArchitecture = 4  //
	ofArguments    = 16 // each has 8 bytes, the low word first
	otherNumbers   = 0x40000000
	deny           = seccompErrno | uint32(unix.EPERM)
	notImplemented = seccompErrno | uint32(unix.ENOSYS)
)

// condition restricts one argument of a system call.
type condition struct {
	argument uint32
	code     uint16 // the instruction that compares the argument's low word with value
	value    uint32
	holds    bool // whether the comparison must be true
}

// conditionalCalls returns the system calls that are allowed with some arguments only: threads but no processes, memory
// that is private and not executable, signals to the child itself.
func conditionalCalls() []struct {
	number     uint32
	conditions []condition
} {
	private := condition{argument: 3, code: jumpSet, value: unix.MAP_SHARED, holds: false}
	data := condition{argument: 2, code: jumpSet, value: unix.PROT_EXEC, holds: false} // not executable
	return []struct {
		number     uint32
		conditions []condition
	}{
		{unix.SYS_CLONE, []condition{{argument: 0, code: jumpSet, value: unix.CLONE_THREAD, holds: true}}},
		{unix.SYS_MMAP, []condition{data, private}},
		{unix.SYS_MPROTECT, []condition{data}},
		{unix.SYS_TGKILL, []condition{{0, jumpEqual, uint32(os.Getpid()), true}}}, //nolint:gosec // positive
	}
}

// seccompProgram returns the filter of system calls for an architecture, as a program of the kernel's packet filter: in
// each jump, Jt and Jf say how many instructions are skipped if its comparison is true or false. It denies clone3 with
// ENOSYS, since a filter cannot see its flags: the runtime then falls back to clone.
func seccompProgram(architecture uint32) []unix.SockFilter {
	filter := []unix.SockFilter{
		{Code: loadWord, K: ofArchitecture},
		{Code: jumpEqual, K: architecture, Jt: 1},
		{Code: returnCode, K: deny}, // a call of another architecture
		{Code: loadWord, K: ofNumber},
		{Code: jumpAtLeast, K: otherNumbers, Jf: 1},
		{Code: returnCode, K: deny}, // a number of another calling convention (x32)
		{Code: jumpEqual, K: unix.SYS_CLONE3, Jf: 1},
		{Code: returnCode, K: notImplemented},
	}
	for _, number := range allowedCalls {
		filter = append(filter, unix.SockFilter{Code: jumpEqual, K: number, Jf: 1},
			unix.SockFilter{Code: returnCode, K: seccompAllow})
	}
	for _, call := range conditionalCalls() {
		var checks []unix.SockFilter
		for _, cond := range call.conditions {
			next := unix.SockFilter{Code: cond.code, K: cond.value, Jt: 1}
			if !cond.holds {
				next.Jt, next.Jf = 0, 1
			}
			checks = append(checks, unix.SockFilter{Code: loadWord, K: ofArguments + 8*cond.argument}, next,
				unix.SockFilter{Code: returnCode, K: deny})
		}
		// another call jumps over the checks of this one and over its permission
		skip := uint8(len(checks) + 1) //nolint:gosec // a few
		filter = append(filter, unix.SockFilter{Code: jumpEqual, K: call.number, Jf: skip})
		filter = append(append(filter, checks...), unix.SockFilter{Code: returnCode, K: seccompAllow})
	}
	return append(filter, unix.SockFilter{Code: returnCode, K: deny})
}

// installFilter makes the system refuse all but the allowed calls to every thread of the child. It returns false on
// kernels without filters and on other architectures.
func installFilter() (bool, error) {
	architecture, isKnown := architectures[runtime.GOARCH]
	if !isKnown {
		return false, nil
	}
	filter := seccompProgram(architecture)
	code := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // some dozens
	//nolint:gosec // the only way to hand a filter over
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, seccompFilter, seccompThreads, uintptr(unsafe.Pointer(&code)))
	runtime.KeepAlive(filter)
	if err == unix.ENOSYS || err == unix.EINVAL {
		return false, nil
	}
	if err != 0 {
		return false, err
	}
	return true, nil
}
