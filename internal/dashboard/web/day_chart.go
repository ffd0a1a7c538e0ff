package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
)

// Day is a day of 24 hours.
const Day = 24 * time.Hour

// DayValue is one bar of a bar chart: a value above the line and, in charts of two series, one below it.
type DayValue struct {
	At       time.Time
	Up, Down float64
	Texts    []string // the values in words, in the order of the series
	Today    bool     // it is not over yet
	Hour     bool     // it is an hour, not a day
	Label    string   // its name, if it is neither a day nor an hour
	Mark     string   // a short form of Label, for below the chart
}

// dayBar is a day of a chart as it is drawn.
type dayBar struct {
	Title          string
	HitX, HitWidth string
	X, Width       string
	UpY, UpHeight  string // empty: no bar
	DownY          string
	DownHeight     string
	Part           bool
}

// DayChart is a bar chart with one or two bars per day. Horizontal positions are percentages, so that text keeps its
// size.
type DayChart struct {
	Height    int
	HitHeight int
	LabelY    int
	Lines     []chartLine
	Bars      []dayBar
	Days      []chartDay
	Rows      []DayValue // newest first, for the table
	Series    []string   // names, as they begin a value: issued, spent
	Sums      []string   // of the series
	Empty     bool       // every value is 0
	Step      string     // day or hour
	Head      string     // heading of the table's first column
	Open      string     // the step that is not over yet; empty: none
	Span      string     // from when to when
}

// The box of charts of days.
const (
	dayHeight = 266
	dayTop    = 10.0
	dayBottom = 242.0
)

// DrawDays draws a bar chart of days or hours, oldest first; days must not be empty. At most eight of them have a label
// below the chart, unless each has a label of its own. axisText writes the values of the axis. series names the bars
// above the line and, if there are two, those below it. Grid lines are at least 1 apart.
func DrawDays(days []DayValue, axisText func(float64) string, series ...string) DayChart {
	c := DayChart{
		Height: dayHeight, HitHeight: int(dayBottom), LabelY: 260, Series: series,
		Step: "day", Span: days[0].At.Format("2 Jan") + " to " + days[len(days)-1].At.Format("2 Jan"),
	}
	c.Head, c.Open = "Day (UTC)", "Today"
	if days[0].Hour {
		c.Step, c.Head, c.Open, c.Span = "hour", "Hour (UTC)", "This hour", strconv.Itoa(len(days))+" hours"
	}
	above, below := 0.0, 0.0 // how far bars reach on either side of the line
	for _, d := range days {
		above, below = max(above, d.Up), max(below, d.Down)
	}
	c.Empty = above+below == 0
	unit := max(niceStep((above+below)/4), 1) // between grid lines, of which there are about four
	if unit == 2.5 {                          // counts have no halves
		unit = 5
	}
	above, below = math.Ceil(above/unit)*unit, math.Ceil(below/unit)*unit
	if above+below == 0 {
		above = unit
	}
	// y returns the vertical position of a value.
	y := func(v float64) float64 { return dayTop + (above-v)/(above+below)*(dayBottom-dayTop) }
	for v := -below; v <= above+unit/2; v += unit { // half a unit more, as sums of fractions are inexact
		c.Lines = append(c.Lines, chartLine{
			Y: Decimal(y(v)), TextY: Decimal(y(v) + 4), Label: axisText(math.Abs(v)), Zero: math.Abs(v) < unit/2,
		})
	}
	dayWidth := 100 / float64(len(days)) // in percent
	for i, d := range days {
		at := float64(i) * dayWidth
		bar := dayBar{
			Title: d.title(series), HitX: Decimal(at) + "%", HitWidth: Decimal(dayWidth) + "%",
			X: Decimal(at+dayWidth*.16) + "%", Width: Decimal(dayWidth*.68) + "%", Part: d.Today,
		}
		if d.Up > 0 {
			bar.UpY, bar.UpHeight = Decimal(y(d.Up)), Decimal(y(0)-y(d.Up))
		}
		if d.Down > 0 {
			bar.DownY, bar.DownHeight = Decimal(y(0)), Decimal(y(-d.Down)-y(0))
		}
		c.Bars = append(c.Bars, bar)
	}
	every := max(1, (len(days)+7)/8) // of so many bars, one has a label
	if days[0].Label != "" {         // each has a name of its own
		every = 1
	}
	for i, nr := every/2, 0; i < len(days); i, nr = i+every, nr+1 {
		c.Days = append(c.Days, chartDay{
			X: Decimal((float64(i)+.5)*dayWidth) + "%", Label: days[i].axisLabel(), Minor: nr%2 == 1,
		})
	}
	for i := len(days) - 1; i >= 0; i-- {
		c.Rows = append(c.Rows, days[i])
	}
	return c
}

