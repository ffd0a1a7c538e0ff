package sandbox

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// Frames go through the pipes: four bytes of length, most significant first, and JSON.

// frameHeader is how many bytes the length takes.
const frameHeader = 4

// The types of frames.
const (
	typeRun     = "run"     // to the child: execute a function
	typeCheck   = "check"   // to the child: check the code of a function
	typeFetched = "fetched" // to the child: the response of a fetch
	typeFetch   = "fetch"   // from the child: make an HTTP call
	typeDone    = "done"    // from the child: the result
	typeReady   = "ready"   // from the child, once: it takes jobs
)

// The largest frames, in bytes: from a child a result with logs and transactions, or a body to send; to a child code
// and input, or a fetched response. JSON escapes make control characters longer.
const (
	maxFromChild = 8 << 20
	maxToChild   = 16 << 20
)

// request is a frame to a child.
type request struct {
	Type     string        `json:"type"`
	Code     string        `json:"code,omitempty"`
	Input    string        `json:"input,omitempty"`
	Payable  bool          `json:"payable,omitempty"`
	CPU      time.Duration `json:"cpu,omitempty"`
	Fetch    int           `json:"fetch,omitempty"`   // the number of the fetch
	Problem  string        `json:"problem,omitempty"` // why the fetch failed
	Response string        `json:"answer,omitempty"`  // a fetchResponse as JSON
}

// fetchResponse is the response of a fetch as the handler gets it.
type fetchResponse struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// reply is a frame from a child.
type reply struct {
	Type         string          `json:"type"`
	Fetch        int             `json:"fetch,omitempty"`
	Call         json.RawMessage `json:"call,omitempty"`
	Output       json.RawMessage `json:"output,omitempty"`
	Error        string          `json:"error,omitempty"`
	Final        bool            `json:"final,omitempty"`
	Logs         []string        `json:"logs,omitempty"`
	Transactions []Transaction   `json:"transactions,omitempty"`
	Retire       bool            `json:"retire,omitempty"`  // the child takes no further job
	Missing      []string        `json:"missing,omitempty"` // layers of protection that the system does not have
}

var errFrame = errors.New("sandbox: a frame is too long")

// writeFrame writes a value as one frame: the length of its JSON in four bytes, and the JSON.
func writeFrame(w io.Writer, v any) error {
	var frame bytes.Buffer
	frame.Write(make([]byte, frameHeader))
	enc := json.NewEncoder(&frame)
	enc.SetEscapeHTML(false) // so that results are stored unchanged
	if err := enc.Encode(v); err != nil {
		return err
	}
	binary.BigEndian.PutUint32(frame.Bytes(), uint32(frame.Len()-frameHeader)) //nolint:gosec // frames are far smaller
	_, err := w.Write(frame.Bytes())
	return err
}

// readFrame reads one frame into a value. It returns errFrame if the frame has more than maxSize bytes.
func readFrame(r io.Reader, maxSize uint32, v any) error {
	var header [frameHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(header[:])
	if size > maxSize {
		return errFrame
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}
