package store

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Metrics holds the counters of the engine; app registers them at /metrics.
type Metrics struct {
	begun     prometheus.Counter
	retries   prometheus.Counter
	works     prometheus.Counter
	deferred  prometheus.Counter
	poisoned  prometheus.Counter
	batchSize prometheus.Histogram
	batchTime prometheus.Histogram
	// writerWaits is SQLite's: transactions take turns on one connection, so its pool never waits.
	writerWaits, writerWaitSeconds prometheus.Counter
}

// newMetrics returns the counters of one database, at zero.
func newMetrics() *Metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "laurel", Subsystem: "store", Name: name, Help: help})
	}
	return &Metrics{
		begun: counter("transactions_total", "Write transactions begun, those that wrote nothing included."),
		retries: counter(
			"transaction_retries_total",
			"Transactions run again after a serialization failure, a deadlock or a busy file, or because a row existed that was presumed absent.",
		),
		works:    counter("works_total", "Works that the committer has finished."),
		deferred: counter("works_deferred_total", "Works deferred because another transaction had locked a row they need."),
		poisoned: counter("works_poisoned_total", "Works that made their batch fail and failed alone."),
		writerWaits: counter("writer_waits_total",
			"Transactions that waited for the one writer of SQLite; none on PostgreSQL."),
		writerWaitSeconds: counter("writer_wait_seconds_total",
			"Time that transactions have waited for the one writer of SQLite."),
		batchSize: prometheus.NewHistogram(
			prometheus.HistogramOpts{Namespace: "laurel", Subsystem: "store", Name: "batch_works",
				Help: "Works committed together.", Buckets: prometheus.ExponentialBuckets(1, 2, 10)},
		),
		batchTime: prometheus.NewHistogram(
			prometheus.HistogramOpts{Namespace: "laurel", Subsystem: "store", Name: "batch_seconds",
				Help: "Time from taking a batch to its commit.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14)},
		),
	}
}

// collectors lists the counters for a registry.
func (m *Metrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		m.begun, m.retries, m.works, m.deferred, m.poisoned, m.batchSize, m.batchTime, m.writerWaits, m.writerWaitSeconds,
	}
}

// Collectors lists the metrics of the engine for a registry: its counters, its pools of connections, with the label
// db_name "read" or "write", and the reads that hold one of a limited number of slots.
func (db *DB) Collectors() []prometheus.Collector {
	slots := func(kind string, s readSlots) []prometheus.Collector {
		labels := prometheus.Labels{"kind": kind}
		return []prometheus.Collector{
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "laurel_store_read_slots", ConstLabels: labels,
				Help: "Reads of a kind that may run at once: of lists (GET requests), or long (the past, exports).",
			}, func() float64 { return float64(cap(s)) }),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "laurel_store_read_slots_in_use", ConstLabels: labels,
				Help: "Reads of a kind that run now.",
			}, func() float64 { return float64(len(s)) }),
		}
	}
	out := append(db.Metrics.collectors(),
		collectors.NewDBStatsCollector(db.read.DB, "read"), collectors.NewDBStatsCollector(db.write.DB, "write"))
	return append(append(out, slots("list", db.listReads)...), slots("long", db.longReads)...)
}

// Collectors lists the metrics of the committer for a registry.
func (c *Committer) Collectors() []prometheus.Collector {
	return []prometheus.Collector{prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "laurel_store_works_waiting", Help: "Works that wait for a batch.",
	}, func() float64 {
		waiting := 0
		for _, l := range c.lanes {
			waiting += len(l.queue)
		}
		return float64(waiting)
	})}
}
