package bench

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
)

// plot is a chart of lines over a logarithmic x axis, as an SVG without other files.
type plot struct {
	title, x string
	lines    []plotLine
}

type plotLine struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

const (
	plotWidth, plotHeight = 900, 460
	plotLeft, plotRight   = 60, 330 // the margins: for figures on the left, for names on the right
	plotTop, plotBottom   = 50, 50
)

// plotColours differ for people who see fewer colours, too (after Okabe and Ito).
var plotColours = []string{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"}

// write writes the chart: a title, a grid with figures of y, labels of x, and the lines with their names and last
// values.
func (p plot) write(out io.Writer) error {
	minX, maxX, maxY := p.span()
	xPosition := func(x float64) float64 {
		part := 0.5
		if maxX > minX {
			part = (math.Log(x) - math.Log(minX)) / (math.Log(maxX) - math.Log(minX))
		}
		return plotLeft + part*(plotWidth-plotLeft-plotRight)
	}
	yPosition := func(y float64) float64 { return plotHeight - plotBottom - y/maxY*(plotHeight-plotTop-plotBottom) }
	var svg bytes.Buffer
	fmt.Fprintf(
		&svg,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12"><rect width="100%%" height="100%%" fill="white"/>`+"\n",
		plotWidth,
		plotHeight,
	)
	label(&svg, point{plotLeft, 24}, "start", "#000", p.title)
	for i := 0; i <= 4; i++ {
		y := maxY * float64(i) / 4
		fmt.Fprintf(
			&svg,
			`<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n",
			plotLeft,
			plotWidth-plotRight,
			yPosition(y),
			yPosition(y),
		)
		label(&svg, point{plotLeft - 8, yPosition(y) + 4}, "end", "#000", fmt.Sprintf("%.2g", y))
	}
	for _, at := range p.lines[0].points {
		label(&svg, point{xPosition(at.x), plotHeight - plotBottom + 20}, "middle", "#000", fmt.Sprintf("%.3g M", at.x/1e6))
	}
	label(&svg, point{(plotLeft + plotWidth - plotRight) / 2, plotHeight - 8}, "middle", "#000", p.x)
	for i, l := range p.lines {
		colour := plotColours[i%len(plotColours)]
		svg.WriteString(`<polyline fill="none" stroke-width="2" stroke="` + colour + `" points="`)
		for _, at := range l.points {
			fmt.Fprintf(&svg, "%.1f,%.1f ", xPosition(at.x), yPosition(at.y))
		}
		svg.WriteString("\"/>\n")
		label(&svg, point{plotWidth - plotRight + 16, float64(plotTop + 20*i)}, "start", colour, l.name+lastValue(l))
	}
	svg.WriteString("</svg>\n")
	_, err := out.Write(svg.Bytes())
	return err
}

func lastValue(l plotLine) string { return fmt.Sprintf(" (%.2f)", l.points[len(l.points)-1].y) }

// span returns the smallest and the largest x, and a whole number that no y exceeds, at least 2.
func (p plot) span() (minX, maxX, maxY float64) {
	minX, maxY = math.Inf(1), 2
	for _, l := range p.lines {
		for _, at := range l.points {
			minX, maxX, maxY = min(minX, at.x), max(maxX, at.x), max(maxY, at.y)
		}
	}
	return minX, maxX, math.Ceil(maxY)
}

// label writes a text at a point; anchor is the text-anchor of SVG.
func label(svg *bytes.Buffer, at point, anchor, colour, text string) {
	fmt.Fprintf(svg, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">`, at.x, at.y, anchor, colour)
	_ = xml.EscapeText(svg, []byte(text)) // a Buffer never fails
	svg.WriteString("</text>\n")
}
