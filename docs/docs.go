// Package docs holds the pages of the documentation, so that a server without its source can show them. Package manual
// renders them. Decisions are about the source, and stand beside it alone.
package docs

import "embed"

// Files are the pages in Markdown and their pictures, by their paths below docs.
//
//go:embed *.md *.svg contract/*.md guides/*.md
var Files embed.FS
