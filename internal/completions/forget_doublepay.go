//go:build doublepay

package completions

const forgetful = true
