package sandbox

import "golang.org/x/sys/unix"

const map64 = unix.AUDIT_ARCH_AARCH64

// forbiddenHere are forbidden calls that other architectures do not have.
var forbiddenHere []uint32
