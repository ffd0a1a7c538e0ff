package figures

import (
	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel"
)

// metrics are sums over all websites. They name no tenant: their number would be unbounded, and they would publish the
// business of each website to all who read the metrics of the server (docs/decisions/0143-what-operators-see.md).
type metrics struct {
	completions prometheus.Counter
	points      map[string]prometheus.Counter // by the name of the figure
	vec         *prometheus.CounterVec
}

// flowLabels are the values of the label flow, by the names of the figures.
var flowLabels = map[string]string{
	figureIssued: "issued", figureSpent: "spent", figureReturned: "returned", figureExpired: "expired",
	figureTakenBack: "taken_back", figureMoved: "moved", figureOpening: "opening",
}

// newMetrics returns the counters of one node, at zero.
func newMetrics() *metrics {
	m := &metrics{
		completions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "laurel_completions_total",
			Help: "Rules that members completed, on all websites, counted by the node that reads the change feed for figures.",
		}),
		vec: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_points_total",
			Help: "Points that moved, over all currencies: issued to members, spent, returned, expired, taken_back, moved between members, opening balances. Counted by the node that reads the change feed for figures.",
		}, []string{"flow"}),
		points: map[string]prometheus.Counter{},
	}
	for figure, label := range flowLabels {
		m.points[figure] = m.vec.WithLabelValues(label)
	}
	return m
}

// add adds a batch whose figures are written.
func (m *metrics) add(t *tally) {
	for k, value := range t.sums {
		if c := m.points[k.name]; c != nil {
			c.Add(float64(value) / float64(laurel.One))
		} else if k.name == figureCompletions && k.subject == k.website {
			m.completions.Add(float64(value))
		}
	}
}

// Collectors lists the metrics of completions and points, for a registry.
func (s *Service) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.completions, s.metrics.vec}
}

// newRefusalMetric returns the counter of refused completions.
func newRefusalMetric() *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "laurel_completions_refused_total",
		Help: "Completions that this node refused, by the check that refused them.",
	}, []string{"check"})
	vec.WithLabelValues(otherCheck) // so that the metric is there before the first refusal
	return vec
}

// otherCheck is the label of refusals that no check made.
const otherCheck = "other"

// Collectors lists the metrics of refused completions, for a registry.
func (r *Refusals) Collectors() []prometheus.Collector { return []prometheus.Collector{r.metric} }
