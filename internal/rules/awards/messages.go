package awards

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"laurel.example/laurel/internal/rules/lists"
)

// maxNamedRows bounds the bad rows that a message lists.
const maxNamedRows = 3

// formatNumber returns a number with commas between thousands.
func formatNumber(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// subjectNoun returns what the job judges, for messages.
func (j *job) subjectNoun() string {
	if j.Kind == kindCSV {
		return "wallets"
	}
	return "members"
}

// progressText returns a message about how far a job is.
func (j *job) progressText() string {
	total := j.Judged
	if j.Total != nil {
		total = max(total, *j.Total)
	}
	return formatNumber(j.Judged) + " of " + formatNumber(total) + " " + j.subjectNoun() + " judged, " + j.grantedText()
}

// grantedText returns how many badges a job has granted, for messages.
func (j *job) grantedText() string {
	text := formatNumber(j.Earned) + " granted"
	if j.Refused > 0 {
		text += ", " + formatNumber(j.Refused) + " could not be granted"
	}
	return text
}

// rowsReadText returns a message about how many rows of lists are read.
func rowsReadText(rows int64) string { return formatNumber(rows) + " rows read" }

// failureText returns a message about a list that could not be imported, with its first bad rows.
func failureText(list lists.Import) string {
	return "The list " + list.URL + " failed (" + list.Message + badRowsText(list.Errors) + ")"
}

// badRowsText returns the end of a message about bad rows of a file, such as ": row 3: …; row 7: …", with the first
// maxNamedRows of them. It returns "" if there are none.
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

// summary returns a message about the result of a job; for a job over lists also about rows that were left out.
func (w *jobRun) summary(ctx context.Context) (string, error) {
	j := &w.lease.Row
	text := formatNumber(j.Judged) + " " + j.subjectNoun() + " judged, " + j.grantedText()
	if j.Kind != kindCSV {
		return text, nil
	}
	imports, err := w.Lists.LatestImportsOfBadge(ctx, j.scope(), j.BadgeID)
	if err != nil {
		return "", err
	}
	rows, skipped := int64(0), int64(0)
	var errs []lists.RowError
	for _, list := range imports {
		rows, skipped, errs = rows+list.Read, skipped+list.Skipped, append(errs, list.Errors...)
	}
	if skipped > 0 {
		text += fmt.Sprintf(". %s of %s rows were left out%s", formatNumber(skipped), formatNumber(rows), badRowsText(errs))
	}
	return text, nil
}
