package app

import "golang.org/x/sys/unix"

// fileSystems are those on which data is not safe, by their magic numbers (statfs(2)).
var fileSystems = map[int64]struct {
	name              string
	isNetwork, isLost bool
}{
	unix.NFS_SUPER_MAGIC:       {"NFS", true, false},
	unix.SMB_SUPER_MAGIC:       {"SMB", true, false},
	unix.SMB2_SUPER_MAGIC:      {"SMB", true, false},
	unix.CIFS_SUPER_MAGIC:      {"CIFS", true, false},
	unix.V9FS_MAGIC:            {"9p", true, false},
	unix.CEPH_SUPER_MAGIC:      {"Ceph", true, false},
	unix.TMPFS_MAGIC:           {"a file system in memory", false, true},
	unix.RAMFS_MAGIC:           {"a file system in memory", false, true},
	unix.OVERLAYFS_SUPER_MAGIC: {"the writable layer of a container", false, true},
}

// fileSystemOf returns the name of the file system of a folder if data is not safe there: on a network, or lost with
// the machine or the container.
func fileSystemOf(path string) (name string, isNetwork, isLost bool) {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return "", false, false
	}
	found := fileSystems[int64(s.Type)&0xffffffff] //nolint:unconvert // other processors have another type
	return found.name, found.isNetwork, found.isLost
}

// freeSpace returns how many bytes a folder has left for this process.
func freeSpace(path string) (bytes uint64, isKnown bool) {
	var s unix.Statfs_t
	err := unix.Statfs(path, &s)
	return s.Bavail * uint64(s.Bsize), err == nil //nolint:gosec // block sizes are not negative
}
