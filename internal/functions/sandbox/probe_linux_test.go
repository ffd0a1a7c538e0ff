package sandbox_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"laurel.example/laurel/internal/functions/sandbox"
)

// probeArgument runs a child of this test that is in the hands of a function: it tries what a function could try.
const probeArgument = "probe-the-sandbox"

func init() { probing = probe } //nolint:gochecknoinits // of this system alone

// probed is what a child could do. It should be empty.
type probed struct {
	Opened      string   `json:"opened"`      // a file, before calls are filtered
	Succeeded   []string `json:"succeeded"`   // calls of the list
	Numbers     []int    `json:"numbers"`     // of calls outside the list that are allowed, which were not refused
	Descriptors []int    `json:"descriptors"` // beside the pipes and the two of the runtime
	Missing     []string `json:"missing"`     // layers
}

// probe is the program of such a child: it speaks as a child does.
func probe() int {
	out := probed{}
	if f, err := os.Open("/etc/passwd"); err == nil {
		out.Opened = f.Name()
		_ = f.Close()
	}
	parent := os.Getppid()
	missing, err := sandbox.Confine()
	if err != nil {
		return 1
	}
	say(map[string]any{"type": "ready", "missing": missing})
	in := bufio.NewReader(os.Stdin)
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 1
	}
	if _, err := io.CopyN(io.Discard, in, int64(binary.BigEndian.Uint32(head[:]))); err != nil {
		return 1
	}
	out.Missing = missing
	for name, call := range attempts(uintptr(parent)) {
		if _, _, errno := unix.RawSyscall6(call[0], call[1], call[2], call[3], call[4], call[5], call[6]); errno != unix.EPERM &&
			errno != unix.ENOSYS {
			out.Succeeded = append(out.Succeeded, name)
		}
	}
	for number := range 700 {
		isProbe := runtime.GOARCH == "amd64" && (number == 335 || number == 336)
		if isProbe || slices.Contains(sandbox.Allowed(), uint32(number)) {
			continue // uretprobe and uprobe: no filter sees them, and the system kills their callers itself
		}
		for _, n := range []int{number, number | 0x40000000} {
			if _, _, errno := unix.RawSyscall6(uintptr(n), 0, 0, 0, 0, 0, 0); errno != unix.EPERM && errno != unix.ENOSYS {
				out.Numbers = append(out.Numbers, n)
			}
		}
	}
	own := 0
	for fd := 3; fd < 1024; fd++ {
		switch _, _, errno := unix.RawSyscall(unix.SYS_READ, uintptr(fd), 0, 0); {
		case errno == unix.EBADF:
		case errno == unix.EINVAL && own < 2: // an event counter, or what waits for events: neither can be read so
			own++
		default:
			out.Descriptors = append(out.Descriptors, fd)
		}
	}
	say(map[string]any{"type": "done", "output": out})
	return 0
}

func say(v any) {
	body, _ := json.Marshal(v)
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(body)))
	_, _ = os.Stdout.Write(append(head[:], body...))
}

