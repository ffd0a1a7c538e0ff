//go:build !unix

package sandbox

import "time"

var begun = time.Now()

// cpuTime returns the time since the process began where CPU time is not known: it is never less.
func cpuTime() time.Duration { return time.Since(begun) }
