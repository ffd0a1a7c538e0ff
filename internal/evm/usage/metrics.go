package usage

import "github.com/prometheus/client_golang/prometheus"

// metrics are those of all networks.
type metrics struct {
	behind   *prometheus.GaugeVec
	failures *prometheus.CounterVec
}

func newMetrics() *metrics {
	labels := []string{"network"}
	return &metrics{
		behind: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "laurel_network_usage_behind",
			Help: "Blocks that are still to be read of how contracts are used, by the contract that has the most.",
		}, labels),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_network_usage_failures_total",
			Help: "Attempts of this node to read how contracts are used that failed.",
		}, labels),
	}
}

// Collectors lists the metrics for a registry.
func (r *Reader) Collectors() []prometheus.Collector {
	return []prometheus.Collector{r.metrics.behind, r.metrics.failures}
}
