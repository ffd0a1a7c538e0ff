#!/usr/bin/env bash
# Walks through the dashboard in Chromium: the first hour on an empty server, and every page of the demo at two widths
# and in both themes, with axe. Screenshots are left in bin/screenshots. Needs Go, node, npm and Chromium (Debian:
# apt install chromium); CHROMIUM names another program.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/server.sh

server='' demo='' work=$(mktemp -d /tmp/laurel-browser.XXXXXX)
finish() {
	status=$?
	stop_server || true
	[ -z "$demo" ] || { kill "$demo" && wait "$demo"; } 2>/dev/null || true
	[ "$status" = 0 ] || tail -n 20 "$work/server.log" >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl node npm "${CHROMIUM:-chromium}"; do
	command -v "$tool" >/dev/null || { echo "browser: $tool is needed" >&2; exit 1; }
done
npm --prefix scripts/browser --silent ci --ignore-scripts --no-audit --no-fund

link() { sed -n 's/.*\(http:[^ ]*\/admin\/link\/[^ ]*\).*/\1/p' "$1"; }

export LAUREL_DATABASE_URL="sqlite:$work/laurel.db" LAUREL_SHOTS=$PWD/bin/screenshots
start_server "$work/server.log"
export LAUREL_ADDRESS=$base LAUREL_SETUP
LAUREL_SETUP=$(link "$work/server.log")
: >"$work/demo.log"
env -u LAUREL_DATABASE_URL bin/laurel demo --listen 127.0.0.1:0 >>"$work/demo.log" 2>&1 &
demo=$!
for _ in $(seq 300); do
	grep -q Ctrl-C "$work/demo.log" && break
	kill -0 "$demo" && sleep 0.1
done
LAUREL_DEMO=$(link "$work/demo.log") CHROMIUM=$(command -v "${CHROMIUM:-chromium}") node scripts/browser/tour.mjs
