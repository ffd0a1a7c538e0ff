package manual

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// anchors are those of a page that are taken.
type anchors map[string]int

// add returns the anchor of a heading: its words in lower case, joined by hyphens, without punctuation, and with a
// number if a heading before has the same.
func (a anchors) add(heading string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
	count := a[slug]
	a[slug]++
	if count > 0 {
		slug = fmt.Sprintf("%s-%d", slug, count)
	}
	return slug
}

// plain returns the text of a part of a page, without marks.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	writePlain(&out, n, source)
	return strings.Join(strings.Fields(out.String()), " ")
}

func writePlain(out *strings.Builder, n ast.Node, source []byte) {
	switch n := n.(type) {
	case *ast.Text:
		out.Write(n.Segment.Value(source))
		if n.SoftLineBreak() || n.HardLineBreak() {
			out.WriteByte(' ')
		}
		return
	case *ast.String:
		out.Write(n.Value)
		return
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			out.Write(line.Value(source))
		}
		return
	case *ast.AutoLink:
		out.Write(n.Label(source))
		return
	case *ast.HTMLBlock:
		return
	case *ast.RawHTML:
		out.WriteByte(' ')
		return
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		writePlain(out, child, source)
		if child.Type() == ast.TypeBlock || child.Kind() == east.KindTableCell {
			out.WriteByte(' ')
		}
	}
}
