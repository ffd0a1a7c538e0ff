#!/usr/bin/env bash
# Runs every fuzz target for a while, after the inputs that it begins with: scripts/fuzz.sh [DIRECTORY].
# FUZZ_TIME sets the time (5s), or how many inputs (50000x): time may run out in the middle of an input, which Go
# counts as a failure, so that only a number of inputs ends the same way on every machine. FUZZ_COVERAGE=off lets
# mutations be made blindly, from the tests' own builds: guided by coverage, everything that a target imports is compiled
# once more, which takes minutes and is worth little in a few seconds of fuzzing.
set -uo pipefail
cd "${1:-$(dirname "$0")/..}"
out=$(mktemp)
built=$(mktemp -d)
trap 'rm -rf "$out" "$built"' EXIT
passed=0 failed=0

# fuzz runs a target of a package for a time, and reports whether nothing failed.
fuzz() {
	if [ "${FUZZ_COVERAGE:-on}" = on ]; then
		go test -run '^$' -fuzz "^$1\$" -fuzztime "$3" "$2" >"$out" 2>&1
		return
	fi
	local binary="$built/${2//[.\/]/_}.test"
	{ [ -e "$binary" ] || go test -c -vet=off -ldflags=-w -o "$binary" "$2"; } >"$out" 2>&1 &&
		(cd "$2" && "$binary" -test.run '^$' -test.fuzz "^$1\$" -test.fuzztime "$3" -test.fuzzcachedir "$built/found") >"$out" 2>&1
}

# tried reports whether inputs were made. To go test a target that it does not find is no failure, and on a busy machine
# the time may be over before the first input.
tried() { grep -qE '^fuzz: elapsed: .* execs: [1-9]' "$out"; }

while IFS=: read -r file target; do
	target=${target#func } package=./$(dirname "$file")
	if fuzz "$target" "$package" "${FUZZ_TIME:-5s}" && { tried || { fuzz "$target" "$package" 100x && tried; }; }; then
		passed=$((passed + 1))
		echo "ok   $target $(grep '^fuzz: elapsed:' "$out" | tail -n 1 | cut -d, -f2)"
	else
		failed=$((failed + 1))
		cat "$out"
		echo "FAIL $target"
	fi
done < <(grep -rHoE --include='*_test.go' --exclude-dir={node_modules,testdata} '^func Fuzz[A-Za-z0-9_]*' . | sort)

echo "fuzz targets: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
