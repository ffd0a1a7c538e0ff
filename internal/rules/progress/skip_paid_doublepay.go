//go:build doublepay

package progress

import "os"

const skipsPaidWindows = true

// init prints a warning, so that nobody runs such a program by mistake. scripts/gates looks for the text in binaries
// that are to be released.
func init() {
	_, _ = os.Stderr.WriteString("laurel: built with the tag doublepay: members are paid twice\n")
}
