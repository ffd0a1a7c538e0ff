#!/usr/bin/env bash
# Compiles the TypeScript client strictly, and runs the tour with it against a server of its own.
# Needs Go, node and npm; the npm packages are those of scripts/client/package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/server.sh

server='' work=$(mktemp -d /tmp/laurel-client.XXXXXX)
finish() {
	status=$?
	stop_server || true
	[ "$status" = 0 ] || [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl node npm; do command -v "$tool" >/dev/null || { echo "client: $tool is needed" >&2; exit 1; }; done

npm=(npm --prefix scripts/client --silent)
"${npm[@]}" ci --ignore-scripts --no-audit --no-fund
mkdir -p scripts/client/build
"${npm[@]}" run laurel
"${npm[@]}" run compile
echo "the client compiles"

export LAUREL_DATABASE_URL="sqlite:$work/laurel.db"
export LAUREL_DEV=true # it sends an event to the tour
start_server "$work/log"
export LAUREL_ADDRESS=$base
init() { bin/laurel init --name "$1" --website "$1 website" --currency Points --json 2>>"$work/log"; }
LAUREL_PROGRAM=$(init Acme) LAUREL_OTHER_PROGRAM=$(init Other) "${npm[@]}" run tour
