#!/usr/bin/env bash
# Builds the program as it is released, into bin/laurel, and proves that it holds no planted fault.
set -euo pipefail
cd "$(dirname "$0")/.."
go build -o bin/laurel ./cmd/laurel
go run ./scripts/gates binary bin/laurel
