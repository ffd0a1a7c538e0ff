package store

import "github.com/prometheus/client_golang/prometheus"

// Metrics holds the counters of the engine; app registers them at /metrics.
type Metrics struct {
	begun     prometheus.Counter
	retries   prometheus.Counter
	works     prometheus.Counter
	deferred  prometheus.Counter
	poisoned  prometheus.Counter
	batchSize prometheus.Histogram
	batchTime prometheus.Histogram
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

// Collectors lists the counters for a registry.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.begun, m.retries, m.works, m.deferred, m.poisoned, m.batchSize, m.batchTime}
}
