package abi

import (
	"encoding/hex"
	"errors"
	"fmt"
)

const (
	maxTopics    = 4
	selectorSize = 4
)

var errEvent = errors.New("abi: the log is of another event")

// Decode decodes the topics and the data of a log of the event into plain values by Keys of its inputs. An indexed
// string, array or tuple, or indexed bytes, are the hash that the topic holds. It returns an error if the log does not
// fit: it is of another event, has another number of topics, or its data is too short or out of a type's range. Data
// behind the values is ignored.
func (e *Event) Decode(topics [][32]byte, data []byte) (map[string]any, error) {
	if !e.Anonymous {
		if len(topics) == 0 || "0x"+hex.EncodeToString(topics[0][:]) != e.Topic {
			return nil, errEvent
		}
		topics = topics[1:]
	}
	var inData []Parameter
	for _, p := range e.Inputs {
		if !p.Indexed {
			inData = append(inData, p)
		}
	}
	if len(topics) != len(e.Inputs)-len(inData) {
		return nil, fmt.Errorf("abi: the log has %d topics for %d indexed arguments", len(topics), len(e.Inputs)-len(inData))
	}
	rest, err := newDecoder(data).members(inData, data)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(e.Inputs))
	for i, p := range e.Inputs {
		if !p.Indexed {
			values[i], rest = rest[0], rest[1:]
			continue
		}
		topic := topics[0]
		topics = topics[1:]
		if !p.Type.isValue() {
			values[i] = "0x" + hex.EncodeToString(topic[:])
		} else if values[i], err = p.Type.decodeWord(topic[:]); err != nil {
			return nil, err
		}
	}
	return byKeys(e.Inputs, values), nil
}
