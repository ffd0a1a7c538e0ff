#!/usr/bin/env bash
# Keeps uploaded files in a bucket of a real S3-compatible store, on two nodes of one PostgreSQL with folders of their
# own. Needs Go, curl, jq and PostgreSQL; the store is versitygw, of the module in scripts/objectstore.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh
. scripts/server.sh

server='' servers=() store='' passed=0 work=$(mktemp -d /tmp/laurel-files.XXXXXX)
finish() {
	status=$?
	for one in "${servers[@]}" $store; do { kill "$one" && wait "$one"; } 2>/dev/null || true; done
	[ -z "${PG_DIR:-}" ] || stop_postgres
	[ "$status" = 0 ] || tail -n 20 "$work"/*.log >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
for tool in go curl jq; do command -v "$tool" >/dev/null || { echo "files: $tool is needed" >&2; exit 1; }; done
start_postgres || { echo "files: $PG_MISSING" >&2; exit 1; }
trap finish EXIT # again: start_postgres sets a trap of its own

is() { # is SENTENCE GOT WANTED
	[ "$2" = "$3" ] || { echo "  FAIL  $1: got $2, want $3"; exit 1; }
	passed=$((passed + 1))
	echo "  ok    $1"
}

# The store: a folder is a bucket.
mkdir -p bin "$work/buckets/files"
go -C scripts/objectstore build -o "$PWD/bin/versitygw" github.com/versity/versitygw/cmd/versitygw
port=$(free_port)
export AWS_ACCESS_KEY_ID=laurel AWS_SECRET_ACCESS_KEY=not-a-secret-of-anybody
bucket="s3://files?region=us-east-1&endpoint=http://127.0.0.1:$port&use_path_style=true"

export LAUREL_DATABASE_URL=$LAUREL_TEST_POSTGRES LAUREL_FILES_BUCKET=$bucket
if start_server "$work/refused.log"; then
	servers+=("$server")
	is "a server without its bucket does not start" started refused
fi
is "a server without its bucket does not start, and says why" "$(grep -c 'bucket files' "$work/refused.log")" 1

ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY \
	bin/versitygw --port "127.0.0.1:$port" posix "$work/buckets" >"$work/store.log" 2>&1 &
store=$!
for _ in $(seq 100); do curl -s "http://127.0.0.1:$port" >/dev/null && break || sleep 0.1; done

node() { LAUREL_DATA_DIR="$work/$1" start_server "$work/$1.log" && servers+=("$server"); }
node one
one=$base
node two
two=$base
program=$(bin/laurel init --name Acme --website Acme --currency Points --json 2>>"$work/init.log")
key=$(jq -r .websiteApiKey <<<"$program") site=$(jq -r .websiteId <<<"$program")

# announce SIZE NAME: leaves the paths in $signed and $public.
announce() {
	answer=$(curl -sf "$one/api/assets" -H "X-API-KEY: $key" -H 'content-type: application/json' \
		-d "{\"fileName\": \"$2\", \"fileSize\": $1, \"websiteId\": \"$site\"}")
	signed=$(jq -r .signedUrl <<<"$answer") public=$(jq -r .url <<<"$answer")
}
put() { curl -s -o "$work/answer" -w '%{http_code}' -X PUT --data-binary "@$2" "$1"; }
objects() { find "$work/buckets/files" -type f -path "*/files/$1/*" | wc -l; }

head -c 20000000 /dev/urandom >"$work/film"
announce 20000000 film.mp4
is "a file of 20 MB is taken" "$(put "$one$signed" "$work/film")" 200
is "its address takes no second one" "$(put "$two$signed" "$work/film")" 400
is "it lies in the bucket" "$(objects files)" 1
is "and not in a folder" "$(find "$work/one" "$work/two" -type f 2>/dev/null | wc -l)" 0
is "another node returns the same bytes" "$(curl -sf "$two$public" | cksum)" "$(cksum <"$work/film")"
is "and a part of them" "$(curl -sf -r 1000000-1999999 "$two$public" | cksum)" "$(tail -c +1000001 "$work/film" | head -c 1000000 | cksum)"
is "as what it is" "$(curl -sfI "$two$public" | tr -d '\r' | sed -n 's/^Content-Type: //p')" video/mp4

printf 'hello' >"$work/short"
announce 6 short.csv
is "a file of another size is refused" "$(put "$one$signed" "$work/short")" 400
is "and is not there" "$(curl -s -o /dev/null -w '%{http_code}' "$one$public")" 404
is "nor in the bucket" "$(objects files)" 1

# What another node has brought, whose upload does not count yet.
announce 5 both.csv
place=$(sed -E 's|^/(files/[^/]*)/(..)([^/]*)/(.*)|\1/\2/\2\3/\4|' <<<"$public")
store() { curl -sf -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' --aws-sigv4 aws:amz:us-east-1:s3 -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" "http://127.0.0.1:$port/files/$place" "$@"; }
printf 'other' | store -X PUT --data-binary @-
is "a file that another node has brought is not overwritten" "$(put "$one$signed" "$work/short") $(store)" "429 other"
store -X DELETE
is "and is taken where there is none" "$(put "$one$signed" "$work/short") $(store)" "200 hello"

film=$(curl -sf "$one/api/assets?websiteId=$site" -H "X-API-KEY: $key" | jq -r '.data[] | select(.url | endswith("film.mp4")) | .id')
is "it is deleted" "$(curl -s -o /dev/null -w '%{http_code}' -X DELETE "$two/api/assets/$film" -H "X-API-KEY: $key")" 200
is "its bytes are gone" "$(objects files)" 1

announce 5 late.csv
kill "$store" && wait "$store" 2>/dev/null || true
store=''
is "an upload while the store is away is refused" "$(put "$one$signed" "$work/short")" 503
echo "files: $passed passed, 0 failed"
