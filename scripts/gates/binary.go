package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
)

// doublePayMark is in every binary that is built with the tag doublepay, stripped or not. It is a text of
// internal/rules/progress/skip_paid_doublepay.go.
const doublePayMark = "laurel: built with the tag doublepay: members are paid twice"

// checkBinary returns the reasons why a binary must not be released; none if it may be. It looks at the settings that
// the go command writes into a binary and, since someone may have built it in another way, for the mark of the planted
// fault.
func checkBinary(name string) ([]string, error) {
	info, err := buildinfo.ReadFile(name)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var problems []string
	if info.Path != ownPath+"/cmd/laurel" {
		problems = append(problems, fmt.Sprintf("%s is a build of %s, want laurel.example/laurel/cmd/laurel", name, info.Path))
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" || s.Key == "-race" && s.Value == "true" || s.Key == "-cover" && s.Value == "true" {
			problems = append(problems, fmt.Sprintf("%s was built with %s=%s", name, s.Key, s.Value))
		}
	}
	if bytes.Contains(content, []byte(doublePayMark)) {
		problems = append(problems, name+" holds the planted fault of the tag doublepay")
	}
	return problems, nil
}
