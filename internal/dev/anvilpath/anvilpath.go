// Package anvilpath finds the program of anvil, a node of a blockchain of one's own.
package anvilpath

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the path of anvil: where npm has put it in a checkout of Laurel that has the working directory, else in
// PATH; "" if there is none.
func Find() string {
	folder, err := os.Getwd()
	for err == nil && folder != filepath.Dir(folder) {
		path := filepath.Join(folder, "scripts", "anvil", "node_modules", "@foundry-rs",
			"anvil-"+runtime.GOOS+"-"+runtime.GOARCH, "bin", "anvil")
		if _, err := os.Stat(path); err == nil {
			return path
		}
		folder = filepath.Dir(folder)
	}
	path, err := exec.LookPath("anvil")
	if err != nil {
		return ""
	}
	return path
}
