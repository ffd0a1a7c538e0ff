#!/usr/bin/env bash
# Generates a TypeScript client from openapi.json, compiles it strictly and runs the tour with it against a server of its own.
# Needs Go, node and npm; the npm packages are those of scripts/client/package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh # for free_port

server='' work=$(mktemp -d /tmp/laurel-client.XXXXXX)
finish() {
	status=$?
	if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi
	[ "$status" = 0 ] || [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl node npm; do command -v "$tool" >/dev/null || { echo "client: $tool is needed" >&2; exit 1; }; done

npm=(npm --prefix scripts/client --silent)
"${npm[@]}" ci --ignore-scripts --no-audit --no-fund
mkdir -p scripts/client/build bin
"${npm[@]}" run generate
"${npm[@]}" run compile
echo "the client compiles"

go build -buildvcs=false -o bin/laurel ./cmd/laurel
export LAUREL_DATABASE_URL="sqlite:$work/laurel.db" LAUREL_LISTEN="127.0.0.1:$(free_port)"
export LAUREL_ADDRESS="http://$LAUREL_LISTEN"
bin/laurel serve >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do curl -sf "$LAUREL_ADDRESS/readyz" >/dev/null && break || sleep 0.1; done
init() { bin/laurel init --name "$1" --website "$1 website" --currency Points --json 2>>"$work/log"; }
LAUREL_PROGRAM=$(init Acme) LAUREL_OTHER_PROGRAM=$(init Other) "${npm[@]}" run tour
