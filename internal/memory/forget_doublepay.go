//go:build doublepay

package memory

const forgetful = true