// axisLabel returns the label of the bar below the chart: its Mark if it has a Label, otherwise its day or hour.
func (d DayValue) axisLabel() string {
	switch {
	case d.Label != "":
		return d.Mark
	case d.Hour:
		return d.At.Format("15:04")
	}
	return d.At.Format("2 Jan")
}

// Name returns what the bar stands for: its Label if it has one, otherwise its day or hour, with "so far" if that is
// not over.
func (d DayValue) Name() string {
	if d.Label != "" {
		return d.Label
	}
	name := d.At.Format("Mon 2 Jan")
	if d.Hour {
		name = d.At.Format("Mon 15:04")
	}
	if d.Today {
		return name + " so far"
	}
	return name
}

// title returns the name of the bar with its values, such as "Mon 2 Mar: issued 5, spent 3".
func (d DayValue) title(series []string) string {
	parts := make([]string, len(series))
	for i, name := range series {
		parts[i] = name + " " + d.Texts[i]
	}
	return d.Name() + ": " + strings.Join(parts, ", ")
}

// Sum is the sum of a series.
func (c DayChart) Sum(i int) string { return c.Sums[i] }

// Highest returns the name of the bar that is highest above the line, without "so far". Of several, it is the newest.
func (c DayChart) Highest() string {
	best := c.Rows[0]
	for _, d := range c.Rows {
		if d.Up > best.Up {
			best = d
		}
	}
	return strings.TrimSuffix(best.Name(), " so far")
}

// AxisAmount writes an amount in millionths of a point for an axis, such as 20k or 1.5M.
func AxisAmount(v float64) string { return AxisCount(v / float64(laurel.One)) }

// AxisCount writes a number for an axis, shortened from a thousand on, such as 20k or 1.5M.
func AxisCount(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= unit.size {
			return Decimal(math.Round(v/unit.size*100)/100) + unit.name
		}
	}
	return Decimal(v)
}

// maxSparkPoints is how many points a sparkline has.
const maxSparkPoints = 15

// DrawSparkline returns an SVG path that draws values, oldest first, as a line in a box of 76 by 26. Each point of the
// line, of which there are at most maxSparkPoints, is the sum of equally many values; oldest values that do not fill a
// point are left out. The path is empty if all points are 0 or there are fewer than two.
func DrawSparkline(values []float64) string {
	perPoint := (len(values) + maxSparkPoints - 1) / maxSparkPoints
	var points []float64
	for end := len(values); end > 0; end -= perPoint { // whole groups at the newer end
		if end < perPoint {
			break
		}
		sum := 0.0
		for _, v := range values[end-perPoint : end] {
			sum += v
		}
		points = append([]float64{sum}, points...)
	}
	highest := 0.0
	for _, p := range points {
		highest = max(highest, p)
	}
	if highest == 0 || len(points) < 2 {
		return ""
	}
	var path strings.Builder
	for i, p := range points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&path, "%s%s %s", command, Decimal(76*float64(i)/float64(len(points)-1)), Decimal(24-22*p/highest))
	}
	return path.String()
}

// Trend compares a sum with the one of as many days before.
type Trend struct {
	Text string // "12.4%"; empty: there is nothing to compare with
	Down bool
	Flat bool
}

// PercentChange returns by how many percent a sum is above or, with Down, below that of the period before. The result
// is empty if there was nothing before. Below 100% the text has at most one decimal place; Flat is set if it is 0%.
func PercentChange(now, before float64) Trend {
	if before <= 0 {
		return Trend{}
	}
	percent := (now - before) / before * 100
	text := Decimal(math.Round(math.Abs(percent)*10) / 10)
	if math.Abs(percent) >= 100 {
		text = Number(int64(math.Round(math.Abs(percent))))
	}
	return Trend{Text: text + "%", Down: percent < 0, Flat: text == "0"}
}
