#!/usr/bin/env bash
# Lints openapi.json with the recommended rules of redocly, warnings included. Needs node and npm; the npm package is that
# of scripts/openapi/package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/openapi"
for tool in node npm; do command -v "$tool" >/dev/null || { echo "openapi: $tool is needed" >&2; exit 1; }; done
npm --silent ci --ignore-scripts --no-audit --no-fund
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npm --silent run lint
