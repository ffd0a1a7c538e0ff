package sandbox

import (
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the calls of the system by which a child could reach beyond its pipes: programs, processes, networks,
// files, other processes.
var forbidden = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND,
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KILL, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_BPF,
	unix.SYS_IO_URING_SETUP, unix.SYS_MEMFD_CREATE, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_CHROOT,
	unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2, unix.SYS_MKDIRAT, unix.SYS_SYMLINKAT, unix.SYS_LINKAT, unix.SYS_FCHMODAT,
	unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_PERF_EVENT_OPEN,
}

// architectures are those whose numbers of calls are known here: how a filter knows them, and the calls that they alone
// have, by number: open, creat, fork, vfork, rename, mkdir, link, unlink, symlink and chmod.
var architectures = map[string]struct {
	audit  uint32
	legacy []uint32
}{
	"amd64": {unix.AUDIT_ARCH_X86_64, []uint32{2, 85, 57, 58, 82, 83, 86, 87, 88, 90}},
	"arm64": {unix.AUDIT_ARCH_AARCH64, nil},
}

const (
	seccompFilter  = 1 // SECCOMP_SET_MODE_FILTER
	seccompThreads = 1 // SECCOMP_FILTER_FLAG_TSYNC
	seccompAllow   = 0x7fff0000
	seccompErrno   = 0x00050000
	loadWord       = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jumpEqual      = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpSet        = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	jumpAtLeast    = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	answer         = unix.BPF_RET | unix.BPF_K
	ofNumber       = 0  // offsets in struct seccomp_data
	ofArchitecture = 4  //
	ofFirst        = 16 // the low word of the first argument
	otherNumbers   = 0x40000000
	deny           = seccompErrno | uint32(unix.EPERM)
	notThere       = seccompErrno | uint32(unix.ENOSYS)
)

// forbid has the system refuse the forbidden calls to every thread of the child, and new processes: clone makes threads
// only, and clone3, whose flags a filter cannot see, is not there. On other architectures the limits hold alone.
func forbid() error {
	here, known := architectures[runtime.GOARCH]
	if !known {
		return nil
	}
	filter := []unix.SockFilter{
		{Code: loadWord, K: ofArchitecture},
		{Code: jumpEqual, K: here.audit, Jt: 1},
		{Code: answer, K: deny},
		{Code: loadWord, K: ofNumber},
		{Code: jumpAtLeast, K: otherNumbers, Jf: 1},
		{Code: answer, K: deny},
		{Code: jumpEqual, K: unix.SYS_CLONE3, Jf: 1},
		{Code: answer, K: notThere},
		{Code: jumpEqual, K: unix.SYS_CLONE, Jf: 4},
		{Code: loadWord, K: ofFirst},
		{Code: jumpSet, K: unix.CLONE_THREAD, Jt: 1},
		{Code: answer, K: deny},
		{Code: answer, K: seccompAllow},
	}
	for _, number := range slices.Concat(forbidden, here.legacy) {
		filter = append(filter, unix.SockFilter{Code: jumpEqual, K: number, Jf: 1}, unix.SockFilter{Code: answer, K: deny})
	}
	filter = append(filter, unix.SockFilter{Code: answer, K: seccompAllow})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // some dozens
	//nolint:gosec // the only way to hand a filter over
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, seccompFilter, seccompThreads, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if err == unix.ENOSYS || err == unix.EINVAL { // a system without filters: limits hold
		return nil
	}
	if err != 0 {
		return err
	}
	return nil
}
