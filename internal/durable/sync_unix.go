//go:build !windows

package durable

import "os"

// Sync flushes the entries of an open folder to the disk.
func Sync(folder *os.File) error { return folder.Sync() }
