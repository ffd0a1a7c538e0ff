package manual

import (
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// rewriteLinks makes the links between pages lead to their addresses. A link to a file that is not served, such as one
// of the source, becomes plain text.
func (l *library) rewriteLinks(p *page, doc ast.Node, base string) {
	var dead []*ast.Link
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			if target, _, isOurs := targetOf(p.file, string(n.Destination)); isOurs {
				n.Destination = []byte(base + "/" + target)
			}
		case *ast.Link:
			address, isServed := l.addressOf(p, string(n.Destination), base)
			if !isServed {
				dead = append(dead, n)
			}
			n.Destination = []byte(address)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range dead {
		unlink(n)
	}
}

// targetOf returns the file that a link of another file leads to, and the anchor in it; "" is that file itself. A link
// to another host is not ours.
func targetOf(file, link string) (target, anchor string, isOurs bool) {
	u, err := url.Parse(link)
	if err != nil || u.IsAbs() || u.Host != "" {
		return "", "", false
	}
	if u.Path == "" {
		return "", u.Fragment, true
	}
	return path.Join(path.Dir(file), u.Path), u.Fragment, true
}

// addressOf returns the address that a link of a page gets, and whether anything is there.
func (l *library) addressOf(p *page, link, base string) (address string, isServed bool) {
	target, anchor, isOurs := targetOf(p.file, link)
	if anchor != "" {
		anchor = "#" + anchor
	}
	switch {
	case !isOurs:
		return link, true
	case target == "":
		return anchor, true
	case path.Ext(target) == ".svg":
		_, err := fs.Stat(l.files, target)
		return base + "/" + target, err == nil
	}
	to := l.byPath[PathOf(target)]
	if to == nil || path.Ext(target) != ".md" {
		return "", false
	}
	return strings.TrimSuffix(base+"/"+to.path, "/") + anchor, true
}

// unlink puts the text of a link in its place.
func unlink(n *ast.Link) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		n.RemoveChild(n, child)
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}