// attempts are calls that would reach beyond the child, with their arguments.
func attempts(parent uintptr) map[string][7]uintptr {
	text := func(s string) uintptr { b := append([]byte(s), 0); return uintptr(unsafe.Pointer(&b[0])) }
	limit := uintptr(unsafe.Pointer(&unix.Rlimit{Cur: 10, Max: 10}))
	path, here := text("/tmp/laurel-probe"), ^uintptr(99) // AT_FDCWD
	page := uintptr(os.Getpagesize())
	return map[string][7]uintptr{
		"truncate":                {unix.SYS_TRUNCATE, path, 0},
		"prlimit of the parent":   {unix.SYS_PRLIMIT64, parent, unix.RLIMIT_NOFILE, limit},
		"prlimit of itself":       {unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE, limit},
		"shmget":                  {unix.SYS_SHMGET, 0, page, 0o1600},
		"semget":                  {unix.SYS_SEMGET, 0, 1, 0o1600},
		"msgget":                  {unix.SYS_MSGGET, 0, 0o1600},
		"kill of the parent":      {unix.SYS_KILL, parent, 0},
		"tgkill of the parent":    {unix.SYS_TGKILL, parent, parent, 0},
		"openat":                  {unix.SYS_OPENAT, here, text("/etc/passwd"), 0},
		"openat to write":         {unix.SYS_OPENAT, here, path, unix.O_CREAT | unix.O_WRONLY, 0o600},
		"mkdirat":                 {unix.SYS_MKDIRAT, here, path, 0o700},
		"unlinkat":                {unix.SYS_UNLINKAT, here, path, 0},
		"fchmodat":                {unix.SYS_FCHMODAT, here, path, 0o700},
		"fchownat":                {unix.SYS_FCHOWNAT, here, path, 0, 0, 0},
		"utimensat":               {unix.SYS_UTIMENSAT, here, path, 0, 0},
		"setxattr":                {unix.SYS_SETXATTR, path, path, path, 1, 0},
		"readlinkat":              {unix.SYS_READLINKAT, here, text("/proc/self/exe"), path, 1},
		"statx":                   {unix.SYS_STATX, here, path, 0, 0, 0},
		"chdir":                   {unix.SYS_CHDIR, text("/tmp")},
		"socket":                  {unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, 0},
		"socket of the host":      {unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM, 0},
		"execve":                  {unix.SYS_EXECVE, text("/bin/true"), 0, 0},
		"fork":                    {unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0},
		"clone3":                  {unix.SYS_CLONE3, 0, 0},
		"ptrace":                  {unix.SYS_PTRACE, unix.PTRACE_ATTACH, parent, 0, 0},
		"process_vm_readv":        {unix.SYS_PROCESS_VM_READV, parent, 0, 0, 0, 0, 0},
		"pidfd_open":              {unix.SYS_PIDFD_OPEN, parent, 0},
		"memfd_create":            {unix.SYS_MEMFD_CREATE, path, 0},
		"dup":                     {unix.SYS_DUP, 1},
		"pipe2":                   {unix.SYS_PIPE2, limit, 0},
		"eventfd2":                {unix.SYS_EVENTFD2, 0, 0},
		"epoll_create1":           {unix.SYS_EPOLL_CREATE1, 0},
		"inotify_init1":           {unix.SYS_INOTIFY_INIT1, 0},
		"timerfd_create":          {unix.SYS_TIMERFD_CREATE, 0, 0},
		"fcntl":                   {unix.SYS_FCNTL, 0, unix.F_GETFL},
		"ioctl":                   {unix.SYS_IOCTL, 0, unix.TIOCINQ, limit},
		"setpriority":             {unix.SYS_SETPRIORITY, 0, parent, 10},
		"sched_setaffinity":       {unix.SYS_SCHED_SETAFFINITY, parent, 8, limit},
		"prctl":                   {unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 1, 0, 0, 0},
		"seccomp":                 {unix.SYS_SECCOMP, 2, 0, 0},
		"personality":             {unix.SYS_PERSONALITY, 0xffffffff},
		"capset":                  {unix.SYS_CAPSET, 0, 0},
		"unshare":                 {unix.SYS_UNSHARE, unix.CLONE_NEWUSER},
		"mount":                   {unix.SYS_MOUNT, path, path, 0, 0, 0},
		"bpf":                     {unix.SYS_BPF, 0, 0, 0},
		"io_uring_setup":          {unix.SYS_IO_URING_SETUP, 1, limit},
		"userfaultfd":             {unix.SYS_USERFAULTFD, 0},
		"keyctl":                  {unix.SYS_KEYCTL, 0, 0, 0, 0, 0},
		"setuid":                  {unix.SYS_SETUID, 0},
		"memory to execute":       {unix.SYS_MMAP, 0, page, unix.PROT_READ | unix.PROT_EXEC, unix.MAP_PRIVATE | unix.MAP_ANON, ^uintptr(0), 0},
		"memory to share":         {unix.SYS_MMAP, 0, page, unix.PROT_READ, unix.MAP_SHARED | unix.MAP_ANON, ^uintptr(0), 0},
		"memory made to execute":  {unix.SYS_MPROTECT, 0, page, unix.PROT_READ | unix.PROT_EXEC},
		"a timer that sends":      {unix.SYS_TIMER_CREATE, 0, 0, limit},
		"what other threads wait": {unix.SYS_PROCESS_MADVISE, 0, 0, 0, 0, 0},
	}
}

// TestAChildInTheHandsOfAFunctionReachesNothing tries a list of calls, and walks over the numbers of all others.
func TestAChildInTheHandsOfAFunctionReachesNothing(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := open(t, sandbox.Options{
		Command: []string{"/proc/self/exe", probeArgument}, Children: 1, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	r, err := s.Run(context.Background(), sandbox.Call{Tenant: tenant, Code: "x"})
	if err != nil || r.Failed() {
		t.Fatalf("%v %s", err, r.Error)
	}
	var got probed
	if err := json.Unmarshal(r.Output, &got); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r.Output)
	if len(got.Succeeded)+len(got.Numbers)+len(got.Descriptors)+len(got.Missing) > 0 {
		t.Errorf("a child can do what it may not: %s", r.Output)
	}
	_, _, landlock := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if hasLandlock := landlock == 0; hasLandlock != (got.Opened == "") || hasLandlock == strings.Contains(log.String(), "Landlock") {
		t.Errorf("the kernel has Landlock: %v; a child opened %q; the log: %s", hasLandlock, got.Opened, log.String())
	}
	if n := strings.Count(log.String(), "\n"); n > 1 {
		t.Errorf("%d lines of missing layers", n)
	}
}
