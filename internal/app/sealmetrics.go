package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel/internal/points/audit"
)

// scrapeLimit keeps a slow database from blocking the whole of /metrics.
const scrapeLimit = 2 * time.Second

var (
	sealEntries = prometheus.NewDesc(
		"laurel_seal_lag_entries",
		"Entries that wait to be sealed, counted up to 10000.",
		nil,
		nil,
	)
	sealSeconds = prometheus.NewDesc(
		"laurel_seal_lag_seconds",
		"For how long the oldest entry has waited to be sealed; 0 when none waits.",
		nil,
		nil,
	)
	sealLast = prometheus.NewDesc(
		"laurel_seal_last_block_timestamp_seconds",
		"When the last block was made, in seconds since 1970; 0: none yet.",
		nil,
		nil,
	)
	sealStarted = prometheus.NewDesc(
		"laurel_seal_started",
		"1 when the entries from before sealing began are sealed.",
		nil,
		nil,
	)
)

// sealGauges read the database on each scrape, so that any node reports the state, whichever node seals.
type sealGauges struct {
	sealer *audit.Sealer
	log    *slog.Logger
}

// Describe sends the descriptions of the gauges.
func (sealGauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{sealEntries, sealSeconds, sealLast, sealStarted} {
		out <- d
	}
}

// Collect sends the gauges, or none if the database cannot be read.
func (g sealGauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeLimit)
	defer cancel()
	state, err := g.sealer.State(ctx)
	if err != nil {
		g.log.Warn("the state of the sealer is unknown", slog.Any("error", err))
		return
	}
	send := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	last, started := 0.0, 0.0
	if !state.LastBlock.IsZero() {
		last = float64(state.LastBlock.UnixMicro()) / 1e6
	}
	if state.Started {
		started = 1
	}
	send(sealEntries, float64(state.Entries))
	send(sealSeconds, state.Lag.Seconds())
	send(sealLast, last)
	send(sealStarted, started)
}
