#!/usr/bin/env bash
# Has OpenZeppelin's npm package check the Merkle proofs of token claims against a server of its own.
# Needs Go, curl, node and npm; the npm packages are those of scripts/merkle/package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/server.sh

server='' work=$(mktemp -d /tmp/laurel-merkle.XXXXXX)
finish() {
	status=$?
	stop_server || true
	[ "$status" = 0 ] || [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl node npm; do command -v "$tool" >/dev/null || { echo "merkle: $tool is needed" >&2; exit 1; }; done
npm --prefix scripts/merkle --silent ci --ignore-scripts --no-audit --no-fund

export LAUREL_DATABASE_URL="sqlite:$work/laurel.db"
start_server "$work/log"
LAUREL_PROGRAM=$(bin/laurel init --name Acme --website "Acme website" --currency Points --json 2>>"$work/log")
LAUREL_ADDRESS=$base LAUREL_PROGRAM=$LAUREL_PROGRAM node scripts/merkle/check.mjs
