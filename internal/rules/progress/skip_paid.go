//go:build !doublepay

package progress

// skipsPaidWindows plants a fault: some members are paid again in a paid window. It is true only in builds with the tag
// doublepay, with which scripts/torture shows that it finds the fault.
const skipsPaidWindows = false
