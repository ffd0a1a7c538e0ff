package lists

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/internal/outbound"
	"laurel/internal/store"
)

// The limits of a feed (contract 5.14).
const (
	maxPages   = 1000
	feedWithin = 15 * time.Minute // of one page
	pageBytes  = 8 << 20
)

// page is one answer of a feed.
type page struct {
	Next    *string  `json:"next"`
	Results []result `json:"results"`
}

// result is what a token is worth. Numbers may be texts.
type result struct {
	TokenID json.RawMessage `json:"tokenId"`
	Reward  json.RawMessage `json:"reward"`
	Points  json.RawMessage `json:"points"`
	Bonus   json.RawMessage `json:"bonus"`
}

// carryFeed imports a feed page by page. Its position is the number and the address of the next page; it moves when the page is written whole, so a page
// that was interrupted is asked for again and its rows meet themselves.
func (s *Service) carryFeed(ctx context.Context, imp *importRow) error {
	key, err := apiKeyOf(ctx, s.db, imp)
	if store.NoRows(err) {
		return errNotOurs // the rule names the feed no more
	}
	if err != nil {
		return err
	}
	number, address := 1, strings.TrimPrefix(imp.URL, feedMark)
	if imp.Position != "" {
		text, rest, _ := strings.Cut(imp.Position, " ")
		number, _ = strconv.Atoi(text) // this package wrote it
		address = rest
	}
	for ; address != ""; number++ {
		if number > maxPages {
			return &listFault{fmt.Sprintf("The feed has more than %d pages", maxPages), nil}
		}
		p, err := s.page(ctx, imp, address, key)
		if err != nil {
			return err
		}
		if imp.Read+int64(len(p.Results)) > MaxRows {
			return &listFault{fmt.Sprintf("The feed has more than %d results", MaxRows), nil}
		}
		if address, err = nextPage(address, p.Next); err != nil {
			return err
		}
		if err := s.writePage(ctx, imp, p.Results, fmt.Sprintf("%d %s", number+1, address)); err != nil {
			return err
		}
	}
	total := imp.Read
	imp.Total = &total
	return s.finish(ctx, imp, func() {})
}

func (s *Service) page(ctx context.Context, imp *importRow, address, key string) (page, error) {
	call := outbound.Call{URL: address, Within: feedWithin, Limit: pageBytes, Tries: tries, Pause: pause, For: imp.WebsiteID.String(), Header: map[string]string{"Accept": "application/json"}}
	if key != "" {
		call.Header["x-api-key"] = key
	}
	answer, err := s.outside.Do(ctx, call)
	if err == nil && answer.Status != 200 {
		err = &statusFault{answer.Status}
	}
	if err != nil && ctx.Err() != nil {
		return page{}, ctx.Err()
	}
	if err != nil {
		return page{}, &listFault{strings.Replace(unreadable(err), "File", "The feed", 1), err}
	}
	var p page
	if err := json.Unmarshal(answer.Body, &p); err != nil {
		return page{}, &listFault{"The feed did not answer with {next, results}", err}
	}
	return p, nil
}

// nextPage answers the address of the next page, or "". It stays on the feed's own host, which alone is shown the key.
func nextPage(address string, next *string) (string, error) {
	if next == nil || *next == "" {
		return "", nil
	}
	from, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	to, err := from.Parse(*next)
	if err != nil || to.Scheme != from.Scheme || to.Host != from.Host {
		return "", &listFault{"The feed's next page is not on the feed's own host", err}
	}
	return to.String(), nil
}

// writePage writes the results of a page. How far the import has come is told with the last of them.
func (s *Service) writePage(ctx context.Context, imp *importRow, results []result, position string) error {
	var rows []row
	var bad []RowError
	for i, r := range results {
		good, problem := r.row(imp.Read + int64(i) + 1)
		if problem != "" {
			bad = append(bad, RowError{imp.Read + int64(i) + 1, problem})
		} else {
			rows = append(rows, good)
		}
	}
	chunks := slices.Collect(slices.Chunk(rows, chunk))
	if len(chunks) == 0 {
		chunks = [][]row{nil}
	}
	whole := *imp // with what the chunks so far count; an interrupted page is counted anew
	for i, part := range chunks {
		var sum importRow
		err := s.step(ctx, imp, func(tx *store.Tx, next *importRow) error {
			sum = whole
			last := i == len(chunks)-1
			if !last {
				next.HoldsRows = true
				return sum.keep(ctx, tx, part, nil)
			}
			err := sum.keep(ctx, tx, part, bad)
			next.Read, next.Skipped, next.Kept, next.Errors = imp.Read+int64(len(results)), sum.Skipped, sum.Kept, sum.Errors
			next.HoldsRows, next.Position = sum.HoldsRows, position
			return err
		})
		if err != nil {
			return err
		}
		whole = sum
	}
	return nil
}

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

// scalar reads a number or a text as text.
func scalar(v json.RawMessage) (string, error) {
	var text string
	switch {
	case len(v) == 0 || string(v) == "null":
		return "", nil
	case v[0] == '"':
		err := json.Unmarshal(v, &text)
		return strings.TrimSpace(text), err
	case v[0] == '{' || v[0] == '[' || v[0] == 't' || v[0] == 'f':
		return "", errors.New("tokenId and reward must be numbers or texts")
	}
	return string(v), nil
}
