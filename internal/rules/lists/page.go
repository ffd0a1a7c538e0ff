package lists

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// result is what a token is worth. Numbers may be texts.
type result struct {
	TokenID json.RawMessage `json:"tokenId"`
	Reward  json.RawMessage `json:"reward"`
	Points  json.RawMessage `json:"points"`
	Bonus   json.RawMessage `json:"bonus"`
}

// page reads an answer of a feed, {next, results}, result by result: what it keeps in memory does not grow with their
// number.
type page struct {
	in     *json.Decoder
	next   *string // complete when the results are read
	inside bool    // the results
	known  bool    // that there are results: a page has one list of them
}

// readBuffer is how much of a page or file is read at once.
const readBuffer = 64 << 10

var errPage = errors.New("a page of a feed is {next, results}")

func newPage(in io.Reader) (*page, error) {
	p := &page{in: json.NewDecoder(bufio.NewReaderSize(in, readBuffer))}
	err := p.expect(json.Delim('{'))
	return p, err
}

func (p *page) expect(want json.Token) error {
	got, err := p.in.Token()
	if err == nil && got != want {
		err = errPage
	}
	return err
}

// read reads the next result, or returns false at the end of the page.
func (p *page) read() (r result, more bool, err error) {
	for {
		switch {
		case p.inside && p.in.More():
			err = p.in.Decode(&r)
			return r, err == nil, err
		case p.inside:
			p.inside = false
			err = p.expect(json.Delim(']'))
		case p.in.More():
			err = p.property()
		default:
			return r, false, p.end()
		}
		if err != nil {
			return r, false, err
		}
	}
}

// property reads a property, or the beginning of the results.
func (p *page) property() error {
	name, err := p.in.Token()
	if err != nil {
		return err
	}
	switch text, _ := name.(string); {
	case strings.EqualFold(text, "next"):
		return p.in.Decode(&p.next)
	case !strings.EqualFold(text, "results"):
		return p.in.Decode(&ignored{})
	case p.known:
		return errPage
	}
	p.known = true
	begin, err := p.in.Token()
	p.inside = begin == json.Delim('[')
	if err == nil && !p.inside && begin != nil {
		err = errPage
	}
	return err
}

// end reads the end of the page, behind which nothing stands.
func (p *page) end() error {
	if err := p.expect(json.Delim('}')); err != nil {
		return err
	}
	switch _, err := p.in.Token(); {
	case err == nil:
		return errPage
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// ignored is a value that is not kept.
type ignored struct{}

// UnmarshalJSON takes any value.
func (*ignored) UnmarshalJSON([]byte) error { return nil }

// row reads a result, or tells what is wrong with it.
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
	return forms[Rewards].row(number, []string{id, value})
}

// maxScalar bounds, in bytes of JSON, what is read as a number: each that can be meant is shorter, and reading a long
// one takes the square of its length.
const maxScalar = 512

// scalar reads a number or a text as text.
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
