//go:build unix

package backup

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// owner is the user and the group that own a file. nil leaves owners as they are.
type owner struct{ user, group int }

// ownerOf returns the owner of the first of the paths that exists. It returns nil for a process that is not root's,
// since only root may give files away, and if no path exists.
func ownerOf(paths ...string) *owner {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return &owner{int(stat.Uid), int(stat.Gid)}
		}
	}
	return nil
}

// give makes o the owner of a file, or of a folder with all that it holds. Links are not followed.
func (o *owner) give(path string) error {
	if o == nil {
		return nil
	}
	return filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, o.user, o.group)
	})
}
