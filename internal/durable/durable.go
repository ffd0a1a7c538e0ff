// Package durable makes changes of folders survive a power failure. It owns no file and no format.
package durable

import (
	"errors"
	"os"
)

// SyncFolder flushes the entries of a folder to the disk: the names of files that were made, renamed or removed in it.
// The bytes of the files are flushed by File.Sync.
func SyncFolder(path string) error {
	folder, err := os.Open(path) //nolint:gosec // the caller's own folder
	if err != nil {
		return err
	}
	return errors.Join(Sync(folder), folder.Close())
}
