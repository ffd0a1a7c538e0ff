package awards

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"laurel/internal/rules/lists"
)

// maxNamedRows is how many bad rows a message names.
const maxNamedRows = 3

// formatNumber writes a number with commas.
func formatNumber(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// subjectNoun is whom a job judges.
func (j *job) subjectNoun() string {
	if j.Kind == kindCSV {
		return "wallets"
	}
	return "members"
}

// progressText says how far a job is.
func (j *job) progressText() string {
	total := j.Judged
	if j.Total != nil {
		total = max(total, *j.Total)
	}
	return formatNumber(j.Judged) + " of " + formatNumber(total) + " " + j.subjectNoun() + " judged, " + j.grantedText()
}

func (j *job) grantedText() string {
	text := formatNumber(j.Earned) + " granted"
	if j.Refused > 0 {
		text += ", " + formatNumber(j.Refused) + " could not be granted"
	}
	return text
}

// rowsReadText says how far lists are read.
func rowsReadText(rows int64) string { return formatNumber(rows) + " rows read" }

// failureText says why a list cannot be read, with the first of its bad rows.
func failureText(list lists.Import) string {
	return "The list " + list.URL + " failed (" + list.Message + badRowsText(list.Errors) + ")"
}

// badRowsText names the first bad rows.
func badRowsText(errs []lists.RowError) string {
	var rows []string
	for _, e := range errs[:min(len(errs), maxNamedRows)] {
		rows = append(rows, "row "+strconv.FormatInt(e.Line, 10)+": "+e.Message)
	}
	if len(rows) == 0 {
		return ""
	}
	return ": " + strings.Join(rows, "; ")
}

// summary says what a job has come to, of lists also which rows were left out.
func (w *jobRun) summary(ctx context.Context) (string, error) {
	j := &w.lease.Row
	text := formatNumber(j.Judged) + " " + j.subjectNoun() + " judged, " + j.grantedText()
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
		text += fmt.Sprintf(". %s of %s rows were left out%s", formatNumber(skipped), formatNumber(rows), badRowsText(errs))
	}
	return text, nil
}
