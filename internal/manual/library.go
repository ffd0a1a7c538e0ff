package manual

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// library has all pages.
type library struct {
	byPath   map[string]*page
	inOrder  []*page // by their files
	files    fs.FS
	groups   []menuGroup // without the page that is shown
	sections []section   // of all pages, for searches
}

// page is one page as it is read.
type page struct {
	file  string // such as guides/online-shop.md
	path  string // below /docs
	title string
	parts []heading
	text  []byte
}

// heading is a heading of a page below its title.
type heading struct {
	level        int
	text, anchor string
}

// unserved are pages for those who change the source; they stand beside it.
var unserved = []string{"ARCHITECTURE.md", "testing.md"}

// markdown parses and renders pages. They are the project's own, so the little HTML in them, such as breaks in tables,
// is rendered as it stands. Cells are aligned without style attributes, which the policy of the pages forbids.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.NewTable(
		extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute),
	)),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// readLibrary reads all pages of a folder, and the menu from its index.
func readLibrary(files fs.FS) (*library, error) {
	l := &library{byPath: map[string]*page{}, files: files}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" || slices.Contains(unserved, name) {
			return err
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		p, doc := parse(name, source)
		l.byPath[p.path] = p
		l.inOrder = append(l.inOrder, p)
		if name != indexFile { // it only names the other pages
			l.sections = append(l.sections, sectionsOf(p, doc)...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pages of the documentation: %w", err)
	}
	l.groups = l.readMenu()
	return l, nil
}

// parse reads a page. Its headings get the anchors that code hosts give them.
func parse(file string, source []byte) (*page, ast.Node) {
	p := &page{file: file, path: PathOf(file), text: source}
	doc := markdown.Parser().Parse(text.NewReader(source))
	taken := anchors{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		label := plain(h, source)
		anchor := taken.add(label)
		h.SetAttributeString("id", []byte(anchor))
		if h.Level == 1 && p.title == "" {
			p.title = label
		} else {
			p.parts = append(p.parts, heading{h.Level, label, anchor})
		}
		return ast.WalkSkipChildren, nil
	})
	return p, doc
}

// headed matches a heading as it is rendered.
var headed = regexp.MustCompile(`(?s)<h([2-6]) id="([^"]+)">(.*?)</h[2-6]>`)

// render returns the HTML of a page's text.
func (l *library) render(p *page, base string) (template.HTML, error) {
	_, doc := parse(p.file, p.text)
	l.rewriteLinks(p, doc, base)
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, p.text, doc); err != nil {
		return "", fmt.Errorf("%s: %w", p.file, err)
	}
	// Text is escaped, so that these tags are those of the renderer.
	body := headed.ReplaceAllString(out.String(),
		`<h$1 id="$2">$3 <a class="anchor" href="#$2" aria-label="Link to this section">#</a></h$1>`)
	body = strings.NewReplacer(
		"<table>", `<div class="table-wrap" role="region" aria-label="Table" tabindex="0"><table class="table">`,
		"</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`,
	).Replace(body)
	return template.HTML(body), nil //nolint:gosec // of the project's own pages
}

// tocEntry is an entry of a page's table of contents.
type tocEntry struct {
	Text, Anchor string
	IsSub        bool
}

const (
	tocLevels  = 3  // headings below are left out
	tocEntries = 48 // of a longer page, only the headings of the second level are listed
)

// toc returns the table of contents; none for a page with one heading.
func (p *page) toc() (out []tocEntry) {
	deepest := tocLevels
	if len(p.parts) > tocEntries {
		deepest = 2
	}
	for _, h := range p.parts {
		if h.level <= deepest {
			out = append(out, tocEntry{Text: h.text, Anchor: h.anchor, IsSub: h.level > 2})
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
