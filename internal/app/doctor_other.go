//go:build !linux

package app

// fileSystemOf returns nothing: the file system of a folder is unknown here.
func fileSystemOf(string) (name string, isNetwork, isLost bool) { return "", false, false }

// freeSpace returns that the free space of a folder is unknown here.
func freeSpace(string) (bytes uint64, isKnown bool) { return 0, false }
