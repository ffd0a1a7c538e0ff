package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel/internal/store"
)

// scrapeLimit keeps a slow database from holding up the whole of /metrics.
const scrapeLimit = 2 * time.Second

// Metrics are those of one queue, for a registry.
type Metrics = prometheus.Collector

type metric int

const (
	dueGauge metric = iota
	ageGauge
	takenTotal
	failedTotal
	gaveUpTotal
)

var metricTexts = map[metric][2]string{
	dueGauge:    {"due", "Items of the queue that are due and that no node has, counted up to 10000."},
	ageGauge:    {"oldest_due_seconds", "For how long the oldest of them has been due; 0 when none is."},
	takenTotal:  {"taken_total", "Items that this node has taken."},
	failedTotal: {"failed_total", "Attempts of this node that met a fault."},
	gaveUpTotal: {"given_up_total", "Items that this node gave up after too many attempts."},
}

func (m metric) desc(queue string) *prometheus.Desc {
	name := prometheus.BuildFQName("laurel", "queue", metricTexts[m][0])
	return prometheus.NewDesc(name, metricTexts[m][1], nil, prometheus.Labels{"queue": queue})
}

// Describe names the metrics of the queue.
func (q *Queue[T]) Describe(out chan<- *prometheus.Desc) {
	for m := range metricTexts {
		out <- m.desc(q.Name)
	}
}

// Collect reads how much is due, and leaves out what it cannot learn.
func (q *Queue[T]) Collect(out chan<- prometheus.Metric) {
	tell := func(m metric, kind prometheus.ValueType, v float64) {
		out <- prometheus.MustNewConstMetric(m.desc(q.Name), kind, v)
	}
	tell(takenTotal, prometheus.CounterValue, float64(q.taken.Load()))
	tell(failedTotal, prometheus.CounterValue, float64(q.failed.Load()))
	tell(gaveUpTotal, prometheus.CounterValue, float64(q.gaveUp.Load()))
	ctx, cancel := context.WithTimeout(context.Background(), scrapeLimit)
	defer cancel()
	n, oldest, err := q.Table.backlog(ctx, q.DB)
	if err != nil {
		q.Loop.Log.Warn("how much of a queue is due is unknown", slog.String("queue", q.Name), slog.Any("error", err))
		return
	}
	age := 0.0
	if oldest != nil {
		age = q.DB.Now().Sub(store.Time(*oldest)).Seconds()
	}
	tell(dueGauge, prometheus.GaugeValue, float64(n))
	tell(ageGauge, prometheus.GaugeValue, max(age, 0))
}
