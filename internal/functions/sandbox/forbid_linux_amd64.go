package sandbox

import "golang.org/x/sys/unix"

const map64 = unix.AUDIT_ARCH_X86_64

// forbiddenHere are forbidden calls that other architectures do not have.
var forbiddenHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_MKDIR,
	unix.SYS_SYMLINK, unix.SYS_LINK, unix.SYS_CHMOD,
}
