package app

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much the heap of a server may grow before it is collected. Most memory of a request is free at its
// end, so collecting less often costs little memory.
const gcPercent = 300

// CollectLess sets the garbage collection of this process for serving, unless GOGC sets it.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
