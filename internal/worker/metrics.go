package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel/internal/store"
)

// scrapeLimit keeps a slow database from holding up the whole of /metrics.
const scrapeLimit = 2 * time.Second

// Metrics are the metrics of one queue, for a registry.
type Metrics = prometheus.Collector

type metric int

const (
	dueGauge metric = iota
	ageGauge
	takenTotal
	failedTotal
	abandonedTotal
)

var metricTexts = map[metric][2]string{
	dueGauge:       {"due", "Items of the queue that are due and leased to no node, counted up to 10000."},
	ageGauge:       {"oldest_due_seconds", "How long the oldest of them has been due; 0 if none is."},
	takenTotal:     {"taken_total", "Items that this node has leased."},
	failedTotal:    {"failed_total", "Attempts of this node that failed."},
	abandonedTotal: {"given_up_total", "Items that this node abandoned after too many attempts."},
}

func (m metric) desc(queue string) *prometheus.Desc {
	name := prometheus.BuildFQName("laurel", "queue", metricTexts[m][0])
	return prometheus.NewDesc(name, metricTexts[m][1], nil, prometheus.Labels{"queue": queue})
}

// Describe sends the descriptions of the queue's metrics.
func (q *Queue[T]) Describe(out chan<- *prometheus.Desc) {
	for m := range metricTexts {
		out <- m.desc(q.Name)
	}
}

// Collect sends the queue's counters and, if the database responds in time, how many items are due.
func (q *Queue[T]) Collect(out chan<- prometheus.Metric) {
	emit := func(m metric, kind prometheus.ValueType, v float64) {
		out <- prometheus.MustNewConstMetric(m.desc(q.Name), kind, v)
	}
	emit(takenTotal, prometheus.CounterValue, float64(q.taken.Load()))
	emit(failedTotal, prometheus.CounterValue, float64(q.failed.Load()))
	emit(abandonedTotal, prometheus.CounterValue, float64(q.abandoned.Load()))
	ctx, cancel := context.WithTimeout(context.Background(), scrapeLimit)
	defer cancel()
	n, oldest, err := q.Table.countDue(ctx, q.DB)
	if err != nil {
		q.Loop.Log.Warn("the due items of a queue could not be counted", slog.String("queue", q.Name), slog.Any("error", err))
		return
	}
	age := 0.0
	if oldest != nil {
		age = q.DB.Now().Sub(store.Time(*oldest)).Seconds()
	}
	emit(dueGauge, prometheus.GaugeValue, float64(n))
	emit(ageGauge, prometheus.GaugeValue, max(age, 0))
}
