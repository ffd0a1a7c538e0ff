package reader

import "github.com/prometheus/client_golang/prometheus"

// metrics are those of all networks.
type metrics struct {
	cursor, stopped                      *prometheus.GaugeVec
	events, undecodable, failures, reorg *prometheus.CounterVec
}

func newMetrics() *metrics {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"network"})
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		all := append([]string{"network"}, labels...)
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, all)
	}
	return &metrics{
		cursor:  gauge("laurel_network_cursor", "The last block of a network whose events were read."),
		stopped: gauge("laurel_network_stopped", "1 if the reader of a network has stopped until it is resumed, else 0."),
		events: counter("laurel_network_events_total",
			"Events and calls that this node published to subscriptions: applied, or rolled_back.", "kind"),
		undecodable: counter("laurel_network_undecodable_total",
			"Logs and calls that were skipped because they do not fit the ABI of their subscription."),
		failures: counter("laurel_network_reader_failures_total", "Attempts of this node to read on that failed."),
		reorg:    counter("laurel_network_reorgs_total", "Reorganizations that this node has followed."),
	}
}

// The kinds of events that are counted.
const (
	kindApplied    = "applied"
	kindRolledBack = "rolled_back"
)

// begin sets the counters of a network to zero: a series that begins with the first failure would hide that one.
func (m *metrics) begin(network string) {
	m.stopped.WithLabelValues(network).Set(0)
	for _, kind := range []string{kindApplied, kindRolledBack} {
		m.events.WithLabelValues(network, kind)
	}
	for _, counter := range []*prometheus.CounterVec{m.undecodable, m.failures, m.reorg} {
		counter.WithLabelValues(network)
	}
}

// Collectors lists the metrics for a registry.
func (r *Reader) Collectors() []prometheus.Collector {
	m := r.metrics
	return []prometheus.Collector{m.cursor, m.stopped, m.events, m.undecodable, m.failures, m.reorg}
}
