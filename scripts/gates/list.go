package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// listFile lists every module that go.mod requires: a line of a table each.
const listFile = "docs/modules.md"

// unreviewed stands where the list has no date of a review yet.
const unreviewed = "not yet"

// row is a line of the list.
type row struct{ path, version, released, reviewed, use string }

func (r row) String() string {
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.path, r.version, r.released, r.reviewed, r.use)
}

// unlisted returns what a list says otherwise than go.mod, and which modules nobody has reviewed.
func unlisted(required []module, list string) []string {
	rows := rowsOf(list)
	var problems []string
	for _, m := range required {
		have, want := rows[m.Path], wanted(m, rows[m.Path])
		delete(rows, m.Path)
		_, err := time.Parse(time.DateOnly, want.reviewed)
		switch {
		case have.path == "":
			problems = append(problems, fmt.Sprintf("%s: %s %s is missing", listFile, m.Path, m.Version))
		case have.version != want.version:
			problems = append(problems,
				fmt.Sprintf("%s: %s is at %s in go.mod, not at %s", listFile, m.Path, want.version, have.version))
		case have != want:
			problems = append(problems, fmt.Sprintf("%s: want %q, got %q", listFile, want, have))
		case err != nil:
			problems = append(problems, fmt.Sprintf("%s: nobody has reviewed %s %s", listFile, m.Path, m.Version))
		}
	}
	for _, r := range rows {
		problems = append(problems, fmt.Sprintf("%s: go.mod does not require %s", listFile, r.path))
	}
	if len(problems) > 0 {
		problems = append(problems,
			"go run ./scripts/gates modules -write brings the list up to date; "+listFile+" says what a review is")
	}
	return problems
}

// wanted returns the line of a module. A review holds for one version. So does the date of its release: what a proxy
// says of it differs from machine to machine.
func wanted(m module, have row) row {
	want := row{m.Path, m.Version, have.released, unreviewed, "tests, other systems"}
	if have.version == m.Version {
		want.reviewed = have.reviewed
	}
	if !m.released.IsZero() && (have.version != m.Version || have.released == "") {
		want.released = m.released.Format(time.DateOnly)
	}
	switch {
	case m.binary && m.Indirect:
		want.use = "binary, through others"
	case m.binary:
		want.use = "binary"
	}
	return want
}

// rowsOf returns the lines of the table by their module.
func rowsOf(list string) map[string]row {
	rows := map[string]row{}
	for line := range strings.Lines(list) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.Contains(cells[1], ".") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows[cells[1]] = row{cells[1], cells[2], cells[3], cells[4], cells[5]}
	}
	return rows
}

// writeList writes the table anew, below the text that stands before it.
func writeList(ctx context.Context) error {
	required, err := requirements(ctx)
	if err != nil {
		return err
	}
	old, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	text, _, found := strings.Cut(string(old), "\n| Module |")
	if !found {
		return fmt.Errorf("%s has no table that begins with | Module |", listFile)
	}
	rows := rowsOf(string(old))
	lines := []string{text, "| Module | Version | Released | Reviewed | Used by |", "|---|---|---|---|---|"}
	for _, m := range required {
		lines = append(lines, wanted(m, rows[m.Path]).String())
	}
	return os.WriteFile(listFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
