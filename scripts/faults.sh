#!/usr/bin/env bash
# Plants bugs that this project once had, one at a time, and proves that the tests still find them:
# scripts/faults.sh [NUMBER|NAME]... The faults are the patches in scripts/faults; CONTRIBUTING.md says how to add one.
# It works on a copy of the checkout, changes that are not committed included. Needs Go, git and PostgreSQL.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
. scripts/postgres.sh

die() {
	echo "faults: $*" >&2
	exit 1
}

finish() {
	[ -z "${PG_DIR:-}" ] || stop_postgres
	[ -z "${work:-}" ] || rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# All faults, or those that the arguments name.
patches=()
for argument in "${@:-*}"; do
	before=${#patches[@]}
	for patch in "$root"/scripts/faults/*.patch; do
		name=$(basename "$patch" .patch)
		number=${name%%-*}
		case $argument in '*' | "$name" | "$number" | "${number#0}" | "${name#*-}") patches+=("$patch") ;; esac
	done
	[ ${#patches[@]} -gt "$before" ] || die "scripts/faults has no fault $argument"
done

for tool in go git tar; do command -v "$tool" >/dev/null || die "$tool is needed"; done
if [ -z "${LAUREL_TEST_POSTGRES:-}" ]; then
	start_postgres || die "both engines are needed: $PG_MISSING"
	trap finish EXIT # again: start_postgres sets a trap of its own
fi
export LAUREL_TEST_REQUIRE_POSTGRES=1

work=$(mktemp -d "${TMPDIR:-/tmp}/laurel-faults.XXXXXX") || exit 1
copy=$work/copy clean=$work/clean log=$work/log
mkdir "$copy" "$clean" "$work/tmp"
export TMPDIR=$work/tmp GIT_CEILING_DIRECTORIES=$work # a panic leaves files behind, and the copy is no repository

git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
	[ ! -e "$file" ] || printf '%s\0' "$file" # a deleted file is listed until its deletion is committed
done | tar -cf - --null -T - | tar -xf - -C "$copy" || die "the checkout could not be copied"
cd "$copy" || exit 1

# build BINARY PACKAGE: builds the tests of a package. Without paths of the copy in them, later runs reuse the builds.
build() { go test -trimpath -ldflags=-s -c -o "$1" "$2" >"$log" 2>&1; }

# run BINARY PACKAGE TEST: runs a test in the folder of its package, as go test does.
run() { (cd "$2" && "$1" -test.run "$3" -test.v -test.timeout 5m) >"$log" 2>&1; }

lost() { # WHY: the log says more
	echo "NOT FOUND: $title: $1"
	tail -n 15 "$log" | cut -c 1-300 | sed 's/^/    /'
	return 1
}

# passes PACKAGE TEST: checks that a test passes without the fault, so that a failure has one cause. It leaves in
# $engines the engines that the test runs on; a test without engines of its own is run as it is.
passes() {
	local binary=$clean/${1//\//_}
	[ -x "$binary" ] || build "$binary" "$1" || { lost "$1 does not build without it"; return; }
	run "$binary" "$1" "^$2\$" || { lost "$2 fails without it"; return; }
	grep -q -- "^--- PASS: $2 " "$log" || { lost "$1 has no test $2, or skips it"; return; }
	! grep -q -- "--- SKIP: $2" "$log" || { lost "$2 skips a part of it"; return; }
	engines=$(sed -nE "s/^ *--- PASS: $2\/(sqlite|postgres) .*/\1/p" "$log" | sort -r)
}

# fails PACKAGE TEST: checks that a test fails with the fault planted, on each of its engines.
fails() {
	local engine
	build "$work/faulty" "$1" || { lost "$1 does not build with it, so no test has failed"; return; }
	for engine in ${engines:-none}; do
		[ "$engine" != none ] || engine=''
		if run "$work/faulty" "$1" "^$2\$${engine:+/^$engine\$}"; then
			lost "$2 passes with it${engine:+ on $engine}"
			return
		fi
		grep -q -- "--- FAIL: $2${engine:+/$engine} " "$log" || { lost "$2 does not end with it"; return; }
	done
}

# try PATCH: prints whether the tests that the patch names find its fault.
try() {
	local title package test engines by='' status=0
	title=$(basename "$1" .patch) title="${title%%-*} ${title#*-}"
	: >"$log"
	while read -r package test; do
		passes "$package" "$test" || return
		git apply "$1" >"$log" 2>&1 || { lost "the patch applies no more"; return; }
		fails "$package" "$test" || status=1
		git apply --reverse "$1" || die "$title could not be taken out of the copy again"
		[ "$status" = 0 ] || return
		by+="${by:+, }$test${engines:+ on ${engines//$'\n'/ and }}"
	done < <(sed -n '/^diff /q; s/^Test: //p' "$1")
	[ -n "$by" ] || { lost "the patch names no test"; return; }
	echo "found: $title by $by"
}

found=0
for patch in "${patches[@]}"; do
	! try "$patch" || found=$((found + 1))
done
echo "$found of ${#patches[@]} planted faults found"
[ "$found" = ${#patches[@]} ]
