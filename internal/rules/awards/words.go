package awards

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"laurel/internal/rules/lists"
)

// rowsTold is how many bad rows a message names.
const rowsTold = 3

// number writes a number with commas.
func number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// whom is whom a job judges.
func (j *job) whom() string {
	if j.Kind == kindCSV {
		return "wallets"
	}
	return "members"
}

// progress says how far a job is.
func (j *job) progress() string {
	total := j.Judged
	if j.Total != nil {
		total = max(total, *j.Total)
	}
	return number(j.Judged) + " of " + number(total) + " " + j.whom() + " judged, " + j.granted()
}

func (j *job) granted() string {
	text := number(j.Earned) + " granted"
	if j.Refused > 0 {
		text += ", " + number(j.Refused) + " could not be granted"
	}
	return text
}

// reading says how far lists are read.
func reading(rows int64) string { return number(rows) + " rows read" }

// failure says why a list cannot be read, with the first of its bad rows.
func failure(list lists.Import) string {
	return "The list " + list.URL + " failed (" + list.Message + told(list.Errors) + ")"
}

// told names the first bad rows.
func told(errs []lists.RowError) string {
	var rows []string
	for _, e := range errs[:min(len(errs), rowsTold)] {
		rows = append(rows, "row "+strconv.FormatInt(e.Line, 10)+": "+e.Message)
	}
	if len(rows) == 0 {
		return ""
	}
	return ": " + strings.Join(rows, "; ")
}

// summary says what a job has come to, of lists also which rows were left out.
func (w *walk) summary(ctx context.Context) (string, error) {
	j := &w.held.Row
	text := number(j.Judged) + " " + j.whom() + " judged, " + j.granted()
	if j.Kind != kindCSV {
		return text, nil
	}
	read, err := w.Lists.LatestOfBadge(ctx, j.scope(), j.BadgeID)
	if err != nil {
		return "", err
	}
	rows, skipped := int64(0), int64(0)
	var errs []lists.RowError
	for _, list := range read {
		rows, skipped, errs = rows+list.Read, skipped+list.Skipped, append(errs, list.Errors...)
	}
	if skipped > 0 {
		text += fmt.Sprintf(". %s of %s rows were left out%s", number(skipped), number(rows), told(errs))
	}
	return text, nil
}
