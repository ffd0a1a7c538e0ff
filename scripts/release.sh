#!/usr/bin/env bash
# Builds a release: scripts/release.sh VERSION [OS/ARCH…] writes into bin/release/VERSION, for every platform unless some
# are named, an archive with the binary, its list of modules (CycloneDX), and SHA256SUMS over all.
# scripts/release.sh --binary FILE VERSION builds one binary, for the platform of GOOS and GOARCH.
# scripts/release.sh --modules FILE BINARY VERSION writes the list of modules of a binary.
# The same sources and the same version of Go give the same bytes, in any folder and on any machine.
set -euo pipefail
cd "$(dirname "$0")/.."

platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)

usage() {
	sed -n '2,5s/^# //p' scripts/release.sh >&2
	exit 2
}

# build FILE VERSION: nothing of this machine goes into the binary: no C compiler, no paths, no commit, no build id.
build() {
	[[ $2 =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]] || { echo "release: $2 is no version such as 1.2.3" >&2; exit 2; }
	CGO_ENABLED=0 GOFLAGS='' GOEXPERIMENT='' GOAMD64=v1 GOARM64=v8.0 GOWORK=off \
		go build -mod=readonly -trimpath -buildvcs=false \
		-ldflags "-s -w -buildid= -X $(GOFLAGS='' go list -m)/internal/app.release=$2" -o "$1" ./cmd/laurel
}

if [ "${1:-}" = --binary ]; then
	[ $# = 3 ] || usage
	build "$2" "$3"
	exit
fi
if [ "${1:-}" = --modules ]; then
	[ $# = 4 ] || usage
	env -u GOOS -u GOARCH go run ./scripts/release --modules "$4" "$3" >"$2"
	exit
fi
[ $# -ge 1 ] && [[ $1 != -* ]] || usage
version=$1
shift
[ $# = 0 ] || platforms=("$@")
out=bin/release/$version
rm -rf "$out"
mkdir -p "$out/build"
for platform in "${platforms[@]}"; do
	os=${platform%/*} arch=${platform#*/} suffix=''
	[ "$os" != windows ] || suffix=.exe
	echo "building for $platform"
	GOOS=$os GOARCH=$arch build "$out/build/laurel_${version}_${os}_$arch/laurel$suffix" "$version"
done
go run ./scripts/release "$version" "$out"
rm -r "$out/build"
cat "$out/SHA256SUMS"
