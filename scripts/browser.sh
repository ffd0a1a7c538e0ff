#!/usr/bin/env bash
# Drives the dashboard in Chromium: the first hour on an empty server with a mouse, by keyboard alone and without
# JavaScript; the widget; lost connections, ended sessions and two editors; and every page of the demo at three widths and in both
# themes, with axe. Screenshots are left in bin/screenshots, but for CI=true. Needs Go, node, npm and Chromium (Debian:
# apt install chromium); CHROMIUM names another program, LAUREL_ONLY the parts to run ("first hour", "faults", "every
# page", "accounts", "widget"), and LAUREL_PAGES a pattern of the demo's pages to look at. Accounts are those of a real OpenID Connect
# provider (npm oidc-provider), which members connect and move, and with which admins sign in.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/server.sh

servers=() work=$(mktemp -d /tmp/laurel-browser.XXXXXX)
finish() {
	status=$?
	for one in "${servers[@]}"; do
		{ kill "$one" && wait "$one"; } 2>/dev/null || true
	done
	[ "$status" = 0 ] || tail -n 5 "$work"/*.log >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl node npm "${CHROMIUM:-chromium}"; do
	command -v "$tool" >/dev/null || { echo "browser: $tool is needed" >&2; exit 1; }
done
npm --prefix scripts/browser --silent ci --ignore-scripts --no-audit --no-fund

link() { sed -n 's/.*\(http:[^ ]*\/admin\/link\/[^ ]*\).*/\1/p' "$1"; }

LAUREL_EMPTY=''
for name in script keyboard plain faults; do
	export LAUREL_DATABASE_URL="sqlite:$work/$name/laurel.db"
	mkdir "$work/$name"
	start_server "$work/$name.log"
	servers+=("$server")
	LAUREL_EMPTY+="$name $base $(link "$work/$name.log")"$'\n'
done

# A provider of accounts, and a server whose members connect them.
: >"$work/provider.log"
node scripts/browser/provider.mjs >>"$work/provider.log" 2>&1 &
servers+=("$!")
for _ in $(seq 300); do
	grep -q '^shop ' "$work/provider.log" && break
	kill -0 "$!" && sleep 0.1
done
printed() { sed -n "s/^$1 //p" "$work/provider.log"; }
cat >"$work/identity.json" <<-END
	{"platforms": [{"platform": "code_host", "kind": "oidc", "issuer": "$(printed provider)", "clientId": "laurel",
	  "clientSecret": "a secret of the client"}],
	  "admins": {"issuer": "$(printed provider)", "clientId": "laurel", "clientSecret": "a secret of the client",
	  "label": "Acme ID"}}
END
export LAUREL_DATABASE_URL="sqlite:$work/accounts/laurel.db"
mkdir "$work/accounts"
program=$(bin/laurel init --name Acme --website Acme --currency Points --json 2>>"$work/accounts.log")
LAUREL_IDENTITY="$work/identity.json" start_server "$work/accounts.log"
servers+=("$server")
LAUREL_ACCOUNTS="$base $(node -pe 'JSON.parse(process.argv[1]).websiteApiKey' "$program") $(printed shop) $(link "$work/accounts.log")"
export LAUREL_ACCOUNTS

: >"$work/demo.log"
env -u LAUREL_DATABASE_URL bin/laurel demo --listen 127.0.0.1:0 >>"$work/demo.log" 2>&1 &
servers+=("$!")
for _ in $(seq 300); do
	grep -q Ctrl-C "$work/demo.log" && break
	kill -0 "$!" && sleep 0.1
done
LAUREL_DEMO_KEY=$(sed -n 's/^website key *//p' "$work/demo.log")
export LAUREL_EMPTY LAUREL_DEMO_KEY LAUREL_SHOTS=$PWD/bin/screenshots
LAUREL_DEMO=$(link "$work/demo.log") CHROMIUM=$(command -v "${CHROMIUM:-chromium}") node scripts/browser/tour.mjs
