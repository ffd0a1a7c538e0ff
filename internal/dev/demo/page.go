package demo

import (
	"bytes"
	_ "embed" // the template is a file
	"html/template"
)

// Page is what the page of a small shop is made with, on which the demo shows the widget.
type Page struct {
	Prefix      string // of every path of the server
	ClientKey   string
	MemberToken string
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Render returns the HTML of the page.
func (p Page) Render() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	return b.Bytes(), err
}
