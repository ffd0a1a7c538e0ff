#!/usr/bin/env bash
# Runs every test on SQLite and PostgreSQL and says at the end what ran. Needs Go; PostgreSQL and a C compiler make it complete.
# Arguments go to go test: scripts/test.sh -run Rank ./internal/ledger
# With CI=true a missing engine or race detector is a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh

missing=()

if [ -z "${LAUREL_TEST_POSTGRES:-}" ] && ! start_postgres; then
	missing+=("PostgreSQL, so its half of the tests: $PG_MISSING")
fi
notes=("engines: SQLite${LAUREL_TEST_POSTGRES:+, PostgreSQL}")

race=()
compiler=$(go env CC)
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "${compiler%% *}" >/dev/null; then
	# SQLite's C, translated, stays unwatched: that halves the time, and none of our accesses are in it. Only this package: others of its module instantiate
	# generic types of the standard library, and the linker may take such a copy, which tells the detector of no order, for everyone's.
	race=(-race -gcflags=modernc.org/...=-d=checkptr=0 "-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0")
	notes+=("race detector: on")
else
	notes+=("race detector: off")
	missing+=("the race detector: it needs a C compiler and CGO_ENABLED=1 (Debian: apt install gcc libc6-dev)")
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

# Packages side by side: one per processor, and not so many that their connections exceed what the server takes.
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
[ "$processors" -le 4 ] || processors=4

packages=(./...)
for argument in "$@"; do
	case $argument in ./* | laurel*) packages=() ;; esac
done

go build -buildvcs=false -o bin/testsummary ./scripts/testsummary || exit 1
# What is cut short under the race detector runs once more without it, whole and beside the others: the longest package leaves a processor idle at the end.
tests() {
	local whole='' beside='' status=0
	if [ ${#race[@]} -gt 0 ] && [ $# -eq 0 ]; then
		whole=$(mktemp)
		go test -json -run 'AgreeWithTheModel$' ./internal/app >"$whole" 2>&1 &
		beside=$!
	fi
	go test -json -shuffle=on -timeout 40m ${race[@]+"${race[@]}"} -p "$processors" "$@" ${packages[@]+"${packages[@]}"} || status=$?
	if [ -n "$whole" ]; then
		wait "$beside" || status=$?
		cat "$whole"
		rm -f "$whole"
	fi
	return "$status"
}
tests "$@" 2>&1 | bin/testsummary "${notes[@]}"
status=("${PIPESTATUS[@]}")
[ "${status[0]}" = 0 ] || exit "${status[0]}"
exit "${status[1]}"
