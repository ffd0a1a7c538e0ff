package app

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much a server lets its heap grow before it collects, in percent: most of what a request makes is dead
// at its end, so collecting less often costs little memory.
const gcPercent = 300

// CollectLess sets this process's garbage collection for serving, unless the variable GOGC does.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
