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

// The types of frames.
const (
	typeRun     = "run"     // to the child: carry a function out
	typeCheck   = "check"   // to the child: read a function and judge its shape
	typeFetched = "fetched" // to the child: what a fetch came to
	typeFetch   = "fetch"   // from the child: make a call
	typeDone    = "done"    // from the child: the end
	typeReady   = "ready"   // from the child, once: it takes jobs
)

// What a frame may hold: from a child a result, its logs and transactions, or a body to send; to a child code and
// input, or what was fetched, with what JSON makes of control characters.
const (
	maxFromChild = 8 << 20
	maxToChild   = 16 << 20
)

// order is a frame to a child.
type order struct {
	Type    string        `json:"type"`
	Code    string        `json:"code,omitempty"`
	Input   string        `json:"input,omitempty"`
	Payable bool          `json:"payable,omitempty"`
	CPU     time.Duration `json:"cpu,omitempty"`
	Fetch   int           `json:"fetch,omitempty"`
	Problem string        `json:"problem,omitempty"`
	Answer  string        `json:"answer,omitempty"` // fetched, as JSON
}

// fetched is what a handler gets of a call.
type fetched struct {
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
	Missing      []string        `json:"missing,omitempty"` // layers of the sandbox that the system does not have
}

var errFrame = errors.New("sandbox: a frame is too long")

func writeFrame(w io.Writer, v any) error {
	var frame bytes.Buffer
	frame.Write(make([]byte, 4))
	enc := json.NewEncoder(&frame)
	enc.SetEscapeHTML(false) // results are kept as they were set
	if err := enc.Encode(v); err != nil {
		return err
	}
	binary.BigEndian.PutUint32(frame.Bytes(), uint32(frame.Len()-4)) //nolint:gosec // far below
	_, err := w.Write(frame.Bytes())
	return err
}

func readFrame(r io.Reader, most uint32, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > most {
		return errFrame
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}
