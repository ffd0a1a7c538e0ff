package demo

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the recording
	"encoding/json"
	"errors"
	"fmt"
)

// recording is a short history of a blockchain: what the demo reads where it finds no anvil, and what it has a fresh
// anvil do otherwise. Addresses and hashes are in lower case. TestTheRecordingAnswersAsARealNode makes it.
type recording struct {
	Blocks  []recordedBlock              `json:"blocks"`  // from the first one
	Left    []recordedBlock              `json:"left"`    // the next ones, until they leave the chain
	Stayed  []recordedBlock              `json:"stayed"`  // take the place of those that left
	Coins   map[string]string            `json:"coins"`   // that accounts have at the beginning, in the smallest unit
	Codes   map[string]string            `json:"codes"`   // of contracts
	Answers map[string]map[string]string `json:"answers"` // of contracts, by the data of calls: those that never change
}

// recordedBlock is a block with what its transactions have done.
type recordedBlock struct {
	Number       uint64       `json:"number"`
	Hash         string       `json:"hash"`
	Parent       string       `json:"parent"`
	Before       int64        `json:"before"` // the end of the recording, in seconds
	Bloom        string       `json:"bloom"`
	Transactions []recordedTx `json:"transactions,omitempty"`
}

// recordedTx is a transaction that has succeeded.
type recordedTx struct {
	Hash     string        `json:"hash"`
	From     string        `json:"from"`
	To       string        `json:"to,omitempty"` // "": it creates a contract
	Contract string        `json:"contract,omitempty"`
	Input    string        `json:"input"`
	GasUsed  string        `json:"gasUsed"`
	GasPrice string        `json:"gasPrice"`
	Logs     []recordedLog `json:"logs,omitempty"`
}

type recordedLog struct {
	Address string   `json:"address"`
	Topics  []string `json:"topics"`
	Data    string   `json:"data"`
}

//go:embed recording.json.gz
var recorded []byte

// readRecording returns the recording that the program has.
func readRecording() (r recording, err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(recorded))
	if err == nil {
		err = json.NewDecoder(unpacked).Decode(&r)
	}
	if err == nil && (len(r.Blocks) == 0 || len(r.Left) == 0 || len(r.Stayed) == 0) {
		err = errors.New("blocks are missing")
	}
	if err != nil {
		return r, fmt.Errorf("the recorded chain: %w", err)
	}
	return r, nil
}
