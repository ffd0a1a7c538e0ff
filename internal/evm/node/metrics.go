package node

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are those of all networks of a server.
type metrics struct {
	head     *prometheus.GaugeVec
	calls    *prometheus.CounterVec
	failures *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

func newMetrics() *metrics {
	return &metrics{
		head: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "laurel_network_head", Help: "The newest block of a network that this node of Laurel has seen.",
		}, []string{"network"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_network_calls_total",
			Help: "JSON-RPC requests to a network, by the number of the address in the file; those of a batch count each.",
		}, []string{"network", "address"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_network_failures_total",
			Help: "Calls to an address that failed: no valid answer, a rate limit, another chain, or a head behind another.",
		}, []string{"network", "address"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "laurel_network_call_seconds", Help: "How long calls to the nodes of a network take.",
			Buckets: []float64{.01, .03, .1, .3, 1, 3, 10},
		}, []string{"network"}),
	}
}

// begin sets the counters of an address to zero: a series that begins with the first failure would hide that one.
func (m *metrics) begin(network string, address int) {
	m.calls.WithLabelValues(network, strconv.Itoa(address))
	m.failures.WithLabelValues(network, strconv.Itoa(address))
	m.seconds.WithLabelValues(network)
}

func (m *metrics) count(network string, address, requests int) {
	m.calls.WithLabelValues(network, strconv.Itoa(address)).Add(float64(requests))
}

// Collectors lists the metrics for a registry.
func (n *Networks) Collectors() []prometheus.Collector {
	return []prometheus.Collector{n.metrics.head, n.metrics.calls, n.metrics.failures, n.metrics.seconds}
}
