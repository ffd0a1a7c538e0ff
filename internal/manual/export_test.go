package manual

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// ReadPage returns the links and the anchors of a page in Markdown.
func ReadPage(file string, source []byte) (links []string, anchors map[string]bool) {
	p, doc := parse(file, source)
	anchors = map[string]bool{"": true}
	for _, h := range p.parts {
		anchors[h.anchor] = true
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			links = append(links, string(link.Destination))
		}
		if h, ok := n.(*ast.Heading); ok && entering && h.Level == 1 {
			if id, ok := h.AttributeString("id"); ok {
				anchors[string(id.([]byte))] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return links, anchors
}

// RawHTML returns the HTML that stands in a page in Markdown.
func RawHTML(source []byte) (out []string) {
	doc := markdown.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, ok := n.(*ast.RawHTML); ok && entering {
			out = append(out, string(raw.Segments.Value(source)))
		}
		if block, ok := n.(*ast.HTMLBlock); ok && entering {
			out = append(out, string(block.Lines().Value(source)))
		}
		return ast.WalkContinue, nil
	})
	return out
}

// TargetOf returns the file and the anchor that a link of a file leads to.
func TargetOf(file, link string) (target, anchor string, isOurs bool) { return targetOf(file, link) }
