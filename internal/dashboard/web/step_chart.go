package web

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"laurel.example/laurel"
)

// ChartStep is one span of a step chart, with the level at its end.
type ChartStep struct {
	At     time.Time // when the span begins
	Label  string    // of the span
	Amount laurel.Amount
	Change laurel.Amount // within the span
	Mark   string        // label below the chart; empty: its day
}

// StepChart is a level over time, drawn as steps. Horizontal positions are percentages, so that text keeps its size.
type StepChart struct {
	Height     int
	Lines      []chartLine
	Area, Line string // paths in a box of 1000 by Height
	Marks      []chartMark
	Days       []chartDay
	Steps      []ChartStep // newest first, for the table
	First      ChartStep
	Last       ChartStep
	Change     laurel.Amount
	Spans      string // what a step covers: day, or 5 days
}

type chartLine struct {
	Y, TextY string
	Label    string
	Zero     bool
}

// chartMark is a span that is pointed at.
type chartMark struct{ X, Width, Title string }

// chartDay is a label below the chart.
type chartDay struct {
	X, Label string
	Minor    bool // it goes where there is little room
}

// The chart's box: the plot is between top and bottom, labels stand below.
const (
	chartHeight  = 212
	chartTop     = 8.0
	chartBottom  = 186.0
	maxDayLabels = 6
)

// DrawSteps draws a step chart of amounts, oldest first, in a box that is 1000 wide; steps must not be empty. spans
// names what a step covers, such as "day", and quantity what the amounts are, such as "balance". Change is by how much
// the amount changed over all steps.
func DrawSteps(steps []ChartStep, spans, quantity string) StepChart {
	c := StepChart{Height: chartHeight, First: steps[0], Last: steps[len(steps)-1], Spans: spans}
	c.Change = c.Last.Amount - (c.First.Amount - c.First.Change)
	lowest, highest := 0.0, 0.0
	for _, step := range steps {
		lowest, highest = min(lowest, float64(step.Amount)), max(highest, float64(step.Amount))
	}
	unit := niceStep((highest - lowest) / 3) // between grid lines, of which there are about three
	lowest, highest = math.Floor(lowest/unit)*unit, math.Ceil(highest/unit)*unit
	if highest == lowest {
		highest = lowest + unit
	}
	// y returns the vertical position of an amount.
	y := func(v float64) float64 { return chartBottom - (v-lowest)/(highest-lowest)*(chartBottom-chartTop) }
	for v := lowest; v <= highest+unit/2; v += unit { // half a unit more, as sums of fractions are inexact
		c.Lines = append(c.Lines, chartLine{
			Y: Decimal(y(v)), TextY: Decimal(y(v) + 4), Label: Number(laurel.Amount(math.Round(v))),
			Zero: math.Abs(v) < unit/2,
		})
	}
	width := 1000 / float64(len(steps))
	var line strings.Builder
	for i, step := range steps {
		levelY := Decimal(y(float64(step.Amount)))
		if i == 0 {
			line.WriteString("M0 " + levelY)
		} else {
			line.WriteString("V" + levelY)
		}
		line.WriteString("H" + Decimal(width*float64(i+1)))
		c.Marks = append(c.Marks, chartMark{
			X: Decimal(width*float64(i)/10) + "%", Width: Decimal(width/10) + "%",
			Title: fmt.Sprintf("%s: %s %s, change %s", step.Label, quantity, Number(step.Amount), signed(step.Change)),
		})
	}
	c.Line = line.String()
	c.Area = c.Line + "V" + Decimal(y(max(lowest, 0))) + "H0Z"
	c.labelSpans(steps, width)
	for i := len(steps) - 1; i >= 0; i-- {
		c.Steps = append(c.Steps, steps[i])
	}
	return c
}

// labelSpans adds at most maxDayLabels labels of spans below the chart. width is that of a span, in thousandths of the
// chart. Every other label is left out on narrow screens.
func (c *StepChart) labelSpans(steps []ChartStep, width float64) {
	every := max(1, (len(steps)+maxDayLabels-1)/maxDayLabels)
	for i, nr := every/2, 0; i < len(steps); i, nr = i+every, nr+1 {
		c.Days = append(c.Days, chartDay{
			X: Decimal((float64(i)+.5)*width/10) + "%", Label: cmp.Or(steps[i].Mark, steps[i].At.Format("2 Jan")),
			Minor: nr%2 == 1,
		})
	}
}

// niceStep returns the distance between grid lines of a chart: the smallest of 1, 2, 2.5 or 5 times a power of ten that
// is at least minimum, and at least 1.
func niceStep(minimum float64) float64 {
	minimum = max(minimum, 1)
	power := math.Pow(10, math.Floor(math.Log10(minimum)))
	for _, times := range []float64{1, 2, 2.5, 5} {
		if times*power >= minimum {
			return times * power
		}
	}
	return 10 * power
}

// Decimal writes a number with at most three decimal places.
func Decimal(v float64) string {
	text := fmt.Sprintf("%.3f", v)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// signed writes a change: +5, −5 or 0.
func signed(a laurel.Amount) string {
	if a > 0 {
		return "+" + Number(a)
	}
	return Number(a)
}
