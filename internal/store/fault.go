package store

import (
	"errors"
	"regexp"
	"runtime"
	"strings"
)

// statementError says which statement failed and which function ran it, as a driver's error says neither. It names no
// values. errors.Is and errors.As see the driver's error.
type statementError struct {
	statement string // such as "insert into api_keys"
	caller    string // such as "tenancy.(*Service).CreateKey"; empty: a batch of the committer
	err       error
}

func (e *statementError) Error() string {
	if e.caller == "" {
		return e.statement + ": " + e.err.Error()
	}
	return e.statement + " in " + e.caller + ": " + e.err.Error()
}

func (e *statementError) Unwrap() error { return e.err }

// inStatement wraps the error of a statement with the statement and its caller, once. That a Get found no row is no
// fault.
func inStatement(query string, err error) error {
	var wrapped *statementError
	if err == nil || query == "" || IsNoRows(err) || errors.As(err, &wrapped) {
		return err
	}
	return &statementError{statement: nameOfStatement(query), caller: callerOutside(), err: err}
}

var (
	statementTable = regexp.MustCompile(`(?i)\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)`)
	statementVerb  = regexp.MustCompile(`(?i)\b(SELECT|INSERT|UPDATE|DELETE)\b`)
	prepositions   = map[string]string{"select": "from ", "delete": "from ", "insert": "into ", "update": ""}
)

// nameOfStatement returns the verb and the table of a statement; of one without both, its first words.
func nameOfStatement(query string) string {
	verb := strings.ToLower(statementVerb.FindString(query))
	table := statementTable.FindStringSubmatch(query)
	if verb == "" || table == nil {
		words := strings.Fields(query)
		return strings.Join(words[:min(4, len(words))], " ")
	}
	return verb + " " + prepositions[verb] + table[1]
}

// callerOutside returns the innermost function on the stack that is of Laurel and not of this package.
func callerOutside() string {
	var counters [32]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters[:])])
	for {
		frame, more := frames.Next()
		name, ours := strings.CutPrefix(frame.Function, "laurel/internal/")
		if ours && !strings.HasPrefix(name, "store.") && !strings.HasPrefix(name, "store/") {
			return plainFunction(name)
		}
		if !more {
			return ""
		}
	}
}

var (
	closure  = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.\d+|-fm|-range\d+)+$`)
	generics = regexp.MustCompile(`\[[^\]]*\]`)
)

// plainFunction returns the name of a function as its source has it: package.Function, or package.(*Type).Method.
func plainFunction(name string) string {
	name = closure.ReplaceAllString(generics.ReplaceAllString(name, ""), "")
	return name[strings.LastIndex(name, "/")+1:]
}
