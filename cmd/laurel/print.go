package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// printJSON prints a value as indented JSON.
func printJSON(v any) error {
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// table prints rows in columns as wide as they need.
type table struct{ out *tabwriter.Writer }

// newTable returns a table for the standard output, with the titles as its first row.
func newTable(titles ...string) table {
	t := table{tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)}
	t.addRow(titles...)
	return t
}

// addRow adds a row. Cells that are not printable are quoted.
func (t table) addRow(cells ...string) {
	for i, c := range cells {
		cells[i] = printable(c)
	}
	_, _ = fmt.Fprintln(t.out, strings.Join(cells, "\t")) // print returns the error
}

func (t table) print() error { return t.out.Flush() }

// printable returns a text as it is, or quoted if it has characters that would break the line or control the terminal.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
