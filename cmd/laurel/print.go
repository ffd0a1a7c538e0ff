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

func printJSON(v any) error {
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// table prints rows in columns as wide as they need.
type table struct{ out *tabwriter.Writer }

func newTable(titles ...string) table {
	t := table{tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)}
	t.row(titles...)
	return t
}

func (t table) row(cells ...string) {
	for i, c := range cells {
		cells[i] = plain(c)
	}
	_, _ = fmt.Fprintln(t.out, strings.Join(cells, "\t")) // print tells the error
}

func (t table) print() error { return t.out.Flush() }

// plain quotes a name that would break the line or command the terminal.
func plain(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
