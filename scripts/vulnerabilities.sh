#!/usr/bin/env bash
# Scans what the program uses for known vulnerabilities, and says so where their database cannot be reached. SCANNER
# names another program.
set -uo pipefail
cd "$(dirname "$0")/.."
scanner=${SCANNER:-go tool -modfile=tools/go.mod govulncheck}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

$scanner ./... >"$out" 2>&1
status=$?
case $status in
0) echo "vulnerabilities: none known" ;;
3) # as govulncheck tells of findings
	cat "$out"
	echo "vulnerabilities: found" >&2
	exit 1
	;;
*)
	if ! grep -q 'fetching vulnerabilities' "$out"; then
		cat "$out" >&2
		echo "vulnerabilities: the scan did not run" >&2
		exit 1
	fi
	echo "vulnerabilities: not scanned, their database cannot be reached:"
	grep 'fetching vulnerabilities' "$out" | tail -n 1
	;;
esac
