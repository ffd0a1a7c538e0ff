package lists

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// result is the reward of a token in a page of a feed. Numbers may be texts.
type result struct {
	TokenID json.RawMessage `json:"tokenId"`
	Reward  json.RawMessage `json:"reward"`
	Points  json.RawMessage `json:"points"`
	Bonus   json.RawMessage `json:"bonus"`
}

// resultReader reads a page of a feed, {next, results}, result by result. Its memory does not grow with the number of
// results.
type resultReader struct {
	decoder    *json.Decoder
	next       *string // set once the whole page is read
	inResults  bool    // the decoder is inside the array of results
	hasResults bool    // the results were found: a page has one array of them
}

// readBuffer is how many bytes of a page are read at once.
const readBuffer = 64 << 10

var errPage = errors.New("a page of a feed is {next, results}")

// newResultReader reads the start of a page and returns a reader of its results.
func newResultReader(in io.Reader) (*resultReader, error) {
	p := &resultReader{decoder: json.NewDecoder(bufio.NewReaderSize(in, readBuffer))}
	err := p.expect(json.Delim('{'))
	return p, err
}

// expect reads the next JSON token and returns errPage if it is not the wanted one.
func (p *resultReader) expect(want json.Token) error {
	got, err := p.decoder.Token()
	if err == nil && got != want {
		err = errPage
	}
	return err
}

// nextResult returns the next result. Properties of the page around the results are read and skipped, except next. more
// is false at the end of the page.
func (p *resultReader) nextResult() (r result, more bool, err error) {
	for {
		switch {
		case p.inResults && p.decoder.More():
			err = p.decoder.Decode(&r)
			return r, err == nil, err
		case p.inResults:
			p.inResults = false
			err = p.expect(json.Delim(']'))
		case p.decoder.More():
			err = p.readProperty()
		default:
			return r, false, p.readEnd()
		}
		if err != nil {
			return r, false, err
		}
	}
}

// readProperty reads a property of the page with its value: next is stored, others are skipped. Of the results it reads
// only the start of the array; null counts as no results.
func (p *resultReader) readProperty() error {
	name, err := p.decoder.Token()
	if err != nil {
		return err
	}
	switch text, _ := name.(string); {
	case strings.EqualFold(text, "next"):
		return p.decoder.Decode(&p.next)
	case !strings.EqualFold(text, "results"):
		return p.decoder.Decode(&ignored{})
	case p.hasResults:
		return errPage
	}
	p.hasResults = true
	begin, err := p.decoder.Token()
	p.inResults = begin == json.Delim('[')
	if err == nil && !p.inResults && begin != nil {
		err = errPage
	}
	return err
}

// readEnd reads the end of the page, after which no data may follow.
func (p *resultReader) readEnd() error {
	if err := p.expect(json.Delim('}')); err != nil {
		return err
	}
	switch _, err := p.decoder.Token(); {
	case err == nil:
		return errPage
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// ignored is a JSON value that is skipped.
type ignored struct{}

// UnmarshalJSON accepts any value.
func (*ignored) UnmarshalJSON([]byte) error { return nil }

// row returns the result with the given number as a row, or what is wrong with it. Its amount is the first of reward,
// points and bonus that is set.
func (r result) row(number int64) (row, string) {
	amount := r.Reward
	for _, other := range []json.RawMessage{r.Points, r.Bonus} {
		if len(amount) == 0 || string(amount) == "null" {
			amount = other
		}
	}
	id, idErr := scalar(r.TokenID)
	value, valueErr := scalar(amount)
	if err := errors.Join(idErr, valueErr); err != nil {
		return row{line: number}, err.Error()
	}
	return forms[KindRewards].row(number, []string{id, value})
}

// maxScalar bounds the bytes of JSON that are read as a number. Every plausible number is shorter, and parsing takes
// time quadratic in the length.
const maxScalar = 512

// scalar returns a JSON number or text as text; "" for null and for no value.
func scalar(v json.RawMessage) (string, error) {
	var text string
	switch {
	case len(v) == 0 || string(v) == "null":
		return "", nil
	case len(v) > maxScalar:
		return "", errors.New("tokenId and reward must be at most 512 characters")
	case v[0] == '"':
		err := json.Unmarshal(v, &text)
		return strings.TrimSpace(text), err
	case v[0] == '{' || v[0] == '[' || v[0] == 't' || v[0] == 'f':
		return "", errors.New("tokenId and reward must be numbers or texts")
	}
	return string(v), nil
}
