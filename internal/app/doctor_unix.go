//go:build unix

package app

import "golang.org/x/sys/unix"

// mayWrite returns why a folder cannot be written by this process; nil if it can. It writes nothing.
func mayWrite(path string) error { return unix.Access(path, unix.W_OK|unix.X_OK) }

// openFileLimit returns how many files the process may have open.
func openFileLimit() (limit uint64, isKnown bool) {
	var r unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &r)
	return uint64(r.Cur), err == nil //nolint:unconvert // other systems have another type
}
