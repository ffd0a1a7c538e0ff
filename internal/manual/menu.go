package manual

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// menuGroup is a part of the menu.
type menuGroup struct {
	ID, Title string
	IsOpen    bool
	Items     []menuItem
}

// menuItem is a page in the menu.
type menuItem struct {
	Label, Address string
	IsCurrent      bool
	path           string
}

const (
	indexFile    = "README.md"          // the index by task: its headings and links make the menu
	contractFile = "contract/README.md" // the index of the contract
)

// readMenu reads the menu from the two indexes. Each page has the place where it is linked to first.
func (l *library) readMenu() []menuGroup {
	taken := map[string]bool{"": true}
	groups := []menuGroup{{Items: []menuItem{{Label: "All pages by task"}}}}
	groups = append(groups, l.linkedFrom(indexFile, taken)...)
	contract := menuGroup{ID: "contract", Title: "The contract"}
	if index := l.byPath[PathOf(contractFile)]; index != nil {
		for _, g := range l.linkedFrom(contractFile, taken) {
			contract.Items = append(contract.Items, g.Items...)
		}
	}
	for i := range contract.Items {
		contract.Items[i].Label = l.byPath[contract.Items[i].path].title
	}
	return append(groups, contract)
}

// linkedFrom returns a group for each heading of a page that has links to pages which are not taken yet.
func (l *library) linkedFrom(file string, taken map[string]bool) (groups []menuGroup) {
	index := l.byPath[PathOf(file)]
	if index == nil {
		return nil
	}
	_, doc := parse(file, index.text)
	var group menuGroup
	end := func() {
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			end()
			label := plain(n, index.text)
			group = menuGroup{ID: anchors{}.add(label), Title: label}
		case *ast.Link:
			target, anchor, isOurs := targetOf(file, string(n.Destination))
			p := l.byPath[PathOf(target)]
			if isOurs && strings.HasSuffix(target, ".md") && anchor == "" && p != nil && !taken[p.path] {
				taken[p.path] = true
				group.Items = append(group.Items, menuItem{Label: plain(n, index.text), path: p.path})
			}
		}
		return ast.WalkContinue, nil
	})
	end()
	return groups
}

// menuFor returns the menu as a page shows it: open where it stands. Others are open unless they are long.
func (l *library) menuFor(at, base string) []menuGroup {
	const long = 16
	var out []menuGroup
	for _, g := range l.groups {
		g.IsOpen = len(g.Items) <= long
		items := make([]menuItem, 0, len(g.Items))
		for _, item := range g.Items {
			item.Address = strings.TrimSuffix(base+"/"+item.path, "/")
			item.IsCurrent = item.path == at
			g.IsOpen = g.IsOpen || item.IsCurrent
			items = append(items, item)
		}
		g.Items = items
		out = append(out, g)
	}
	return out
}
