#!/usr/bin/env bash
# Checks packaging/monitoring with a real Prometheus: its configuration, the alert rules and their tests, and the metrics
# of a live server. Needs Go, curl and promtool; as root on Debian it takes promtool from the package prometheus.
# PROMTOOL names another program.
set -euo pipefail
cd "$(dirname "$0")/.."

server='' work=$(mktemp -d "${TMPDIR:-/tmp}/laurel-monitoring.XXXXXX")
finish() {
	status=$?
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
	[ "$status" = 0 ] || tail -n 20 "$work"/*log >&2 || true
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT

# The package is not installed, as its server and pages are not needed: only promtool is taken from it.
unpack_promtool() {
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
	(cd "$work" && { apt-get download -qq prometheus || { apt-get update -qq && apt-get download -qq prometheus; }; } &&
		dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool) >"$work/apt.log" 2>&1 </dev/null &&
		mkdir -p bin && mv "$work/usr/bin/promtool" bin/promtool
}
promtool=${PROMTOOL:-$(command -v promtool || true)}
if [ -z "$promtool" ]; then
	[ -x bin/promtool ] || unpack_promtool ||
		{ echo "monitoring: promtool is needed (Debian: apt install prometheus)" >&2; exit 1; }
	promtool=bin/promtool
fi

# quietly COMMAND…: prints its output where it fails
quietly() { "$@" >"$work/check.log" 2>&1; }
quietly "$promtool" check config packaging/monitoring/prometheus.yml
quietly "$promtool" test rules packaging/monitoring/alerts_test.yml

mkdir -p bin
go build -buildvcs=false -o bin/laurel ./cmd/laurel
bin/laurel demo --chain recorded --listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0 >"$work/demo.log" 2>&1 &
server=$!
for _ in $(seq 600); do
	address=$(sed -n 's/^Metrics: //p' "$work/demo.log")
	[ -z "$address" ] || break
	kill -0 "$server"
	sleep 0.1
done
curl -sf "$address" >"$work/metrics"
"$promtool" check metrics <"$work/metrics" >"$work/check.log" 2>&1
[ ! -s "$work/check.log" ] # promtool exits with 0 for metrics without a help text
echo "monitoring: $(grep -c '^# TYPE laurel_' "$work/metrics") families of metrics, $(grep -c 'alert:' packaging/monitoring/alerts.yml) alerts"
