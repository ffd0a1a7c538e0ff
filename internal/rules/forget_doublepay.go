//go:build doublepay

package rules

const forgetful = true
