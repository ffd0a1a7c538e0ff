package sandbox

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ownProgram is the file of this program, even if another file has replaced it.
const ownProgram = "/proc/self/exe"

// libraries are the paths where the loader finds the libraries of a dynamically linked program.
var libraries = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache"}

// dropPrivileges takes three things from the calling thread only: the right to gain privileges, the capabilities, and
// the access to files other than the program and its libraries. Processes that the thread starts inherit this and
// cannot regain anything. dropPrivileges returns the names of the layers of protection that the system does not have.
func dropPrivileges(program string) (missing []string) {
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

// lastCapability is at least the highest capability of any kernel.
const lastCapability = 63

// dropCapabilities drops all capabilities, also from the bounding set, from which a program of root would regain them.
// A process without capabilities cannot change the bounding set, and without new privileges it gains nothing from it.
func dropCapabilities() error {
	for c := range uintptr(lastCapability + 1) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // the kernel has no more
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	none := [2]unix.CapUserData{}
	return unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])
}

// The file access rights of each version of Landlock.
const (
	accessV1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	accessV2 = accessV1 | unix.LANDLOCK_ACCESS_FS_REFER
	accessV3 = accessV2 | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	accessV5 = accessV3 | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// rulesetAttr is struct landlock_ruleset_attr in its first version.
type rulesetAttr struct{ files uint64 }

// pathBeneathAttr is struct landlock_path_beneath_attr, without padding.
type pathBeneathAttr struct {
	allowed uint64
	parent  int32
}

// restrictFiles limits the calling thread to reading and executing the program and its libraries, by Landlock. It
// denies all other kinds of access that the kernel's version of Landlock knows.
func restrictFiles(program string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errno
	}
	rules := rulesetAttr{accessV5} // for version 5 and later
	switch {
	case version < 2:
		rules.files = accessV1
	case version < 3:
		rules.files = accessV2
	case version < 5:
		rules.files = accessV3
	}
	//nolint:gosec // the only way to hand it over
	set, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0,
	)
	if errno != 0 {
		return errno
	}
	defer func() { _ = unix.Close(int(set)) }()
	if err := allowReading(int(set), program); err != nil {
		return err
	}
	for _, path := range libraries {
		if err := allowReading(int(set), path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allowReading adds a rule to a Landlock ruleset, given as a file descriptor: files at or below the path may be read
// and executed.
func allowReading(set int, path string) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(at) }()
	rule := pathBeneathAttr{unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE, int32(at)} //nolint:gosec // small
	//nolint:gosec // the only way to hand it over
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
