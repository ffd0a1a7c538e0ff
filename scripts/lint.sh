#!/usr/bin/env bash
# Runs golangci-lint over everything, and fails where it cannot be built, leaves something out or finds anything.
# LINTER names another program.
set -uo pipefail
cd "$(dirname "$0")/.."
linter=${LINTER:-go tool -modfile=tools/go.mod golangci-lint}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

if ! $linter version >"$out" 2>&1; then
	tail -n 5 "$out" >&2
	echo "lint: golangci-lint cannot be built here, so nothing was linted" >&2
	echo "lint: it is a module of tools/go.mod: go must reach its proxy, or have the module in its cache" >&2
	exit 1
fi

# A linter that is left out, or a package that it cannot read, is only a warning to golangci-lint.
run() {
	if ! $linter run --allow-serial-runners "$@" >"$out" 2>&1; then
		cat "$out" >&2
		exit 1
	fi
	if grep -E 'level=(warning|error)' "$out" >&2 || ! grep -qx '0 issues\.' "$out"; then
		tail -n 5 "$out" >&2
		echo "lint: golangci-lint left something out" >&2
		exit 1
	fi
}

run ./...

# Files that only builds with tags hold, with the packages that they are part of. Systems are no such tags: only one at a
# time can be built for.
systems='unix|linux|darwin|windows'
tags=$(grep -rhE --include='*.go' '^//go:build ' . | sed 's|^//go:build||' | tr -cs 'a-z_0-9' '\n' | grep . |
	grep -vxE "$systems" | sort -u | paste -sd, -)
mapfile -t packages < <(grep -rlE --include='*.go' '^//go:build ' . | xargs -rn1 dirname | sort -u)
[ ${#packages[@]} -eq 0 ] || run --build-tags "$tags" "${packages[@]}"
echo "lint: 0 issues, also with the tags ${tags:-(none)}"
