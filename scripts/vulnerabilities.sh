#!/usr/bin/env bash
# Scans what the program uses for known vulnerabilities. Where the database of them cannot be had, it says so: then the
# reviews of the modules are what there is, and make modules holds them. SCANNER names another program.
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
	echo "vulnerabilities: not scanned, the database cannot be had here; see the reviews in docs/modules.md:"
	grep 'fetching vulnerabilities' "$out" | tail -n 1
	;;
esac
