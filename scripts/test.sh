#!/usr/bin/env bash
# Runs every test on SQLite and PostgreSQL and says at the end what ran. Needs Go; PostgreSQL and a C compiler make it complete.
# The race detector runs where goroutines meet; with --race first, everywhere. Other arguments go to go test:
# scripts/test.sh -run Rank ./internal/points/ledger
# With CI=true a missing engine or race detector is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh

missing=()

# Databases of tests lie in memory where there is room: most of what a test waits for is the disk. Builds stay on it.
export GOTMPDIR="${GOTMPDIR:-${TMPDIR:-/tmp}}"
if [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -gt $((2 << 20)) ] 2>/dev/null; then
	memory=$(mktemp -d /dev/shm/laurel-test.XXXXXX)
	printf '#!/bin/sh\n' >"$memory/try"
	chmod 755 "$memory" "$memory/try"
	if "$memory/try" 2>/dev/null; then # tests also run programs that they build
		export TMPDIR="$memory"
	fi
fi

if [ -z "${LAUREL_TEST_POSTGRES:-}" ] && ! start_postgres; then
	missing+=("PostgreSQL, so its half of the tests: $PG_MISSING")
fi

# The node of a blockchain that tests start.
if [ ! -d scripts/anvil/node_modules ] && ! { command -v npm >/dev/null &&
	npm --prefix scripts/anvil --silent ci --ignore-scripts --no-audit --no-fund; }; then
	missing+=("anvil, so tests with a blockchain: npm --prefix scripts/anvil ci --ignore-scripts")
fi

# The databases of all tests are copies of two that are migrated here, once: a migration takes seconds under the race
# detector.
templates=$(mktemp -d "${TMPDIR:-/tmp}/laurel-templates.XXXXXX")
trap '[ -z "${PG_DIR:-}" ] || stop_postgres; rm -rf "${templates:?}" "${memory:-}"' EXIT
migrated() {
	local said
	said=$(LAUREL_DATABASE_URL=$1 bin/laurel migrate up 2>&1) || { echo "$said" >&2; return 1; }
}
go build -o bin/laurel ./cmd/laurel && migrated "sqlite:$templates/template.db" || exit 1
export LAUREL_TEST_SQLITE_TEMPLATE="$templates/template.db"
if [ -n "${PG_DIR:-}" ]; then
	export LAUREL_TEST_POSTGRES_TEMPLATE=laurel_template
	"$PG_BIN/psql" -qX "$LAUREL_TEST_POSTGRES" -c "CREATE DATABASE $LAUREL_TEST_POSTGRES_TEMPLATE" &&
		migrated "${LAUREL_TEST_POSTGRES/\/postgres\?//$LAUREL_TEST_POSTGRES_TEMPLATE?}" || exit 1
fi
notes=("engines: SQLite${LAUREL_TEST_POSTGRES:+, PostgreSQL}")

everywhere='' where='where goroutines meet'
if [ "${1:-}" = --race ]; then
	everywhere=yes where=everywhere
	shift
elif [ $# -gt 0 ]; then
	where='' # a chosen part of the tests runs without it
fi

race=()
compiler=$(go env CC)
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "${compiler%% *}" >/dev/null; then
	# SQLite's C, translated, stays unwatched: that halves the time, and none of our accesses are in it. Only this package: others of its
	# module instantiate generic types of the standard library, and the linker may take such a copy, which tells the detector of no order,
	# for everyone's.
	race=(-race -gcflags=modernc.org/...=-d=checkptr=0 "-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0")
	notes+=("race detector: ${where:-off for a part; --race turns it on}")
else
	notes+=("race detector: off")
	missing+=("the race detector: it needs a C compiler and CGO_ENABLED=1 (Debian: apt install gcc libc6-dev)")
fi

# A run of all tests must include those of hostile input, and those that keep what SECURITY.md promises: one that is
# renamed, skipped or left out fails it.
required=()
if [ $# -eq 0 ] && [ "$(uname)" = Linux ]; then
	required=(-require 'cmd/laurel/hostile_*_test.go' -require SECURITY.md)
elif [ $# -eq 0 ]; then
	missing+=("the tests of hostile input: they read the server's CPU time and memory from Linux")
fi

if [ "${CI:-}" = true ]; then
	export LAUREL_TEST_REQUIRE_POSTGRES=1
	if [ ${#missing[@]} -gt 0 ]; then
		printf 'missing: %s\n' "${missing[@]}"
		exit 1
	fi
fi
if [ ${#missing[@]} -eq 0 ]; then
	notes+=("missing: nothing")
else
	for what in "${missing[@]}"; do notes+=("missing: $what"); done
fi

# Packages side by side: one more than processors, as their tests often wait, and not so many that their connections
# exceed what the server takes.
beside=$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))
[ "$beside" -le 4 ] || beside=4

packages=(./...)
for argument in "$@"; do
	case $argument in ./* | laurel.example/*) packages=() ;; esac
done

go build -buildvcs=false -o bin/testsummary ./scripts/testsummary || exit 1
# Tests side by side in a package: enough to keep all processors busy. With more of them, each only takes longer, and
# what it waits for comes too late.
# The linter vets everything. Without GOTMPDIR the folders of tests are in TMPDIR, too.
all() { go test -json -vet=off -shuffle=on -timeout 40m -exec "env -u GOTMPDIR" -p "$beside" -parallel 4 "$@"; }

# Packages that are about goroutines are tested whole under the race detector, of others the tests that start some, and
# all else without it: each test runs once. The tests of cmd/laurel drive the built program from outside, so the detector
# would watch only them.
raced=internal/store,internal/feed,internal/worker,internal/store/loader
# Packages whose tests wait for half a minute begin first, so that nothing has to wait for them at the end.
patient=(./cmd/laurel ./internal/app ./internal/rules/schedule)

tests() {
	if [ $# -gt 0 ] || [ -n "$everywhere" ] || [ ${#race[@]} -eq 0 ]; then
		all ${everywhere:+"${race[@]}"} "$@" ${packages[@]+"${packages[@]}"}
		return
	fi
	local status=0 list chosen
	list=$(go run ./scripts/racetests -whole "$raced" -without cmd/laurel) || return
	read -r -a chosen <<<"$list"
	all -skip "${chosen[0]}" "${patient[@]}" $(go list ./... | grep -vE "^laurel.example/laurel/(${raced//,/|})\$") || status=$?
	all "${race[@]}" -run "${chosen[0]}" "${chosen[@]:1}" || status=$?
	return "$status"
}
tests "$@" 2>&1 | bin/testsummary ${required[@]+"${required[@]}"} "${notes[@]}"
status=("${PIPESTATUS[@]}")
[ "${status[0]}" = 0 ] || exit "${status[0]}"
exit "${status[1]}"
