#!/usr/bin/env bash
# Runs the receivers of docs/webhooks.md, as they stand there, against a server of its own: each takes a signed event and
# refuses a forged one. Needs Go, node, npm, python3 and curl.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/server.sh

server='' receivers=() work=$(mktemp -d /tmp/laurel-receivers.XXXXXX) folder=scripts/receivers/build
finish() {
	status=$?
	for pid in "${receivers[@]}"; do kill "$pid" 2>/dev/null || true; done
	stop_server || true
	[ "$status" = 0 ] || tail -n 20 "$work"/*log >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl jq node npm python3; do command -v "$tool" >/dev/null || { echo "receivers: $tool is needed" >&2; exit 1; }; done

# block FILE: the example of that name
block() { awk -v name="file=receivers/$1" '/^```/ { on = index($0, name) > 0; next } on' docs/webhooks.md >"$folder/$1"; [ -s "$folder/$1" ]; }
mkdir -p "$folder"
npm --prefix scripts/receivers --silent ci --ignore-scripts --no-audit --no-fund
block receiver.go && block receiver.mjs && block receiver.py
mv "$folder/receiver.go" "$work" # a folder of the module holds no program that is not its own
go build -buildvcs=false -o "$work/receiver" "$work/receiver.go"

export LAUREL_DATABASE_URL="sqlite:$work/laurel.db" LAUREL_DEV=true
start_server "$work/server.log"
made=$(bin/laurel init --name Acme --website "Acme site" --currency Points --json 2>>"$work/server.log")
key=$(jq -r .websiteApiKey <<<"$made") tenant=$(jq -c '{organizationId, websiteId}' <<<"$made")
call() { curl -sf -X "${3:-POST}" "$base/api/stratus/subscriptions$1" -H "X-API-KEY: $key" -H 'content-type: application/json' -d "${2:-{\}}"; }

# try NAME PORT COMMAND…: a subscription that the receiver takes, and one with another key that it refuses
try() {
	name=$1 address=127.0.0.1:$2
	shift 2
	body() {
		jq -c --arg name "$1" --arg address "http://$address/hook" \
			'. + {name: $name, callbackUrl: $address, platformSubscriptions: [{tableNames: ["User"]}]}' <<<"$tenant"
	}
	good=$(call '' "$(body "$name")") forged=$(call '' "$(body "$name forged")")
	SIGNING_KEY=$(jq -r .signingKey <<<"$good") LISTEN=$address "$@" >"$work/$name.log" 2>&1 &
	receivers+=($!)
	for _ in $(seq 100); do curl -s -o /dev/null "http://$address/hook" && break || sleep 0.1; done
	expect "$(jq -r .id <<<"$good")" 204
	expect "$(jq -r .id <<<"$forged")" 401
	echo "$name: takes what is signed, refuses what is not"
}
# expect SUBSCRIPTION STATUS: what the receiver answers to a test event
expect() {
	event=$(call "/$1/test" | jq -r .id)
	for _ in $(seq 100); do
		status=$(curl -sf "$base/api/stratus/subscriptions/$1/events/$event" -H "X-API-KEY: $key" | jq '.callback.response.status')
		[ "$status" = null ] || break
		sleep 0.1
	done
	[ "$status" = "$2" ] || { echo "receivers: $name answered $status, want $2" >&2; return 1; }
}
port=$((20000 + RANDOM % 20000))
try go "$port" "$work/receiver"
try javascript $((port + 1)) node "$folder/receiver.mjs"
try python $((port + 2)) python3 "$folder/receiver.py"
echo "receivers: 3 passed, 0 failed"
