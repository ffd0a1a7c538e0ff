package feed

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel/internal/store"
)

// scrapeLimit keeps a slow database from holding up the whole of /metrics.
const scrapeLimit = 2 * time.Second

var (
	lagGauge = prometheus.NewDesc(
		"laurel_feed_lag_rows",
		"Rows of the change feed that a consumer has not read yet, counted by number; each holds up to 64 changes of one transaction.",
		[]string{"consumer"},
		nil,
	)
	ageGauge = prometheus.NewDesc(
		"laurel_feed_horizon_age_seconds",
		"How long the oldest open write transaction has held back the change feed; 0 if none does.",
		nil,
		nil,
	)
)

var failingGauge = prometheus.NewDesc(
	"laurel_feed_failing_seconds",
	"How long each batch of a consumer of the change feed has failed, on whatever node; 0: it does not fail.",
	[]string{"consumer"},
	nil,
)

// Collectors lists the gauges of the feed for a registry. They query the database when they are collected.
func (f *Feed) Collectors() []prometheus.Collector { return []prometheus.Collector{gauges{f}} }

type gauges struct{ feed *Feed }

// Describe sends the descriptions of the gauges.
func (gauges) Describe(out chan<- *prometheus.Desc) {
	out <- lagGauge
	out <- ageGauge
	out <- failingGauge
}

// Collect sends the gauges and leaves out those that could not be read: a gap in a graph is truer than a zero.
func (g gauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeLimit)
	defer cancel()
	lag, err := g.feed.Lag(ctx)
	if err != nil {
		g.feed.log.Warn("the lag of the change feed is unknown", slog.Any("error", err))
	}
	for name, n := range lag {
		out <- prometheus.MustNewConstMetric(lagGauge, prometheus.GaugeValue, float64(n), name)
	}
	consumers, err := listConsumers(ctx, g.feed.db)
	if err != nil {
		g.feed.log.Warn("the failures of the change feed are unknown", slog.Any("error", err))
	}
	for _, c := range consumers {
		seconds := 0.0
		if c.Failing != nil {
			seconds = g.feed.db.Now().Sub(store.Time(*c.Failing)).Seconds()
		}
		out <- prometheus.MustNewConstMetric(failingGauge, prometheus.GaugeValue, seconds, c.Name)
	}
	horizon, err := g.feed.horizon.advance(ctx)
	if err != nil {
		g.feed.log.Warn("the horizon of the change feed is unknown", slog.Any("error", err))
		return
	}
	out <- prometheus.MustNewConstMetric(ageGauge, prometheus.GaugeValue, horizon.age.Seconds())
}
