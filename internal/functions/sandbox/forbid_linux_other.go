//go:build linux && !amd64 && !arm64

package sandbox

// forbid does nothing where the numbers of the system's calls are not known here: the limits hold.
func forbid() error { return nil }
