package webhooks

import (
	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel/internal/worker"
)

// The results of calls of callbacks.
const resultDelivered, resultFailed = "delivered", "failed"

// metrics are counters of this node.
type metrics struct {
	attempts *prometheus.CounterVec
	disabled prometheus.Counter
	parked   prometheus.Counter
}

// newMetrics returns the counters of one node, at zero.
func newMetrics() metrics {
	m := metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "laurel", Subsystem: "webhooks", Name: "attempts_total",
			Help: "Calls of callbacks by this node, by result.",
		}, []string{"result"}),
		disabled: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "laurel", Subsystem: "webhooks", Name: "disabled_total",
			Help: "Subscriptions that this node disabled because their deliveries failed.",
		}),
		parked: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "laurel", Subsystem: "webhooks", Name: "parked_total",
			Help: "Events that this node could not describe and stored as failed; each further try counts.",
		}),
	}
	for _, result := range []string{resultDelivered, resultFailed} {
		m.attempts.WithLabelValues(result) // a series that is missing until the first failure would hide that one
	}
	return m
}

// count counts one call of a callback.
func (m metrics) count(ok bool) {
	result := resultFailed
	if ok {
		result = resultDelivered
	}
	m.attempts.WithLabelValues(result).Inc()
}

// Metrics returns the metrics of the queues and of calls.
func (s *Service) Metrics() []worker.Metrics {
	return []worker.Metrics{s.queue, s.fanouts, s.metrics.attempts, s.metrics.disabled, s.metrics.parked}
}
