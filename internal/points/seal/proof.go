package seal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Proof shows without the database that an entry was sealed with these columns: the columns make the leaf, the leaf and
// the path make the root, the root is in the block, and the block is signed. In JSON the columns are an object of texts
// and nulls.
type Proof struct {
	Row      Row
	Block    Block
	Position int64 // of the entry in the block, from 0
	Leaf     Hash
	Path     []Hash
}

// proofVersion is the version of the JSON form.
const proofVersion = 1

// proofJSON is the JSON form.
type proofJSON struct {
	Version     int                `json:"version"`
	Entry       map[string]*string `json:"entry"`
	Transaction map[string]*string `json:"transaction"`
	Position    int64              `json:"position"`
	Leaf        Hash               `json:"leaf"`
	Path        []Hash             `json:"path"`
	Block       Block              `json:"block"`
}

// MarshalJSON returns the form that ParseProof parses.
func (p Proof) MarshalJSON() ([]byte, error) {
	return json.Marshal(proofJSON{
		Version: proofVersion,
		Entry:   textsByColumn(EntryColumns[:], p.Row.Entry[:]),
		Transaction: textsByColumn(
			TransactionColumns[:],
			p.Row.Transaction[:],
		),
		Position: p.Position,
		Leaf:     p.Leaf,
		Path:     p.Path,
		Block:    p.Block,
	})
}

// textsByColumn returns the texts by the names of their columns, with nil for NULL.
func textsByColumn(columns []string, texts []Text) map[string]*string {
	out := make(map[string]*string, len(columns))
	for i, t := range texts {
		out[columns[i]] = nil
		if !t.Null {
			out[columns[i]] = &texts[i].Value
		}
	}
	return out
}

// ParseProof parses the JSON of a proof, as MarshalJSON writes it. It refuses a text that other parsers could read as
// another proof: with unknown, missing or repeated names, or with anything after the object.
func ParseProof(text []byte) (Proof, error) {
	if err := checkUnambiguous(text); err != nil {
		return Proof{}, fmt.Errorf("it is no proof: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var form proofJSON
	if err := decoder.Decode(&form); err != nil {
		return Proof{}, fmt.Errorf("it is no proof: %w", err)
	}
	if form.Version != proofVersion {
		return Proof{}, fmt.Errorf("it is no proof of version %d", proofVersion)
	}
	p := Proof{Block: form.Block, Position: form.Position, Leaf: form.Leaf, Path: form.Path}
	err := errors.Join(
		fillTexts(p.Row.Entry[:], "entry", EntryColumns[:], form.Entry),
		fillTexts(p.Row.Transaction[:], "transaction", TransactionColumns[:], form.Transaction),
	)
	return p, err
}

// fillTexts sets dst to the texts of the named columns, in the order of names, and fails if a column is missing or
// unknown. what says in errors which part of the proof has the columns: "entry" or "transaction".
func fillTexts(dst []Text, what string, names []string, from map[string]*string) error {
	if len(from) != len(names) {
		return fmt.Errorf("it is no proof: %s must have %d columns", what, len(names))
	}
	for i, name := range names {
		value, exists := from[name]
		if !exists {
			return fmt.Errorf("it is no proof: %s lacks %s", what, name)
		}
		dst[i] = Text{Null: value == nil}
		if value != nil {
			dst[i].Value = *value
		}
	}
	return nil
}

// maxDepth is deeper than the nesting of a proof.
const maxDepth = 4

// checkUnambiguous refuses a name that occurs twice in one object, in whatever letter case, because parsers differ in
// which one they take. It also refuses text after the value.
func checkUnambiguous(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := checkValue(decoder, 1); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there must be one object")
	}
	return nil
}

// checkValue reads one JSON value from the decoder, with the values in it, and refuses an object that has a name twice,
// and values that nest deeper than maxDepth. depth is that of the value, 1 for the outermost.
func checkValue(decoder *json.Decoder, depth int) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	open, nests := token.(json.Delim)
	if !nests { // a text, a number, a boolean or null
		return nil
	}
	if depth > maxDepth {
		return errors.New("it nests too deep")
	}
	names := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			name := strings.ToLower(strings.ToUpper(fmt.Sprint(key))) // in both steps, as parsers that ignore case may
			if names[name] {
				return fmt.Errorf("%q stands there twice", key)
			}
			names[name] = true
		}
		if err := checkValue(decoder, depth+1); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the closing bracket
	return err
}

// Check proves the entry against one of the public keys. The keys must come from another source than the proof, because
// anyone can sign a tree of their own. A nil error means: an owner of one of the keys has sealed the entry with exactly
// these columns.
func (p Proof) Check(keys ...PublicKey) error {
	if p.Row.Leaf() != p.Leaf {
		return errors.New("the entry was changed: its columns do not make the leaf")
	}
	// in the order of EntryColumns
	id, organization, transaction := p.Row.Entry[0].Value, p.Row.Entry[1].Value, p.Row.Entry[3].Value
	if organization != p.Block.OrganizationID.String() || transaction != p.Row.Transaction[0].Value || id == "" {
		return errors.New("entry, transaction and block do not belong together")
	}
	root, ok := rootFromPath(p.Leaf, p.Position, p.Block.Size, p.Path)
	if !ok || root != p.Block.Root {
		return errors.New("the path does not lead from the leaf to the block's root")
	}
	if err := p.Block.Check(); err != nil {
		return fmt.Errorf("block %d: %w", p.Block.Number, err)
	}
	if !slices.Contains(keys, p.Block.PublicKey) {
		return fmt.Errorf("the block is signed with another key: %s", p.Block.PublicKey)
	}
	return nil
}
