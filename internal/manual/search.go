package manual

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// section is a part of a page below one heading, as searches read it.
type section struct {
	page          *page
	heading       string // "" for what stands below the title
	anchor, text  string
	lowerHeading  string
	lowerText     string
	lowerTitle    string
	isIntroducing bool // it stands below the title
}

// Hit is a section that a search has found.
type Hit struct {
	Title, Heading, Address string
	Snippet                 template.HTML
}

const (
	maxQuery = 200 // characters of a query that count
	maxTerms = 8   // words of a query that count
	maxHits  = 30
)

// How much a word counts by the place in which it is found.
const (
	inTitle   = 60 // of the page, for what stands below it
	inHeading = 25
	asHeading = 40 // the words of the query, in order, in the heading or title
	asTitle   = 60 // the title is the query
	inText    = 1  // for each time
	mostTimes = 6  // that count
)

// sectionsOf parts a page at its headings.
func sectionsOf(p *page, doc ast.Node) []section {
	title := fold(p.title)
	out := []section{{page: p, lowerTitle: title, isIntroducing: true}}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level == 1 {
				continue
			}
			label := plain(h, p.text)
			id, _ := h.AttributeString("id")
			anchor, _ := id.([]byte)
			out = append(out, section{
				page: p, heading: label, anchor: "#" + string(anchor), lowerTitle: title, lowerHeading: fold(label),
			})
			continue
		}
		last := &out[len(out)-1]
		last.text = strings.TrimSpace(last.text + " " + plain(n, p.text))
	}
	for i := range out {
		out[i].lowerText = fold(out[i].text)
	}
	return out
}

// fold returns a text in lower case, with the same number of bytes.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, s)
}

// tidyQuery returns a query with single spaces, cut to what counts of it.
func tidyQuery(query string) string {
	query = strings.Join(strings.Fields(strings.ToValidUTF8(query, "")), " ")
	if runes := []rune(query); len(runes) > maxQuery {
		query = string(runes[:maxQuery])
	}
	return query
}

// termsOf returns the words of a query. Plurals are found like singulars.
func termsOf(phrase string) (terms []string) {
	for term := range strings.FieldsSeq(phrase) {
		if singular, ok := strings.CutSuffix(term, "s"); ok && len(singular) > 3 && !strings.HasSuffix(singular, "s") {
			term = singular
		}
		if len(terms) < maxTerms {
			terms = append(terms, term)
		}
	}
	return terms
}

// search returns the sections in which all words of a query stand, best first.
func (l *library) search(query, base string) []Hit {
	phrase := fold(query)
	terms := termsOf(phrase)
	if len(terms) == 0 {
		return nil
	}
	type scored struct {
		*section
		score int
	}
	var found []scored
	for i := range l.sections {
		if score := l.sections[i].score(phrase, terms); score > 0 {
			found = append(found, scored{&l.sections[i], score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []Hit
	for _, f := range found[:min(len(found), maxHits)] {
		out = append(out, Hit{
			Title: f.page.title, Heading: f.heading, Snippet: snippet(f.text, f.lowerText, terms),
			Address: strings.TrimSuffix(base+"/"+f.page.path, "/") + f.anchor,
		})
	}
	return out
}

// score returns how well a section fits; 0 if a word of the query stands nowhere in it. The title of the page counts
// for what stands below it. For the other sections it only makes up for a missing word.
func (s *section) score(phrase string, terms []string) (score int) {
	own := 0
	for _, term := range terms {
		points := min(strings.Count(s.lowerText, term), mostTimes) * inText
		if strings.Contains(s.lowerHeading, term) {
			points += inHeading
		}
		if s.isIntroducing && strings.Contains(s.lowerTitle, term) {
			points += inTitle
		}
		if own += points; points == 0 && !strings.Contains(s.lowerTitle, term) {
			return 0
		}
		score += points
	}
	if own == 0 {
		return 0
	}
	if strings.Contains(s.lowerHeading, phrase) || s.isIntroducing && strings.Contains(s.lowerTitle, phrase) {
		score += asHeading
	}
	if s.isIntroducing && s.lowerTitle == phrase {
		score += asTitle
	}
	return score
}

// A snippet begins this many bytes before the first word that is found, and has about this many in all.
const snippetLead, snippetLength = 70, 240

// snippet returns a part of a text around the first word of a query in it, with the words marked.
func snippet(text, lower string, terms []string) template.HTML {
	first := len(text)
	for _, term := range terms {
		if at := strings.Index(lower, term); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(text) {
		first = 0
	}
	from, to := max(0, first-snippetLead), min(len(text), first+snippetLength)
	if from > 0 {
		if space := strings.IndexByte(text[from:first], ' '); space >= 0 {
			from += space + 1
		} else {
			from = first
		}
	}
	if to < len(text) {
		if space := strings.LastIndexByte(text[first:to], ' '); space > 0 {
			to = first + space
		}
		for !utf8.RuneStart(text[to]) {
			to--
		}
	}
	var out strings.Builder
	if from > 0 {
		out.WriteString("… ")
	}
	mark(&out, text[from:to], lower[from:to], terms)
	if to < len(text) {
		out.WriteString(" …")
	}
	return template.HTML(out.String()) //nolint:gosec // mark escapes the text
}

// mark writes a text as HTML, with the words of a query marked.
func mark(out *strings.Builder, text, lower string, terms []string) {
	plainFrom := 0
	for i := 0; i < len(text); {
		length := 0
		for _, term := range terms {
			if strings.HasPrefix(lower[i:], term) {
				length = max(length, len(term))
			}
		}
		if length == 0 {
			i++
			continue
		}
		out.WriteString(template.HTMLEscapeString(text[plainFrom:i]))
		out.WriteString("<mark>" + template.HTMLEscapeString(text[i:i+length]) + "</mark>")
		i += length
		plainFrom = i
	}
	out.WriteString(template.HTMLEscapeString(text[plainFrom:]))
}
