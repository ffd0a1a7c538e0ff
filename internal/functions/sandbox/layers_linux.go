package sandbox

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ownProgram is this program, also after another file has taken its place.
const ownProgram = "/proc/self/exe"

// libraries are where the loader of a program that is linked dynamically finds what it needs.
var libraries = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache"}

// giveUp gives up, on the calling thread alone, what children are not to have: new privileges, capabilities and files.
// Whatever the thread starts inherits the loss, and a program cannot have it back. It returns which layers are missing.
func giveUp(program string) (missing []string) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		missing = append(missing, "no new privileges")
	}
	if err := restrictFiles(program); err != nil {
		missing = append(missing, "Landlock")
	}
	if err := dropCapabilities(); err != nil {
		missing = append(missing, "capabilities")
	}
	return missing
}

// lastCapability is above all that a kernel may know.
const lastCapability = 63

// dropCapabilities leaves no capability, neither now nor in the bounding set, by which a program of root would have
// them again. A process without any cannot change the bounding set, and gains nothing from it without new privileges.
func dropCapabilities() error {
	for c := range uintptr(lastCapability + 1) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // the kernel knows no further ones
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	none := [2]unix.CapUserData{}
	return unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])
}

// The rights of files that the versions of Landlock know.
const (
	rightsOf1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	rightsOf2 = rightsOf1 | unix.LANDLOCK_ACCESS_FS_REFER
	rightsOf3 = rightsOf2 | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	rightsOf5 = rightsOf3 | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// landlock is struct landlock_ruleset_attr, as far as the first version has it.
type landlock struct{ files uint64 }

// beneath is struct landlock_path_beneath_attr; the kernel reads no padding behind it.
type beneath struct {
	allowed uint64
	parent  int32
}

// restrictFiles lets the calling thread execute and read the program and what its loader needs, and no other file.
func restrictFiles(program string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno
	}
	rules := landlock{rightsOf5}
	switch {
	case version < 2:
		rules.files = rightsOf1
	case version < 3:
		rules.files = rightsOf2
	case version < 5:
		rules.files = rightsOf3
	}
	//nolint:gosec // the only way to hand it over
	set, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0,
	)
	if errno != 0 {
		return errno
	}
	defer func() { _ = unix.Close(int(set)) }()
	if err := mayRead(int(set), program); err != nil {
		return err
	}
	for _, path := range libraries {
		if err := mayRead(int(set), path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// mayRead allows what is at a path and below it to be read and executed.
func mayRead(set int, path string) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(at) }()
	rule := beneath{unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE, int32(at)} //nolint:gosec // small
	//nolint:gosec // the only way to hand it over
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
