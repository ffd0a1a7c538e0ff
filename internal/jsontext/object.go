package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Object decodes one JSON object into its properties by their exact names. It returns an error that reads on after the
// object's name ("must be a JSON object") for any other text, for a property that is there twice, and for text behind
// the object.
func Object(text []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("must be a JSON object")
	}
	found := map[string]json.RawMessage{}
	for d.More() {
		token, err := d.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, errors.New("must be a JSON object")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errors.New("must be a JSON object")
		}
		if _, isDuplicate := found[name]; isDuplicate {
			return nil, fmt.Errorf("%q is there twice", name)
		}
		found[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, errors.New("must be a JSON object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("must be one JSON object and nothing else")
	}
	return found, nil
}
