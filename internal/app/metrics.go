package app

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics returns the handler of /metrics.
func (a *App) metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry.MustRegister(a.db.Metrics.Collectors()...)
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
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}
