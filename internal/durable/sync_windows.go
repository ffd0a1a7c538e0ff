package durable

import "os"

// Sync does nothing: Windows cannot flush a folder. NTFS writes the names of files to a journal of its own.
func Sync(*os.File) error { return nil }
