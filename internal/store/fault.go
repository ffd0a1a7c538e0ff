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

// Error returns the driver's error after the name of the statement and of its caller.
func (e *statementError) Error() string {
	if e.caller == "" {
		return e.statement + ": " + e.err.Error()
	}
	return e.statement + " in " + e.caller + ": " + e.err.Error()
}

func (e *statementError) Unwrap() error { return e.err }

// withStatement wraps the error of a statement in a statementError, unless it is wrapped already. It returns nil, and
// the error of a Get that found no row, as they are.
func withStatement(query string, err error) error {
	var wrapped *statementError
	if err == nil || query == "" || IsNoRows(err) || errors.As(err, &wrapped) {
		return err
	}
	return &statementError{statement: labelOfStatement(query), caller: callerOfStore(), err: err}
}

var (
	statementTable = regexp.MustCompile(`(?i)\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)`)
	statementVerb  = regexp.MustCompile(`(?i)\b(SELECT|INSERT|UPDATE|DELETE)\b`)
	prepositions   = map[string]string{"select": "from ", "delete": "from ", "insert": "into ", "update": ""}
)

// labelOfStatement returns a short name of a statement for the log, such as "insert into api_keys". For a statement
// without a known verb and table it returns the first four words.
func labelOfStatement(query string) string {
	verb := strings.ToLower(statementVerb.FindString(query))
	table := statementTable.FindStringSubmatch(query)
	if verb == "" || table == nil {
		words := strings.Fields(query)
		return strings.Join(words[:min(4, len(words))], " ")
	}
	return verb + " " + prepositions[verb] + table[1]
}

// callerOfStore returns the function of Laurel that called this package, such as "tenancy.(*Service).CreateKey", or ""
// if none is on the stack.
func callerOfStore() string {
	var counters [32]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(3 /* without this function and its caller */, counters[:])])
	for {
		frame, more := frames.Next()
		name, ours := strings.CutPrefix(frame.Function, "laurel.example/laurel/internal/")
		if ours && !strings.HasPrefix(name, "store.") && !strings.HasPrefix(name, "store/") {
			return sourceName(name)
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

// sourceName returns the name of a function as it is in the source, package.Function or package.(*Type).Method, from
// its name in the runtime, which has type arguments and suffixes for closures.
func sourceName(name string) string {
	name = closure.ReplaceAllString(generics.ReplaceAllString(name, ""), "")
	return name[strings.LastIndex(name, "/")+1:]
}
