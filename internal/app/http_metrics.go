package app

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel/internal/api/rest"
)

// requestMetrics measures the requests of this node by method, route and status, and writes the access log. It costs a
// request a few hundred nanoseconds, and allocates nothing unless the level of the log is debug.
type requestMetrics struct {
	log       *slog.Logger
	responses *prometheus.CounterVec
	durations *prometheus.HistogramVec
	bytes     *prometheus.CounterVec

	mu     sync.RWMutex
	series map[seriesKey]requestSeries // looking a label up in a vector takes longer
}

// seriesKey has the labels of a series: as many as the service has routes, methods of them and statuses.
type seriesKey struct {
	method, route string
	status        int
}

// requestSeries are the metrics of one method, route and status.
type requestSeries struct {
	responses prometheus.Counter
	duration  prometheus.Observer
	bytes     prometheus.Counter
}

var _ rest.Observer = (*requestMetrics)(nil)

// newRequestMetrics returns metrics without a series: each begins with the first request of it.
func newRequestMetrics(log *slog.Logger) *requestMetrics {
	route := []string{"method", "route"}
	return &requestMetrics{
		log: log,
		responses: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_http_responses_total",
			Help: "Responses by method, route and status; 499: the caller left before the response.",
		}, append(slices.Clone(route), "status")),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "laurel_http_request_duration_seconds",
			Help:    "Time from the head of a request to the end of its response, by method and route.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, route),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laurel_http_response_bytes_total",
			Help: "Bytes of the bodies of responses, by method and route.",
		}, route),
		series: map[seriesKey]requestSeries{},
	}
}

// collectors lists the metrics for a registry.
func (m *requestMetrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.responses, m.durations, m.bytes}
}

// Begin returns the time, by the system's clock: that of the service has no monotonic part.
func (*requestMetrics) Begin() time.Time { return time.Now() }

// End counts a request, and logs it at the level debug. The log has neither addresses nor queries, which may hold
// secrets of callers.
func (m *requestMetrics) End(ctx context.Context, begun time.Time, r rest.Served) {
	took := time.Since(begun)
	s := m.seriesOf(seriesKey{methodLabel(r.Method), r.Route, r.Status})
	s.responses.Inc()
	s.duration.Observe(took.Seconds())
	s.bytes.Add(float64(r.Bytes))
	if m.log.Enabled(ctx, slog.LevelDebug) {
		m.log.LogAttrs(ctx, slog.LevelDebug, "request", slog.String("method", methodLabel(r.Method)),
			slog.String("route", r.Route), slog.Int("status", r.Status), slog.Float64("seconds", took.Seconds()),
			slog.Int64("bytes", r.Bytes), slog.String("requestId", r.RequestID))
	}
}

// seriesOf returns the metrics of a key, which it makes at the first request.
func (m *requestMetrics) seriesOf(key seriesKey) requestSeries {
	m.mu.RLock()
	s, ok := m.series[key]
	m.mu.RUnlock()
	if ok {
		return s
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s = requestSeries{
		responses: m.responses.WithLabelValues(key.method, key.route, strconv.Itoa(key.status)),
		duration:  m.durations.WithLabelValues(key.method, key.route),
		bytes:     m.bytes.WithLabelValues(key.method, key.route),
	}
	m.series[key] = s
	return s
}

// methodLabel returns the method of a request; "other" for one that no route has, since callers may send any word.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "other"
}
