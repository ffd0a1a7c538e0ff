package app

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// publicMetrics returns the handler of /metrics on the listener that serves everybody; nil if metrics have a listener
// of their own. It leaves out what members do, since strangers can read it.
func (a *App) publicMetrics() http.Handler {
	if a.config.MetricsListener != nil {
		return nil
	}
	return promhttp.HandlerFor(a.serverMetrics(), promhttp.HandlerOpts{})
}

// ownMetrics returns the handler of the listener that serves metrics alone.
func (a *App) ownMetrics() http.Handler {
	program := prometheus.NewRegistry()
	program.MustRegister(a.Figures.Collectors()...)
	program.MustRegister(a.Refusals.Collectors()...)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(
		prometheus.Gatherers{a.serverMetrics(), program}, promhttp.HandlerOpts{}))
	return mux
}

// serverMetrics returns the metrics of this server and its queues.
func (a *App) serverMetrics() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry.MustRegister(a.db.Collectors()...)
	registry.MustRegister(a.committer.Collectors()...)
	registry.MustRegister(a.served.collectors()...)
	registry.MustRegister(a.Feed.Collectors()...)
	registry.MustRegister(sealGauges{a.Sealer, a.log})
	registry.MustRegister(a.edgeMetrics()...)
	registry.MustRegister(a.Networks.Collectors()...)
	registry.MustRegister(a.Reader.Collectors()...)
	registry.MustRegister(a.Usage.Collectors()...)
	registry.MustRegister(a.Completions.JobQueueMetrics()...)
	registry.MustRegister(a.ContractRules.Metrics())
	registry.MustRegister(a.Referrals.Metrics()...)
	registry.MustRegister(a.Payouts.Metrics()...)
	registry.MustRegister(a.PostResolver.Metrics()...)
	registry.MustRegister(a.DynamicRewards.Metrics()...)
	registry.MustRegister(a.Replays.Metrics()...)
	registry.MustRegister(a.Awards.Metrics()...)
	registry.MustRegister(a.Webhooks.Metrics()...)
	registry.MustRegister(a.Functions.Metrics()...)
	registry.MustRegister(a.Lists.Metrics()...)
	registry.MustRegister(a.Claims.Metrics()...)
	registry.MustRegister(a.MemberImports.Metrics()...)
	registry.MustRegister(a.Schedule.Metrics()...)
	registry.MustRegister(a.Holds.Metrics()...)
	registry.MustRegister(a.Minting.Metrics()...)
	registry.MustRegister(a.Auctions.Metrics()...)
	return registry
}
