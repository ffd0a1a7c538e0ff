#!/usr/bin/env bash
# Tortures the service on both engines and says what it found; arguments go to scripts/torture (--help lists them).
# SEED=1,2 replays seeds that an earlier run printed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh
mkdir -p bin
go build -buildvcs=false -o bin/torture ./scripts/torture
exec bin/torture --postgres-bin "$(postgres_bin || true)" "$@"
