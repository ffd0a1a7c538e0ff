package apptest

import (
	"encoding/json"
	"os"
	"sync"
)

// RecordFile names the environment variable with the file to which calls are recorded, one JSON object a line. The
// examples of the OpenAPI document are chosen from them.
const RecordFile = "LAUREL_RECORD_CALLS"

// Recorded is a call that succeeded.
type Recorded struct {
	Operation string          `json:"operation"` // method and path of the document, such as GET /api/users
	Body      json.RawMessage `json:"body,omitempty"`
	Response  json.RawMessage `json:"response"`
}

// largestRecorded is the size in bytes of the largest response that is recorded.
const largestRecorded = 16 << 10

var recording sync.Mutex

// record appends a call to the file of recorded calls, if there is one, the call succeeded, and the operation ignored
// no property of its body.
func (s *Server) record(method, path string, body []byte, a Response) {
	file := os.Getenv(RecordFile)
	d, err := Document()
	isExemplary := a.Status < 300 && a.Header.Get("Laurel-Ignored") == "" && len(a.Body) <= largestRecorded
	if file == "" || err != nil || !isExemplary || !json.Valid([]byte(a.Body)) {
		return
	}
	call := Recorded{Operation: method + " " + d.pathOf(method, path), Response: json.RawMessage(a.Body)}
	if json.Valid(body) {
		call.Body = body
	}
	line, err := json.Marshal(call)
	if err != nil {
		s.T.Fatal(err)
	}
	recording.Lock()
	defer recording.Unlock()
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		s.T.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if _, err := out.Write(append(line, '\n')); err != nil {
		s.T.Fatal(err)
	}
}
